import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { createDatabase } from '../server/test/database.ts'
import { startApi } from '../server/test/process.ts'
import { createTenant } from '../server/test/tenant.ts'
import { Checkout, type Service } from './rules-files/checkout.ts'
import { generateCheckout, generateText } from './rules-files/generate.ts'
import type { ProofOptions } from './run.ts'
import { runConcurrently } from './tools/client.ts'
import { copyCommandLine, type SourceEdit } from './tools/copy.ts'
import { createRandom } from './tools/random.ts'
import { type Measurement, report } from './tools/report.ts'

/** Seven files each. */
const CHECKOUTS = 30
const QUICK_CHECKOUTS = 2
/** Enough to notice each missing cure. */
const CHECKOUTS_WITHOUT_CURE = 1
const CONCURRENCY = 2
/** How many Learnings of a repository a person corrects before the exports, and again after them. */
const CORRECTIONS = 3
const forms = ['agents.md', 'cursor', 'copilot', 'csv'] as const

/** Each is removed alone. */
const cures: readonly (SourceEdit & { readonly without: string })[] = [
  {
    without: 'the identities that an export carries',
    file: 'dist/rules-files/identity.js',
    name: 'parseIdentity',
    by: 'function parseIdentity() { return [] }',
  },
  {
    without: 'the check that a text is read back from its list item',
    file: 'dist/rules-files/write.js',
    name: 'readsBack',
    by: 'function readsBack() { return true }',
  },
]

interface Tally {
  files: number
  statements: number
  created: number
  /** Texts with a flag. */
  proposed: number
  rejected: number
  /** Imported once more. */
  createdAgain: number
  exports: number
  createdFromExports: number
  /** Learnings of an export that its import did not recognize. */
  unrecognized: number
  corrections: number
  /** Corrected texts that an import did not recognize as such. */
  overlooked: number
  /** Imports after which the server has other Learnings, or Learnings with other fields. */
  changing: number
}

/** Imports rules files, imports them again, exports them in every form and imports the exports: nothing is created or changed. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const checkouts = quick ? QUICK_CHECKOUTS : CHECKOUTS
  if (!withoutCure) {
    const tally = await runCheckouts(checkouts)
    report(`rules-files: ${tally.files} generated files of seven formats`, toMeasurements(tally, checkouts))
    return
  }
  const measurements: Measurement[] = []
  for (const { without, ...edit } of cures) {
    const copy = await copyCommandLine([edit])
    try {
      const { createdFromExports, unrecognized } = await runCheckouts(CHECKOUTS_WITHOUT_CURE, copy.entry)
      const wrong = createdFromExports + unrecognized
      measurements.push({ measure: `without ${without}`, goal: '0', result: wrong, met: wrong === 0 })
    } finally {
      await copy.remove()
    }
  }
  report('rules-files without its cures: Learnings that an export does not bring back', measurements)
}

async function runCheckouts(
  checkouts: number,
  cliEntry = fileURLToPath(new URL('../cli/dist/scholiast.js', import.meta.url)),
): Promise<Tally> {
  const database = await createDatabase()
  const tenant = await createTenant(database, { organizations: 1, repositories: checkouts })
  const api = await startApi(database, {
    LIMIT_LEARNINGS_WRITES: 'off',
    LIMIT_LEARNINGS_DRY_RUNS: 'off',
    LIMIT_LEARNINGS_PENDING: 'off',
    LIMIT_METRICS: 'off',
  })
  const tally: Tally = {
    files: 0,
    statements: 0,
    created: 0,
    proposed: 0,
    rejected: 0,
    createdAgain: 0,
    exports: 0,
    createdFromExports: 0,
    unrecognized: 0,
    corrections: 0,
    overlooked: 0,
    changing: 0,
  }
  try {
    const { value: key } = await tenant.createKey('user')
    const service = { url: api.url, key, cliEntry }
    const repositories = tenant.workspace.organizations[0].repositories
    await runConcurrently(checkouts, CONCURRENCY, 'checkouts', (index) =>
      runCheckout(service, repositories[index]?.repositoryId ?? '', `checkout ${index}`, tally),
    )
  } finally {
    await api.stop()
    await tenant.close()
    await database.drop()
  }
  return tally
}

async function runCheckout(service: Service, repository: string, seed: string, tally: Tally): Promise<void> {
  const random = createRandom(seed)
  const files = generateCheckout(random)
  const checkout = await Checkout.write(files, service, repository)
  try {
    const first = await checkout.import()
    tally.files += files.length
    tally.statements += first.statements.length + first.counts.repeated
    tally.created += first.counts.created
    tally.proposed += first.counts.proposed
    tally.rejected += first.counts.rejected
    tally.createdAgain += (await importUnchanged(checkout, tally)).created

    const learnings = await checkout.readLearnings()
    const corrected = Array.from({ length: CORRECTIONS }, () => random.pick(learnings))
    const correctAll = async () => {
      for (const learning of corrected) await checkout.correct(learning, generateText(random))
    }
    await correctAll()
    const distinct = new Set(corrected.map(({ id }) => id)).size
    tally.corrections += distinct
    const again = await importUnchanged(checkout, tally)
    tally.createdAgain += again.created
    tally.overlooked += Math.abs(distinct - again.corrected)

    const folders: string[] = []
    for (const form of forms) {
      const folder = await checkout.export(form)
      folders.push(folder)
      tally.exports += 1
      const { created, existing } = await importUnchanged(checkout, tally, folder)
      tally.createdFromExports += created
      tally.unrecognized += Math.abs(learnings.length - existing)
    }
    // The exports have the text of the first correction: only their identities say what became of it.
    await correctAll()
    for (const folder of folders) {
      const { created, existing } = await importUnchanged(checkout, tally, folder)
      tally.createdFromExports += created
      tally.unrecognized += Math.abs(learnings.length - distinct - existing)
    }
  } finally {
    await checkout.remove()
  }
}

async function importUnchanged(checkout: Checkout, tally: Tally, folder?: string) {
  const readAll = async () => [await checkout.readLearnings(), await checkout.readPending()]
  const before = await readAll()
  const { counts } = await checkout.import(folder)
  if (!isDeepStrictEqual(await readAll(), before)) tally.changing += 1
  return { ...counts, created: counts.created + counts.proposed }
}

function toMeasurements(tally: Tally, checkouts: number): Measurement[] {
  const expectZero = (measure: string, result: number) => ({ measure, goal: '0', result, met: result === 0 })
  return [
    {
      measure: `files (${tally.statements} statements, ${tally.created} Learnings, ${tally.proposed} proposals)`,
      goal: `${checkouts * 7}`,
      result: tally.files,
      met: tally.files === checkouts * 7 && tally.created > tally.files && tally.proposed > 0,
    },
    expectZero('statements that the server rejects', tally.rejected),
    expectZero('created by a second and third import of the same files', tally.createdAgain),
    expectZero(
      `created by an import of an export, of ${tally.exports}, before and after corrections`,
      tally.createdFromExports,
    ),
    expectZero('Learnings that an import of their export does not recognize', tally.unrecognized),
    expectZero(
      `corrections by a person, of ${tally.corrections}, that an import does not recognize`,
      tally.overlooked,
    ),
    expectZero('imports after which a Learning differs in any field', tally.changing),
  ]
}

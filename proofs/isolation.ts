import { makeDatabase, type TestDatabase } from '../server/test/database.ts'
import { type Canaries, makeCanaries } from '../server/test/planted/canaries.ts'
import { startApi } from '../server/test/process.ts'
import { hasForeignWord, type Path, paths, pick, sendRandom } from './isolation/requests.ts'
import { learningsScope, peopleScope, securityScope, statementScope } from './isolation/statement-scope.ts'
import type { ProofOptions } from './run.ts'
import { runConcurrently } from './tools/client.ts'
import { copyWithout } from './tools/copy.ts'
import { report } from './tools/report.ts'

const limitNames = [
  'ORGANIZATIONS',
  'REPOSITORIES',
  'METRICS',
  'SECURITY',
  'REVIEW_CONTEXT',
  'USERS',
  'SEATS',
  'ROLES',
  'CUSTOM_ROLES',
  'AUDIT',
  'KEYS',
]

interface RoundResult {
  /** Responses that contain the word of an organization out of scope. */
  readonly foreign: Readonly<Record<Path, number>>
  readonly served: number
}

interface Round {
  readonly name: string
  readonly withoutStatementScope: boolean
  readonly withoutRowSecurity: boolean
  readonly requests: number
}

/** The rows of each organization contain its own word; no response may contain the word of one out of scope. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const requests = quick ? 4_000 : 100_000
  const both = {
    name: 'both layers off',
    withoutStatementScope: true,
    withoutRowSecurity: true,
    requests: 6_000,
  }
  const rounds: Round[] = [
    { name: 'both layers on', withoutStatementScope: false, withoutRowSecurity: false, requests },
    { name: "the statements' scope off", withoutStatementScope: true, withoutRowSecurity: false, requests },
    { name: 'row-level security off', withoutStatementScope: false, withoutRowSecurity: true, requests },
  ]
  const measurements = []
  for (const round of withoutCure ? [both] : rounds) {
    const { foreign, served } = await runRound(round)
    const found = paths.reduce((sum, path) => sum + foreign[path], 0)
    measurements.push({
      measure: `${round.name}: foreign words in ${round.requests} responses (${served} successful)`,
      goal: '0',
      result: found,
      met: found === 0 && served > round.requests / 4,
    })
  }
  if (!withoutCure) {
    const { foreign } = await runRound(both)
    for (const path of paths) {
      measurements.push({
        measure: `both layers off: foreign words are found at ${path}`,
        goal: '> 0',
        result: foreign[path],
        met: foreign[path] > 0,
      })
    }
  }
  report('isolation: canary fuzz over every endpoint', measurements)
}

async function runRound(round: Round): Promise<RoundResult> {
  const database = await makeDatabase()
  const copy = round.withoutStatementScope
    ? await copyWithout([...statementScope, ...learningsScope, ...peopleScope, ...securityScope])
    : null
  const limits = Object.fromEntries(limitNames.map((name) => [`LIMIT_${name}`, 'off']))
  // Two processes: the machine has two cores, and a cursor of one must be valid on the other.
  const nodes = await Promise.all([1, 2].map(() => startApi(database, limits, copy?.apiEntry)))
  const canaries = await makeCanaries(database)
  try {
    if (round.withoutRowSecurity) await switchRowSecurityOff(database)
    return await fuzz(
      round,
      nodes.map(({ url }) => url),
      canaries,
    )
  } finally {
    await canaries.close()
    await Promise.all(nodes.map((node) => node.stop()))
    await copy?.remove()
    await database.drop()
  }
}

async function fuzz(round: Round, urls: readonly string[], canaries: Canaries): Promise<RoundResult> {
  const foreign = Object.fromEntries(paths.map((path) => [path, 0])) as Record<Path, number>
  let served = 0
  const cursors: string[] = []
  await runConcurrently(round.requests, 32, round.name, async (index) => {
    const caller = pick(canaries.callers)
    const path = pick(paths)
    const url = urls[index % urls.length] ?? ''
    const { status, text } = await sendRandom(url, path, caller, canaries, cursors)
    if (status === 500) throw new Error(`A request to ${path} failed: ${text}`)
    if (status === 200) served += 1
    if (hasForeignWord(text, caller)) foreign[path] += 1
    const cursor = /"next_cursor":"([^"]{1,2000})"/.exec(text)?.[1]
    if (cursor !== undefined) cursors[index % Math.min(cursors.length + 1, 200)] = cursor
  })
  return { foreign, served }
}

async function switchRowSecurityOff(database: TestDatabase): Promise<void> {
  const client = database.superuser()
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relrowsecurity and relnamespace = 'public'::regnamespace`,
  )
  for (const { name } of rows) await client.query(`alter table ${name} disable row level security`)
  await client.end()
}

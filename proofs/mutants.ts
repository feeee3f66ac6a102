import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { symlink } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Mutant, readMutants } from './mutants/read.ts'
import type { ProofOptions } from './run.ts'
import { copyServer, type SourceCopy } from './tools/copy.ts'
import { type Measurement, report } from './tools/report.ts'

/** A test that waits for ever is as good as one that fails. */
const TEST_TIMEOUT_MS = 60_000
const FILE_TIMEOUT_MS = 240_000
const QUICK_MUTANTS_PER_AREA = 2

/**
 * Breaks one check of authorization, scope, cursors or limits at a time in a copy of the server; the tests that guard it
 * must fail. The same tests pass on the unchanged copy, so a failure is the mutant's.
 */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const all = readMutants()
  const mutants = quick
    ? [...Map.groupBy(all, ({ area }) => area).values()].flatMap((area) =>
        area.toSorted((a, b) => a.tests.length - b.tests.length).slice(0, QUICK_MUTANTS_PER_AREA),
      )
    : all
  const failing = await findFailingTests([...new Set(mutants.flatMap(({ tests }) => tests))])
  const measurements: Measurement[] = [
    {
      measure: 'test files that fail on the unchanged server',
      goal: '0',
      result: failing.length === 0 ? 0 : failing.join(', '),
      met: failing.length === 0,
    },
  ]
  for (const [area, members] of Map.groupBy(mutants, (mutant) => mutant.area)) {
    const survivors = await findSurvivors(members, withoutCure)
    for (const { breaks } of survivors) console.error(`  not caught: ${breaks}`)
    measurements.push({
      measure: `${area}: mutants caught of ${members.length}`,
      goal: `${members.length}`,
      result: members.length - survivors.length,
      met: survivors.length === 0,
    })
  }
  const title = 'mutants: one broken check at a time, and the tests that must fail'
  report(withoutCure ? `${title}, without breaking anything` : title, measurements)
}

async function findFailingTests(tests: readonly string[]): Promise<string[]> {
  const copy = await copyWithTests([])
  try {
    const failing: string[] = []
    for (const test of tests) if (!(await passes(copy, test))) failing.push(test)
    return failing
  } finally {
    await copy.remove()
  }
}

async function findSurvivors(mutants: readonly Mutant[], unchanged: boolean): Promise<Mutant[]> {
  const survivors: Mutant[] = []
  for (const mutant of mutants) {
    const copy = await copyWithTests(unchanged ? [] : [mutant])
    try {
      if (!(await isCaught(copy, mutant))) survivors.push(mutant)
      else console.error(`  caught: ${mutant.breaks}`)
    } finally {
      await copy.remove()
    }
  }
  return survivors
}

async function isCaught(copy: SourceCopy, { tests }: Mutant): Promise<boolean> {
  for (const test of tests) if (!(await passes(copy, test))) return true
  return false
}

async function copyWithTests(edits: readonly Mutant[]): Promise<SourceCopy> {
  const copy = await copyServer(['src', 'test', 'migrations'], edits)
  // A test searches the documentation for keys.
  await symlink(fileURLToPath(new URL('../docs', import.meta.url)), `${copy.folder}/../docs`)
  return copy
}

async function passes({ folder }: SourceCopy, test: string): Promise<boolean> {
  const child = spawn(
    process.execPath,
    ['--test', `--test-timeout=${TEST_TIMEOUT_MS}`, `${folder}/${test}`],
    { stdio: 'ignore', timeout: FILE_TIMEOUT_MS },
  )
  const [status] = (await once(child, 'exit')) as [number | null]
  return status === 0
}

import { cp } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as server from '../server/test/learnings/model/many.ts'
import type { ProofOptions } from './run.ts'
import { copyWithout, type SourceEdit } from './tools/copy.ts'
import { type Measurement, report, reportWithoutCures } from './tools/report.ts'

const serverFolder = fileURLToPath(new URL('../server', import.meta.url))
const HISTORIES = 10_000
const QUICK_HISTORIES = 300
/** Enough to notice each missing cure. */
const HISTORIES_WITHOUT_CURE = 120
const CONCURRENCY = 4
const MAX_MINUTES = 15

/** Each is removed alone. */
const cures: readonly (SourceEdit & { readonly without: string })[] = [
  {
    without: 'a text being looked up by its content before it is created',
    file: 'resources/learnings/write/item.ts',
    name: 'listIdentities',
    wrap: '(list, content, oldest) => list({ ...content, identity: content.sent }, oldest)',
  },
  {
    without: 'a closed pull request being taken off the Learnings that came from it',
    file: 'resources/learnings/events/sql.ts',
    name: 'deletePullRequestOrigins',
    by: 'export async function deletePullRequestOrigins(): Promise<void> {}',
  },
  {
    without: 'the retry that repairs the index',
    file: 'learning-index/index-learnings.ts',
    name: 'findUnindexed',
    by: 'export async function findUnindexed() { return new Set() }',
  },
]

/** Runs random histories of Learnings through the API and through a model of the contract, and compares them. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const total = quick ? QUICK_HISTORIES : HISTORIES
  const seed = quick || withoutCure ? 7 : Date.now() % 2 ** 31
  if (withoutCure) return proveWithoutCures(HISTORIES_WITHOUT_CURE, seed)
  const result = await server.runHistories(total, seed, CONCURRENCY)
  const minutes = result.seconds / 60
  report(`lifecycle: ${total} histories of Learnings, ${result.commands} commands, seed ${seed}`, [
    toDifferencesMeasurement('histories that end elsewhere than the contract says', result),
    {
      measure: 'minutes',
      goal: `< ${MAX_MINUTES}`,
      result: minutes.toFixed(1),
      met: minutes < MAX_MINUTES,
    },
  ])
  for (const { index, message, history } of result.differences.slice(0, 3))
    console.log(`\nhistory ${index}: ${message}\n${JSON.stringify(history)}`)
}

async function proveWithoutCures(total: number, seed: number): Promise<void> {
  const measurements: Measurement[] = []
  for (const { without, ...edit } of cures) {
    const copy = await copyWithout([edit])
    try {
      const folder = join(dirname(copy.apiEntry), '..')
      for (const part of ['test', 'migrations'])
        await cp(join(serverFolder, part), join(folder, part), { recursive: true })
      const url = pathToFileURL(join(folder, 'test/learnings/model/many.ts')).href
      const { runHistories } = (await import(url)) as typeof server
      measurements.push(
        toDifferencesMeasurement(`without ${without}`, await runHistories(total, seed, CONCURRENCY)),
      )
    } finally {
      await copy.remove()
    }
  }
  reportWithoutCures(
    `lifecycle without its cures, ${total} histories each: histories that end elsewhere`,
    measurements,
  )
}

function toDifferencesMeasurement(measure: string, { differences }: server.HistoriesResult): Measurement {
  return { measure, goal: '0', result: differences.length, met: differences.length === 0 }
}

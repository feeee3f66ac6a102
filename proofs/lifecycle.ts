import { cp } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as server from '../server/test/learnings/model/many.ts'
import type { ProofOptions } from './run.ts'
import { copyWithout, type Edit } from './tools/copy.ts'
import { type Finding, report } from './tools/report.ts'

const serverFolder = fileURLToPath(new URL('../server', import.meta.url))
const HISTORIES = 10_000
const QUICK = 300
const LANES = 4
const MOST_MINUTES = 15

/** Each taken out alone. */
const cures: readonly (Edit & { readonly without: string })[] = [
  {
    without: 'a text being looked up by its content before it is created',
    file: 'resources/learnings/write/hashes.ts',
    find: 'const hashes = [hashContent(content)]',
    replace: 'const hashes = [contentHash(content.repository_id, content.sent)]',
  },
  {
    without: 'a closed pull request being taken off the Learnings that came from it',
    file: 'resources/learnings/events/close.ts',
    find: 'leavePullRequest(scope, tx, of, closedAt)',
    replace: 'Promise.resolve()',
  },
  {
    without: 'the retry that repairs the index',
    file: 'resources/learnings/write/create.ts',
    find: 'findUnindexed(scope, tx, models, kept)',
    replace: 'findUnindexed(scope, tx, models, [])',
  },
]

/** Random histories of Learnings, through the doors and beside them through a model made of the contract's sentences. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const total = quick || withoutCure ? QUICK : HISTORIES
  const seed = quick || withoutCure ? 7 : Date.now() % 2 ** 31
  if (withoutCure) return proveWithoutCures(total, seed)
  const many = await server.runMany(total, seed, LANES)
  const minutes = many.seconds / 60
  report(`lifecycle: ${total} histories of Learnings, ${many.commands} commands, seed ${seed}`, [
    differencesFinding('histories that end elsewhere than the contract says', many),
    {
      measure: 'minutes',
      goal: `< ${MOST_MINUTES}`,
      result: minutes.toFixed(1),
      met: minutes < MOST_MINUTES,
    },
  ])
  for (const { place, message, history } of many.differences.slice(0, 3))
    console.log(`\nhistory ${place}: ${message}\n${JSON.stringify(history)}`)
}

async function proveWithoutCures(total: number, seed: number): Promise<void> {
  const findings: Finding[] = []
  for (const { without, ...edit } of cures) {
    const copy = await copyWithout([edit])
    try {
      const folder = join(dirname(copy.entry), '..')
      for (const part of ['test', 'migrations'])
        await cp(join(serverFolder, part), join(folder, part), { recursive: true })
      const url = pathToFileURL(join(folder, 'test/learnings/model/many.ts')).href
      const { runMany } = (await import(url)) as typeof server
      findings.push(differencesFinding(`without ${without}`, await runMany(total, seed, LANES)))
    } finally {
      await copy.remove()
    }
  }
  report(`lifecycle without its cures, ${total} histories each: histories that end elsewhere`, findings)
}

function differencesFinding(measure: string, { differences }: server.Many): Finding {
  return { measure, goal: '0', result: differences.length, met: differences.length === 0 }
}

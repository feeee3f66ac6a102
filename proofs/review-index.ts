import { setTimeout as sleep } from 'node:timers/promises'
import type { TestDatabase } from '../server/test/database.ts'
import {
  type EmbeddingServer,
  type Fault,
  startEmbeddingServer,
} from '../server/test/engines/embedding-server.ts'
import { countDifferences, countOwed, type Differences, endFirstMinutes } from './index/verify.ts'
import { nothingWritten, type Tally, write } from './index/writer.ts'
import { makeWorld, type Victim, type World } from './ingest/world.ts'
import type { ProofOptions } from './run.ts'
import { copyWithout, type Edit } from './tools/copy.ts'
import { type Finding, report } from './tools/report.ts'

const WRITERS = 6
const DIMENSIONS = 64
/** Longer than what a task that has failed all the while is put off. */
const PATIENCE_MS = 150_000
const WITHOUT_WAITING_MS = 5_000

const faults: readonly Fault[] = ['none', 'down', 'slow', 'none', 'wrong-dimensions', 'cut', 'error', 'none']
const victims: readonly Victim[] = ['postgres', 'worker', 'api']

const withoutCures: readonly Edit[] = [
  // What could not be indexed is nobody's task.
  {
    file: 'learning-index/index-learnings.ts',
    find: "return leaveTasks(scope, tx, 'index', tasks)",
    replace: "return leaveTasks(scope, tx, 'index', tasks.slice(tasks.length))",
  },
]

interface Plan {
  readonly rounds: number
  readonly faultMs: number
  readonly patienceMs: number
}

/** Whatever fails, the index tells of the same Learnings as the store in the end, and no answer was untrue. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const plan: Plan = {
    ...(quick || withoutCure ? { rounds: 1, faultMs: 1_000 } : { rounds: 8, faultMs: 3_000 }),
    patienceMs: withoutCure ? WITHOUT_WAITING_MS : PATIENCE_MS,
  }
  const embedder = await startEmbeddingServer({ dimensions: DIMENSIONS })
  const copy = withoutCure ? await copyWithout(withoutCures) : null
  let world: World | null = null
  try {
    world = await makeWorld({
      api: copy?.entry,
      worker: copy?.worker,
      settings: {
        EMBEDDER_URL: embedder.url,
        EMBEDDER_MODEL: 'proof',
        EMBEDDER_DIMENSIONS: String(DIMENSIONS),
        EMBEDDER_TIMEOUT_MS: '500',
        LIMIT_LEARNINGS_WRITES: 'off',
      },
    })
    const title = 'index: model, PostgreSQL, worker and API fail while Learnings are written'
    report(withoutCure ? `${title}, nothing left for the worker` : title, await run(world, embedder, plan))
  } finally {
    await world?.end()
    await embedder.stop()
    await copy?.remove()
  }
}

async function run(world: World, embedder: EmbeddingServer, plan: Plan): Promise<Finding[]> {
  const superuser = world.database.superuser()
  try {
    await endFirstMinutes(superuser)
    const tally = nothingWritten()
    let going = true
    const writing = Array.from({ length: WRITERS }, (_, number) =>
      write(world, superuser, tally, number, () => going),
    )
    const failing = failInTurn(world, embedder, plan, tally).finally(() => {
      going = false
    })
    await Promise.all([failing, ...writing])
    const before = await countDifferences(superuser)
    await waitForWorker(superuser, plan.patienceMs)
    return findings(world, plan, tally, before, await countDifferences(superuser), await countOwed(superuser))
  } finally {
    await superuser.end()
  }
}

/** Every fault of the model, and in the middle of each somebody is killed. */
async function failInTurn(
  world: World,
  embedder: EmbeddingServer,
  { rounds, faultMs }: Plan,
  tally: Tally,
): Promise<void> {
  let turn = 0
  for (let round = 1; round <= rounds; round++) {
    for (const fault of faults) {
      await embedder.behave(fault, { delayMs: 2_000 })
      await sleep(faultMs * Math.random())
      const victim = victims[turn++ % victims.length]
      if (victim !== undefined) await world.kill(victim)
      await sleep(faultMs * Math.random())
    }
    console.error(
      `  round ${round} of ${rounds}: ${tally.created} created, ${tally.indexFailed} INDEX_FAILED`,
    )
  }
  await embedder.behave('none')
}

/** Until nothing is owed, or nothing has changed for long. */
async function waitForWorker(
  superuser: ReturnType<TestDatabase['superuser']>,
  patienceMs: number,
): Promise<void> {
  let least = Number.POSITIVE_INFINITY
  for (let patience = Date.now() + patienceMs; Date.now() < patience; await sleep(200)) {
    const owed = await countOwed(superuser)
    if (owed === 0) return
    if (owed < least) patience = Date.now() + patienceMs
    least = Math.min(least, owed)
  }
}

function findings(
  { kills }: World,
  { rounds }: Plan,
  tally: Tally,
  before: Differences,
  { rows, missing, orphans, outdated }: Differences,
  owed: number,
): Finding[] {
  const killed = victims.map((victim) => kills[victim])
  const { created, duplicate, indexFailed, patched, deleted, resent, untrue } = tally
  return [
    {
      measure: `kill -9 of ${victims.join(', ')}`,
      goal: `≥ ${2 * rounds} each`,
      result: killed.join(', '),
      met: killed.every((count) => count >= 2 * rounds),
    },
    {
      measure: `items created, repeated, changed, deleted (calls sent again: ${resent})`,
      goal: '> 0 each',
      result: [created, duplicate, patched, deleted].join(', '),
      met: Math.min(created, duplicate, patched, deleted, resent) > 0,
    },
    {
      measure: 'items answered INDEX_FAILED; not in the index when the writers ended',
      goal: '> 0; any',
      result: `${indexFailed}; ${before.missing}`,
      met: indexFailed > 0,
    },
    {
      measure: `answers that were not so${untrue.length === 0 ? '' : ` (${[...new Set(untrue)].join('; ')})`}`,
      goal: '0',
      result: untrue.length,
      met: untrue.length === 0,
    },
    {
      measure: `${rows} Learnings after the worker's pass: missing in the index, only there, outdated there, still owed`,
      goal: '0, 0, 0, 0',
      result: [missing, orphans, outdated, owed].join(', '),
      met: rows > 0 && missing + orphans + outdated + owed === 0,
    },
  ]
}

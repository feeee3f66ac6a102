import { setTimeout as sleep } from 'node:timers/promises'
import type { TestDatabase } from '../server/test/database.ts'
import {
  type EmbedderFault,
  type EmbeddingServer,
  startEmbeddingServer,
} from '../server/test/engines/embedding-server.ts'
import { countDifferences, countPendingTasks, type Differences, skipMissingRowScan } from './index/verify.ts'
import { emptyTally, runWriter, type WriterTally } from './index/writer.ts'
import { type Installation, startInstallation, type Victim } from './ingest/installation.ts'
import type { ProofOptions } from './run.ts'
import { copyWithout, type SourceEdit } from './tools/copy.ts'
import { type Measurement, report } from './tools/report.ts'

const WRITERS = 6
const DIMENSIONS = 64
/** Longer than the retry delay of a task that keeps failing. */
const MAX_IDLE_MS = 150_000
const MAX_IDLE_WITHOUT_CURE_MS = 5_000

const faults: readonly EmbedderFault[] = [
  'none',
  'down',
  'slow',
  'none',
  'wrong-dimensions',
  'cut',
  'error',
  'none',
]
const victims: readonly Victim[] = ['postgres', 'worker', 'api']

const withoutCures: readonly SourceEdit[] = [
  // No task is written for what could not be indexed.
  {
    file: 'learning-index/index-learnings.ts',
    name: 'enqueueIndexTasks',
    by: 'async function enqueueIndexTasks(): Promise<void> {}',
  },
]

interface FaultPlan {
  readonly rounds: number
  readonly faultMs: number
  readonly maxIdleMs: number
}

/** Whatever fails, the index agrees with the stored Learnings in the end, and every response was correct. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const plan: FaultPlan = {
    ...(quick || withoutCure ? { rounds: 1, faultMs: 1_000 } : { rounds: 8, faultMs: 3_000 }),
    maxIdleMs: withoutCure ? MAX_IDLE_WITHOUT_CURE_MS : MAX_IDLE_MS,
  }
  const embedder = await startEmbeddingServer({ dimensions: DIMENSIONS })
  const copy = withoutCure ? await copyWithout(withoutCures) : null
  let installation: Installation | null = null
  try {
    installation = await startInstallation({
      api: copy?.apiEntry,
      worker: copy?.workerEntry,
      settings: {
        EMBEDDER_URL: embedder.url,
        EMBEDDER_MODEL: 'proof',
        EMBEDDER_DIMENSIONS: String(DIMENSIONS),
        EMBEDDER_TIMEOUT_MS: '500',
        LIMIT_LEARNINGS_WRITES: 'off',
      },
    })
    const title = 'index: model, PostgreSQL, worker and API fail while Learnings are written'
    report(
      withoutCure ? `${title}, nothing left for the worker` : title,
      await run(installation, embedder, plan),
    )
  } finally {
    await installation?.stop()
    await embedder.stop()
    await copy?.remove()
  }
}

async function run(
  installation: Installation,
  embedder: EmbeddingServer,
  plan: FaultPlan,
): Promise<Measurement[]> {
  const superuser = installation.database.superuser()
  try {
    await skipMissingRowScan(superuser)
    const tally = emptyTally()
    let going = true
    const writing = Array.from({ length: WRITERS }, (_, number) =>
      runWriter(installation, superuser, tally, number, () => going),
    )
    const failing = failRepeatedly(installation, embedder, plan, tally).finally(() => {
      going = false
    })
    await Promise.all([failing, ...writing])
    const before = await countDifferences(superuser)
    await waitForWorker(superuser, plan.maxIdleMs)
    return toMeasurements(
      installation,
      plan,
      tally,
      before,
      await countDifferences(superuser),
      await countPendingTasks(superuser),
    )
  } finally {
    await superuser.end()
  }
}

/** Runs every fault of the model, and kills a process during each. */
async function failRepeatedly(
  installation: Installation,
  embedder: EmbeddingServer,
  { rounds, faultMs }: FaultPlan,
  tally: WriterTally,
): Promise<void> {
  let killIndex = 0
  for (let round = 1; round <= rounds; round++) {
    for (const fault of faults) {
      await embedder.setFault(fault, { delayMs: 2_000 })
      await sleep(faultMs * Math.random())
      const victim = victims[killIndex++ % victims.length]
      if (victim !== undefined) await installation.kill(victim)
      await sleep(faultMs * Math.random())
    }
    console.error(
      `  round ${round} of ${rounds}: ${tally.created} created, ${tally.indexFailed} INDEX_FAILED`,
    )
  }
  await embedder.setFault('none')
}

/** Waits until no task is left, or nothing has changed for long. */
async function waitForWorker(
  superuser: ReturnType<TestDatabase['superuser']>,
  maxIdleMs: number,
): Promise<void> {
  let minPending = Number.POSITIVE_INFINITY
  for (let idleDeadline = Date.now() + maxIdleMs; Date.now() < idleDeadline; await sleep(200)) {
    const pendingTasks = await countPendingTasks(superuser)
    if (pendingTasks === 0) return
    if (pendingTasks < minPending) idleDeadline = Date.now() + maxIdleMs
    minPending = Math.min(minPending, pendingTasks)
  }
}

function toMeasurements(
  { kills }: Installation,
  { rounds }: FaultPlan,
  tally: WriterTally,
  before: Differences,
  { rows, missing, orphans, outdated }: Differences,
  pendingTasks: number,
): Measurement[] {
  const killed = victims.map((victim) => kills[victim])
  const { created, duplicate, indexFailed, patched, deleted, resent, falseResponses } = tally
  return [
    {
      measure: `kill -9 of ${victims.join(', ')}`,
      goal: `≥ ${2 * rounds} each`,
      result: killed.join(', '),
      met: killed.every((count) => count >= 2 * rounds),
    },
    {
      measure: `items created, repeated, changed, deleted (requests repeated: ${resent})`,
      goal: '> 0 each',
      result: [created, duplicate, patched, deleted].join(', '),
      met: Math.min(created, duplicate, patched, deleted, resent) > 0,
    },
    {
      measure: 'items with INDEX_FAILED; not in the index when the writers finished',
      goal: '> 0; any',
      result: `${indexFailed}; ${before.missing}`,
      met: indexFailed > 0,
    },
    {
      measure: `wrong responses${falseResponses.length === 0 ? '' : ` (${[...new Set(falseResponses)].join('; ')})`}`,
      goal: '0',
      result: falseResponses.length,
      met: falseResponses.length === 0,
    },
    {
      measure: `${rows} Learnings after the worker's pass: missing in the index, only there, outdated there, tasks left`,
      goal: '0, 0, 0, 0',
      result: [missing, orphans, outdated, pendingTasks].join(', '),
      met: rows > 0 && missing + orphans + outdated + pendingTasks === 0,
    },
  ]
}

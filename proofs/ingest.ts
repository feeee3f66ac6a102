import { setTimeout as sleep } from 'node:timers/promises'
import { toReviewTarget } from '../server/test/pull-requests.ts'
import { createNumberedEvents, type NumberedEvents } from './ingest/events.ts'
import { deleteConsumers, type HostilePlan, measureHostileRoots } from './ingest/hostile.ts'
import { type Installation, startInstallation, type Victim, victims } from './ingest/installation.ts'
import { type Acknowledged, countEvents, noneAcknowledged, sendBlocks } from './ingest/sender.ts'
import {
  createWriteLog,
  measureStored,
  verifyOutcomes,
  verifyPullRequests,
  waitUntilStored,
} from './ingest/verify.ts'
import { type Reader, readChanges } from './paging/readers.ts'
import type { ProofOptions } from './run.ts'
import { get } from './tools/client.ts'
import { copyWithout, type SourceCopy, type SourceEdit } from './tools/copy.ts'
import { type Measurement, report } from './tools/report.ts'

const FOLLOW_MS = 100
/** NATS redelivers the messages of a killed worker after 30 s. */
const MAX_IDLE_MS = 60_000
const MAX_IDLE_WITHOUT_CURE_MS = 15_000

const withoutCures: readonly SourceEdit[] = [
  // An acknowledged message is not redelivered, even if its transaction fails.
  {
    file: 'bus/process-message.ts',
    name: 'handleEvent',
    wrap: `(handle, processing, message, ...given) => {
      message.ack()
      return handle(processing, message, ...given)
    }`,
  },
  // A repeated event counts like a newer one.
  {
    file: 'resources/metrics/write/decide.ts',
    name: 'isNewer',
    by: `function isNewer({ occurred_at }, stored) {
      return stored === undefined || occurred_at >= stored.row.event_at
    }`,
  },
]

const withoutShares: readonly SourceEdit[] = [
  // All roots share one consumer, and with it one window of unacknowledged messages. No root has a share of its own.
  {
    file: 'bus/queue/subjects.ts',
    name: 'toQueueSubject',
    wrap: "(toSubject, bus, _root, bytes) => toSubject(bus, 'shared', bytes)",
  },
]

/** Every event of a 202 response is stored exactly once, whichever process is killed. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const copy = withoutCure ? await copyWithout(withoutCures) : null
  const copyWithoutShares = withoutCure ? await copyWithout(withoutShares) : null
  let installation: Installation | null = null
  try {
    installation = await startInstallation({ worker: copy?.workerEntry, api: copy?.apiEntry })
    const plan: KillPlan = {
      ...(quick || withoutCure
        ? { events: 5_000, rounds: 1, pairs: somePairs, betweenKillsMs: 1_000 }
        : { events: 200_000, rounds: 10, pairs: allPairs, betweenKillsMs: 4_000 }),
      maxIdleMs: withoutCure ? MAX_IDLE_WITHOUT_CURE_MS : MAX_IDLE_MS,
      withoutShares: copyWithoutShares,
      stopsAtLoss: quick && withoutCure,
      hostile:
        quick || withoutCure
          ? { unresolvable: 1_500, timed: 10, maxLagMs: 15_000 }
          : { unresolvable: 60_000, timed: 100, maxLagMs: 60_000 },
    }
    const title = 'ingest: worker, API, NATS and PostgreSQL killed in turn and in pairs; hostile roots'
    report(
      withoutCure ? `${title}, acknowledged before the commit, repeated at will, without shares` : title,
      await run(installation, plan),
    )
  } finally {
    await installation?.stop()
    await copy?.remove()
    await copyWithoutShares?.remove()
  }
}

interface KillPlan {
  readonly events: number
  /** Rounds in which each process is killed once, and then each of the pairs. */
  readonly rounds: number
  readonly pairs: readonly (readonly [Victim, Victim])[]
  readonly betweenKillsMs: number
  /** After this time without new rows, missing events count as lost. */
  readonly maxIdleMs: number
  readonly hostile: HostilePlan
  /** Runs with hostile roots; null = the processes that were killed. */
  readonly withoutShares: SourceCopy | null
  /** The first lost, duplicated or altered event ends the proof. */
  readonly stopsAtLoss: boolean
}

const allPairs = victims.flatMap((one, index) =>
  victims.slice(index + 1).map((other) => [one, other] as const),
)
const somePairs = [
  ['worker', 'nats'],
  ['nats', 'postgres'],
] as const

async function run(installation: Installation, plan: KillPlan): Promise<Measurement[]> {
  const superuser = installation.database.superuser()
  try {
    await superuser.query(createWriteLog)
    const events = createNumberedEvents(
      installation.root.organizations.map((organization) => toReviewTarget(organization)),
    )
    const acknowledged = noneAcknowledged()
    const reader = readChanges({
      name: 'changes',
      baseUrl: '',
      key: installation.key,
      call: createRetryingGet(installation),
    })
    let killing = true
    let storing = true
    const sending = Promise.all([
      killRepeatedly(installation, acknowledged, plan).finally(() => {
        killing = false
      }),
      sendBlocks(installation, events, acknowledged, () => killing),
    ])
    const stored = sending
      .then(() => waitUntilStored(superuser, acknowledged, plan.maxIdleMs))
      .finally(() => {
        storing = false
      })
    await Promise.all([stored, follow(reader, () => storing)])
    const stores = [
      measureStored('pull requests', await verifyPullRequests(superuser, events, acknowledged)),
      measureStored('outcomes', await verifyOutcomes(superuser, events, acknowledged)),
      measureFollowed(reader, events, acknowledged),
    ]
    const measured = [...measureLoad(installation, acknowledged, plan), ...stores]
    if (plan.stopsAtLoss && stores.some(({ met }) => !met)) return measured
    if (plan.withoutShares !== null) {
      const { workerEntry, apiEntry } = plan.withoutShares
      await installation.replaceProcesses({ worker: workerEntry, api: apiEntry }, () =>
        deleteConsumers(installation),
      )
    }
    return [...measured, ...(await measureHostileRoots(installation, superuser, events, plan.hostile))]
  } finally {
    await superuser.end()
  }
}

async function killRepeatedly(
  installation: Installation,
  acknowledged: Acknowledged,
  plan: KillPlan,
): Promise<void> {
  for (let round = 0; round < plan.rounds || countEvents(acknowledged) < plan.events; round++) {
    for (const victim of victims) {
      await sleep(plan.betweenKillsMs * Math.random())
      await installation.kill(victim)
    }
    for (const pair of plan.pairs) {
      await sleep(plan.betweenKillsMs * Math.random())
      await installation.killPair(pair)
    }
    console.error(`  round ${round + 1}: ${countEvents(acknowledged)} events acknowledged`)
  }
}

/** Retries until there is a response: the API and its database are killed too. */
function createRetryingGet(installation: Installation): typeof get {
  return async (path, key) => {
    for (;;) {
      const response = await get(installation.url() + path, key).catch(() => null)
      if (response !== null && response.status < 500) return response
      await sleep(FOLLOW_MS)
    }
  }
}

async function follow(reader: Reader, shouldContinue: () => boolean): Promise<void> {
  while (shouldContinue()) if (!(await reader.poll())) await sleep(FOLLOW_MS)
  await reader.finish()
}

function measureLoad(
  { kills, pairs }: Installation,
  acknowledged: Acknowledged,
  plan: KillPlan,
): Measurement[] {
  const killed = victims.map((victim) => kills[victim])
  const acknowledgedEvents = countEvents(acknowledged)
  return [
    {
      measure: `kill -9 of ${victims.join(', ')}`,
      goal: `≥ ${plan.rounds} each`,
      result: killed.join(', '),
      met: killed.every((count) => count >= plan.rounds),
    },
    {
      measure: 'of them two at once',
      goal: `≥ ${plan.rounds * plan.pairs.length}`,
      result: pairs.count,
      met: pairs.count >= plan.rounds * plan.pairs.length,
    },
    {
      measure: `events acknowledged (requests repeated: ${acknowledged.resent}; after their 202: ${acknowledged.repeated})`,
      goal: `≥ ${plan.events}`,
      result: acknowledgedEvents,
      met: acknowledgedEvents >= plan.events && acknowledged.resent > 0 && acknowledged.repeated > 0,
    },
    {
      measure: 'of them while PostgreSQL was unavailable',
      goal: '> 0',
      result: acknowledged.whilePostgresDown,
      met: acknowledged.whilePostgresDown > 0,
    },
  ]
}

/** Read through the API by a client that followed from the start. */
function measureFollowed(
  { seen }: Reader,
  events: NumberedEvents,
  { pullRequests }: Acknowledged,
): Measurement {
  const seenUrls = new Set(seen)
  const missed = [...pullRequests].filter(
    (number) => !seenUrls.has(events.finalized(number).payload.url),
  ).length
  const twice = seen.length - seenUrls.size
  return {
    measure: 'pull requests returned to a follower of the changes: missed, repeated',
    goal: '0, 0',
    result: `${missed}, ${twice}`,
    met: missed === 0 && twice === 0,
  }
}

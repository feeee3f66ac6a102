import { setTimeout as sleep } from 'node:timers/promises'
import type { TestDatabase } from '../server/test/database.ts'
import { connect, exportRoot } from '../server/test/proofs/audit.ts'
import { toReviewTarget } from '../server/test/pull-requests.ts'
import { findChainFault } from './audit/tampering.ts'
import { cluster, findLeader, runInCluster } from './failover/cluster.ts'
import { allFaults, cutFromPeers, type Fault, type FaultGroup, killPostgres } from './failover/faults.ts'
import { type CallKind, callKinds, checkRevoked, type Load, startLoad } from './failover/load.ts'
import { type Service, startService } from './failover/service.ts'
import { createNumberedEvents, type NumberedEvents } from './ingest/events.ts'
import {
  createWriteLog,
  measureStored,
  verifyOutcomes,
  verifyPullRequests,
  waitUntilStored,
} from './ingest/verify.ts'
import type { ProofOptions } from './run.ts'
import { compareSets } from './tools/compare-sets.ts'
import { type Measurement, report } from './tools/report.ts'

const RECOVERY_MS = 90_000
const LEADER_MS = 45_000
const WHOLE_SECONDS = '180'
const HOLD_MS = 3_000
/** Until every caller has been answered again. */
const PREPARED_MS = 15_000
/** Each has 8 fail-overs of PostgreSQL by a kill, 6 by a loss, and 7 of NATS. */
const ROUNDS = 3
/** Fewer faults of a kind are judged by the longest alone. */
const MIN_FOR_MEDIAN = 5
const MAX_REQUEST_MS = 5_000
/** The quick form runs beside other work, in which the proof's own clock is late. */
const MAX_QUICK_REQUEST_MS = 8_000
/** NATS redelivers the messages of a lost worker after 30 s. */
const MAX_IDLE_MS = 60_000

interface Plan {
  readonly faults: readonly Fault[]
  readonly eventsPerSecond: number
  readonly revocations: number
  readonly maxRequestMs: number
  /** Ends each fault. */
  heal(): Promise<void>
}

interface Occurrence {
  readonly fault: Fault
  readonly where: string
  readonly movedPrimary: boolean
  /** The longest time in which a caller repeated a request until it was answered. */
  readonly gapMs: Readonly<Record<CallKind, number>>
  /** Requests with events that were refused from the fault until it was healed. */
  readonly refusedEvents: number
  readonly recovered: boolean
}

/** Three machines lose leaders, nodes, networks, disks and clocks in turn while everything is used: nothing answered is lost. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  if (await runInCluster()) return
  // Commits that wait for no other machine: a primary that is cut off from its peers takes writes that nobody else has.
  if (withoutCure) await setSynchronous(false)
  const rounds = quick || withoutCure ? 1 : ROUNDS
  const faults = withoutCure ? [cutFromPeers] : quick ? [killPostgres, cutFromPeers] : allFaults
  const plan: Plan = {
    faults: Array.from({ length: rounds }, () => faults).flat(),
    eventsPerSecond: 60,
    revocations: quick || withoutCure ? 40 : 1_000,
    maxRequestMs: quick || withoutCure ? MAX_QUICK_REQUEST_MS : MAX_REQUEST_MS,
    async heal() {
      await cluster('heal')
      // Only then is the cluster whole again. What was lost is lost.
      if (withoutCure) await setSynchronous(true)
    },
  }
  const service = await startService(plan.revocations)
  try {
    report(
      `failover: 3 machines, 3 API processes, 2 workers${withoutCure ? '; without synchronous replication' : ''}`,
      await run(service, plan),
    )
  } finally {
    await service.stop()
  }
}

async function setSynchronous(on: boolean): Promise<void> {
  const mode = on ? 'quorum' : 'off'
  const body = JSON.stringify({ synchronous_mode: mode })
  const primary = await findLeader('primary')
  const address = `10.77.0.1${primary?.slice(1)}`
  await fetch(`http://${address}:8008/config`, { method: 'PATCH', body })
  await sleep(5_000)
}

async function run(service: Service, plan: Plan): Promise<Measurement[]> {
  const { database, root } = service
  const superuser = database.superuser()
  const events = createNumberedEvents(root.organizations.map((organization) => toReviewTarget(organization)))
  const started = performance.now()
  const say = (text: string) =>
    console.error(`  ${String(Math.round((performance.now() - started) / 1000)).padStart(4)} s: ${text}`)
  await superuser.query(createWriteLog)
  const load = startLoad(service, events, plan.eventsPerSecond)
  const occurrences: Occurrence[] = []
  try {
    await sleep(HOLD_MS)
    for (const fault of plan.faults) {
      const occurrence = await runFault(fault, load)
      occurrences.push(occurrence)
      const { read, write, ingest } = occurrence.gapMs
      say(
        `${fault.name} (${occurrence.where}): answered after at most: reads ${seconds(read)}, writes ${seconds(write)}, events ${seconds(ingest)}${occurrence.recovered ? '' : ' AND NOT BACK'}`,
      )
      await plan.heal()
      await cluster('wait', WHOLE_SECONDS)
      await sleep(HOLD_MS)
    }
    say('the load ends')
    await load.stop()
    await waitUntilStored(superuser, load.acknowledged, MAX_IDLE_MS)
    await load.follower.finish()
    while (await load.poller.poll()) continue
    for (const one of load.revoked) await checkRevoked(service, one, load.afterRevocation)
    return [
      ...measureGaps(occurrences),
      ...measureAnswers(load, plan.maxRequestMs),
      ...(await measureAll(superuser, service, load, events)),
    ]
  } finally {
    await superuser.end()
  }
}

async function runFault(fault: Fault, load: Load): Promise<Occurrence> {
  if (fault.prepare !== undefined) {
    await fault.prepare()
    await sleep(PREPARED_MS)
  }
  const before = await findLeader('primary')
  const refusedBefore = load.logs.ingest.refused
  load.mark()
  const at = performance.now()
  const where = await fault.inject()
  const injected = performance.now()
  let recovered = false
  // Leaders are lost only after a moment: what is answered in it is no sign that they are back.
  await sleep(HOLD_MS)
  while (!recovered && performance.now() - at < RECOVERY_MS) {
    await sleep(100)
    recovered = load.isAnsweredSince(injected + HOLD_MS)
  }
  // A primary that is cut off from its peers may answer until another one has been chosen.
  let primary = await findLeader('primary')
  while (
    fault.group !== 'other' &&
    (primary === null || primary === where) &&
    performance.now() - at < LEADER_MS
  ) {
    await sleep(500)
    primary = await findLeader('primary')
  }
  await sleep(HOLD_MS)
  const gapMs = { read: load.logs.read.gapMs, write: load.logs.write.gapMs, ingest: load.logs.ingest.gapMs }
  return {
    fault,
    where,
    movedPrimary: primary !== null && before !== primary,
    gapMs,
    refusedEvents: load.logs.ingest.refused - refusedBefore,
    recovered,
  }
}

type Superuser = ReturnType<TestDatabase['superuser']>

const gapGoals: readonly {
  readonly group: FaultGroup
  readonly kinds: readonly CallKind[]
  readonly medianMs: number
  readonly maxMs: number
}[] = [
  { group: 'PostgreSQL killed', kinds: ['read', 'write'], medianMs: 5_000, maxMs: 45_000 },
  { group: 'node lost, cut or frozen', kinds: ['read', 'write'], medianMs: 28_000, maxMs: 45_000 },
  { group: 'NATS leader killed', kinds: ['ingest'], medianMs: 10_000, maxMs: 10_000 },
  // All processes may be connected to the server that is lost.
  { group: 'node lost, cut or frozen', kinds: ['ingest'], medianMs: 10_000, maxMs: 15_000 },
]

function measureGaps(occurrences: readonly Occurrence[]): Measurement[] {
  const moved = occurrences.filter(({ movedPrimary }) => movedPrimary).length
  const nats = occurrences.filter(({ fault }) => fault.group === 'NATS leader killed').length
  const measured = gapGoals.flatMap(({ group, kinds, medianMs, maxMs }) =>
    kinds.flatMap((kind) => {
      const gaps = occurrences.filter(({ fault }) => fault.group === group).map(({ gapMs }) => gapMs[kind])
      if (gaps.length === 0) return []
      const sorted = gaps.toSorted((one, other) => one - other)
      const [median, max] = [sorted[Math.floor((sorted.length - 1) / 2)] ?? 0, sorted.at(-1) ?? 0]
      const hasMedian = gaps.length >= MIN_FOR_MEDIAN
      return [
        {
          measure: `${group} (${gaps.length}): longest wait for an answered ${kind}: median, longest`,
          goal: `${hasMedian ? `≤ ${medianMs / 1000}` : 'shown'}, ≤ ${maxMs / 1000}`,
          result: `${seconds(median)}, ${seconds(max)}`,
          met: (!hasMedian || median <= medianMs) && max <= maxMs,
        },
      ]
    }),
  )
  return [
    {
      measure: `${occurrences.length} faults, ${moved} of them with another primary, ${nats} of NATS: not recovered`,
      goal: '0',
      result: occurrences.filter(({ recovered }) => !recovered).length,
      met: occurrences.every(({ recovered }) => recovered) && moved > 0,
    },
    ...measured,
    ...measureRefusedEvents(occurrences.filter(({ fault }) => fault.group === 'PostgreSQL killed')),
  ]
}

/** Events need no database. */
function measureRefusedEvents(killed: readonly Occurrence[]): Measurement[] {
  if (killed.length === 0) return []
  const refused = killed.reduce((sum, { refusedEvents }) => sum + refusedEvents, 0)
  return [
    {
      measure: 'PostgreSQL killed: requests with events that were refused',
      goal: '0',
      result: refused,
      met: refused === 0,
    },
  ]
}

function measureAnswers(
  { logs, refusals, wrong, revoked, afterRevocation }: Load,
  maxRequestMs: number,
): Measurement[] {
  for (const [what, times] of refusals) console.error(`  ${times} × refused: ${what}`)
  for (const [what, times] of wrong) console.error(`  ${times} × ${what}`)
  const sent = callKinds.map((kind) => `${logs[kind].sent} ${kind}`).join(', ')
  const refused = callKinds.map((kind) => logs[kind].refused).join(', ')
  const longest = Math.max(...callKinds.map((kind) => logs[kind].longestMs))
  const wrongCount = [...wrong.values()].reduce((sum, times) => sum + times, 0)
  return [
    {
      measure: `requests (${sent}; refused and repeated: ${refused}): other answers than a success or a refusal`,
      goal: '0',
      result: wrongCount,
      met: wrongCount === 0,
    },
    {
      measure: 'longest request',
      goal: `≤ ${maxRequestMs / 1000} s`,
      result: `${seconds(longest)} s`,
      met: longest <= maxRequestMs,
    },
    {
      measure: `${revoked.length} keys and sessions revoked, asked ${afterRevocation.asked} times: accepted`,
      goal: '0',
      result: afterRevocation.accepted,
      met: afterRevocation.accepted === 0 && afterRevocation.asked > 0,
    },
  ]
}

async function measureAll(
  superuser: Superuser,
  { database, root }: Service,
  { acknowledged, learnings, roles, follower, poller }: Load,
  events: NumberedEvents,
): Promise<Measurement[]> {
  const pool = connect({ url: database.urls.worker, name: 'proof', connections: 1 })
  const fault = await findChainFault(exportRoot(pool, root.root), null)
  await pool.end()
  const sentUrls = [...acknowledged.pullRequests].map((number) => events.finalized(number).payload.url)
  const [missed, twice] = compareSets(sentUrls, follower.seen)
  const [lostLearnings, extraLearnings] = compareSets(
    learnings,
    await readIds(superuser, 'select id from learning'),
  )
  const [lostRoles, extraRoles] = compareSets(roles, await readIds(superuser, selectRoles))
  const [unlogged, loggedTwice] = compareSets(roles, poller.seen)
  return [
    measureStored('pull requests', await verifyPullRequests(superuser, events, acknowledged)),
    measureStored('outcomes', await verifyOutcomes(superuser, events, acknowledged)),
    {
      measure: `${sentUrls.length} pull requests returned to a follower: missed, twice, out of order`,
      goal: '0, 0, 0',
      result: `${missed}, ${twice}, ${follower.discontinuities}`,
      met: missed + twice + follower.discontinuities === 0,
    },
    {
      measure: `${learnings.size} Learnings, ${roles.size} roles: lost; made twice`,
      goal: '0, 0; 0, 0',
      result: `${lostLearnings}, ${lostRoles}; ${extraLearnings}, ${extraRoles}`,
      met: learnings.size > 0 && lostLearnings + lostRoles + extraLearnings + extraRoles === 0,
    },
    {
      measure: `${roles.size} roles in the polled audit log: missed, twice; its chain`,
      goal: '0, 0; holds',
      result: `${unlogged}, ${loggedTwice}; ${fault?.message.slice(0, 60) ?? 'holds'}`,
      met: roles.size > 0 && unlogged + loggedTwice === 0 && fault === null,
    },
  ]
}

const selectRoles = `select id from custom_role where name like 'Role %'`

async function readIds(superuser: Superuser, select: string): Promise<string[]> {
  const { rows } = await superuser.query<{ id: string }>(select)
  return rows.map(({ id }) => id)
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1)
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { TestDatabase } from '../server/test/database.ts'
import { workplaceOf } from '../server/test/pull-requests.ts'
import { type Events, makeEvents } from './ingest/events.ts'
import { type Acknowledged, countEvents, nothingAcknowledged, sendBlocks } from './ingest/sender.ts'
import { countStored, judgeOutcomes, judgePullRequests, type Verdict, watchWrites } from './ingest/verify.ts'
import { makeWorld, victims, type World } from './ingest/world.ts'
import { type Reader, readChanges } from './paging/readers.ts'
import type { ProofOptions } from './run.ts'
import { get } from './tools/client.ts'
import { copyWithout, type Edit } from './tools/copy.ts'
import { type Finding, report } from './tools/report.ts'

const FOLLOW_MS = 100
/** A worker that was killed keeps its messages for 30 s. */
const PATIENCE_MS = 60_000
const WITHOUT_WAITING_MS = 15_000

const withoutCures: readonly Edit[] = [
  // What the bus was told is done is given to nobody again, whatever becomes of the transaction.
  {
    file: 'bus/process-message.ts',
    find: 'await handleTraced(',
    replace: 'message.ack()\n    await handleTraced(',
  },
  // The same event again is as good as a newer one.
  {
    file: 'resources/review-comments/decide.ts',
    find: '(id !== stored.event_id && occurred_at > stored.event_at)',
    replace: '(id !== stored.event_at && occurred_at >= stored.event_at)',
  },
]

/** What was answered 202 is stored exactly once, whoever is killed meanwhile. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const copy = withoutCure ? await copyWithout(withoutCures) : null
  let world: World | null = null
  try {
    world = await makeWorld({ worker: copy?.worker })
    const plan: Plan = {
      ...(quick || withoutCure
        ? { events: 5_000, rounds: 1, betweenKillsMs: 1_000 }
        : { events: 200_000, rounds: 10, betweenKillsMs: 4_000 }),
      patienceMs: withoutCure ? WITHOUT_WAITING_MS : PATIENCE_MS,
    }
    const title = 'ingest: worker, API, NATS and PostgreSQL killed in turn'
    report(
      withoutCure ? `${title}, acknowledged before the commit and repeated at will` : title,
      await run(world, plan),
    )
  } finally {
    await world?.end()
    await copy?.remove()
  }
}

type Superuser = ReturnType<TestDatabase['superuser']>

interface Plan {
  readonly events: number
  /** Of one kill of each. */
  readonly rounds: number
  readonly betweenKillsMs: number
  /** How long nothing new may come before what is missing counts as lost. */
  readonly patienceMs: number
}

async function run(world: World, plan: Plan): Promise<Finding[]> {
  const superuser = world.database.superuser()
  try {
    await superuser.query(watchWrites)
    const events = makeEvents(world.root.organizations.map((organization) => workplaceOf(organization)))
    const acknowledged = nothingAcknowledged()
    const reader = readChanges({ name: 'changes', baseUrl: '', key: world.key, call: patiently(world) })
    let killing = true
    let storing = true
    const sending = Promise.all([
      killInTurn(world, acknowledged, plan).finally(() => {
        killing = false
      }),
      sendBlocks(world, events, acknowledged, () => killing),
    ])
    const stored = sending
      .then(() => waitForAll(superuser, acknowledged, plan))
      .finally(() => {
        storing = false
      })
    await Promise.all([stored, follow(reader, () => storing)])
    return [
      ...findLoad(world, acknowledged, plan),
      findStored('pull requests', await judgePullRequests(superuser, events, acknowledged)),
      findStored('outcomes', await judgeOutcomes(superuser, events, acknowledged)),
      findFollowed(reader, events, acknowledged),
    ]
  } finally {
    await superuser.end()
  }
}

async function killInTurn(world: World, acknowledged: Acknowledged, plan: Plan): Promise<void> {
  for (let round = 0; round < plan.rounds || countEvents(acknowledged) < plan.events; round++) {
    for (const victim of victims) {
      await sleep(plan.betweenKillsMs * Math.random())
      await world.kill(victim)
    }
    console.error(`  round ${round + 1}: ${countEvents(acknowledged)} events acknowledged`)
  }
}

/** Until everything is stored, or nothing more has come for a while. */
async function waitForAll(
  superuser: Superuser,
  { pullRequests, outcomes }: Acknowledged,
  { patienceMs }: Plan,
): Promise<void> {
  let before = -1
  let patience = Date.now() + patienceMs
  for (;;) {
    const stored = await countStored(superuser)
    if (stored.pullRequests >= pullRequests.size && stored.outcomes >= outcomes.size) return
    const now = stored.pullRequests + stored.outcomes
    if (now > before) patience = Date.now() + patienceMs
    else if (Date.now() > patience) return
    before = now
    await sleep(200)
  }
}

/** Asks until it is answered: the API and its database are killed too. */
function patiently(world: World): typeof get {
  return async (path, key) => {
    for (;;) {
      const answer = await get(world.url() + path, key).catch(() => null)
      if (answer !== null && answer.status < 500) return answer
      await sleep(FOLLOW_MS)
    }
  }
}

async function follow(reader: Reader, goesOn: () => boolean): Promise<void> {
  while (goesOn()) if (!(await reader.poll())) await sleep(FOLLOW_MS)
  await reader.finish()
}

function findLoad({ kills }: World, acknowledged: Acknowledged, plan: Plan): Finding[] {
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
      measure: `events acknowledged (calls sent again: ${acknowledged.resent}; though acknowledged: ${acknowledged.repeated})`,
      goal: `≥ ${plan.events}`,
      result: acknowledgedEvents,
      met: acknowledgedEvents >= plan.events && acknowledged.resent > 0 && acknowledged.repeated > 0,
    },
    {
      measure: 'of them while PostgreSQL was away',
      goal: '> 0',
      result: acknowledged.whileAway,
      met: acknowledged.whileAway > 0,
    },
  ]
}

function findStored(what: string, { stored, lost, double, altered, neverSent }: Verdict): Finding {
  return {
    measure: `${stored} ${what} stored: lost, double, altered, never sent`,
    goal: '0, 0, 0, 0',
    result: [lost, double, altered, neverSent].join(', '),
    met: stored > 0 && lost + double + altered + neverSent === 0,
  }
}

/** Through the API, by a reader who followed all the while. */
function findFollowed({ seen }: Reader, events: Events, { pullRequests }: Acknowledged): Finding {
  const told = new Set(seen)
  const missed = [...pullRequests].filter((number) => !told.has(events.finalized(number).payload.url)).length
  const twice = seen.length - told.size
  return {
    measure: 'pull requests told to a follower of the changes: missed, twice',
    goal: '0, 0',
    result: `${missed}, ${twice}`,
    met: missed === 0 && twice === 0,
  }
}

import { setImmediate as breathe } from 'node:timers/promises'
import { makeDatabase, type TestDatabase } from '../../server/test/database.ts'
import { startApi } from '../../server/test/process.ts'
import {
  gateWriter,
  loadStoring,
  type MetricsWriter,
  type Storing,
} from '../../server/test/proofs/metrics-writer.ts'
import { makeReviewer, openWriter, storeEvents, workplaceOf } from '../../server/test/pull-requests.ts'
import { makeTenant, type TestOrganization } from '../../server/test/tenant.ts'
import { copyWithout } from '../tools/copy.ts'
import type { Finding } from '../tools/report.ts'
import { type Reader, readChanges } from './readers.ts'
import { positionsFromSequence, prepareSequence } from './without-lock.ts'
import { isUndone, obeyMarks } from './writers.ts'

/** Lock and positions, insert, commit or roll-back: the round trips of a transaction. */
const STEPS = 3

/** One connection: it is before a step, in one, or through. */
interface Lane {
  readonly url: string
  readonly undone: boolean
  pid: number
  /** Lets it take the step it waits for; null while it is in one. */
  next: (() => void) | null
  done: boolean
}

interface Stage {
  readonly superuser: ReturnType<TestDatabase['superuser']>
  readonly writer: MetricsWriter
  readonly storing: Storing
  readonly organization: TestOrganization
  readonly reviewer: ReturnType<typeof makeReviewer>
  readonly startReader: () => Reader
}

interface Play {
  /** Which of those that could go went, at each step; and how many could. */
  readonly choices: readonly number[]
  readonly options: readonly number[]
  readonly told: readonly string[]
  readonly committed: readonly string[]
}

/**
 * Every order in which connections can lock and take their positions, insert, and commit or roll back, on a real
 * database and with the real code, whose round trips are these steps. One that waits for a lock cannot be chosen. A reader
 * polls after each step: whatever is committed must be told exactly once.
 */
export async function proveInterleavings(
  connections: readonly number[],
  withLock: boolean,
): Promise<Finding[]> {
  const database = await makeDatabase()
  const superuser = database.superuser()
  const copy = withLock ? null : await copyWithout([positionsFromSequence])
  const tenant = await makeTenant(database)
  const writer = openWriter(database, { connections: 4 })
  const api = await startApi(database, { LIMIT_METRICS: 'off' }, copy?.entry)
  try {
    await superuser.query(obeyMarks)
    if (copy !== null) await prepareSequence(superuser, [tenant.workspace.root])
    const key = (await tenant.keyOf('organization')).value
    const stage: Stage = {
      superuser,
      writer,
      storing: copy === null ? storeEvents : await loadStoring(copy.entry),
      organization: tenant.workspace.organizations[0],
      reviewer: makeReviewer({ findings: 1 }),
      startReader: () => readChanges({ name: 'reader', baseUrl: api.url, key }),
    }
    const findings: Finding[] = []
    for (const count of connections) findings.push(await playAll(stage, count, withLock))
    return findings
  } finally {
    await api.stop()
    await Promise.all([writer.close(), tenant.close(), superuser.end()])
    await copy?.remove()
    await database.drop()
  }
}

async function playAll(stage: Stage, count: number, withFirstWrites: boolean): Promise<Finding> {
  let schedules = 0
  let broken = 0
  // The first write of a root makes its head, the others advance it.
  for (const isFirst of withFirstWrites ? [true, false] : [false]) {
    let reader = stage.startReader()
    for (const undone of everyOutcome(count)) {
      const run = async (choices: readonly number[]) => {
        if (isFirst) reader = await startAfresh(stage)
        return play(stage, reader, undone, choices)
      }
      for await (const { told, committed } of everySchedule(run)) {
        schedules += 1
        if (told.toSorted().join() !== committed.toSorted().join()) broken += 1
      }
    }
    console.error(`  interleavings of ${count} connections: ${schedules}`)
  }
  return {
    measure: `${schedules} interleavings of ${count} connections: a commit not told exactly once`,
    goal: '0',
    result: broken,
    met: broken === 0 && schedules > 0,
  }
}

/** Each connection commits or rolls back: every combination. */
function everyOutcome(count: number): boolean[][] {
  return Array.from({ length: 2 ** count }, (_, bits) =>
    Array.from({ length: count }, (__, lane) => ((bits >> lane) & 1) === 1),
  )
}

/** Depth first: the next schedule differs at the last step where another connection could have gone. */
async function* everySchedule(
  run: (choices: readonly number[]) => Promise<Play>,
): AsyncGenerator<Play, void> {
  let choices: readonly number[] | null = []
  while (choices !== null) {
    const played: Play = await run(choices)
    yield played
    const { choices: taken, options } = played
    const last = taken.findLastIndex((choice, step) => choice + 1 < (options[step] ?? 0))
    choices = last === -1 ? null : [...taken.slice(0, last), (taken[last] ?? 0) + 1]
  }
}

async function play(
  stage: Stage,
  reader: Reader,
  undone: readonly boolean[],
  given: readonly number[],
): Promise<Play> {
  const before = reader.seen.length
  const lanes = undone.map((fails) => startLane(stage, fails))
  const ends = Promise.allSettled(lanes.map(({ ended }) => ended))
  const choices: number[] = []
  const options: number[] = []
  await settle(stage, lanes)
  for (let ready = waiting(lanes); ready.length > 0; ready = waiting(lanes)) {
    const choice = given[choices.length] ?? 0
    const chosen = ready[choice]
    if (chosen === undefined) throw new Error('The same choices have led elsewhere.')
    options.push(ready.length)
    choices.push(choice)
    go(chosen)
    await settle(stage, lanes)
    await reader.finish()
  }
  for (const end of await ends) if (end.status === 'rejected') throw end.reason
  if (choices.length !== STEPS * lanes.length)
    throw new Error('A transaction has not the steps it is said to have.')
  const committed = lanes.filter((lane) => !lane.undone).map(({ url }) => url)
  return { choices, options, told: reader.seen.slice(before), committed }
}

async function startAfresh({ superuser, organization, startReader }: Stage): Promise<Reader> {
  for (const table of ['metrics_head', 'pull_request'])
    await superuser.query(`delete from ${table} where root_id = $1`, [organization.root])
  return startReader()
}

function startLane(
  { writer, storing, organization, reviewer }: Stage,
  undone: boolean,
): Lane & { readonly ended: Promise<void> } {
  const event = reviewer.finalized(workplaceOf(organization))
  const marked = undone ? { ...event, id: `undone-${event.id}` } : event
  const lane: Lane = { url: event.payload.url, undone, pid: 0, next: null, done: false }
  let steps = 0
  const gated = gateWriter(writer, {
    pass(pid) {
      steps += 1
      lane.pid = pid
      // A commit that failed has rolled back: what the code sends after it changes nothing.
      if (steps > STEPS) return Promise.resolve()
      return new Promise((resolve) => {
        lane.next = resolve
      })
    },
  })
  const stored = storing(gated, organization.root, [marked])
  const ended = (undone ? isUndone(stored) : stored.then(() => true))
    .then((asMeant) => {
      if (!asMeant) throw new Error('A transaction that must fail was committed.')
    })
    .finally(() => {
      lane.done = true
    })
  return Object.assign(lane, { ended })
}

function waiting(lanes: readonly Lane[]): Lane[] {
  return lanes.filter(({ next }) => next !== null)
}

function go(lane: Lane): void {
  const { next } = lane
  lane.next = null
  next?.()
}

/** Waits until every connection stands before a step, is through, or waits for another one's lock. */
async function settle({ superuser }: Stage, lanes: readonly Lane[]): Promise<void> {
  const blocked = 'select pid from unnest($1::int[]) pid where cardinality(pg_blocking_pids(pid)) > 0'
  for (;;) {
    await breathe()
    const moving = lanes.filter(({ next, done }) => next === null && !done)
    if (moving.length === 0) return
    const pids = moving.map(({ pid }) => pid).filter((pid) => pid !== 0)
    const { rowCount } = await superuser.query(blocked, [pids])
    const still = lanes.filter(({ next, done }) => next === null && !done)
    if (rowCount === moving.length && still.length === moving.length) return
  }
}

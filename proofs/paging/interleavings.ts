import { setImmediate as breathe } from 'node:timers/promises'
import { createDatabase, type TestDatabase } from '../../server/test/database.ts'
import { startApi } from '../../server/test/process.ts'
import {
  gateWriter,
  loadStoreEvents,
  type MetricsWriter,
  type StoreEvents,
} from '../../server/test/proofs/metrics-writer.ts'
import {
  createEventGenerator,
  createTestWriter,
  storeEvents,
  toReviewTarget,
} from '../../server/test/pull-requests.ts'
import { createTenant, type TestOrganization } from '../../server/test/tenant.ts'
import { copyWithout } from '../tools/copy.ts'
import type { Measurement } from '../tools/report.ts'
import { type Reader, readChanges } from './readers.ts'
import { prepareSequence, withoutLock } from './without-lock.ts'
import { createMarkTrigger, isRolledBack } from './writers.ts'

/** The round trips of a transaction: lock and positions, insert, commit or rollback. */
const ROUND_TRIPS = 3

/** A connection: before a step, in one, or finished. */
interface SteppedConnection {
  readonly url: string
  readonly rolledBack: boolean
  pid: number
  /** Starts the step it waits for; null while it is in one. */
  resume: (() => void) | null
  done: boolean
}

interface InterleavingSetup {
  readonly superuser: ReturnType<TestDatabase['superuser']>
  readonly writer: MetricsWriter
  readonly storeBatch: StoreEvents
  readonly organization: TestOrganization
  readonly generator: ReturnType<typeof createEventGenerator>
  readonly startReader: () => Reader
}

interface PlayedSchedule {
  /** For each step, the index of the chosen connection and the number of candidates. */
  readonly choices: readonly number[]
  readonly options: readonly number[]
  readonly seen: readonly string[]
  readonly committed: readonly string[]
}

/**
 * Runs every order in which connections can lock and reserve positions, insert, and commit or roll back, with the real
 * code on a real database. A connection that waits for a lock cannot be chosen. A reader polls after each step and
 * must get every committed row exactly once.
 */
export async function proveInterleavings(
  connections: readonly number[],
  withLock: boolean,
): Promise<Measurement[]> {
  const database = await createDatabase()
  const superuser = database.superuser()
  const copy = withLock ? null : await copyWithout(withoutLock)
  const tenant = await createTenant(database)
  const writer = createTestWriter(database, { connections: 4 })
  const api = await startApi(database, { LIMIT_METRICS: 'off' }, copy?.apiEntry)
  try {
    await superuser.query(createMarkTrigger)
    if (copy !== null) await prepareSequence(superuser, [tenant.workspace.root])
    const key = (await tenant.createKey('organization')).value
    const setup: InterleavingSetup = {
      superuser,
      writer,
      storeBatch: copy === null ? storeEvents : await loadStoreEvents(copy.apiEntry),
      organization: tenant.workspace.organizations[0],
      generator: createEventGenerator({ findings: 1 }),
      startReader: () => readChanges({ name: 'reader', baseUrl: api.url, key }),
    }
    const measurements: Measurement[] = []
    for (const count of connections) measurements.push(await playAllSchedules(setup, count, withLock))
    return measurements
  } finally {
    await api.stop()
    await Promise.all([writer.close(), tenant.close(), superuser.end()])
    await copy?.remove()
    await database.drop()
  }
}

async function playAllSchedules(
  setup: InterleavingSetup,
  count: number,
  withFirstWrites: boolean,
): Promise<Measurement> {
  let schedules = 0
  let broken = 0
  // The first write of a root creates its head, later ones advance it.
  for (const isFirst of withFirstWrites ? [true, false] : [false]) {
    let reader = setup.startReader()
    for (const rolledBack of listOutcomes(count)) {
      const run = async (choices: readonly number[]) => {
        if (isFirst) reader = await resetRoot(setup)
        return playSchedule(setup, reader, rolledBack, choices)
      }
      for await (const { seen, committed } of runSchedules(run)) {
        schedules += 1
        if (seen.toSorted().join() !== committed.toSorted().join()) broken += 1
      }
    }
    console.error(`  interleavings of ${count} connections: ${schedules}`)
  }
  return {
    measure: `${schedules} interleavings of ${count} connections: a commit not returned exactly once`,
    goal: '0',
    result: broken,
    met: broken === 0 && schedules > 0,
  }
}

/** Every combination of commits and rollbacks. */
function listOutcomes(count: number): boolean[][] {
  return Array.from({ length: 2 ** count }, (_, bits) =>
    Array.from({ length: count }, (__, connection) => ((bits >> connection) & 1) === 1),
  )
}

/** Depth first: the next schedule differs at the last step that had another candidate. */
async function* runSchedules(
  run: (choices: readonly number[]) => Promise<PlayedSchedule>,
): AsyncGenerator<PlayedSchedule, void> {
  let choices: readonly number[] | null = []
  while (choices !== null) {
    const played: PlayedSchedule = await run(choices)
    yield played
    const { choices: taken, options } = played
    const last = taken.findLastIndex((choice, step) => choice + 1 < (options[step] ?? 0))
    choices = last === -1 ? null : [...taken.slice(0, last), (taken[last] ?? 0) + 1]
  }
}

async function playSchedule(
  setup: InterleavingSetup,
  reader: Reader,
  rolledBack: readonly boolean[],
  prefix: readonly number[],
): Promise<PlayedSchedule> {
  const before = reader.seen.length
  const connections = rolledBack.map((fails) => startConnection(setup, fails))
  const ends = Promise.allSettled(connections.map(({ ended }) => ended))
  const choices: number[] = []
  const options: number[] = []
  await waitUntilIdle(setup, connections)
  for (let ready = listWaiting(connections); ready.length > 0; ready = listWaiting(connections)) {
    const choice = prefix[choices.length] ?? 0
    const chosen = ready[choice]
    if (chosen === undefined) throw new Error('The same choices led to another state.')
    options.push(ready.length)
    choices.push(choice)
    resumeConnection(chosen)
    await waitUntilIdle(setup, connections)
    await reader.finish()
  }
  for (const end of await ends) if (end.status === 'rejected') throw end.reason
  if (choices.length !== ROUND_TRIPS * connections.length)
    throw new Error(`A transaction did not have ${ROUND_TRIPS} steps.`)
  const committed = connections.filter((connection) => !connection.rolledBack).map(({ url }) => url)
  return { choices, options, seen: reader.seen.slice(before), committed }
}

async function resetRoot({ superuser, organization, startReader }: InterleavingSetup): Promise<Reader> {
  for (const table of ['metrics_head', 'pull_request', 'finding', 'finding_week'])
    await superuser.query(`delete from ${table} where root_id = $1`, [organization.root])
  return startReader()
}

function startConnection(
  { writer, storeBatch, organization, generator }: InterleavingSetup,
  rolledBack: boolean,
): SteppedConnection & { readonly ended: Promise<void> } {
  const event = generator.finalized(toReviewTarget(organization))
  const marked = rolledBack ? { ...event, id: `undone-${event.id}` } : event
  const connection: SteppedConnection = {
    url: event.payload.url,
    rolledBack,
    pid: 0,
    resume: null,
    done: false,
  }
  let steps = 0
  const gated = gateWriter(writer, {
    pass(pid) {
      steps += 1
      connection.pid = pid
      // A failed commit has rolled back: later statements change nothing.
      if (steps > ROUND_TRIPS) return Promise.resolve()
      return new Promise((resolve) => {
        connection.resume = resolve
      })
    },
  })
  const stored = storeBatch(gated, organization.root, [marked])
  const ended = (rolledBack ? isRolledBack(stored) : stored.then(() => true))
    .then((asExpected) => {
      if (!asExpected) throw new Error('A transaction that must fail was committed.')
    })
    .finally(() => {
      connection.done = true
    })
  return Object.assign(connection, { ended })
}

function listWaiting(connections: readonly SteppedConnection[]): SteppedConnection[] {
  return connections.filter(({ resume }) => resume !== null)
}

function resumeConnection(connection: SteppedConnection): void {
  const { resume } = connection
  connection.resume = null
  resume?.()
}

/** Waits until every connection is before a step, finished, or waiting for a lock. */
async function waitUntilIdle(
  { superuser }: InterleavingSetup,
  connections: readonly SteppedConnection[],
): Promise<void> {
  const blocked = 'select pid from unnest($1::int[]) pid where cardinality(pg_blocking_pids(pid)) > 0'
  for (;;) {
    await breathe()
    const moving = connections.filter(({ resume, done }) => resume === null && !done)
    if (moving.length === 0) return
    const pids = moving.map(({ pid }) => pid).filter((pid) => pid !== 0)
    const { rowCount } = await superuser.query(blocked, [pids])
    const still = connections.filter(({ resume, done }) => resume === null && !done)
    if (rowCount === moving.length && still.length === moving.length) return
  }
}

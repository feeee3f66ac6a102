import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { report } from '../proofs/tools/report.ts'
import { createBus } from '../server/test/bus.ts'
import { createDatabase } from '../server/test/database.ts'
import { createCredential, ingestSettings, sendEvents } from '../server/test/ingest.ts'
import { startApi, startWorker } from '../server/test/process.ts'
import { createEventGenerator, createTestWriter, toReviewTarget } from '../server/test/pull-requests.ts'
import { createTenant, type TestRoot } from '../server/test/tenant.ts'
import { ensureTools } from './engine-tools.ts'
import { insertFor, readRows } from './ingest/bare-insert.ts'
import { createBody, type Sender, startLoad } from './ingest/load.ts'

const quick = process.argv.includes('--quick')
const SECONDS = quick ? 10 : 60
const BARE_SECONDS = quick ? 4 : 10
const WARM_UP_SECONDS = 5
const EVENTS = 200
const FINDINGS = 10
const SENDERS_PER_ROOT = 2
const BARE_CONNECTIONS = 8
// Events between the ingest endpoint and the rows: enough that no part idles, few enough that the rate is that of the
// slowest part and not of a growing queue.
const MAX_WAITING_EVENTS = 20_000
const DRAIN_SECONDS = 60
const GOAL = 5_000
const RATIO_GOAL = 0.3

ensureTools()
const [database, bus] = await Promise.all([createDatabase(), createBus()])
const tenant = await createTenant(database)
const settings = { ...ingestSettings(bus), INGEST_MAX_BYTES: String(1024 ** 3) }
const api = await startApi(database, settings)
const worker = await startWorker(database, settings)
const writer = createTestWriter(database, { connections: BARE_CONNECTIONS })
const superuser = database.superuser()
const roots = [tenant.workspace, tenant.instance, tenant.alone]
let committed = 0
let acknowledged = 0
const watching = new AbortController()
const watch = watchHeads(watching.signal)
try {
  await measure()
} finally {
  watching.abort()
  await watch
  await Promise.all([api.stop(), worker.stop(), tenant.close(), writer.close(), superuser.end()])
  await bus.drop()
  await database.drop()
}

async function measure(): Promise<void> {
  const senders = await createSenders()
  await sendFor(WARM_UP_SECONDS, senders)
  const batch = await readStoredBatch()
  const insert = () => insertFor(BARE_SECONDS, writer.stores, batch, BARE_CONNECTIONS)
  const before = await insert()
  console.error(`  bare INSERT before: ${Math.round(before)} rows per second`)
  const rate = await sendFor(SECONDS, senders)
  const after = await insert()
  console.error(`  bare INSERT after: ${Math.round(after)} rows per second`)
  const bare = (before + after) / 2
  const stored = await countStored()
  report(
    `ingest: calls of ${EVENTS} pull requests of ${FINDINGS} findings, ${roots.length} tenant roots, ${senders.length} connections, ${SECONDS} s`,
    [
      {
        measure: `pull requests per second from HTTP to committed row (${Math.round(rate * FINDINGS)} findings)`,
        goal: `≥ ${GOAL}`,
        result: Math.round(rate),
        met: rate >= GOAL,
      },
      {
        measure: `÷ bare INSERT of the same rows in batches of ${batch.length} (${Math.round(rate)} ÷ ${Math.round(bare)}, of ${Math.round(before)} before and ${Math.round(after)} after)`,
        goal: `≥ ${RATIO_GOAL}`,
        result: (rate / bare).toFixed(2),
        met: rate / bare >= RATIO_GOAL,
      },
      {
        measure: 'bytes per stored pull request with its findings, tables and indexes',
        goal: '–',
        result: await measureRowBytes(),
        met: true,
      },
      {
        measure: `acknowledged events that were not stored, of ${acknowledged}`,
        goal: '0',
        result: acknowledged - stored,
        met: acknowledged === stored,
      },
    ],
  )
}

async function createSenders(): Promise<Sender[]> {
  const senders: Sender[] = []
  for (const root of roots) {
    const credential = createCredential(tenant.ring, root.root).value
    await waitForIngest(credential)
    const createEvent = createEventMaker(root)
    for (let sender = 0; sender < SENDERS_PER_ROOT; sender++)
      senders.push({ credential, body: createBody(createEvent, EVENTS) })
  }
  return senders
}

/** Pull requests with exactly this many findings, merged in the last week. */
function createEventMaker({ organizations }: TestRoot): (number: number) => unknown {
  const generator = createEventGenerator({ days: 7, findings: FINDINGS })
  const targets = organizations.map((organization) => toReviewTarget(organization))
  return (number) => {
    const target = targets[number % targets.length]
    if (target === undefined) throw new Error('The tenant has no organization to send events for.')
    for (;;) {
      const event = generator.finalized(target, { event_id: `event-${number}`, number })
      if (event.payload.findings.length === FINDINGS) return event
    }
  }
}

/** Events committed per second while the lanes send. Returns when every acknowledged event is committed. */
async function sendFor(seconds: number, senders: readonly Sender[]): Promise<number> {
  const earlier = acknowledged
  const from = await countStored()
  const started = performance.now()
  const load = startLoad(
    `${api.url}/ingest/v1/events`,
    senders,
    (now) => earlier + now - committed < MAX_WAITING_EVENTS,
  )
  for (let second = 0; second < seconds; second += 5) {
    await sleep(Math.min(5, seconds - second) * 1000)
    console.error(`  ${committed - from} committed, ${earlier + load.acknowledged() - committed} wait`)
  }
  const sendingEnd = performance.now()
  // The count has the snapshot of this moment, however long it takes.
  const counting = countStored()
  await load.stop()
  acknowledged = earlier + load.acknowledged()
  const rate = (((await counting) - from) / (sendingEnd - started)) * 1000
  if (load.refused() > 0) console.error(`  ${load.refused()} calls returned 503 and were sent again`)
  await drain()
  console.error(
    `  all stored ${((performance.now() - sendingEnd) / 1000).toFixed(1)} s after the last call began`,
  )
  return rate
}

async function drain(): Promise<void> {
  const deadline = performance.now() + DRAIN_SECONDS * 1000
  while ((await countStored()) < acknowledged && performance.now() < deadline) await sleep(200)
}

async function countStored(): Promise<number> {
  const { rows } = await superuser.query<{ count: number }>(
    'select count(*)::int as count from pull_request where root_id = any ($1)',
    [roots.map(({ root }) => root)],
  )
  return rows[0]?.count ?? 0
}

async function measureRowBytes(): Promise<number> {
  const { rows } = await superuser.query<{ bytes: number }>(
    `select ((pg_total_relation_size('pull_request') + pg_total_relation_size('finding') + pg_total_relation_size('finding_week'))
       / count(*))::int as bytes
     from pull_request`,
  )
  return rows[0]?.bytes ?? 0
}

/** The progress of the writers, by their heads, which are cheap to poll. Each row takes two positions. */
async function watchHeads(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { rows } = await superuser.query<{ count: number }>(
      'select coalesce(sum(position) / 2, 0)::int as count from metrics_head where root_id = any ($1)',
      [roots.map(({ root }) => root)],
    )
    committed = rows[0]?.count ?? 0
    await sleep(50)
  }
}

/** Pull requests that the service has stored, to be written again with a bare INSERT. */
async function readStoredBatch() {
  const { root } = tenant.workspace
  const { rows: keys } = await superuser.query<{ pull_request_key: string }>(
    'select pull_request_key from pull_request where root_id = $1 limit $2',
    [root, EVENTS],
  )
  const batch = await readRows(writer.stores, root, keys)
  if (batch.length !== EVENTS) throw new Error(`Only ${batch.length} rows were stored while warming up.`)
  return batch
}

/** The endpoint accepts events when the worker has published the revoked credentials. */
async function waitForIngest(credential: string): Promise<void> {
  const deadline = performance.now() + 30_000
  while ((await sendEvents(api.url, credential, [{}])).status !== 202) {
    if (performance.now() > deadline)
      throw new Error('The ingest endpoint accepted no events for 30 seconds.')
    await sleep(100)
  }
}

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { createBus, createWorkerContext, type TestBus } from '../../../test/bus.ts'
import { copyDatabase, createDatabase, type TestDatabase } from '../../../test/database.ts'
import { createTenant, type TestRoot } from '../../../test/tenant.ts'
import { waitFor } from '../../../test/wait.ts'
import type { RunningTask } from '../../bus/context.ts'
import { deleteDeadLetters } from '../../bus/dead-letters.ts'
import type { IngestEvent } from '../../bus/ingest-event.ts'
import { countArchived, deleteArchived, replayArchive, rewriteArchived } from '../../bus/queue/archive.ts'
import { startQueueConsumer } from '../../bus/queue/consume-queue.ts'
import { toQueueSubject } from '../../bus/queue/subjects.ts'
import { eventConsumer, eventKinds } from '../../consumers.ts'
import { connect } from '../../db/connect.ts'
import { connectMetricsStores } from '../../db/stores.ts'
import type { RootId } from '../../ids.ts'

let database: TestDatabase
/** As it was before the first event. */
let backup: TestDatabase
let testBus: TestBus
let workspace: TestRoot
let root: RootId
let superuser: pg.Pool
let worker: RunningTask

before(async () => {
  ;[database, testBus] = await Promise.all([createDatabase(), createBus()])
  const tenant = await createTenant(database)
  workspace = tenant.workspace
  root = workspace.root
  await tenant.close()
  backup = await copyDatabase(database)
  superuser = database.superuser()
  worker = start(database)
})
after(async () => {
  await worker.stop()
  await Promise.all([superuser.end(), testBus.drop()])
  await Promise.all([database.drop(), backup.drop()])
})

function start({ urls }: TestDatabase): RunningTask {
  const pool = connect({ url: urls.worker, name: 'test', connections: 4 })
  const stores = connectMetricsStores(new Map([['shared', urls.worker]]), 'test', 4)
  const context = { ...createWorkerContext(pool, testBus.bus, stores), archives: true }
  const { settings, ...consumer } = eventConsumer(1000)
  const running = startQueueConsumer(context, {
    ...consumer,
    settings: { ...settings, retryDelaysMs: [50, 100, 500] },
  })
  return {
    async stop() {
      await running.stop()
      await Promise.all([pool.end(), stores.close()])
    },
  }
}

const credential = randomUUID()

async function send(...events: readonly IngestEvent[]): Promise<void> {
  const text = JSON.stringify({ root, credential, organizations: null, events })
  await testBus.bus.jetstream.publish(toQueueSubject(testBus.bus, root, text.length), text)
}

const settled = () =>
  waitFor('the queue is empty', async () => (await testBus.messages('QUEUE')).length === 0)
const replay = (from: Date, dryRun = false) => replayArchive(testBus.bus, { from, dryRun, report: () => {} })

/** The example of each kind, about the tenant's own organization. */
function createExamples(): Map<string, IngestEvent> {
  const [{ orgId, repositories }] = workspace.organizations
  return new Map(
    eventKinds.map((kind) => {
      const { type, version, example } = kind
      const own = JSON.stringify(example)
        .replaceAll('"41207731"', JSON.stringify(orgId))
        .replaceAll('"620118401"', JSON.stringify(repositories[0]?.repositoryId))
      const payload = kind.normalize(JSON.parse(own) as never) as object
      return [type, { id: randomUUID(), type, version, occurred_at: new Date().toISOString(), payload }]
    }),
  )
}

async function readId(text: string): Promise<string> {
  const { rows } = await superuser.query<{ id: string }>(text, [root])
  return rows[0]?.id ?? assert.fail('no row')
}

/** What each table says, but for how often and when events were received, and positions that are reserved in vain. */
async function readTables(): Promise<Record<string, string>> {
  const { rows: tables } = await superuser.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'root_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname not in ('event_status', 'received_event_count', 'metrics_head', 'learning_head')`,
  )
  const found: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await superuser.query<{ text: string | null }>(
      `select string_agg(t::text, E'\\n' order by t::text) as text from ${name} t where root_id = $1`,
      [root],
    )
    found[name] = rows[0]?.text ?? ''
  }
  return found
}

/** One row of each family. */
const stored = [
  `select name from repository where root_id = $1 and name = 'booking-api'`,
  'select number, url from pull_request where root_id = $1',
  'select accepted from outcome where root_id = $1',
  'select pull_request_key from mcp_usage where root_id = $1',
  'select id from learning where root_id = $1',
  'select person_id is null as unknown from seat_request where root_id = $1',
  'select id, state, dismissal_reason from security_finding where root_id = $1',
]

test('events of every kind change nothing when they are replayed, and are stored again after a restore', async () => {
  const examples = createExamples()
  const { 'learning.used': used, 'security_finding.dismissed': dismissed } = Object.fromEntries(examples)
  assert.ok(used !== undefined && dismissed !== undefined)
  const startedAt = new Date()
  await send(...[...examples.values()].filter((event) => event !== used && event !== dismissed))
  await settled()
  const learning = await readId('select id from learning where root_id = $1 order by created_at desc limit 1')
  const finding = await readId('select id from security_finding where root_id = $1')
  await send({ ...used, payload: { ...(used.payload as object), learning_ids: [learning] } })
  await send({ ...dismissed, payload: { ...(dismissed.payload as object), finding_id: finding } })
  await settled()
  assert.equal((await testBus.messages('DEAD')).length, 0)
  assert.equal(await countArchived(testBus.bus, root), 3)

  const earlier = await readTables()
  assert.deepEqual(
    { ...(await replay(startedAt, true)), bytes: 0, oldest: null },
    { messages: 3, bytes: 0, oldest: null },
  )
  assert.equal((await replay(startedAt)).messages, 3)
  await settled()
  assert.equal((await testBus.messages('DEAD')).length, 0)
  const later = await readTables()
  const differing = Object.keys(earlier).filter((name) => later[name] !== earlier[name])
  assert.deepEqual(
    differing,
    [],
    differing
      .map((name) => `${earlier[name]}\n→ ${later[name]}`)
      .join('\n')
      .slice(0, 2000),
  )

  await worker.stop()
  worker = start(backup)
  assert.equal((await replay(startedAt)).messages, 6)
  await settled()
  await worker.stop()
  worker = start(database)
  assert.equal((await testBus.messages('DEAD')).length, 0)
  const restored = backup.superuser()
  for (const text of stored) {
    const [is, was] = await Promise.all([restored.query(text, [root]), superuser.query(text, [root])])
    assert.deepEqual([is.rowCount, is.rows], [1, was.rows], text)
  }
  await restored.end()
})

test('only what was handled later than a minute before the time is replayed', async () => {
  const { messages } = await replay(new Date(Date.now() + 61_000), true)
  assert.equal(messages, 0)
  assert.ok((await replay(new Date(Date.now() + 50_000), true)).messages > 0)
})

test('a message is not acknowledged before its copy is stored', async () => {
  const { bus } = testBus
  await bus.manager.streams.delete(bus.streamName('ARCHIVE'))
  const event = createExamples().get('reviewer.tagged') ?? assert.fail()
  await send(event)
  await waitFor('it is handled', async () => {
    const { rows } = await superuser.query('select from counted_event_id where event_id = $1', [event.id])
    return rows.length === 1
  })
  await sleep(500)
  assert.equal((await testBus.messages('QUEUE')).length, 1)
  await testBus.declare()
  await settled()
  assert.equal(await countArchived(bus, root), 1)
})

test('a message of which a part cannot be stored is archived whole', async () => {
  await deleteArchived(testBus.bus, root)
  const [known, unknown] = [createExamples().get('reviewer.tagged'), createExamples().get('mcp.used')]
  assert.ok(known !== undefined && unknown !== undefined)
  const organization = { provider: 'github', host: '', id: '1' }
  await send(known, { ...unknown, payload: { ...(unknown.payload as object), organization } })
  await settled()
  assert.equal(await deleteDeadLetters(testBus.bus, { consumer: '*' }), 1)
  const [copy, ...others] = await testBus.messages('ARCHIVE')
  assert.deepEqual(
    copy?.json<{ events: IngestEvent[] }>().events.map(({ id }) => id),
    [known.id, unknown.id],
  )
  assert.equal(others.length, 0)
})

test('texts are replaced in the archive, and a root can be deleted from it', async () => {
  const { bus } = testBus
  await send(createExamples().get('reviewer.tagged') ?? assert.fail())
  await settled()
  const count = await countArchived(bus, root)
  assert.equal(await rewriteArchived(bus, randomUUID() as RootId, () => '', false), 0)
  assert.equal(await rewriteArchived(bus, root, () => null, false), 0)
  const rewrite = (text: string) => text.replaceAll('reviewer.tagged', 'reviewer.erased')
  assert.equal(await rewriteArchived(bus, root, rewrite, true), count)
  assert.equal(await rewriteArchived(bus, root, rewrite, false), count)
  assert.ok((await testBus.messages('ARCHIVE')).every((copy) => !copy.string().includes('reviewer.tagged')))
  assert.equal(await deleteArchived(bus, root), count)
  assert.equal(await countArchived(bus, root), 0)
})

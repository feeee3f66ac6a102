import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { AckPolicy } from '@nats-io/jetstream'
import { createBus, createWorkerContext } from '../../../test/bus.ts'
import { startService } from '../../../test/call.ts'
import type { TestDatabase } from '../../../test/database.ts'
import { openTenant } from '../../../test/fixture.ts'
import { createEvent, ingestSettings, probeKind } from '../../../test/ingest.ts'
import { insertsForEveryTable } from '../../../test/planted/tenant-rows.ts'
import { createStores } from '../../../test/stores.ts'
import type { TestKey } from '../../../test/tenant.ts'
import { waitFor } from '../../../test/wait.ts'
import type { RootId } from '../../ids.ts'
import { refreshRevokedCredentials } from '../events/refresh-revoked-credentials.ts'
import { countRoot, deleteRoot } from './delete.ts'
import { readTombstonesUnscoped } from './sql.ts'
import { auditTables, mainTables, metricsTables, vectorIndexTable } from './tables.ts'

const TOMBSTONE = 'root_tombstone'

const { database, superuser, tenant, use } = await openTenant()
const testBus = use(await createBus())
const others = use(await createStores(database))
const context = createWorkerContext(tenant.pool, testBus.bus)
const deletionContext = {
  database: tenant.pool,
  stores: others.stores,
  bus: testBus.bus,
  now: () => new Date(),
  reportProgress: () => {},
  refreshRevokedCredentials: () => refreshRevokedCredentials(context),
  graceMs: 50,
}
const { root } = tenant.workspace
await deletionContext.refreshRevokedCredentials()
const service = use(startService(database, ingestSettings(testBus), undefined, [probeKind]))
const keys = [
  await tenant.createKey('user'),
  await tenant.createKey('workspace'),
  await tenant.createKey('ingest'),
]
const neighbour = await tenant.createKey('user', { of: 'alone' })
await plantMessages()

/** Inserts a row in every table and in another store, and publishes queued and dead-lettered messages. */
async function plantMessages(): Promise<void> {
  await tenant.createKey('user', { role: ['learning:read'] })
  const rows = insertsForEveryTable(tenant.workspace, randomUUID(), randomUUID())
  for (const [text, values] of rows) await superuser.query(text, values)
  await superuser.query('delete from root_tombstone')
  const isolated = others.isolated.superuser()
  await isolated.query('insert into metrics_head (root_id, position) values ($1, 1)', [root])
  await isolated.end()
  for (const id of [root, tenant.alone.root]) {
    const batch = { root: id, credential: randomUUID(), organizations: null, events: [] }
    const subjects = [`queue.${id}.3`, `archive.${id}.3`, 'dead.ingest', `dead.ingest.${id}.3`]
    for (const subject of subjects)
      await testBus.bus.jetstream.publish(testBus.bus.subject(subject), JSON.stringify(batch))
    await testBus.bus.manager.consumers.add(testBus.bus.streamName('QUEUE'), {
      durable_name: id,
      filter_subject: testBus.bus.subject(`queue.${id}.*`),
      ack_policy: AckPolicy.Explicit,
    })
  }
}

async function listRootTables(of: TestDatabase): Promise<string[]> {
  const pool = of.superuser()
  const { rows } = await pool.query<{ name: string }>(
    `select c.table_name::text as name from information_schema.columns c
     join pg_class t on t.oid = format('%I.%I', c.table_schema, c.table_name)::regclass
     where c.table_schema = 'public' and c.column_name = 'root_id' and t.relkind in ('r', 'p') and not t.relispartition
     order by 1`,
  )
  await pool.end()
  return rows.map(({ name }) => name)
}

/** The tables that contain rows of a root. */
async function findTablesWithRows(of: TestDatabase, id: RootId): Promise<string[]> {
  const pool = of.superuser()
  const found: string[] = []
  for (const table of await listRootTables(of)) {
    const { rowCount } = await pool.query(`select from ${table} where root_id = $1 limit 1`, [id])
    if (rowCount === 1) found.push(table)
  }
  await pool.end()
  return found
}

async function sendProbe(key: TestKey): Promise<number> {
  const body = [createEvent()]
  return (await service.call('/ingest/v1/events', { method: 'POST', key: key.value, body })).status
}

async function readAllRows(id: RootId): Promise<unknown> {
  const counts: Record<string, unknown> = {}
  for (const table of await listRootTables(database)) {
    const { rows } = await superuser.query(
      `select count(*)::int as n, md5(string_agg(t::text, '|' order by t::text)) as digest from ${table} t where root_id = $1`,
      [id],
    )
    counts[table] = rows[0]
  }
  return counts
}

test('every table with rows of a root is emptied, except the tombstone', async () => {
  const listed = [...mainTables, ...metricsTables, ...auditTables, vectorIndexTable, TOMBSTONE]
  assert.deepEqual(await listRootTables(database), listed.toSorted())
  assert.deepEqual(
    await findTablesWithRows(database, root),
    listed.filter((name) => name !== TOMBSTONE).toSorted(),
    'the fixture has no row in some table, so a missed deletion would not be detected',
  )
})

test('a deletion is refused during a move of metrics, and fails early if a store is unknown', async () => {
  await superuser.query(`update metrics_placement set moving_to = 'isolated' where root_id = $1`, [root])
  await assert.rejects(deleteRoot(deletionContext, root), /being moved. Wait/)
  await superuser.query('update metrics_placement set moving_to = null where root_id = $1', [root])
  const { stores } = deletionContext
  const unknown = { ...stores, pool: () => assert.fail('no such store') }
  await assert.rejects(deleteRoot({ ...deletionContext, stores: unknown }, root), /no such store/)
  assert.deepEqual(await readTombstonesUnscoped(tenant.pool, { after: null, limit: 10 }), [])
})

test('counting reports the rows and changes nothing', async () => {
  const earlier = await readAllRows(root)
  const found = await countRoot(deletionContext, root)
  assert.deepEqual(await readAllRows(root), earlier)
  const names = new Set(found.map(({ name }) => name))
  for (const name of [
    ...mainTables,
    ...metricsTables,
    ...auditTables,
    vectorIndexTable,
    'queue',
    'archive',
    'dead_letters',
  ])
    assert.ok(names.has(name), name)
  assert.ok(found.some(({ where, name }) => where === 'metrics store isolated' && name === 'metrics_head'))
})

test('the worker role cannot delete audit rows unless their root is being deleted', async () => {
  for (const call of [`root_delete_audit('audit_log', 10)`, 'root_delete_vector_indexes()']) {
    const client = await tenant.pool.connect()
    await client.query('begin')
    await client.query(`select set_config('app.root', $1, true)`, [root])
    await assert.rejects(client.query(`select ${call}`), /not being deleted/)
    await client.query('rollback')
    client.release()
  }
  await assert.rejects(tenant.pool.query('delete from audit_log'), { code: '42501' })
  await assert.rejects(tenant.pool.query('delete from root_tombstone'), { code: '42501' })
})

test('a deleted root leaves only its tombstone, and other roots are unchanged', async () => {
  const [user, workspace, ingest] = keys as [TestKey, TestKey, TestKey]
  await waitFor('events are accepted', async () => (await sendProbe(ingest)) === 202)
  assert.equal((await service.call('/v1/organizations', { key: user.value })).status, 200)
  const earlier = await readAllRows(tenant.alone.root)
  const { id, finished_at, position, hash } = await deleteRoot(deletionContext, root)
  assert.deepEqual(await findTablesWithRows(database, root), [TOMBSTONE])
  assert.deepEqual(await findTablesWithRows(others.isolated, root), [])
  const { rowCount } = await superuser.query('select from root where id = $1', [root])
  assert.equal(rowCount, 0)
  assert.deepEqual(await readAllRows(tenant.alone.root), earlier)
  assert.equal(id, root)
  assert.ok(finished_at !== null && position !== null && position > 5 && hash?.length === 64)

  for (const stream of ['QUEUE', 'DEAD'] as const) {
    const bodies = (await testBus.messages(stream)).map((message) => message.json<{ root: string }>().root)
    assert.deepEqual(new Set(bodies), new Set([tenant.alone.root]), stream)
  }
  const names: string[] = []
  for await (const { name } of testBus.bus.manager.consumers.list(testBus.bus.streamName('QUEUE')))
    names.push(name)
  assert.deepEqual(names, [tenant.alone.root])
  for (const key of [user, workspace]) {
    const { status, body } = await service.call('/v1/organizations', { key: key.value })
    assert.equal(status, 401)
    assert.equal(body.error?.code, 'UNAUTHORIZED')
  }
  assert.equal((await service.call('/v1/organizations', { key: neighbour.value })).status, 200)
  await waitFor('the credential is refused', async () => (await sendProbe(ingest)) === 401)
})

test('its credentials stay on the revocation list after their rows are deleted', async () => {
  await deletionContext.refreshRevokedCredentials()
  const [message] = await testBus.messages('REVOKED')
  const hex = Buffer.from(message?.data ?? assert.fail('no revocation list was published')).toString('hex')
  assert.ok(hex.includes(keys[2]?.id.replaceAll('-', '') ?? 'none'))
})

test('the last head of its audit chain is signed once', async () => {
  const find = async () => {
    const { rows } = await tenant.pool.query<{ root_id: string; position: number; hash: Buffer }>(
      'select * from audit_unsigned(100)',
    )
    return rows.filter(({ root_id }) => root_id === root)
  }
  const [tombstone] = await readTombstonesUnscoped(tenant.pool, { after: null, limit: 10 })
  const found = await find()
  assert.deepEqual(
    found.map(({ hash }) => hash.toString('hex')),
    [tombstone?.hash],
  )
  await tenant.pool.query('select audit_mark_signed($1, $2)', [[root], [tombstone?.position]])
  assert.deepEqual(await find(), [])
  assert.deepEqual(await findTablesWithRows(database, root), [TOMBSTONE])
})

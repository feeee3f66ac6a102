import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { type Installation, listOperations, operations } from '../test/audited-operations.ts'
import { createBus, type TestBus, waitFor } from '../test/bus.ts'
import { startService } from '../test/call.ts'
import { createDatabase, type TestDatabase } from '../test/database.ts'
import { ingestSettings } from '../test/ingest.ts'
import { type ServerProcess, startWorker } from '../test/process.ts'
import { createTenant, type TestKey } from '../test/tenant.ts'
import { defaultLimits, getLimitSettingName } from './config.ts'
import { eventKinds } from './consumers.ts'
import { ingestEndpoints, endpoints as listed, tools } from './routes.ts'

// What is offered as a tool alone is served here too.
const endpoints = [...new Set([...listed, ...tools.map(({ endpoint }) => endpoint)])]

let database: TestDatabase
let superuser: pg.Pool
let bus: TestBus
let worker: ServerProcess
let installation: Installation

before(async () => {
  ;[database, bus] = await Promise.all([createDatabase(), createBus()])
  superuser = database.superuser()
  const settings = ingestSettings(bus)
  const off = Object.keys(defaultLimits).map((name) => [getLimitSettingName(name), 'off'])
  const service = startService(database, { ...settings, ...Object.fromEntries(off) }, endpoints)
  const tenant = await createTenant(database)
  const [user, instance, credential] = await Promise.all([
    tenant.createKey('user'),
    tenant.createKey('instance'),
    tenant.createKey('ingest'),
  ])
  installation = { tenant, service, superuser, user, instance, credential }
  worker = await startWorker(database, settings)
  await waitFor('events are accepted', async () => {
    const options = { key: credential.value, method: 'POST', body: [{}] } as const
    return (await service.call('/ingest/v1/events', options)).status === 202
  })
})
after(async () => {
  const { service, tenant } = installation
  await Promise.all([service.stop(), worker.stop()])
  await Promise.all([tenant.close(), superuser.end(), bus.drop()])
  await database.drop()
})

interface WrittenRow {
  readonly action: string
  readonly actor_kind: string
  readonly actor_id: string | null
}

async function readPositions(): Promise<ReadonlyMap<string, string>> {
  const { rows } = await superuser.query<{ root_id: string; position: string }>(
    'select root_id, position from audit_head',
  )
  return new Map(rows.map(({ root_id, position }) => [root_id, position]))
}

async function readRowsAfter({ root }: TestKey, position: string): Promise<WrittenRow[]> {
  const { rows } = await superuser.query<WrittenRow>(
    `select action, actor_kind, actor_id from audit_log where root_id = $1 and position > $2 order by position`,
    [root, position],
  )
  return rows
}

test('every operation of routes.ts and every event of consumers.ts is listed, and nothing else', () => {
  const found = listOperations(endpoints, ingestEndpoints(eventKinds), eventKinds)
  assert.deepEqual([...operations.keys()].sort(), found)
})

for (const [name, { action, run }] of operations) {
  test(`${name} writes an audit row ${action} in the name of its key or credential`, async () => {
    const positions = await readPositions()
    const actor = await run(installation)
    const expected: WrittenRow = { action, actor_kind: 'key', actor_id: actor.id }
    let rows: WrittenRow[] = []
    await waitFor(`${action} is written`, async () => {
      rows = await readRowsAfter(actor, positions.get(actor.root) ?? '0')
      return rows.some((row) => row.action === action)
    })
    assert.deepEqual(
      rows.find((row) => row.action === action),
      expected,
    )
  })
}

test('the audit log returns all these rows in its documented shape, and shows whom senders claim', async () => {
  const { service, user } = installation
  const summaries: string[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const reply = await service.call(`/v1/audit-logs?page=${page}&page_size=100`, { key: user.value })
    assert.equal(reply.status, 200, reply.text)
    const { data, pagination } = reply.body as unknown as {
      data: { resourceSummary: string }[]
      pagination: { total_pages: number }
    }
    summaries.push(...data.map(({ resourceSummary }) => resourceSummary))
    pages = pagination.total_pages
  }
  for (const claim of [
    '(author: claimed-author, claimed by the sender)',
    '(dismissed by: claimed-dismisser, claimed by the sender)',
  ])
    assert.ok(
      summaries.some((summary) => summary.endsWith(claim)),
      claim,
    )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Installation, listOperations, operations } from '../test/audited-operations.ts'
import { createBus } from '../test/bus.ts'
import { startService } from '../test/call.ts'
import { openTenant } from '../test/fixture.ts'
import { ingestSettings } from '../test/ingest.ts'
import { limitsOff } from '../test/limits-off.ts'
import { startWorker } from '../test/process.ts'
import type { TestKey } from '../test/tenant.ts'
import { waitFor } from '../test/wait.ts'
import { eventKinds } from './consumers.ts'
import { ingestEndpoints, endpoints as listed, tools } from './routes.ts'

// What is offered as a tool alone is served here too.
const endpoints = [...new Set([...listed, ...tools.map(({ endpoint }) => endpoint)])]

const { database, superuser, tenant, use } = await openTenant()
const bus = use(await createBus())
const settings = ingestSettings(bus)
const service = use(startService(database, { ...settings, ...limitsOff }, endpoints))
const [user, instance, credential] = await Promise.all([
  tenant.createKey('user'),
  tenant.createKey('instance'),
  tenant.createKey('ingest'),
])
const installation: Installation = { tenant, service, superuser, user, instance, credential }
use(await startWorker(database, settings))
await waitFor('events are accepted', async () => {
  const options = { key: credential.value, method: 'POST', body: [{}] } as const
  return (await service.call('/ingest/v1/events', options)).status === 202
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

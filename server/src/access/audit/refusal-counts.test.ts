import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { openDatabase } from '../../../test/fixture.ts'
import { connect } from '../../db/connect.ts'
import { auditRefusalCounts } from './refusal-counts.ts'

const [first, second, key, organization] = Array.from({ length: 4 }, () => randomUUID())
const now = new Date('2026-03-04T05:10:00.000Z')
const route = '/v1/organizations'

const { database, superuser, use } = await openDatabase()
const worker = use(connect({ url: database.urls.worker, name: 'worker', connections: 2 }))
await superuser.query(
  `insert into root (id, kind, name) values ($1, 'workspace', 'one'), ($2, 'organization', 'two')`,
  [first, second],
)
beforeEach(() => superuser.query('truncate refusal_count, audit_log, audit_clear, audit_head'))

async function refuse(
  root: string | undefined,
  code: string,
  minute: string,
  refused: number,
): Promise<void> {
  await superuser.query(
    `insert into refusal_count (root_id, key_id, organization_id, route, code, minute, refused)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [root, key, organization, route, code, `2026-03-04T${minute}:00Z`, refused],
  )
}

async function readAuditRows() {
  const { rows } = await superuser.query<{ root_id: string; position: string; at: Date; metadata: unknown }>(
    'select * from audit_log order by root_id = $1 desc, position',
    [first],
  )
  return rows
}

async function readStoredCounts(): Promise<string[]> {
  const { rows } = await superuser.query<{ minute: Date }>('select minute from refusal_count order by minute')
  return rows.map(({ minute }) => minute.toISOString().slice(11, 16))
}

test('one row counts the further refusals; minutes that are not over stay', async () => {
  await refuse(first, 'PERMISSION_DENIED', '05:07', 41)
  await refuse(first, 'NOT_ADMIN', '05:06', 3)
  await refuse(first, 'LEGACY_API_KEY', '05:05', 1)
  await refuse(first, 'NOT_ADMIN', '05:08', 9)
  await refuse(first, 'NOT_ADMIN', '05:10', 9)
  await refuse(second, 'NOT_ADMIN', '05:07', 2)
  await auditRefusalCounts(worker, now)

  const rows = await readAuditRows()
  const facts = { action: 'request_refused', resource_type: 'request', resource_id: route, actor_kind: 'key' }
  const expectedEntry = (root: string | undefined, position: string, metadata: object) => ({
    ...facts,
    root_id: root,
    position,
    actor_id: key,
    organization_id: organization,
    metadata: { route, ...metadata },
  })
  const names = new Set(Object.keys(expectedEntry(first, '1', {})))
  assert.deepEqual(
    rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => names.has(name)))),
    [
      expectedEntry(first, '1', { code: 'NOT_ADMIN', count: 2, minute: '2026-03-04T05:06:00.000Z' }),
      expectedEntry(first, '2', { code: 'PERMISSION_DENIED', count: 40, minute: '2026-03-04T05:07:00.000Z' }),
      expectedEntry(second, '1', { code: 'NOT_ADMIN', count: 1, minute: '2026-03-04T05:07:00.000Z' }),
    ],
  )
  assert.ok(rows.every(({ at }) => at.getTime() === now.getTime()))
  assert.deepEqual(await readStoredCounts(), ['05:08', '05:10'])
})

test('a minute is gathered 90 seconds after its end and not before', async () => {
  await refuse(first, 'NOT_ADMIN', '05:07', 2)
  await auditRefusalCounts(worker, new Date('2026-03-04T05:09:29.999Z'))
  assert.deepEqual(await readStoredCounts(), ['05:07'])
  await auditRefusalCounts(worker, new Date('2026-03-04T05:09:30.000Z'))
  assert.deepEqual(await readStoredCounts(), [])
  assert.equal((await readAuditRows()).length, 1)
})

test('gathering again writes nothing again', async () => {
  await refuse(first, 'NOT_ADMIN', '05:01', 2)
  await auditRefusalCounts(worker, now)
  await auditRefusalCounts(worker, now)
  assert.equal((await readAuditRows()).length, 1)
})

test('a root that fails keeps its counts and does not hold up the others', async () => {
  await refuse(randomUUID(), 'NOT_ADMIN', '05:01', 5)
  await refuse(first, 'NOT_ADMIN', '05:02', 5)
  await refuse(second, 'NOT_ADMIN', '05:02', 5)
  await assert.rejects(auditRefusalCounts(worker, now), /Could not write the refusal counts of 1 roots?/)
  assert.equal((await readAuditRows()).length, 2)
  assert.deepEqual(await readStoredCounts(), ['05:01'])
})

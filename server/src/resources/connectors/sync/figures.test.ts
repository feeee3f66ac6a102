import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type pg from 'pg'
import { startService, type TestService } from '../../../../test/call.ts'
import { MemoryForge } from '../../../../test/connectors/memory-forge.ts'
import {
  connectOrganization,
  createTestSync,
  runUntilIdle,
  type SentEvent,
} from '../../../../test/connectors/test-sync.ts'
import { makeDatabase, type TestDatabase } from '../../../../test/database.ts'
import { limitsOff } from '../../../../test/limits-off.ts'
import { makeTenant, type Tenant } from '../../../../test/tenant.ts'
import { connect, type Pool } from '../../../db/connect.ts'
import { DAY_MS, HOUR_MS } from '../../../time.ts'

let database: TestDatabase
let superuser: pg.Pool
let tenant: Tenant
let service: TestService
let pool: Pool
let forge: MemoryForge
let sent: SentEvent[]
let key: string
let clock: number

before(async () => {
  database = await makeDatabase()
  superuser = database.superuser()
  tenant = await makeTenant(database)
  service = startService(database, limitsOff)
  pool = connect({ url: database.urls.worker, name: 'test', connections: 4 })
})
after(async () => {
  await Promise.all([service.stop(), tenant.close(), pool.end()])
  await database.drop()
})

beforeEach(async () => {
  clock = Date.now() + HOUR_MS
  forge = new MemoryForge(tenant.workspace.organizations[0].orgId, () => new Date(clock))
  forge.addRepository('700')
  sent = []
  key = (await connectOrganization(service, tenant, 'polling')).key
})
afterEach(async () => {
  await superuser.query('delete from connector')
})

async function readConnector(): Promise<Record<string, unknown>> {
  const { body } = await service.call('/v1/connectors', { key })
  const [found] = body.data as unknown as Record<string, unknown>[]
  return found ?? assert.fail('no connector')
}

test('last_event_at moves only when something changed', async () => {
  const repository = forge.addRepository('700')
  const at = forge.now().toISOString()
  forge.write(repository, 1, { state: 'merged', mergedAt: at, closedAt: at })
  await runUntilIdle(createTestSync(pool, forge, sent))
  const { last_event_at: first } = await readConnector()
  assert.ok(first)
  const reads = () => forge.requests.filter((name) => name === 'read').length
  const earlier = reads()
  clock += DAY_MS
  await runUntilIdle(createTestSync(pool, forge, sent))
  assert.ok(reads() > earlier)
  assert.equal((await readConnector())['last_event_at'], first)
  forge.write(repository, 1, { url: 'https://github.com/acme/r700/pull/1?changed' })
  clock += HOUR_MS
  await runUntilIdle(createTestSync(pool, forge, sent))
  assert.notEqual((await readConnector())['last_event_at'], first)
})

test('lag_seconds leaves out pull requests of repositories that are not read any more', async () => {
  await runUntilIdle(createTestSync(pool, forge, sent))
  await superuser.query(
    `insert into connector_pull_request (root_id, organization_id, connector_id, repository_id, number, dirty_since, marks, due_at)
     select root_id, organization_id, id, '700', 1, now() - interval '1 hour', 1, now() from connector`,
  )
  assert.ok(Number((await readConnector())['lag_seconds']) >= 3600)
  await superuser.query('update connector_repository set active = false')
  assert.equal((await readConnector())['lag_seconds'], 0)
})

test('that git cannot read is shown, and is no failure', async () => {
  const repository = forge.addRepository('700')
  const at = forge.now().toISOString()
  forge.write(repository, 1, { state: 'merged', mergedAt: at, closedAt: at })
  let error: string | null = 'git cannot read a repository.'
  const sync = createTestSync(pool, forge, sent, {
    async detectOutcomes(_, __, ___, ____, { recordGitError }) {
      await recordGitError(error)
      return []
    },
  })
  await runUntilIdle(sync)
  const shown = await readConnector()
  assert.deepEqual([shown['status'], shown['error']], ['active', error])
  error = null
  clock += DAY_MS
  await runUntilIdle(sync)
  assert.equal((await readConnector())['error'], null)
})

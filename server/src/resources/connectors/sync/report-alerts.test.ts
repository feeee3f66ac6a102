import assert from 'node:assert/strict'
import { afterEach, before, beforeEach, test } from 'node:test'
import type pg from 'pg'
import { startService, type TestService } from '../../../../test/call.ts'
import { MemoryForge } from '../../../../test/connectors/memory-forge.ts'
import { toSnapshot } from '../../../../test/connectors/parser-corpus.ts'
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
import { type CodeScanningAlert, ForgeUnavailableError } from '../forge/forge-client.ts'
import { parseReview } from '../parsers/parse-review.ts'
import { readAlerts } from './detect.ts'

let database: TestDatabase
let superuser: pg.Pool
let tenant: Tenant
let service: TestService
let pool: Pool
let forge: MemoryForge
let sent: SentEvent[]
let clock: number

before(async () => {
  database = await makeDatabase()
  superuser = database.superuser()
  tenant = await makeTenant(database)
  service = startService(database, limitsOff)
  pool = connect({ url: database.urls.worker, name: 'test', connections: 8 })
  return async () => {
    await Promise.all([service.stop(), tenant.close(), pool.end()])
    await database.drop()
  }
})

beforeEach(async () => {
  clock = Date.now() + HOUR_MS
  forge = new MemoryForge(tenant.workspace.organizations[0].orgId, () => new Date(clock))
  forge.addRepository('700')
  sent = []
  await connectOrganization(service, tenant, 'polling')
})
afterEach(async () => {
  await superuser.query('delete from connector')
})

const AT = '2026-10-05T10:00:00Z'

function alert(number: number, change: Partial<CodeScanningAlert> = {}): CodeScanningAlert {
  return {
    number,
    url: `https://github.com/acme/r700/security/code-scanning/${number}`,
    state: 'open',
    tool: 'CodeQL',
    ruleId: 'js/sql-injection',
    title: 'Database query built from user-controlled sources',
    severity: 'high',
    cwe: 'CWE-89',
    path: 'src/search.ts',
    startLine: 12,
    endLine: 14,
    commit: 'd'.repeat(40),
    ref: 'refs/heads/main',
    createdAt: AT,
    updatedAt: AT,
    fixedAt: null,
    dismissedAt: null,
    dismissedBy: null,
    dismissedReason: null,
    ...change,
  }
}

const sync = () => createTestSync(pool, forge, sent)
const readDaily = async () => {
  clock += DAY_MS + HOUR_MS
  await runUntilIdle(sync())
}
interface SentScan {
  readonly branch: string
  readonly category: string
  readonly findings: readonly { readonly fingerprint: string; readonly suppression?: unknown }[]
}
const scans = () =>
  sent
    .filter(({ type }) => type === 'security_scan.completed')
    .map(({ payload }) => payload as unknown as SentScan)
const counts = () => scans().map(({ branch, findings }) => [branch, findings.length])

test('alerts are sent once, and again when one is fixed, dismissed or reopened', async () => {
  forge.alerts.set('700', [alert(1), alert(2)])
  await runUntilIdle(sync())
  for (let days = 0; days < 3; days++) await readDaily()
  assert.deepEqual(counts(), [['main', 2]])
  forge.alerts.set('700', [alert(1, { state: 'fixed', fixedAt: AT }), alert(2)])
  await readDaily()
  forge.alerts.set('700', [alert(1, { state: 'fixed', fixedAt: AT }), alert(2, { state: 'dismissed' })])
  await readDaily()
  forge.alerts.set('700', [alert(1), alert(2)])
  await readDaily()
  assert.deepEqual(
    counts().map(([, findings]) => findings),
    [2, 1, 1, 2],
  )
  const events = sent.filter(({ type }) => type === 'security_scan.completed')
  assert.equal(new Set(events.map(({ id }) => id)).size, 4)
  const times = events.map(({ occurred_at }) => occurred_at)
  assert.deepEqual(times, times.toSorted())
  assert.equal(new Set(times).size, 4)
})

test('only the series that changed is sent, and what was fixed before the first read is not', async () => {
  const old = Array.from({ length: 100 }, (_, index) => alert(index + 1, { state: 'fixed' }))
  forge.alerts.set('700', [...old, alert(150), alert(250)])
  await runUntilIdle(sync())
  forge.alerts.set('700', [...old, alert(150, { state: 'fixed' }), alert(250)])
  await readDaily()
  assert.deepEqual(
    scans().map(({ category, findings }) => [category, findings.length]),
    [
      ['code-scanning-2', 1],
      ['code-scanning-3', 1],
      ['code-scanning-2', 0],
    ],
  )
})

test('after the branch was renamed, nothing stays open on the former one', async () => {
  forge.alerts.set('700', [alert(1)])
  await runUntilIdle(sync())
  forge.alerts.set('700', [alert(1, { ref: 'refs/heads/trunk' })])
  await readDaily()
  assert.deepEqual(counts(), [
    ['main', 1],
    ['trunk', 1],
    ['main', 0],
  ])
})

test('without the permission, or when code scanning is switched off, nothing is sent and the connector is well', async () => {
  forge.alerts.set('700', [alert(1)])
  await runUntilIdle(sync())
  forge.alerts.delete('700')
  const earlier = forge.requests.filter((name) => name === 'alerts').length
  await readDaily()
  assert.equal(forge.requests.filter((name) => name === 'alerts').length, earlier + 1)
  assert.deepEqual(counts(), [['main', 1]])
  const { rows } = await superuser.query('select status, error from connector')
  assert.deepEqual(rows, [{ status: 'active', error: null }])
  forge.alerts.set('700', [alert(1)])
  await readDaily()
  assert.deepEqual(counts(), [['main', 1]])
})

test('a hook that arrives during the read has the alerts read again', async () => {
  forge.alerts.set('700', [alert(1)])
  let hooks = 0
  forge.beforeRequest = async (name) => {
    if (name !== 'alerts' || hooks++ > 0) return
    await superuser.query(
      `insert into connector_code_scanning as s (root_id, organization_id, connector_id, repository_id, due_at, marks)
       select root_id, organization_id, id, '700', $1, 1 from connector
       on conflict (root_id, connector_id, repository_id) do update set marks = s.marks + 1`,
      [new Date(clock).toISOString()],
    )
  }
  await runUntilIdle(sync())
  assert.equal(forge.requests.filter((name) => name === 'alerts').length, 2)
  assert.deepEqual(counts(), [['main', 1]])
})

test('a list that ends early says nothing about the rest', async () => {
  forge.alerts.set('700', [alert(1), alert(2)])
  await runUntilIdle(sync())
  const client = forge.createClient()
  const broken = createTestSync(pool, forge, sent, {
    createClient: () => ({
      ...client,
      async *listCodeScanningAlerts() {
        yield alert(1)
        throw new ForgeUnavailableError('closed')
      },
    }),
  })
  clock += DAY_MS + HOUR_MS
  await runUntilIdle(broken)
  assert.deepEqual(counts(), [['main', 2]])
})

test('two workers send the same alerts once', async () => {
  forge.alerts.set('700', [alert(1)])
  for (const id of ['701', '702', '703']) {
    forge.addRepository(id)
    forge.alerts.set(id, [alert(1)])
  }
  await Promise.all([runUntilIdle(sync()), runUntilIdle(sync())])
  assert.equal(scans().length, 4)
})

test('the outcome of a finding of code scanning follows its alert', async () => {
  const body =
    '## Missing check\n\nText.\n\n[Show more details](https://github.com/acme/r700/security/code-scanning/43)'
  const snapshot = {
    ...toSnapshot({ bot: 'codeql', location: 'thread', body }),
    repository: { id: '700', fullName: 'acme/r700', isPrivate: true },
  }
  const review = parseReview(snapshot)
  const [finding] = review.findings
  assert.ok(finding)
  const read = () => readAlerts(forge.createClient(), snapshot, review)
  forge.alerts.set('700', [alert(43)])
  assert.deepEqual([...(await read())], [[finding.id, { state: 'open', at: null }]])
  forge.alerts.set('700', [alert(43, { state: 'fixed', fixedAt: AT })])
  assert.deepEqual([...(await read())], [[finding.id, { state: 'fixed', at: AT }]])
  forge.alerts.set('700', [alert(43, { state: 'dismissed', dismissedAt: AT })])
  assert.deepEqual([...(await read())], [[finding.id, { state: 'dismissed', at: AT }]])
  forge.alerts.clear()
  assert.deepEqual([...(await read())], [])
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openTenant } from '../../../test/fixture.ts'
import { createFindings } from '../../../test/security/large.ts'
import {
  createDismissalEvent,
  createScanEvent,
  createScanWorker,
  storedFindings,
} from '../../../test/security/scans.ts'
import { describeStall, measureStall } from '../../../test/security/stall.ts'
import type { TestOrganization } from '../../../test/tenant.ts'
import { rootScope } from '../../access/scope.ts'
import type { IngestEvent } from '../../bus/ingest-event.ts'
import { connect } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Finding } from './finding.ts'
import { packScan } from './sarif/read.ts'
import { storeUpload } from './scan-sql.ts'

const COUNT = 20_000

const { database, superuser, tenant, use } = await openTenant()
const worker = use(createScanWorker(database))
const apiPool = use(connect({ url: database.urls.api, name: 'test', connections: 1 }))

function organizationRef({ orgId }: TestOrganization) {
  return { provider: 'github', host: 'github.com', id: orgId }
}

/** Stores a file like the upload endpoint and returns its event. */
async function upload(
  organization: TestOrganization,
  at: number,
  findings: readonly Finding[],
): Promise<IngestEvent> {
  const id = randomUUID()
  const scope = rootScope(organization.root)
  const scan = { tool: 'Warden', category: '', branch: null, commit: null, endedAt: null, findings }
  const { parts } = packScan(scan)
  const key = { id, organization: organizationRef(organization), at: new Date(), quota: 2 ** 40 }
  await inTransaction(apiPool, scope, (tx) => storeUpload(scope, tx, key, [parts]))
  const event = createScanEvent(organization, at, [])
  return { ...event, payload: { ...(event.payload as object), upload: { id, run: 0 } } }
}

test('an event of one organization does not read the file of another one of its root', async () => {
  const [first, second] = tenant.workspace.organizations
  assert.ok(second)
  const event = await upload(first, 0, createFindings(1))
  const payload = { ...(event.payload as object), organization: organizationRef(second) }
  assert.deepEqual(await worker.apply(second, [{ ...event, payload }]), [
    'The uploaded file no longer exists.',
  ])
})

test('a scan that exceeds the limits of a comparison is deferred and rolled back', async () => {
  const other = tenant.workspace.organizations[1] ?? assert.fail('the tenant has only one organization')
  const hurried = createScanWorker(database, { milliseconds: 1, mebibytes: 256 })
  assert.deepEqual(await worker.apply(other, [await upload(other, 0, createFindings(1500))]), [])
  const second = await upload(other, 1, createFindings(1500, true))
  const reasons = await hurried.apply(other, [second, createDismissalEvent(other, 2, randomUUID())])
  assert.equal(reasons.length, 2)
  assert.match(reasons[0] ?? '', /more time or memory/)
  const storedRows = await storedFindings(superuser, other)
  assert.ok(storedRows.every(({ scan_id }) => scan_id === 'scan-0') && storedRows.length === 1500)
  assert.deepEqual(await worker.apply(other, [second]), [])
  assert.ok((await storedFindings(superuser, other)).every(({ scan_id }) => scan_id === 'scan-1'))
  await hurried.close()
})

test('matching a large scan does not block the worker', async (t) => {
  const [organization] = tenant.workspace.organizations
  const first = await upload(organization, 0, createFindings(COUNT))
  const second = await upload(organization, 1, createFindings(COUNT, true))
  assert.deepEqual(await worker.apply(organization, [first]), [])
  const stall = await measureStall(async () => {
    assert.deepEqual(await worker.apply(organization, [second]), [])
  })
  t.diagnostic(`${COUNT} edited findings: ${describeStall(stall)}`)
  assert.ok(stall.longestMs < stall.tookMs / 8, describeStall(stall))
  const stored = await storedFindings(superuser, organization)
  const again = stored.filter(({ scan_id, state }) => scan_id === 'scan-1' && state === 'open')
  assert.equal(again.length, COUNT)
  const known = again.filter(({ first_seen_at, last_seen_at }) => first_seen_at < last_seen_at)
  assert.ok(known.length > 0.99 * COUNT, `${known.length} were matched`)
  assert.equal(new Set(stored.map(({ position }) => position)).size, stored.length)
})

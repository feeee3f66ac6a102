import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { createBus } from '../../../../test/bus.ts'
import { type CallOptions, startService, type TestResponse } from '../../../../test/call.ts'
import { openTenant } from '../../../../test/fixture.ts'
import { createCredential, ingestSettings, publishRevoked } from '../../../../test/ingest.ts'
import { createScanWorker, storedFindings } from '../../../../test/security/scans.ts'
import { waitFor } from '../../../../test/wait.ts'
import { keyKinds } from '../../../access/key-format.ts'
import type { EventBatch } from '../../../bus/ingest-event.ts'
import { Refusal } from '../../../errors.ts'
import type { UploadContext } from '../../../http/ingest/endpoint.ts'
import { sweepUploads } from '../sweep.ts'
import { acceptSarif } from './accept.ts'

const MIB = 1024 ** 2
const json = { 'content-type': 'application/sarif+json' }

const uploadPath = (fields: Record<string, string> = {}) =>
  `/ingest/v1/sarif?${new URLSearchParams({
    provider: 'github',
    org_id: organization.orgId,
    repo_id: organization.repositories[0]?.repositoryId ?? '',
    ...fields,
  }).toString()}`
const post = (options: CallOptions, path = uploadPath()): Promise<TestResponse> =>
  service.call(path, { key, method: 'POST', headers: json, ...options })
const send = (text: string, fields: Record<string, string> = {}) =>
  post({ payload: text }, uploadPath(fields))

const { database, superuser, tenant, use } = await openTenant()
const made = use(await createBus())
const organization = tenant.workspace.organizations[0]
const key = createCredential(tenant.ring, tenant.workspace.root).value
const service = use(startService(database, ingestSettings(made), []))
const worker = use(createScanWorker(database))
await publishRevoked(made.bus, [])
await waitFor('the upload endpoint is ready', async () => (await send(file(0))).status === 202)
beforeEach(async () => {
  await superuser.query('truncate sarif_upload, sarif_upload_usage, security_finding, security_scan cascade')
  await made.bus.manager.streams.purge(made.bus.streamName('QUEUE'))
})

function file(results: number, fields: (index: number) => object = () => ({}), run: object = {}): string {
  return JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Warden' } },
        results: Array.from({ length: results }, (_, index) => ({
          ruleId: 'sql',
          message: { text: `Query ${index} is built from a request.` },
          locations: [
            { physicalLocation: { artifactLocation: { uri: 'src/a.ts' }, region: { startLine: index + 1 } } },
          ],
          ...fields(index),
        })),
        ...run,
      },
    ],
  })
}

async function applyQueue(): Promise<string[]> {
  const batches = (await made.messages('QUEUE')).map((message) => message.json<EventBatch>())
  const reasons: string[] = []
  for (const { events } of batches) reasons.push(...(await worker.apply(organization, events)))
  return reasons
}

const rowsOf = () => storedFindings(superuser, organization)

test('a file is stored before the response, the queue has only a reference, and the worker applies all findings [P10-10]', async () => {
  const secret = `ghp_${'a1B2c3D4e5'.repeat(3)}f6G7h8`
  const text = file(1200, (index) => ({ properties: { title: `Finding ${index} ${secret}` } }))
  const response = await send(text, { scan_id: 'nightly-1', branch: 'main' })
  assert.equal(response.status, 202, response.text)
  assert.deepEqual(response.body, {
    scans: [{ scan_id: 'nightly-1', tool: 'Warden', category: '', findings: 1200 }],
  })
  const messages = await made.messages('QUEUE')
  assert.ok(messages.length === 1 && (messages[0]?.data.length ?? 0) < 2000)
  const { rows } = await superuser.query('select findings::text from sarif_upload_part order by part')
  assert.equal(rows.length, 3)
  assert.ok(!JSON.stringify(rows).includes(secret))
  assert.deepEqual(await applyQueue(), [])
  const found = await rowsOf()
  assert.equal(found.length, 1200)
  assert.ok(found.every(({ state, scan_id }) => state === 'open' && scan_id === 'nightly-1'))
})

test('a file is complete by default: findings missing in the next file are fixed', async () => {
  await send(file(2), { scanned_at: '2026-03-01T10:00:00Z' })
  await send(file(1), { scanned_at: '2026-03-01T11:00:00Z', complete: 'false' })
  await applyQueue()
  assert.deepEqual(
    (await rowsOf()).map(({ state }) => state),
    ['open', 'open'],
  )
  await send(file(1), { scanned_at: '2026-03-01T12:00:00+00:00' })
  await applyQueue()
  assert.deepEqual(
    (await rowsOf()).map(({ state }) => state),
    ['open', 'fixed'],
  )
})

test('a scan id counts once, and events cannot refer to uploaded files', async () => {
  await send(file(1), { scan_id: 's' })
  await send(file(3), { scan_id: 's' })
  await applyQueue()
  assert.equal((await rowsOf()).length, 1)
  const event = {
    id: 'forged',
    type: 'security_scan.completed',
    version: 1,
    occurred_at: new Date().toISOString(),
    payload: {
      organization: { provider: 'github', id: organization.orgId },
      repository: { id: '1' },
      scan_id: 'x',
      tool: 'T',
      complete: true,
      findings: [],
      upload: { id: '6f0e1a52-93a8-4d3c-8f6f-0d3a4f5b6c7d', run: 0 },
    },
  }
  assert.equal((await service.call('/ingest/v1/events', { key, method: 'POST', body: [event] })).status, 202)
  const last = (await made.messages('QUEUE')).at(-1)?.json<EventBatch>()
  assert.ok(!JSON.stringify(last).includes('upload'))
})

test('a file can be plain or gzip, has one of two media types and at most 25 MiB uncompressed [P10-10]', async () => {
  const gzip = { ...json, 'content-encoding': 'gzip' }
  assert.equal(
    (await post({ headers: { 'content-type': 'application/json' }, payload: file(1) })).status,
    202,
  )
  assert.equal((await post({ headers: gzip, payload: gzipSync(file(1)) })).status, 202)
  const padded = (bytes: number) => file(1).replace('"Warden"', `"Warden","notes":"${'x'.repeat(bytes)}"`)
  assert.equal((await post({ headers: gzip, payload: gzipSync(padded(25 * MIB - 1000)) })).status, 202)
  const bomb = await post({ headers: gzip, payload: gzipSync(padded(25 * MIB)) })
  assert.deepEqual([bomb.status, bomb.body.error?.code], [413, 'PAYLOAD_TOO_LARGE'])
  assert.match(bomb.body.error?.message ?? '', /25 MiB/)
  const large = await post({ payload: 'x'.repeat(25 * MIB + 1) })
  assert.equal(large.status, 413)
  assert.equal((await post({ headers: { 'content-type': 'text/plain' }, payload: file(1) })).status, 415)
})

test('credential, query and file are checked in this order, and refused files are not stored', async () => {
  const others = await Promise.all(keyKinds.map((kind) => tenant.createKey(kind)))
  for (const value of [...others.map((one) => one.value), 'x', '']) {
    assert.equal((await post({ key: value, payload: '{' }, '/ingest/v1/sarif?x=1')).status, 401)
  }
  const missing = await post({ payload: '{' }, '/ingest/v1/sarif?provider=github')
  assert.deepEqual([missing.status, missing.body.error?.code], [400, 'INVALID_REQUEST'])
  assert.match(
    missing.body.error?.message ?? '',
    /org_id, repo_id are required\. org_id must be .*, for example \d/,
  )
  for (const fields of [
    { unknown: '1' },
    { scanned_at: 'yesterday' },
    { complete: 'maybe' },
    { repo_id: '' },
  ]) {
    assert.equal((await send(file(1), fields as Record<string, string>)).status, 400, JSON.stringify(fields))
  }
  for (const text of ['', '{', '[]', '{"version":"2.1.0"}', '['.repeat(100_000)]) {
    assert.equal((await send(text)).status, 400, text.slice(0, 20))
  }
  const { rows } = await superuser.query('select from sarif_upload')
  assert.deepEqual([rows.length, (await made.messages('QUEUE')).length], [0, 0])
  assert.equal((await service.call(uploadPath(), { key })).status, 405)
})

test('files of one tenant are read one after the other, and do not hold up those of another', async () => {
  const text = file(2000)
  const other = createCredential(tenant.ring, tenant.alone.root).value
  const responses = [1, 2, 3, 4].map(() => send(text))
  const finished: string[] = []
  for (const response of responses) void response.then(() => finished.push('own'))
  const theirs = await post({ key: other, payload: file(1) })
  assert.equal(theirs.status, 202)
  assert.ok(finished.length < 4, 'the other tenant does not wait for all of them')
  for (const { status } of await Promise.all(responses)) assert.equal(status, 202)
})

test('more files than fit into memory get 503 with Retry-After', async () => {
  const text = file(2000)
  const responses = await Promise.all(Array.from({ length: 6 }, () => send(text)))
  const rejected = responses.filter(({ status }) => status === 503)
  assert.deepEqual([responses.filter(({ status }) => status === 202).length, rejected.length], [4, 2])
  for (const { headers } of rejected) assert.ok(Number(headers['retry-after']) >= 1)
  assert.equal((await send(text)).status, 202)
})

test('a tenant whose files take its quota gets 429, another is served, and deleted files make room', async () => {
  assert.equal((await send(file(1))).status, 202)
  const { rows } = await superuser.query<{ bytes: number }>('select bytes::int from sarif_upload_usage')
  await superuser.query('truncate sarif_upload_usage')
  const quota = String(Math.floor((rows[0]?.bytes ?? 0) * 2.5))
  const small = startService(database, { ...ingestSettings(made), SARIF_QUOTA_BYTES: quota }, [])
  const upload = (value: string, findings = 1) =>
    small.call(uploadPath(), { key: value, method: 'POST', headers: json, payload: file(findings) })
  await waitFor('the upload endpoint is ready', async () => (await upload(key, 0)).status === 202)
  const other = createCredential(tenant.ring, tenant.alone.root).value
  const results = await Promise.all([1, 2, 3, 4].map(() => upload(key)))
  const refused = results.filter(({ status }) => status === 429)
  assert.deepEqual([results.filter(({ status }) => status === 202).length, refused.length], [2, 2])
  for (const { body, headers } of refused) {
    assert.equal(body.error?.code, 'RATE_LIMIT_EXCEEDED')
    assert.match(body.error?.message ?? '', /14 days.*SARIF_QUOTA_BYTES/)
    assert.ok(Number(headers['retry-after']) >= 1)
  }
  assert.equal((await upload(other)).status, 202)
  await superuser.query(`update sarif_upload set created_at = now() - interval '15 days'`)
  await sweepUploads({ database: tenant.pool, now: () => new Date() })
  assert.equal((await upload(key)).status, 202)
  const { rows: usage } = await superuser.query(
    `select u.bytes = (select sum(s.bytes) from sarif_upload s where s.root_id = u.root_id) as exact
     from sarif_upload_usage u where root_id = $1`,
    [tenant.workspace.root],
  )
  assert.deepEqual(usage, [{ exact: true }])
  await small.stop()
})

test('a file that takes too much time or memory is refused with a hint', async () => {
  const context = {
    now: () => new Date(),
    database: service.apiPool,
    quota: MIB,
    credential: { root: tenant.workspace.root, organizations: null },
  } as UploadContext
  const limits = { milliseconds: 1, mebibytes: 256 }
  await assert.rejects(acceptSarif(context, {}, file(2000), limits), (error) => {
    assert.ok(error instanceof Refusal)
    assert.equal(error.code, 'PAYLOAD_TOO_LARGE')
    assert.match(error.message, /Split it/)
    return true
  })
})

test('a file for an organization outside of the credential is deferred', async () => {
  const [, other] = tenant.workspace.organizations
  const narrow = createCredential(tenant.ring, tenant.workspace.root, { organizations: [other?.id as never] })
  assert.equal((await post({ key: narrow.value, payload: file(1) })).status, 202)
  const [batch] = (await made.messages('QUEUE')).map((message) => message.json<EventBatch>())
  const reasons = await worker.apply(organization, batch?.events ?? [], batch?.organizations ?? undefined)
  assert.equal(reasons.length, 1)
  assert.deepEqual(await rowsOf(), [])
})

test('old files are deleted', async () => {
  await send(file(1))
  await superuser.query(`update sarif_upload set created_at = now() - interval '15 days'`)
  await send(file(1))
  await sweepUploads({ database: tenant.pool, now: () => new Date() })
  const { rows } = await superuser.query(
    'select (select count(*) from sarif_upload)::int, count(*)::int as parts from sarif_upload_part',
  )
  assert.deepEqual(rows, [{ count: 1, parts: 1 }])
})

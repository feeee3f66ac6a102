import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { assertError } from '../cli/src/conformance/http.ts'
import { eventually, send } from './metrics-data.ts'
import {
  dismissalOf,
  findingsOf,
  flaw,
  minute,
  newRepository,
  otherFlaw,
  receiptOf,
  resultOf,
  sarifOf,
  sarifPath,
  scanOf,
  statesOf,
  tell,
  until,
  upload,
} from './security-scans-data.ts'
import { at, call, demo, home, type KeyName } from './service.ts'
import { strict } from './windows.ts'

const MIB = 1024 ** 2
const secret = `ghp_${'a1B2c3D4e5'.repeat(3)}f6G7h8`

test('what a scan found can be read soon after it was sent [P10-9]', async () => {
  const repository = newRepository()
  const [finding] = await tell(repository, [scanOf(repository, 1, [flaw()])], ({ length }) => length === 1)
  const { id, ...rest } = finding ?? assert.fail()
  assert.ok(id)
  const expected = {
    scan_id: 'scan-1',
    repository_id: repository,
    repository_name: 'scanned',
    organization_id: home.org_id,
    severity: 'high',
    state: 'open',
    cwe: 'CWE-89',
    title: 'SQL built from a request parameter',
    file_path: 'src/orders.ts',
    start_line: 12,
    first_seen_at: minute(1),
    last_seen_at: minute(1),
  }
  for (const [name, value] of Object.entries(expected)) assert.deepEqual(rest[name as never], value, name)
})

test('a finding keeps its id when its lines move and when its file is renamed [P6-5]', async () => {
  const repository = newRepository()
  const [first] = await tell(repository, [scanOf(repository, 1, [flaw()])], ({ length }) => length === 1)
  const moved = scanOf(repository, 2, [flaw({ start_line: 300, end_line: 301 })])
  const [second] = await tell(repository, [moved], ([one]) => one?.start_line === 300)
  const renamed = scanOf(repository, 3, [flaw({ file_path: 'lib/orders.ts', start_line: 5, end_line: 5 })])
  const all = await tell(repository, [renamed], ([one]) => one?.file_path === 'lib/orders.ts')
  assert.deepEqual([all.length, second?.id, all[0]?.id, all[0]?.state], [1, first?.id, first?.id, 'open'])
  assert.deepEqual([all[0]?.first_seen_at, all[0]?.last_seen_at], [minute(1), minute(3)])
})

test('missing in a complete scan a finding is fixed, in a partial one it is not, found again it is open [P10-9]', async () => {
  const repository = newRepository()
  await tell(repository, [scanOf(repository, 1, [flaw(), otherFlaw()])], ({ length }) => length === 2)
  const partial = scanOf(repository, 2, [otherFlaw({ severity: 'low' })], { complete: false })
  const after = await tell(repository, [partial], (found) => found.some(({ severity }) => severity === 'low'))
  assert.equal(statesOf(after), 'open open')
  await tell(repository, [scanOf(repository, 3, [otherFlaw()])], (found) => statesOf(found) === 'fixed open')
  await tell(repository, [scanOf(repository, 4, [flaw()])], (found) => statesOf(found) === 'open fixed')
  assert.equal((await findingsOf(repository, '')).length, 1, 'open ones are shown when nothing is said')
})

test('scans count by their times, in whatever order they come [P10-9]', async () => {
  const repository = newRepository()
  const scans = [
    scanOf(repository, 1, [flaw(), otherFlaw()]),
    scanOf(repository, 2, [flaw()]),
    scanOf(repository, 3, [otherFlaw({ title: 'The last word' })]),
  ]
  for (const scan of scans.toReversed()) await send([scan])
  const found = await until(
    repository,
    ([one, two]) => one?.last_seen_at === minute(2) && two?.first_seen_at === minute(1),
  )
  assert.equal(statesOf(found), 'fixed open')
  assert.deepEqual([at(found, 1).title, at(found, 1).scan_id], ['The last word', 'scan-3'])
})

test('a finding is dismissed with a reason, stays dismissed, and the audit log records it [P10-9]', async () => {
  const repository = newRepository()
  const [finding] = await tell(repository, [scanOf(repository, 1, [flaw()])], ({ length }) => length === 1)
  const id = finding?.id ?? assert.fail()
  await tell(
    repository,
    [dismissalOf(id, 2, { reason: 'wont_fix' })],
    (found) => statesOf(found) === 'dismissed',
  )
  const again = scanOf(repository, 3, [flaw()])
  await tell(repository, [again], ([one]) => one?.last_seen_at === minute(3) && one.state === 'dismissed')
  await tell(repository, [dismissalOf(id, 4, { dismissed: false })], (found) => statesOf(found) === 'open')
  await eventually('the audit log has both', async () => {
    const query = `actions=security_finding_dismissed,security_finding_reopened&page_size=100&org_id=${home.org_id}`
    const reply = await call(`/v1/audit-logs?${query}`, { key: demo.keys.workspace })
    const { data } = reply.body as { data: { action: string; resourceSummary: string }[] }
    return data.filter(({ resourceSummary }) => resourceSummary.includes(id)).length === 2
  })
})

test('a scan of more than 1,000 findings, or a dismissal without a reason, is rejected with what is wrong [P10-9]', async () => {
  const repository = newRepository()
  const many = scanOf(
    repository,
    1,
    Array.from({ length: 1001 }, (_, line) => flaw({ snippet: null, start_line: line + 1, end_line: null })),
  )
  const events = [
    many,
    scanOf(repository, 1, [flaw({ severity: 'major' })]),
    scanOf(repository, 1, [flaw({ start_line: 9, end_line: 8 })]),
    dismissalOf('6f0e1a52-93a8-5d3c-8f6f-0d3a4f5b6c7d', 1, { reason: undefined }),
  ]
  const reply = await call('/ingest/v1/events', {
    method: 'POST',
    key: demo.keys.ingest,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(events),
  })
  const { accepted, rejected } = reply.body as { accepted: number; rejected: { message: string }[] }
  assert.deepEqual([reply.status, accepted, rejected.length], [202, 0, 4])
  const says = [/findings/, /severity/, /end_line/, /reason/]
  for (const [place, pattern] of says.entries()) assert.match(rejected[place]?.message ?? '', pattern)
})

test('credentials in a scan or a file are never returned [P10-9]', async () => {
  const repository = newRepository()
  const said = flaw({ title: `Token ${secret}`, description: `It is ${secret}.`, fingerprint: secret })
  await send([scanOf(repository, 1, [said])])
  receiptOf(
    await upload(repository, sarifOf([resultOf(9, { message: { text: `Found ${secret}.` } })]), {
      query: { category: 'x' },
    }),
  )
  const found = await until(repository, ({ length }) => length === 2)
  assert.ok(!JSON.stringify(found).includes(secret))
  assert.match(JSON.stringify(found), /REDACTED/)
})

test('a SARIF file is taken, plain or gzip, and its findings can be read soon after [P10-10]', async () => {
  const repository = newRepository()
  const plain = await upload(repository, sarifOf([resultOf(3), resultOf(30)]), {
    query: { scan_id: 'nightly', scanned_at: minute(5) },
  })
  assert.deepEqual(receiptOf(plain), [{ scan_id: 'nightly', tool: 'Warden', category: '', findings: 2 }])
  const found = await until(repository, ({ length }) => length === 2)
  assert.deepEqual(
    found.map(({ severity, state, scan_id, last_seen_at }) => [severity, state, scan_id, last_seen_at]),
    [3, 30].map(() => ['critical', 'open', 'nightly', minute(5)]),
  )
  const gzip = { 'content-encoding': 'gzip', 'content-type': 'application/json' }
  const next = await upload(repository, new Uint8Array(gzipSync(sarifOf([resultOf(3)]))), {
    headers: gzip,
    query: { scanned_at: minute(6) },
  })
  assert.equal(receiptOf(next)[0]?.findings, 1)
  await until(repository, (all) => statesOf(all) === 'open fixed')
})

test('a SARIF level that is a name of JavaScript is an unknown level: the finding is medium and stored [P10-10]', async () => {
  const repository = newRepository()
  const results = ['constructor', '__proto__', 'error'].map((level, index) =>
    resultOf(10 * index + 1, { ruleId: 'unscored', level }),
  )
  receiptOf(await upload(repository, sarifOf(results)))
  const found = await until(repository, ({ length }) => length === 3)
  assert.deepEqual(
    found.map(({ severity }) => severity),
    ['medium', 'medium', 'high'],
  )
})

test('a SARIF file of more than 25 MiB after inflating, or of more than 50,000 results, is 413 [P10-10]', async () => {
  const repository = newRepository()
  const large = sarifOf([resultOf(1)], { padding: 'x'.repeat(25 * MIB) })
  const headers = { 'content-encoding': 'gzip' }
  assertError(
    await upload(repository, new Uint8Array(gzipSync(large)), { headers }),
    413,
    'PAYLOAD_TOO_LARGE',
  )
  const many = sarifOf(Array.from({ length: 50_001 }, () => ({ ruleId: 'sql' })))
  assertError(await upload(repository, many), 413, 'PAYLOAD_TOO_LARGE')
})

test('a file that is not SARIF 2.1.0, or is malicious, is 400; another media type 415; an invalid query 400 [P10-10]', async () => {
  const repository = newRepository()
  const bad = [
    '',
    '{',
    '[]',
    sarifOf([], { version: '2.0.0' }),
    sarifOf([], { runs: [] }),
    sarifOf([], { runs: [{}] }),
    '['.repeat(MIB),
  ]
  for (const body of bad)
    assertError(await upload(repository, body), 400, 'INVALID_REQUEST', body.slice(0, 40))
  const text = { headers: { 'content-type': 'text/plain' } }
  assertError(await upload(repository, sarifOf([]), text), 415, 'UNSUPPORTED_MEDIA_TYPE')
  for (const query of [{ repo_id: '' }, { unknown: '1' }, { scanned_at: 'now' }]) {
    assertError(
      await upload(repository, sarifOf([]), { query }),
      400,
      'INVALID_REQUEST',
      JSON.stringify(query),
    )
  }
  const nowhere = {
    method: 'POST',
    key: demo.keys.ingest,
    headers: { 'content-type': 'application/json' },
    body: sarifOf([]),
  }
  assertError(await call(sarifPath, nowhere), 400, 'INVALID_REQUEST')
})

test('the upload endpoint accepts only ingest credentials, and none of another tenant [P10-10]', async () => {
  const repository = newRepository()
  const kinds: KeyName[] = ['organization', 'user', 'workspace', 'instance', 'legacy', 'agentic']
  for (const kind of kinds) {
    assertError(await upload(repository, sarifOf([]), { key: demo.keys[kind] }), 401, 'UNAUTHORIZED', kind)
  }
  receiptOf(await upload(repository, sarifOf([resultOf(1)]), { key: demo.keys.ingest_other_tenant }))
  receiptOf(await upload(repository, sarifOf([resultOf(2)])))
  const found = await until(repository, ({ length }) => length > 0)
  assert.deepEqual(
    found.map(({ start_line }) => start_line),
    [2],
  )
})

test('a tenant whose files take its quota gets 429 with Retry-After [P10-10]', async () => {
  // The quota of this service is one byte: one file is stored, and exceeds it.
  const place = { provider: 'github', org_id: home.org_id, repo_id: newRepository() }
  const sendFile = () =>
    call(`${sarifPath}?${new URLSearchParams(place).toString()}`, {
      method: 'POST',
      key: demo.keys.ingest,
      headers: { 'content-type': 'application/sarif+json' },
      body: sarifOf([resultOf(1)]),
      base: strict(),
    })
  await sendFile()
  const refused = await sendFile()
  assertError(refused, 429, 'RATE_LIMIT_EXCEEDED')
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { assertError, type Reply } from '../cli/src/conformance/http.ts'
import { learningsPath } from './learnings-data.ts'
import { postBatch, sendJson } from './learnings-writes.ts'
import { asLines, windowOf } from './metrics-data.ts'
import { at, call, demo, home, type KeyName, organizationsPath } from './service.ts'
import { assertSharedWindow, strict } from './windows.ts'

const year = windowOf('2026-01-01', '2026-12-31')
const windowPaths = ['review-comments', 'reviews', 'mcp', 'summary'].map((name) => `/v1/metrics/${name}`)
const csvPaths = {
  [`/v1/metrics/reviews?${year}&format=csv`]: 'metrics-reviews.csv',
  [`/v1/metrics/summary?${year}&group_by=week&format=csv`]: 'metrics-summary.csv',
  [`${learningsPath}?format=csv`]: 'learnings.csv',
  '/v1/security/scans/code?format=csv': 'security-findings.csv',
}
const get = (path: string, key: KeyName = 'workspace') => call(path, { key: demo.keys[key] })

test('a date is of the years 0001 to 9999: any other is 400, on every endpoint that takes one [P11-dates-1]', async () => {
  const good = '2026-01-01'
  for (const bad of ['0000-01-01', '0000-12-31', '10000-01-01', '-0001-01-01', '%2B010000-01-01']) {
    for (const path of windowPaths) {
      for (const query of [windowOf(bad, good), windowOf(good, bad), windowOf(bad, bad)])
        assertError(await get(`${path}?${query}`), 400, 'INVALID_REQUEST', `${path} ${query}`)
    }
  }
  for (const bad of [
    '0000-01-01',
    '0000-12-31T23:59:59Z',
    '9999-12-31T23:59:59-01:00',
    '0001-01-01T00:00:00%2B01:00',
  ])
    for (const name of ['date_from', 'date_to'])
      assertError(await get(`/v1/audit-logs?${name}=${bad}`), 400, 'INVALID_REQUEST', `${name}=${bad}`)
  const expires_at = '0000-12-31T23:59:59Z'
  assertError(await sendJson('POST', '/v1/keys', { kind: 'user', expires_at }), 400, 'INVALID_REQUEST')
  for (const path of windowPaths)
    assert.equal((await get(`${path}?${windowOf('0001-01-01', '9999-12-31')}`)).status, 200, path)
})

test('a time in an event is of the years 0001 to 9999, any other is rejected [P11-dates-1]', async () => {
  const event = { id: randomUUID(), type: 'pull_request.finalized', version: 1, payload: {} }
  const times = ['0000-12-31T23:59:59Z', '9999-12-31T23:59:59-01:00']
  const reply = await call('/ingest/v1/events', {
    key: demo.keys.ingest,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(times.map((occurred_at) => ({ ...event, occurred_at }))),
  })
  const { rejected } = reply.body as { rejected: { message: string }[] }
  assert.equal(rejected.length, 2, reply.text)
  for (const { message } of rejected) assert.match(message, /occurred_at must be a date and time/)
})

test('spaces around a value of a list are 400, on every endpoint that takes one [P11-lists-1]', async () => {
  const lists = [
    ...windowPaths.flatMap((path) => [`${path}?${year}&repository_ids=`, `${path}?${year}&user_ids=`]),
    `${learningsPath}?repository_ids=`,
    `${learningsPath}?files=`,
    '/v1/audit-logs?actions=',
  ]
  for (const list of lists)
    for (const value of ['a,+b', '%20a', 'a%20', 'a,b%09', 'a%0A,b', '%C2%A0a', '+']) {
      const reply = await get(list + value)
      assert.equal(reply.status, 400, `${list}${value} ${reply.text}`)
      assert.match(reply.text, /INVALID_REQUEST.*spaces around a value/)
    }
  assert.equal((await get(`${learningsPath}?files=a%20b`)).status, 200, 'a space inside of a value')
})

test('in files a backslash escapes a comma or a backslash; any other backslash is 400 [P11-lists-2]', async () => {
  const name = randomUUID()
  const files = [`${name}/a,b.ts`, `${name}\\c.ts`, `${name}/d.ts`]
  const { repository_id } = at(home.repositories, 0)
  await postBatch(files.map((file) => ({ repository_id, learning: `About ${file}`, file })))
  const find = async (written: string) => {
    const reply = await get(`${learningsPath}?files=${encodeURIComponent(written)}`, 'user')
    assert.equal(reply.status, 200, reply.text)
    return (reply.body as { data: { file: string }[] }).data.map(({ file }) => file).sort()
  }
  assert.deepEqual(await find(`${name}/a\\,b.ts`), [files[0]])
  assert.deepEqual(await find(`${name}\\\\c.ts`), [files[1]])
  assert.deepEqual(await find(`${name}/a\\,b.ts,${name}\\\\c.ts,${name}/d.ts`), files.toSorted())
  assert.deepEqual(await find(`${name}/a,b.ts`), [])
  for (const wrong of ['\\', 'a\\', 'a\\b', '\\\\\\', 'a\\n,b', 'a,\\'])
    assert.match(
      (await get(`${learningsPath}?files=${encodeURIComponent(wrong)}`)).text,
      /INVALID_REQUEST/,
      wrong,
    )
})

test('an org_id that is ignored is not looked at: any single string is as good as none [P11-orgid-1]', async () => {
  const values = ['', 'nobody', 'x'.repeat(3000), 'ALL', '%00', '%20', 'a:b:c', 'a,b']
  const reads = [`/v1/metrics/summary?${year}&`, '/v1/users?', '/v1/roles?', '/v1/security/scans/code?']
  for (const key of ['organization', 'instance'] as const)
    for (const path of reads) {
      const none = await get(path, key)
      assert.equal(none.status, 200, none.text)
      for (const value of values) {
        const reply = await get(`${path}org_id=${value}`, key)
        assert.deepEqual(
          [reply.status, reply.text],
          [200, none.text],
          `${key} ${path}org_id=${value.slice(0, 9)}`,
        )
      }
    }
  const body = { repository_id: at(home.repositories, 0).repository_id, text: 'time zones' }
  const none = await sendJson('POST', '/v1/review-context', body)
  for (const org_id of ['', 'nobody', 'x'.repeat(10_000), '\u0000'])
    assert.deepEqual((await sendJson('POST', '/v1/review-context', { ...body, org_id })).body, none.body)
  for (const org_id of [7, null, ['a'], {}])
    assertError(await sendJson('POST', '/v1/review-context', { ...body, org_id }), 400, 'INVALID_REQUEST')
  assertError(await get('/v1/users?org_id=a&org_id=b', 'user'), 400, 'INVALID_REQUEST')
})

test('ALL is still 400 on user roles, and so is an org_id where the endpoint has none [P11-orgid-2]', async () => {
  const body = { role: 'cr_member', user_ids: ['nobody'] }
  for (const org_id of ['ALL', 'all'])
    assertError(await sendJson('POST', '/v1/users/roles', { ...body, org_id }), 400, 'INVALID_REQUEST')
  assert.equal((await sendJson('POST', '/v1/users/roles', { ...body, org_id: '' })).status, 200)
  assertError(await get(`${organizationsPath}?org_id=`, 'user'), 400, 'INVALID_REQUEST')
  assertError(
    await sendJson('POST', '/v1/users/seats/assignment', { mode: 'manual', org_id: '' }),
    400,
    'INVALID_REQUEST',
  )
})

test('HEAD is answered and checked like GET, without a body [P1-reqid-1 P1-code-18 P11-head-1]', async () => {
  const paths = [organizationsPath, `/v1/metrics/reviews?${year}`, '/v1/users', '/healthz', '/openapi.json']
  for (const path of paths) {
    const [whole, head] = [await raw(path), await raw(path, { method: 'HEAD' })]
    assert.deepEqual([head.status, head.bytes.length], [whole.status, 0], path)
    assert.equal(whole.status, 200, path)
    for (const name of ['content-type', 'content-length', 'vary'])
      assert.equal(head.headers[name], whole.headers[name], `${path} ${name}`)
  }
  const statuses = async (path: string, key?: string) => {
    const headers = key === undefined ? {} : { 'x-service-api-key': key }
    return (await raw(path, { method: 'HEAD', headers })).status
  }
  assert.equal(await statuses(organizationsPath, ''), 401)
  assert.equal(await statuses(`${organizationsPath}?unknown=1`), 400)
  assert.equal(await statuses('/v1/users', demo.keys.agentic), 403)
  assert.equal(await statuses('/v1/nothing'), 404)
  assert.equal(await statuses('/mcp'), 405)
})

test('HEAD counts like GET in the window of its endpoint [P11-head-1]', async () => {
  const ask = (method: string) => () =>
    call('/v1/security/scans/code?limit=1', { key: demo.keys.other_tenant, method, base: strict() })
  await assertSharedWindow('"security";q=60;w=60', [ask('HEAD'), ask('GET')])
})

test('HEAD of NDJSON sends the headers and no line [P11-head-1]', async () => {
  const head = await raw(`/v1/metrics/review-comments?${year}&limit=100000`, {
    method: 'HEAD',
    headers: asLines,
  })
  assert.deepEqual([head.status, head.bytes.length], [200, 0])
  assert.match(head.headers['content-type'] ?? '', /^application\/x-ndjson/)
})

test('a trailing slash is 404 with the right path in the message [P11-slash-1]', async () => {
  const id = randomUUID()
  const paths = [
    organizationsPath,
    '/v1/users',
    `/v1/organizations/${home.id}/repositories`,
    '/mcp',
    '/ingest/v1/events',
  ]
  for (const path of paths)
    for (const method of ['GET', 'POST', 'DELETE'])
      for (const wrong of [`${path}/`, `${path}//`, `${path}/?limit=1`]) {
        const reply = await call(wrong, { key: demo.keys.user, method })
        assert.equal(reply.status, 404, `${method} ${wrong} ${reply.text}`)
        assert.match(reply.text, /NOT_FOUND/)
        assert.ok(reply.text.includes(`Use ${path}.`), reply.text)
      }
  for (const [method, path] of [
    ['GET', learningsPath],
    ['DELETE', learningsPath],
    ['DELETE', `${learningsPath}/${id}`],
  ] as const) {
    const reply = await call(`${path}/`, { key: demo.keys.user, method })
    const { errors } = reply.body as { errors: { code: string; message: string }[] }
    assert.deepEqual([reply.status, errors[0]?.code], [404, 'NOT_FOUND'], `${method} ${path}`)
    assert.ok(errors[0]?.message.includes(`Use ${path}.`), reply.text)
  }
  assertError(await get('/v1/nothing/'), 404, 'NOT_FOUND')
})

test('a body on DELETE other than zero bytes or {} is 400 [P11-delete-1]', async () => {
  const path = `${learningsPath}/${randomUUID()}`
  const remove = (body?: string, headers: Record<string, string> = {}) =>
    call(path, { key: demo.keys.user, method: 'DELETE', headers, ...(body !== undefined && { body }) })
  const json = { 'content-type': 'application/json' }
  for (const body of [
    '{"org_id":"1"}',
    '[]',
    'null',
    '""',
    '{',
    'x',
    '0',
    '{}{}',
    ' ',
    'x'.repeat(100_000),
  ]) {
    if (body.trim() === '') continue
    assert.equal((await remove(body, json)).status, 400, body.slice(0, 20))
    assert.equal((await remove(body)).status, 400, body.slice(0, 20))
  }
  for (const reply of [await remove(), await remove(''), await remove('{}'), await remove('{}', json)])
    assert.equal(reply.status, 204, reply.text)
})

test('a body that does not arrive is ended with 408 [P11-slow-1]', async () => {
  const { hostname, port } = new URL(demo.base_url)
  const socket = connect(Number(port), hostname)
  const headers = ['host: x', `x-service-api-key: ${demo.keys.user}`, 'content-type: application/json']
  socket.write(`POST /v1/review-context HTTP/1.1\r\n${headers.join('\r\n')}\r\ncontent-length: 1000\r\n\r\n{`)
  const reply = (await buffer(socket)).toString()
  assert.match(reply, /^HTTP\/1\.1 408 /)
  assert.match(reply, /"error":\{"code":"INVALID_REQUEST","message":"The body arrives more slowly than /)
})

test('CSV carries content-disposition with a file name, on every endpoint that has it [P11-csv-1]', async () => {
  for (const [path, name] of Object.entries(csvPaths)) {
    const reply = await get(path)
    assert.match(reply.headers.get('content-type') ?? '', /^text\/csv/, path)
    assert.equal(reply.headers.get('content-disposition'), `attachment; filename="${name}"`, path)
    assert.equal(
      (await get(path.replace('format=csv', 'format=json'))).headers.get('content-disposition'),
      null,
    )
  }
})

test('JSON, CSV and NDJSON are compressed when the caller accepts gzip, and are the same inflated [P11-gzip-1]', async () => {
  const targets = [
    ['/openapi.json', {}],
    [`/v1/metrics/reviews?${year}`, {}],
    [`/v1/metrics/review-comments?${year}`, {}],
    [`/v1/metrics/review-comments?${year}&limit=5000`, asLines],
    [`${learningsPath}?limit=200`, {}],
    ['/v1/security/scans/code?format=sarif', {}],
    ...Object.keys(csvPaths).map((path) => [path, {}] as const),
  ] as const
  for (const [path, headers] of targets) {
    const plain = await raw(path, { headers })
    const gzip = await raw(path, { headers: { ...headers, 'accept-encoding': 'gzip' } })
    assert.deepEqual([plain.status, gzip.status], [200, 200], path)
    assert.deepEqual(
      [plain.headers['content-encoding'], gzip.headers['content-encoding']],
      [undefined, 'gzip'],
      path,
    )
    for (const { headers: received } of [plain, gzip]) assert.equal(received['vary'], 'accept-encoding', path)
    assert.ok(gzip.bytes.length < plain.bytes.length, path)
    assert.ok(gunzipSync(gzip.bytes).equals(plain.bytes), path)
    const head = await raw(path, { method: 'HEAD', headers: { ...headers, 'accept-encoding': 'gzip' } })
    assert.deepEqual([head.headers['content-encoding'], head.bytes.length], ['gzip', 0], path)
  }
})

test('a caller that refuses gzip, or does not name it, gets the bytes as they are [P11-gzip-1]', async () => {
  const encodingFor = async (accepted: string) =>
    (await raw('/openapi.json', { headers: { 'accept-encoding': accepted } })).headers['content-encoding']
  for (const accepted of [
    '',
    'identity',
    'br',
    'deflate, br',
    'gzip;q=0',
    '*;q=0',
    'gzip;q=0.1, identity',
    'gzipped',
  ])
    assert.equal(await encodingFor(accepted), undefined, accepted)
  for (const accepted of [
    'gzip',
    'br, gzip',
    'GZIP',
    'deflate, gzip;q=0.5',
    '*',
    'gzip;q=1.0, identity;q=0.5',
  ])
    assert.equal(await encodingFor(accepted), 'gzip', accepted)
})

test('a response that shows a secret is not compressed [P11-gzip-2]', async () => {
  const name = 'x'.repeat(100)
  const permissions = ['metrics:read', 'learning:read', 'learning:write', 'organization_management:read']
  const made = await raw('/v1/keys', {
    method: 'POST',
    key: 'user',
    headers: { 'accept-encoding': 'gzip', 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'user', name, permissions }),
  })
  assert.equal(made.status, 201, made.bytes.toString())
  assert.equal(made.headers['content-encoding'], undefined)
  const { id } = JSON.parse(made.bytes.toString()) as { id: string }
  assert.equal((await call(`/v1/keys/${id}`, { key: demo.keys.user, method: 'DELETE' })).status, 204)
})

test('INVALID_CURSOR names what differs: the filters, the organization, the endpoint, a kept limit [P11-cursor-1]', async () => {
  const path = `/v1/metrics/reviews?${year}`
  const { next_cursor } = (await get(`${path}&limit=1`)).body as { next_cursor: string }
  const reasonOf = async (reply: Promise<Reply>) => {
    const { status, text } = await reply
    assert.equal(status, 400, text)
    return /INVALID_CURSOR.*?: (.*)"/.exec(text)?.[1] ?? text
  }
  const cursor = `&cursor=${next_cursor}`
  const comments = `/v1/metrics/review-comments?${year}`
  assert.match(await reasonOf(get(`${path}&user_ids=1${cursor}`)), /other filters \(different: user_ids\)/)
  assert.match(
    await reasonOf(get(`/v1/metrics/reviews?${windowOf('2026-01-02', '2026-12-30')}${cursor}`)),
    /other filters \(different: end_date, start_date\)/,
  )
  assert.match(await reasonOf(get(`${path}&org_id=${home.org_id}${cursor}`)), /another organization/)
  assert.match(await reasonOf(get(comments + cursor)), /another endpoint/)
  assert.match(await reasonOf(get(`${path}&cursor=${next_cursor.slice(0, -2)}`)), /unchanged/)
  const first = (await get(`${organizationsPath}?limit=1`)).body as { next_cursor: string }
  assert.match(await reasonOf(get(`${organizationsPath}?limit=2&cursor=${first.next_cursor}`)), /limit=1/)
})

test('a refused value gets a sentence with the field, what is allowed and an example [P11-messages-1]', async () => {
  const messageOf = ({ status, body }: Reply) => {
    assert.equal(status, 400)
    return (body as { error: { message: string } }).error.message
  }
  const query = async (path: string) => messageOf(await get(path))
  assert.match(
    await query(`/v1/metrics/reviews?start_date=2026-1-1&end_date=2026-01-01`),
    /^The query is not valid: start_date must be a date of the years 0001 to 9999, for example 20\d\d-\d\d-\d\d\.$/,
  )
  assert.match(
    await query('/v1/audit-logs?date_from=yesterday'),
    /date_from must be a date of the years 0001 to 9999 or a date and time with Z or an offset, for example 20\d\d-/,
  )
  assert.equal(
    await query(`${organizationsPath}?limit=0`),
    'The query is not valid: limit must be an integer from 1 to 100, for example 100.',
  )
  assert.equal(
    await query(`${organizationsPath}?page=1`),
    'The query has an unknown parameter "page". Known parameters: limit, cursor.',
  )
  assert.match(
    await query(`/v1/metrics/reviews?end_date=2026-01-01`),
    /start_date is required and must be a date .* for example/,
  )
  assert.match(
    messageOf(await sendJson('POST', '/v1/users/seats', { action: 'give' })),
    /action must be one of assign, unassign/,
  )
  assert.match(
    await query('/v1/metrics/reviews'),
    /^The query is not valid: start_date, end_date are required\. start_date must be a date/,
  )
  const noItems = await sendJson('POST', '/v1/learnings', {})
  assert.match(noItems.text, /data is required and must be a list .*, for example \[\{\\"repository_id/)
})

interface RawOptions {
  readonly method?: string
  readonly key?: KeyName
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** The bytes as they come: fetch would inflate them. */
async function raw(path: string, { method = 'GET', key = 'workspace', headers = {}, body }: RawOptions = {}) {
  const sent = request(demo.base_url.replace(/\/$/, '') + path, {
    method,
    headers: { 'x-service-api-key': demo.keys[key], ...headers },
  })
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject)
  })
  sent.end(body)
  const received = await response
  return {
    status: received.statusCode,
    headers: received.headers as Record<string, string | undefined>,
    bytes: await buffer(received),
  }
}

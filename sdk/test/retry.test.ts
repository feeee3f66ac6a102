import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type RetryInfo, ScholiastError } from '@scholiast/sdk'
import { connect, demo, first, home, openApi, startProxy } from './service.ts'

const unavailable = {
  status: 503,
  headers: { 'content-type': 'application/json', 'retry-after': '1' },
  body: '{"error":{"code":"METRICS_PREPARING","message":"Metrics are being prepared."}}',
}

function learnings() {
  const repositoryId = first(home.repositories).repository_id
  return {
    org_id: home.org_id,
    data: [{ repository_id: repositoryId, learning: `Prefer one retry policy, number ${randomUUID()}.` }],
  }
}

test('a retry obeys Retry-After and reports its reason', async (t) => {
  const proxy = await startProxy(t)
  proxy.faults.push(unavailable)
  const retries: RetryInfo[] = []
  const startedAt = performance.now()
  const client = connect({ baseUrl: proxy.url, onRetry: (retry) => retries.push(retry) })
  assert.ok((await client.get('/v1/organizations')).organizations.length > 0)
  assert.ok(performance.now() - startedAt >= 1000)
  const [retry] = retries
  assert.equal(retries.length, 1)
  assert.ok(retry !== undefined && retry.waitMs >= 1000 && retry.attempt === 1)
  assert.equal(retry.reason, 'unavailable (503 METRICS_PREPARING)')
  assert.equal(proxy.requests.length, 2)
})

test('the client waits for the server’s rate limits', async () => {
  const reasons = new Set<string>()
  const client = connect({
    baseUrl: process.env['SCHOLIAST_LIMITED_URL'] ?? '',
    retry: { attempts: 50 },
    onRetry: ({ reason }) => reasons.add(reason),
  })
  for (let request = 0; request < 5; request++) await client.get('/v1/organizations')
  assert.deepEqual([...reasons], ['rate limit (429 RATE_LIMIT_EXCEEDED)'])
})

test('a write whose response is lost is sent again with its key, and happens once', async (t) => {
  const proxy = await startProxy(t)
  proxy.faults.push({ cut: 'after' })
  const body = learnings()
  const result = await connect({ baseUrl: proxy.url }).post('/v1/learnings', { body })
  assert.equal(result.created_count, 1, 'the second response is that of the first request')
  const keys = proxy.requests.map(({ headers }) => headers['idempotency-key'])
  assert.equal(keys.length, 2)
  assert.ok(keys[0] !== undefined && keys[0] === keys[1])
})

test('a response that breaks off is requested again', async (t) => {
  const proxy = await startProxy(t)
  proxy.faults.push({ cut: 'before' }, { cut: 'after' })
  const page = await connect({ baseUrl: proxy.url }).get('/v1/organizations')
  assert.ok(page.organizations.length > 0)
  assert.equal(proxy.requests.length, 3)
})

test('nothing is sent again unless that is safe', async (t) => {
  const proxy = await startProxy(t)
  const client = connect({ baseUrl: proxy.url })
  const query = { provider: 'github', org_id: home.org_id, repo_id: first(home.repositories).repository_id }
  const body = '{"version":"2.1.0","runs":[]}'
  const headers = { 'content-type': 'application/sarif+json' }
  const upload = (more: object) =>
    client.stream('POST', '/ingest/v1/sarif', { query: { ...query, ...more }, body, headers })

  proxy.faults.push(unavailable)
  await assert.rejects(upload({}), { code: 'METRICS_PREPARING', status: 503, retryAfter: 1 })
  assert.equal(proxy.requests.length, 1)

  proxy.faults.push({ status: 500 })
  await upload({ scan_id: randomUUID() }).catch((error: ScholiastError) => assert.equal(error.status, 400))
  assert.equal(proxy.requests.length, 3, 'an upload with an id counts once')

  await assert.rejects(client.get('/v1/roles'), { code: 'ORG_ID_REQUIRED' })
  assert.equal(proxy.requests.length, 4, 'an invalid request stays invalid')
})

test('the budget ends retries early, with the time to wait in the error', async (t) => {
  const proxy = await startProxy(t)
  proxy.faults.push({ ...unavailable, headers: { ...unavailable.headers, 'retry-after': '600' } })
  const client = connect({ baseUrl: proxy.url, retry: { budgetMs: 60_000 } })
  await assert.rejects(client.get('/v1/organizations'), { status: 503, retryAfter: 600 })
  assert.equal(proxy.requests.length, 1)
})

test('attempts are limited, and can be switched off', async (t) => {
  const proxy = await startProxy(t)
  proxy.faults.push(...Array.from({ length: 4 }, () => ({ status: 502, body: 'Bad gateway' })))
  const failed = { status: 502, code: 'HTTP_502', body: 'Bad gateway' }
  await assert.rejects(
    connect({ baseUrl: proxy.url, retry: { attempts: 3 } }).get('/v1/organizations'),
    failed,
  )
  assert.equal(proxy.requests.length, 3)
  await assert.rejects(connect({ baseUrl: proxy.url, retry: false }).get('/v1/organizations'), failed)
  assert.equal(proxy.requests.length, 4)
})

test('a time-out is an error, and an abort throws the reason of the signal', async (t) => {
  const proxy = await startProxy(t)
  const client = connect({ baseUrl: proxy.url, retry: { attempts: 2 } })
  proxy.faults.push({ hang: true }, { hang: true })
  await assert.rejects(client.get('/v1/organizations', { timeoutMs: 1_000 }), { code: 'TIMEOUT', status: 0 })
  assert.equal(proxy.requests.length, 2)

  const reason = new Error('the user pressed Escape')
  proxy.faults.push({ hang: true })
  const waiting = new AbortController()
  const response = client.get('/v1/organizations', { signal: waiting.signal })
  waiting.abort(reason)
  await assert.rejects(response, reason)

  const retrying = new AbortController()
  proxy.faults.splice(0, proxy.faults.length, unavailable)
  const patient = connect({ baseUrl: proxy.url, onRetry: () => retrying.abort(reason) })
  await assert.rejects(patient.get('/v1/organizations', { signal: retrying.signal }), reason)
})

test('a random Idempotency-Key is sent exactly where the API documents one', async (t) => {
  const proxy = await startProxy(t)
  const client = connect({ baseUrl: proxy.url, retry: false })
  for (const [path, operations] of Object.entries(openApi.paths)) {
    const params = Object.fromEntries(Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => [name, 'a']))
    for (const [method, { parameters = [] }] of Object.entries(operations)) {
      const documented = parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'))
      proxy.faults.push({ status: 204 })
      await client.stream(method, path, { params })
      const sent = proxy.requests.at(-1)?.headers['idempotency-key']
      assert.equal(sent !== undefined, documented, `${method} ${path}`)
    }
  }
})

test('an Idempotency-Key of the caller is used', async (t) => {
  const proxy = await startProxy(t)
  const client = connect({ baseUrl: proxy.url })
  const idempotencyKey = randomUUID()
  await client.post('/v1/learnings', { body: learnings(), idempotencyKey })
  await assert.rejects(
    client.post('/v1/learnings', { body: learnings(), idempotencyKey }),
    (error) => error instanceof ScholiastError && error.code === 'IDEMPOTENCY_KEY_REUSED',
  )
  assert.equal(proxy.requests.at(-1)?.headers['idempotency-key'], idempotencyKey)
})

test('each credential goes to its own endpoints, and the package names itself', async (t) => {
  const proxy = await startProxy(t)
  const client = connect({ baseUrl: proxy.url })
  await client.get('/v1/keys/self')
  await client.get('/ingest/v1/status')
  const keys = proxy.requests.map(({ headers }) => headers['x-service-api-key'])
  assert.deepEqual(keys, [demo.keys.workspace, demo.keys.ingest])
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  assert.equal(proxy.requests[0]?.headers['user-agent'], `scholiast-sdk/${version}`)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient, ScholiastError } from '@scholiast/sdk'
import { connect, demo, serve, startProxy } from './service.ts'

test('an error of the API has its code, status and request id', async () => {
  const failed = connect({ apiKey: 'not-a-key' }).get('/v1/organizations')
  const error = await failed.catch((reason: unknown) => reason)
  assert.ok(error instanceof ScholiastError)
  assert.equal(error.code, 'UNAUTHORIZED')
  assert.equal(error.status, 401)
  assert.match(error.requestId ?? '', /./)
  assert.equal(error.retryAfter, undefined)
  assert.deepEqual(error.body, { error: { code: error.code, message: error.message } })
  assert.doesNotMatch(JSON.stringify(error) + error.stack, /not-a-key/, 'a key is never part of an error')
})

test('errors of Learnings have the same fields', async () => {
  const body = { data: [], org_id: 'unknown' }
  await assert.rejects(connect().post('/v1/learnings', { body }), { code: 'INVALID_REQUEST', status: 400 })
})

test('a request without a connection is a network error', async () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:9', retry: false })
  await assert.rejects(client.get('/v1/organizations'), { code: 'NETWORK_ERROR', status: 0 })
})

test('a file is not parsed as JSON, but streamed', async () => {
  const client = connect()
  const query = { format: 'csv' as const }
  await assert.rejects(client.get('/v1/learnings', { query }), { code: 'UNEXPECTED_RESPONSE', status: 200 })
  const response = await client.stream('GET', '/v1/learnings', { query })
  assert.match(response.headers.get('content-type') ?? '', /^text\/csv/)
  assert.match(await response.text(), /^"?id"?,/)
})

test('a redirect is not followed, because the key would go along', async (t) => {
  const seen: unknown[] = []
  const other = await serve(t, (incoming, outgoing) => {
    seen.push(incoming.headers)
    outgoing.end('{}')
  })
  const proxy = await startProxy(t)
  proxy.faults.push({ status: 307, headers: { location: `${other}/v1/organizations` } })
  await assert.rejects(connect({ baseUrl: proxy.url }).get('/v1/organizations'), {
    code: 'UNEXPECTED_REDIRECT',
    message: new RegExp(`redirects to ${other}`),
  })
  assert.deepEqual(seen, [])
})

test('a base address may have a path', async (t) => {
  const proxy = await startProxy(t)
  proxy.faults.push({ status: 200, headers: { 'content-type': 'application/json' }, body: '{}' })
  await connect({ baseUrl: `${proxy.url}/scholiast/` }).get('/v1/keys/self')
  assert.equal(proxy.requests[0]?.url, '/scholiast/v1/keys/self')
})

test('wrong options are refused before a request', async () => {
  assert.throws(() => createClient({ baseUrl: 'not a url' }), /baseUrl is not a URL/)
  assert.throws(() => createClient({ baseUrl: demo.base_url }).ingest(), /ingestKey is required/)
  const empty = connect().delete('/v1/learnings/{learning_id}', { params: { learning_id: '' } })
  await assert.rejects(empty, /params.learning_id .* is required/)
})

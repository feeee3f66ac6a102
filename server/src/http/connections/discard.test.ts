import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { BodyDiscarder } from './discard.ts'

const MIB = 1024 ** 2
const discarder = new BodyDiscarder(1024)
const server = createServer((request, response) => {
  discarder.discard(request, request.headers['x-owner'] as string)
  response.writeHead(429).end('refused')
})

before(() => once(server.listen(0, '127.0.0.1'), 'listening'))
after(() => server.close())

/** Sends a body and returns the status, and the seconds until all of it was sent. */
async function post(owner: string, bytes: number): Promise<{ status: number | undefined; seconds: number }> {
  const started = performance.now()
  const sent = sendRequest({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    method: 'POST',
    headers: { 'x-owner': owner, 'content-length': String(bytes) },
  })
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  sent.end(Buffer.alloc(bytes))
  const [[response]] = await Promise.all([answered, once(sent, 'finish')])
  response.resume()
  await once(response, 'end')
  return { status: response.statusCode, seconds: (performance.now() - started) / 1000 }
}

test('a refused body is read slowly, and its caller gets the response', async () => {
  const { status, seconds } = await post('one', 8 * MIB)
  assert.equal(status, 429)
  // Less what fits into the buffers of the connection.
  assert.ok(seconds > 0.5, `${seconds} seconds`)
})

test('a small body is left to the server', async () => {
  assert.equal((await post('two', 1000)).status, 429)
})

test('refused bodies of one caller are read one after the other, those of another beside them', async () => {
  const results = await Promise.all([post('three', 5 * MIB), post('three', 5 * MIB), post('four', 5 * MIB)])
  assert.deepEqual(
    results.map(({ status }) => status),
    [429, 429, 429],
  )
})

test('a body that takes too long ends with its connection', { timeout: 60_000 }, async () => {
  const outcome = await post('five', 64 * MIB).then(
    () => 'sent',
    () => 'closed',
  )
  assert.equal(outcome, 'closed')
})

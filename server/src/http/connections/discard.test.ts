import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { waitFor } from '../../../test/wait.ts'
import { BodyDiscarder } from './discard.ts'

const MIB = 1024 ** 2
const discarder = new BodyDiscarder(1024)
/** When the bodies of each owner were read to their ends. */
const readAt = new Map<string, number[]>()
const server = createServer((request, response) => {
  const owner = String(request.headers['x-owner'])
  request.once('end', () => readAt.set(owner, [...(readAt.get(owner) ?? []), performance.now()]))
  discarder.discard(request, owner)
  response.writeHead(429).end('refused')
})

before(() => once(server.listen(0, '127.0.0.1'), 'listening'))
after(() => server.close())

/** Sends a body and returns the status. */
async function post(owner: string, bytes: number): Promise<number | undefined> {
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
  return response.statusCode
}

async function readingEnds(owner: string, count: number): Promise<readonly number[]> {
  const ends = () => readAt.get(owner) ?? []
  await waitFor(`${count} bodies are read`, () => ends().length >= count)
  return ends()
}

test('a refused body is read slowly, and its caller gets the response', { timeout: 60_000 }, async () => {
  const started = performance.now()
  assert.equal(await post('one', 3 * MIB), 429)
  const [end = 0] = await readingEnds('one', 1)
  assert.ok(end - started > 1000, `${end - started} ms`)
})

test('a small body is left to the server', async () => {
  assert.equal(await post('two', 1000), 429)
})

test('refused bodies of one caller are read one after the other', { timeout: 60_000 }, async () => {
  assert.deepEqual(await Promise.all([post('three', 2 * MIB), post('three', 2 * MIB)]), [429, 429])
  const [first = 0, second = 0] = await readingEnds('three', 2)
  assert.ok(second - first > 500, `${second - first} ms`)
})

test('a body that takes too long ends with its connection', { timeout: 60_000 }, async () => {
  const outcome = await post('four', 64 * MIB).then(
    () => 'sent',
    () => 'closed',
  )
  assert.equal(outcome, 'closed')
})

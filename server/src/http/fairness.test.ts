import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { connect as connectSocket, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import pg from 'pg'
import { Type } from 'typebox'
import { startService, type TestService } from '../../test/call.ts'
import { openTenant } from '../../test/fixture.ts'
import { waitFor, waitForLocks } from '../../test/wait.ts'
import { createKeyValue } from '../access/key-format.ts'
import type { Environment } from '../config.ts'
import { organizations } from '../resources/organizations/route.ts'
import { closed } from '../shape.ts'
import type { Endpoint } from './endpoint.ts'
import { ok } from './reply.ts'

const MIB = 1024 ** 2

/** Takes a body. */
const echo: Endpoint = {
  ...organizations,
  method: 'POST',
  path: '/v1/echo',
  operationId: 'echo',
  query: Type.Object({}, closed),
  body: Type.Object({ text: Type.String() }, closed),
  paging: null,
  replies: {},
  run: () => Promise.resolve(ok({ done: true })),
}

/** Returns more than the buffers of a connection hold, as one text or in chunks. */
const page = Buffer.alloc(16 * MIB, 'x')
const large = (path: `/${string}`, run: Endpoint['run']): Endpoint => ({
  ...organizations,
  path,
  operationId: path,
  query: Type.Object({}, closed),
  paging: null,
  replies: {},
  run,
})
const largeText = large('/v1/text', () =>
  Promise.resolve({ status: 200, body: { text: page.toString('latin1'), type: 'text/csv; charset=utf-8' } }),
)
const largeChunks = large('/v1/chunks', () =>
  Promise.resolve({ status: 200, body: { chunks: [page], type: 'application/json; charset=utf-8' } }),
)
const endless = large('/v1/endless', () =>
  Promise.resolve({ status: 200, body: { stream: repeatChunks(), type: 'application/x-ndjson' } }),
)

/** As large when it is compressed. */
const noise = randomBytes(16 * MIB)
const incompressible = large('/v1/noise', () =>
  Promise.resolve({ status: 200, body: { chunks: [noise], type: 'application/json; charset=utf-8' } }),
)

async function* repeatChunks(): AsyncGenerator<Buffer, void> {
  for (let chunk = 0; chunk < 1000; chunk++) yield page.subarray(0, MIB)
}

const sockets = new Set<Socket>()

const { database, tenant, use, defer } = await openTenant()
const superuser = use(new pg.Client({ connectionString: database.superuserUrl }))
await superuser.connect()
const own = (await Promise.all([1, 2, 3, 4].map(() => tenant.createKey('user')))).map(({ value }) => value)
const other = (await tenant.createKey('user', { of: 'alone' })).value
defer(async () => {
  for (const socket of sockets) socket.destroy()
})

async function listen(
  t: TestContext,
  settings: Environment,
): Promise<{ service: TestService; port: number }> {
  const service = startService(database, { LIMIT_ORGANIZATIONS: 'off', ...settings }, [
    organizations,
    echo,
    largeText,
    largeChunks,
    endless,
    incompressible,
  ])
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    await service.stop()
  })
  return { service, port: Number(new URL(await service.listen()).port) }
}

/** A connection whose caller sends the given text and reads only when the test lets it. */
function open(port: number, sent: string): { socket: Socket; received: () => string; ended: () => boolean } {
  const socket = connectSocket({ port, host: '127.0.0.1' })
  let text = ''
  let ended = false
  sockets.add(socket)
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    ended = true
  })
  socket.write(sent)
  return { socket, received: () => text, ended: () => ended }
}

/** A request whose response the caller stops to read when it begins. */
async function openUnread(port: number, sent: string) {
  const opened = open(port, sent)
  opened.socket.once('data', () => opened.socket.pause())
  await waitFor('the response begins', () => opened.received() !== '')
  assert.match(opened.received(), /^HTTP\/1\.1 200 /)
  return opened
}

const get = (path: string, key: string, headers = '') =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\nx-service-api-key: ${key}\r\n${headers}\r\n`
const post = (key: string, length = 1000) =>
  `POST /v1/echo HTTP/1.1\r\nhost: x\r\nx-service-api-key: ${key}\r\ncontent-type: application/json\r\n` +
  `content-length: ${length}\r\n\r\n`

const statusOf = async (service: TestService, key: string, path = '/v1/organizations') =>
  (await service.call(path, { key })).status

describe('bodies that arrive slowly', { timeout: 60_000 }, () => {
  test('four keys of one tenant that drip bodies leave every other request served', async (t) => {
    const { service, port } = await listen(t, { MAX_IN_FLIGHT: '8' })
    const drips = own.flatMap((key) => [open(port, post(key)), open(port, post(key))])
    await waitFor(
      'six of eight are refused: the tenant receives a quarter',
      () => drips.filter(({ received }) => received().includes('503')).length === 6,
    )
    assert.equal(await statusOf(service, other), 200)
    assert.equal(await statusOf(service, own[0] ?? ''), 200, 'receiving takes no place of work')
    const body = await service.call('/v1/echo', { key: other, method: 'POST', body: { text: '' } })
    assert.equal(body.status, 200)
  })

  test('a body that drips is ended with 408, and its place is free again', async (t) => {
    const { service, port } = await listen(t, { MAX_IN_FLIGHT: '4' })
    const { socket, received, ended } = open(port, `${post(own[0] ?? '')}{`)
    const drip = setInterval(() => socket.writable && socket.write('x'), 200)
    await waitFor('the drip is answered', () => received().includes('\r\n\r\n{'))
    clearInterval(drip)
    assert.match(received(), /^HTTP\/1\.1 408 /)
    assert.match(received(), /"code":"INVALID_REQUEST".*bytes per second/)
    await waitFor('the connection is closed', ended)
    const body = await service.call('/v1/echo', { key: own[1] ?? '', method: 'POST', body: { text: '' } })
    assert.equal(body.status, 200)
  })

  test('bodies of one tenant take a bounded number of bytes in memory', async (t) => {
    const { service, port } = await listen(t, { BODY_BYTES_PER_ROOT: String(MIB) })
    const half = 'x'.repeat(600 * 1024)
    const first = open(port, `${post(own[0] ?? '', 700 * 1024)}${half}`)
    const second = open(port, `${post(own[1] ?? '', 700 * 1024)}${half}`)
    await waitFor(
      'one is refused',
      () => second.received().includes('503') || first.received().includes('503'),
    )
    const text = 'x'.repeat(600 * 1024)
    const body = await service.call('/v1/echo', { key: other, method: 'POST', body: { text } })
    assert.equal(body.status, 200)
    for (const { socket } of [first, second]) socket.destroy()
    await waitFor(
      'the bytes are free again',
      async () =>
        (await service.call('/v1/echo', { key: own[2] ?? '', method: 'POST', body: { text } })).status ===
        200,
    )
  })

  test('unknown keys take no work slot, and those of one address not every slot before it', async (t) => {
    const { service } = await listen(t, { MAX_IN_FLIGHT: '4', TRUSTED_PROXIES: '127.0.0.1' })
    const callFrom = (address: string, key: string) =>
      service.call('/v1/organizations', { key, headers: { 'x-forwarded-for': address } })
    await superuser.query('begin; lock table api_key in access exclusive mode')
    const unknown = Array.from({ length: 40 }, () => callFrom('203.0.113.7', createKeyValue('user')))
    const known = callFrom('203.0.113.8', other)
    assert.equal((await Promise.race(unknown)).status, 503)
    await superuser.query('commit')
    assert.equal((await known).status, 200)
    const statuses = (await Promise.all(unknown)).map(({ status }) => status)
    assert.deepEqual(new Set(statuses), new Set([401, 503]))
  })
})

describe('callers that do not read', { timeout: 120_000 }, () => {
  for (const [path, headers] of [
    ['/v1/text', ''],
    ['/v1/chunks', ''],
    ['/v1/endless', ''],
    ['/v1/noise', 'accept-encoding: gzip\r\n'],
  ] as const) {
    test(`a response of ${path} holds its place until it is sent, or its caller is cut off`, async (t) => {
      const { service, port } = await listen(t, { MAX_IN_FLIGHT: '4', SEND_TIMEOUT_SECONDS: '2' })
      const { socket } = await openUnread(port, get(path, own[0] ?? '', headers))
      await waitFor('the place is held', async () => (await statusOf(service, own[1] ?? '')) === 503)
      assert.equal(await statusOf(service, other), 200)
      // Sending more does not count as reading.
      const drip = setInterval(() => socket.writable && socket.write('GET / HTTP/1.1\r\nx: '), 200)
      await waitFor('the place is free again', async () => (await statusOf(service, own[1] ?? '')) === 200)
      clearInterval(drip)
      socket.resume()
      await waitFor('the connection was destroyed', () => socket.destroyed)
    })
  }

  test('responses of one tenant take a bounded number of bytes in memory', async (t) => {
    const { service, port } = await listen(t, { BODY_BYTES_PER_ROOT: String(20 * MIB) })
    const first = await openUnread(port, get('/v1/chunks', own[0] ?? ''))
    await waitFor('no room', async () => (await statusOf(service, own[1] ?? '', '/v1/text')) === 503)
    assert.equal(await statusOf(service, own[1] ?? ''), 200, 'small responses fit')
    assert.equal(await statusOf(service, other, '/v1/text'), 200)
    first.socket.resume()
    await waitFor('room again', async () => (await statusOf(service, own[1] ?? '', '/v1/text')) === 200)
  })

  test('a caller that hangs up while its request is served does not keep the place', async (t) => {
    const { service, port } = await listen(t, { MAX_IN_FLIGHT: '4' })
    await superuser.query('begin; lock table organization in access exclusive mode')
    const { socket } = open(port, get('/v1/organizations', own[0] ?? ''))
    await waitForLocks(superuser)
    socket.destroy()
    await superuser.query('commit')
    await waitFor('the place is free', async () => (await statusOf(service, own[1] ?? '')) === 200)
  })
})

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Sandbox, startSandbox } from '../src/sandbox.ts'
import { base, demo } from './demo.ts'
import { comparable, open, type RawOptions, raw } from './http.ts'

let sandbox: Sandbox
before(async () => {
  sandbox = await startSandbox({ target: base })
})
after(() => sandbox.stop())

/** For what our service does not do: a target that answers as a test says. */
async function withTarget(answer: RequestListener, work: (url: string) => Promise<void>): Promise<void> {
  const target = createServer(answer)
  await once(target.listen(0, '127.0.0.1'), 'listening')
  const proxy = await startSandbox({ target: `http://127.0.0.1:${(target.address() as AddressInfo).port}` })
  try {
    await work(proxy.url)
  } finally {
    await proxy.stop()
    target.closeAllConnections()
    target.close()
  }
}

test('without the header every response passes unchanged, bytes and headers', async () => {
  const key = { 'x-service-api-key': demo.keys.user }
  const json = { ...key, 'content-type': 'application/json' }
  const year = 'start_date=2026-01-01&end_date=2026-12-31'
  const comments = `/v1/metrics/review-comments?${year}`
  const requests: [string, RawOptions][] = [
    ['/openapi.json', {}],
    ['/openapi.json', { headers: { 'accept-encoding': 'gzip' } }],
    [comments, { headers: key }],
    [comments, { headers: { ...key, accept: 'application/x-ndjson' } }],
    [comments, { headers: { ...key, accept: 'application/x-ndjson', 'accept-encoding': 'gzip' } }],
    [`/v1/metrics/reviews?${year}&format=csv`, { headers: { ...key, 'accept-encoding': 'gzip' } }],
    [`/v1/metrics/reviews?${year}`, { method: 'HEAD', headers: key }],
    [comments, {}],
    ['/v1/nothing?a=%zz&a=1', { headers: key }],
    ['/v1/users', { method: 'DELETE', headers: key }],
    ['/v1/review-context', { method: 'POST', headers: json, body: '{"text":1}' }],
    ['/v1/review-context', { method: 'POST', headers: json, body: ['{"te', 'xt":', '1}'] }],
    ['/v1/review-context', { method: 'POST', headers: json, body: Buffer.alloc(5_000_000, 32) }],
  ]
  for (const [path, options] of requests) {
    const headers = { 'x-request-id': 'sandbox.test', ...options.headers }
    const direct = await raw(base + path, { ...options, headers })
    const passed = await raw(sandbox.url + path, { ...options, headers })
    assert.deepEqual(comparable(passed), comparable(direct), `${options.method ?? 'GET'} ${path}`)
  }
})

test('headers of one connection are not passed on, all others are, in both directions', async () => {
  let received: IncomingMessage | undefined
  const answer: RequestListener = (request, response) => {
    received = request
    response.writeHead(200, [
      'Connection',
      'X-Hop',
      'X-Hop',
      '1',
      'Set-Cookie',
      'a=1',
      'Set-Cookie',
      'b=2',
      'X-Case',
      'Kept',
    ])
    response.end('x')
  }
  await withTarget(answer, async (url) => {
    const { headers } = await raw(url, {
      headers: {
        connection: 'x-secret-hop',
        'x-secret-hop': '1',
        te: 'trailers',
        'proxy-authorization': 'x',
        'x-case': 'Kept',
      },
    })
    assert.equal(headers['x-hop'], undefined)
    assert.deepEqual(headers['set-cookie'], ['a=1', 'b=2'])
    assert.equal(headers['x-case'], 'Kept')
    assert.equal(received?.headers['x-case'], 'Kept')
    assert.equal(received?.headers.host, new URL(`http://${received?.headers.host}`).host)
    for (const name of ['x-secret-hop', 'te', 'proxy-authorization'])
      assert.equal(received?.headers[name], undefined, name)
  })
})

test('a caller that does not read stops the target from sending, and then gets every byte', async () => {
  const chunk = randomBytes(1024 ** 2)
  const count = 96
  let written = 0
  const answer: RequestListener = (_request, response) => {
    const write = () => {
      while (written < count) {
        written += 1
        if (!response.write(chunk)) return void response.once('drain', write)
      }
      response.end()
    }
    write()
  }
  await withTarget(answer, async (url) => {
    const response = await open(url)
    for (let seen = -1; seen !== written; await sleep(500)) seen = written
    assert.ok(written < count / 2, `${written} MiB were sent to a caller that does not read`)
    const all = await buffer(response)
    assert.equal(all.length, count * chunk.length)
    assert.ok(all.subarray(-chunk.length).equals(chunk))
  })
})

test('a request body is passed on as it comes, whatever its size', async () => {
  const body = randomBytes(20 * 1024 ** 2)
  const answer: RequestListener = (request, response) => {
    buffer(request).then((received) => response.end(String(received.equals(body))), assert.fail)
  }
  await withTarget(answer, async (url) => {
    const { bytes } = await raw(url, { method: 'POST', body })
    assert.equal(bytes.toString(), 'true')
  })
})

test('a caller that goes away ends the request to the target', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const answer: RequestListener = (_request, response) => {
    response.on('close', resolve)
    response.write('x')
  }
  await withTarget(answer, async (url) => {
    const response = await open(url)
    response.destroy()
    await promise
  })
})

test('a target that breaks off breaks the response off; it never looks complete', async () => {
  const answer: RequestListener = (_request, response) => {
    response.write('half', () => response.destroy())
  }
  await withTarget(answer, async (url) => {
    await assert.rejects(raw(url))
  })
})

test('it is no open proxy: other addresses, tunnels and upgrades are refused', async () => {
  const { hostname, port } = new URL(sandbox.url)
  const send = async (head: string) => {
    const socket = connect(Number(port), hostname)
    socket.write(`${head}\r\nhost: example.com\r\nconnection: close\r\n\r\n`)
    return (await buffer(socket)).toString()
  }
  assert.match(await send('GET http://example.com/ HTTP/1.1'), /^HTTP\/1\.1 400 .*SANDBOX_ERROR/s)
  assert.equal(await send('CONNECT example.com:443 HTTP/1.1'), '')
  assert.match(await send('GET /healthz HTTP/1.1'), /^HTTP\/1\.1 200 /)
  assert.equal(hostname, '127.0.0.1')
})

test('a target that does not run is 502, and what is no address of a target is refused at the start', async () => {
  const proxy = await startSandbox({ target: 'http://127.0.0.1:1' })
  try {
    for (const headers of [{}, { 'x-sandbox-force': 'RATE_LIMIT_EXCEEDED' }]) {
      const { status, bytes } = await raw(`${proxy.url}/v1/organizations`, { headers })
      assert.equal(status, 502)
      assert.match(bytes.toString(), /"SANDBOX_ERROR".*Is (?:it|the service) running\?/)
    }
  } finally {
    await proxy.stop()
  }
  for (const target of ['', 'localhost:8080', 'file:///etc/passwd', 'http://a:b@localhost'])
    await assert.rejects(startSandbox({ target }), /target must be/)
})

import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type ConnectorHosts, readConnectorHosts } from '../../../settings/connector-hosts.ts'
import { HostRefusedError, ProviderUnavailableError } from './provider-client.ts'
import { classifyAddress, createSender, type SenderOptions } from './request.ts'

const SECRET = 'ghs_planted_secret'
const get = (url: string) => ({ method: 'GET', url, headers: { authorization: `Bearer ${SECRET}` } }) as const

interface TestServer {
  readonly origin: string
  readonly requests: IncomingMessage[]
  handle: RequestListener
  close(): Promise<void>
}

async function listen(): Promise<TestServer> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    started.handle(request, response)
  })
  await new Promise<void>((fulfil) => server.listen(0, '127.0.0.1', fulfil))
  const started: TestServer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    handle: (_request, response) => response.end('ok'),
    async close() {
      server.closeAllConnections()
      await new Promise((fulfil) => server.close(fulfil))
    },
  }
  return started
}

function allow(...origins: string[]): ConnectorHosts {
  const problems: string[] = []
  const hosts = readConnectorHosts(origins, [], problems)
  assert.deepEqual(problems, [])
  return hosts
}

/** The error, after a look for the secret in everything that a log would print of it. */
async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => assert.fail('the request was sent'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof Error)
  const { message, stack, ...rest } = error
  assert.ok(!`${message} ${stack} ${JSON.stringify(rest)} ${String(error.cause)}`.includes(SECRET))
  return error
}

void describe('requests of connectors', () => {
  let forge: TestServer
  let other: TestServer
  before(async () => {
    forge = await listen()
    other = await listen()
  })
  after(async () => {
    await forge.close()
    await other.close()
  })

  const send = (path: string, options: Partial<SenderOptions> = {}) =>
    createSender({ hosts: allow(forge.origin), ...options })(get(`${forge.origin}${path}`))

  void it('return status, headers and body', async () => {
    forge.handle = (_request, response) => response.writeHead(418, { 'x-a': 'b' }).end('short')
    const { status, headers, body } = await send('/')
    assert.deepEqual([status, headers['x-a'], body.toString()], [418, 'b', 'short'])
  })

  void it('decompress', async () => {
    forge.handle = (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('plain'))
    assert.equal((await send('/')).body.toString(), 'plain')
  })

  void it('go only to hosts on the list', async () => {
    const refused = await refusalOf(
      createSender({ hosts: allow('gitlab.com') })(get(`${other.origin}/x?token=${SECRET}`)),
    )
    assert.ok(refused instanceof HostRefusedError)
    // The port, the scheme and what stands before @ belong to it.
    for (const url of ['https://gitlab.com:444/', 'http://gitlab.com/', 'https://gitlab.com@127.0.0.1/'])
      assert.ok(
        (await refusalOf(createSender({ hosts: allow('gitlab.com') })(get(url)))) instanceof HostRefusedError,
      )
    const withUser = createSender({ hosts: allow('gitlab.com') })(get(`https://user:${SECRET}@gitlab.com/`))
    assert.ok((await refusalOf(withUser)) instanceof HostRefusedError)
    assert.equal(other.requests.length, 0)
  })

  void it('follow a redirect on the same host with the credential', async () => {
    forge.handle = (request, response) =>
      request.url === '/old'
        ? response.writeHead(301, { location: '/new' }).end()
        : response.end(`${request.url} ${request.headers.authorization}`)
    assert.equal((await send('/old')).body.toString(), `/new Bearer ${SECRET}`)
  })

  void it('follow a redirect to another allowed host without the credential', async () => {
    forge.handle = (_request, response) => response.writeHead(302, { location: `${other.origin}/x` }).end()
    other.handle = (request, response) => response.end(String(request.headers.authorization))
    const { body } = await send('/', { hosts: allow(forge.origin, other.origin) })
    assert.equal(body.toString(), 'undefined')
  })

  void it('do not follow a redirect to loopback, another host or another scheme', async () => {
    const reached = other.requests.length
    for (const location of [
      `${other.origin}/x`,
      'http://169.254.169.254/latest/meta-data',
      'http://[::1]/',
      'https://evil.example/',
      'file:///etc/passwd',
      forge.origin.replace('http:', 'https:'),
    ]) {
      forge.handle = (_request, response) => response.writeHead(302, { location }).end()
      assert.ok((await refusalOf(send('/'))) instanceof HostRefusedError, location)
    }
    assert.equal(other.requests.length, reached)
  })

  void it('do not change to an allowed origin with another scheme', async () => {
    forge.handle = (_request, response) => response.writeHead(302, { location: 'https://gitlab.com/' }).end()
    assert.ok(
      (await refusalOf(send('/', { hosts: allow(forge.origin, 'gitlab.com') }))) instanceof HostRefusedError,
    )
  })

  void it('end after a few redirects', async () => {
    const earlier = forge.requests.length
    forge.handle = (_request, response) => response.writeHead(302, { location: '/again' }).end()
    assert.ok((await refusalOf(send('/'))) instanceof ProviderUnavailableError)
    assert.equal(forge.requests.length - earlier, 4)
  })

  void it('do not go to a listed name whose address is private', async () => {
    for (const address of [
      '10.0.0.1',
      '192.168.1.1',
      '127.0.0.1',
      '169.254.169.254',
      '::1',
      'fd00::1',
      '::ffff:10.0.0.1',
    ]) {
      const resolve = () => Promise.resolve([{ address, family: address.includes(':') ? 6 : 4 }])
      const sender = createSender({ hosts: allow('git.example.com'), resolve })
      assert.ok(
        (await refusalOf(sender(get('https://git.example.com/')))) instanceof HostRefusedError,
        address,
      )
    }
    // The resolver of this machine answers with loopback.
    const local = createSender({ hosts: allow('localhost:1') })
    assert.ok((await refusalOf(local(get('https://localhost:1/')))) instanceof HostRefusedError)
    const literal = createSender({ hosts: allow('10.0.0.1') })
    assert.ok((await refusalOf(literal(get('https://10.0.0.1/')))) instanceof HostRefusedError)
  })

  void it('do not go to the metadata service of a cloud, also if the host may have private addresses', async () => {
    const hosts = readConnectorHosts(['git.example.com'], ['git.example.com'], [])
    for (const address of ['100.100.100.200', 'fd00:ec2::254', '::ffff:6464:64c8', '169.254.169.254']) {
      const resolve = () => Promise.resolve([{ address, family: address.includes(':') ? 6 : 4 }])
      const refusal = await refusalOf(createSender({ hosts, resolve })(get('https://git.example.com/')))
      assert.ok(refusal instanceof HostRefusedError, address)
    }
  })

  void it('are refused if one of several addresses is private', async () => {
    const resolve = () =>
      Promise.resolve([
        { address: '140.82.112.3', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ])
    const sender = createSender({ hosts: allow('git.example.com'), resolve })
    assert.ok((await refusalOf(sender(get('https://git.example.com/')))) instanceof HostRefusedError)
  })

  void it('reach a private address that the operator allows, but never loopback by its name', async () => {
    const hosts = readConnectorHosts(['git.internal'], ['git.internal'], [])
    const sendTo = (address: string) =>
      createSender({ hosts, timeoutMs: 100, resolve: () => Promise.resolve([{ address, family: 4 }]) })(
        get('https://git.internal/'),
      )
    // Nobody listens there: it is tried, and fails as a connection.
    assert.ok((await refusalOf(sendTo('10.255.255.1'))) instanceof ProviderUnavailableError)
    assert.ok((await refusalOf(sendTo('127.0.0.1'))) instanceof HostRefusedError)
    assert.ok((await refusalOf(sendTo('169.254.169.254'))) instanceof HostRefusedError)
  })

  void it('end at an oversize body, also one that is small on the wire', async () => {
    forge.handle = (_request, response) => {
      const timer = setInterval(() => response.write(Buffer.alloc(65_536)), 1)
      response.on('close', () => clearInterval(timer))
    }
    assert.match(String(await refusalOf(send('/', { maxBytes: 100_000 }))), /more than 100000 bytes/)
    forge.handle = (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000)))
    assert.match(String(await refusalOf(send('/', { maxBytes: 100_000 }))), /more than 100000 bytes/)
  })

  void it('end at a slow body and at a missing response', async () => {
    forge.handle = (_request, response) => {
      const timer = setInterval(() => response.write('.'), 10)
      response.on('close', () => clearInterval(timer))
    }
    assert.match(String(await refusalOf(send('/', { timeoutMs: 200 }))), /did not respond in time/)
    forge.handle = () => {}
    assert.match(String(await refusalOf(send('/', { timeoutMs: 200 }))), /did not respond in time/)
  })

  void it('end at a slow name server', async () => {
    const slow = {
      hosts: allow('git.example.com'),
      timeoutMs: 50,
      resolve: () => new Promise<never>(() => {}),
    }
    assert.match(String(await refusalOf(createSender(slow)(get('https://git.example.com/')))), /in time/)
  })

  void it('report a connection failure with its code', async () => {
    const closed = await listen()
    await closed.close()
    const error = await refusalOf(createSender({ hosts: allow(closed.origin) })(get(closed.origin)))
    assert.match(String(error), /ECONNREFUSED/)
    forge.handle = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half')
      response.destroy()
    }
    assert.ok((await refusalOf(send('/'))) instanceof ProviderUnavailableError)
  })

  void it('do not send a body to the target of a redirect', async () => {
    forge.handle = (_request, response) => response.writeHead(307, { location: '/again' }).end()
    const sender = createSender({ hosts: allow(forge.origin) })
    const post = sender({ method: 'POST', url: forge.origin, headers: {}, body: SECRET })
    assert.ok((await refusalOf(post)) instanceof ProviderUnavailableError)
  })
})

void describe('classifyAddress', () => {
  for (const [address, kind] of [
    ['140.82.112.3', 'public'],
    ['2606:50c0:8000::153', 'public'],
    ['172.31.255.255', 'private'],
    ['172.32.0.1', 'public'],
    ['100.64.0.1', 'private'],
    ['fd12:3456::1', 'private'],
    ['127.0.0.1', 'loopback'],
    ['::1', 'loopback'],
    ['127.1.2.3', 'special'],
    ['0.0.0.0', 'special'],
    ['::', 'special'],
    ['169.254.169.254', 'special'],
    ['169.254.170.2', 'special'],
    ['100.100.100.200', 'special'],
    ['::ffff:6464:64c8', 'special'],
    ['192.0.0.192', 'special'],
    ['168.63.129.16', 'special'],
    ['fd00:ec2::254', 'special'],
    ['fd00:0ec2:0:0::23', 'special'],
    ['fd20:ce::254', 'special'],
    ['fd00:c1::a9fe:a9fe', 'special'],
    ['fd00:42::42', 'special'],
    ['fe80::a9fe:a9fe', 'special'],
    ['fe80::1', 'special'],
    ['::ffff:a00:1', 'special'],
    ['::ffff:140.82.112.3', 'special'],
    ['::ffff:7f00:1', 'special'],
    ['64:ff9b::7f00:1', 'special'],
    ['2002:7f00:1::', 'special'],
    ['not an address', 'special'],
  ] as const)
    void it(`takes ${address} as ${kind}`, () => assert.equal(classifyAddress(address), kind))
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect as connectSocket, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { Type } from 'typebox'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import { openTenant } from '../../test/fixture.ts'
import { freePort } from '../../test/free-port.ts'
import { type ApiProcess, startApi } from '../../test/process.ts'
import { createTenant, type Tenant } from '../../test/tenant.ts'
import { waitFor, waitForLocks } from '../../test/wait.ts'
import { readApiConfig } from '../config.ts'
import { createLog } from '../observe/log.ts'
import { createMetrics, type Metrics } from '../observe/metrics.ts'
import { createTraces } from '../observe/traces.ts'
import { organizations } from '../resources/organizations/route.ts'
import { createAppContext } from './app-context.ts'
import type { Endpoint } from './endpoint.ts'
import { ok } from './reply.ts'
import { createServer } from './server.ts'

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
const withoutLimits = { LIMIT_ORGANIZATIONS: 'off', LIMIT_REPOSITORIES: 'off' }
const echo: Endpoint = {
  ...organizations,
  method: 'POST',
  path: '/v1/echo',
  operationId: 'echo',
  query: Type.Object({}, { additionalProperties: false }),
  body: Type.Object({ text: Type.String() }, { additionalProperties: false }),
  paging: null,
  replies: {},
  run: () => Promise.resolve(ok({ done: true })),
}

interface RunningServer {
  readonly app: FastifyInstance
  readonly port: number
  readonly metrics: Metrics
  stop(): Promise<void>
}

const { database, tenant, use, defer } = await openTenant()
const key = await tenant.createKey('user')
const server: RunningServer = use(await listen())
defer(async () => {
  for (const socket of sockets) socket.destroy()
})

/** The service on a real socket, with an endpoint that takes a body. */
async function listen(): Promise<RunningServer> {
  const config = readApiConfig({
    SIGNING_KEYS: `test:${'ab'.repeat(32)}`,
    AUTH_DATABASE_URL: database.urls.auth,
    API_DATABASE_URL: database.urls.api,
    ...withoutLimits,
  })
  const log = createLog('test', 'silent')
  const app = createAppContext(config, log)
  const metrics = createMetrics()
  const observers = { log, metrics, traces: createTraces(null) }
  const fastifyServer = createServer({
    app,
    observers,
    endpoints: [echo, organizations],
    pages: [],
    tools: [],
  })
  await fastifyServer.listen({ host: '127.0.0.1', port: 0 })
  const { port } = fastifyServer.server.address() as AddressInfo
  const stop = async () => {
    fastifyServer.server.closeAllConnections()
    await fastifyServer.close()
    await app.close()
  }
  return { app: fastifyServer, port, metrics, stop }
}

const head = (apiKey: string, more = '') =>
  `POST /v1/echo HTTP/1.1\r\nhost: x\r\nx-service-api-key: ${apiKey}\r\ncontent-type: application/json\r\n${more}`

const sockets = new Set<Socket>()

/** A caller that never hangs up by itself, and everything it received. */
function openSocket(port = server.port): { socket: Socket; received: () => string } {
  const socket = connectSocket({ port, host: '127.0.0.1', allowHalfOpen: true })
  let text = ''
  sockets.add(socket)
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  socket.on('error', () => {})
  return { socket, received: () => text }
}

async function exchange(sent: string): Promise<string> {
  const { socket, received } = openSocket()
  socket.write(sent)
  await waitFor('the response', () => received().includes('\r\n\r\n') && received().includes('}'))
  socket.destroy()
  return received()
}

async function superuserOf(of: TestDatabase): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: of.superuserUrl })
  await client.connect()
  return client
}

/** An API process on a database of its own, with tenants. */
async function startAlone(t: TestContext, settings: Record<string, string> = {}) {
  const own = await createDatabase()
  const [tenants, superuser, api] = await Promise.all([
    createTenant(own),
    superuserOf(own),
    startApi(own, { ...withoutLimits, ...settings }),
  ])
  const ask = (path: string, value: string, headers: Record<string, string> = {}) =>
    fetch(api.url + path, { headers: { 'x-service-api-key': value, ...headers } })
  t.after(async () => {
    await Promise.all([api.stop('SIGKILL'), tenants.close(), superuser.end()])
    await own.drop()
  })
  return { tenants, superuser, api, ask }
}

/** Reads a table that no key is looked up with: what locks it holds up the request and not its key. */
const repositoriesOf = ({ workspace }: Tenant) =>
  `/v1/organizations/${workspace.organizations[0].id}/repositories`

async function exitOf({ process: child }: ApiProcess): Promise<unknown[]> {
  return child.exitCode === null ? ((await once(child, 'exit')) as unknown[]) : [child.exitCode, null]
}

describe('on a real socket', { concurrency: true, timeout: 30_000 }, () => {
  test('50 callers that drip headers or bodies, or say nothing, are all cut off in 12 seconds', async () => {
    const beginnings = [
      ...Array.from({ length: 20 }, () => 'GET /v1/organizations HTTP/1.1\r\nhost: x\r\nx-drip: '),
      ...Array.from({ length: 15 }, () => head(key.value, 'content-length: 1000\r\n\r\n{"text":"')),
      ...Array.from({ length: 5 }, () => head('x', 'content-length: 1000\r\n\r\n{"text":"')),
      ...Array.from({ length: 5 }, () => head(key.value, 'transfer-encoding: chunked\r\n\r\n')),
      ...Array.from({ length: 5 }, () => ''),
    ]
    const own = await listen()
    const drips = beginnings.map((beginning) => {
      const { socket } = openSocket(own.port)
      const drop = beginning.includes('chunked') ? '1\r\nx\r\n' : 'x'
      if (beginning !== '') socket.write(beginning)
      return setInterval(() => beginning !== '' && socket.writable && socket.write(drop), 400)
    })
    const started = performance.now()
    const seconds = () => (performance.now() - started) / 1000
    const connections = promisify(own.app.server.getConnections.bind(own.app.server))
    await waitFor('all callers are connected', async () => (await connections()) === 50)
    while (seconds() < 13 && (await connections()) > 0) await sleep(100)
    for (const drip of drips) clearInterval(drip)
    assert.equal(await connections(), 0)
    assert.ok(seconds() > 7 && seconds() < 12.5, `${seconds()} seconds`)
    await own.stop()
  })

  test('a refusal by the key is answered before the body has come', async () => {
    const started = performance.now()
    assert.match(await exchange(head('x', 'content-length: 1000000\r\n\r\n')), /^HTTP\/1\.1 401 /)
    assert.ok(performance.now() - started < 1000)
  })

  test('a body of unknown length that grows over 4 MiB is 413, and the caller gets to read it', async () => {
    const sent = httpRequest({
      port: server.port,
      method: 'POST',
      path: '/v1/echo',
      headers: { 'x-service-api-key': key.value, 'content-type': 'application/json' },
    })
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>
    const chunk = Buffer.alloc(256 * 1024, 0x20)
    for (let written = 0; written < 6 * 1024 ** 2 && !sent.destroyed; written += chunk.length) {
      if (!sent.write(chunk)) await Promise.race([once(sent, 'drain'), answered.catch(() => {})])
    }
    sent.end()
    const [response] = await answered
    assert.equal(response.statusCode, 413)
    response.resume()
  })

  test('a caller that hangs up in the middle of its body is no sign of overload', async () => {
    const { socket } = openSocket()
    socket.write(head(key.value, 'content-length: 1000\r\n\r\n{'))
    await sleep(300)
    socket.destroy()
    await sleep(300)
    assert.doesNotMatch(await server.metrics.registry.metrics(), /OVERLOADED|status="5\d\d"/)
  })

  test('what is not HTTP, and headers that are too large, get an error of ours with a request id', async () => {
    const large = `GET / HTTP/1.1\r\nhost: x\r\nx-large: ${'x'.repeat(20_000)}\r\n\r\n`
    for (const [sent, status] of [
      ['HELO example.com\r\n\r\n', 400],
      [large, 431],
    ] as const) {
      const received = await exchange(sent)
      assert.match(received, new RegExp(`^HTTP/1\\.1 ${status} `))
      assert.match(received, /\{"error":\{"code":"INVALID_REQUEST","message":"[^"]+"\}\}/)
      assert.match(received, new RegExp(`x-request-id: ${uuid.source}`))
    }
  })

  test('requests that follow one another on one connection are each answered', async () => {
    const one = 'GET /v1/organizations HTTP/1.1\r\nhost: x\r\n\r\n'
    const { socket, received } = openSocket()
    socket.write(one + one + one)
    await waitFor('three answers', () => received().split('HTTP/1.1 401').length === 4)
    socket.destroy()
  })
})

describe('as a process', { concurrency: true }, () => {
  test('on SIGTERM it takes nothing new, finishes what is under way and exits with 0', async (t) => {
    const { tenants, superuser, api, ask } = await startAlone(t)
    const { value } = await tenants.createKey('workspace')
    const idle = connectSocket({ port: Number(new URL(api.url).port), host: '127.0.0.1' }).on(
      'error',
      () => {},
    )
    await superuser.query('begin; lock table repository in access exclusive mode')
    const inFlight = [ask(repositoriesOf(tenants), value), ask(repositoriesOf(tenants), value)]
    await waitForLocks(superuser, 2)
    const exited = exitOf(api)
    api.process.kill('SIGTERM')
    await waitFor('nothing new is taken', () =>
      fetch(`${api.url}/healthz`).then(
        () => false,
        () => true,
      ),
    )
    await superuser.query('commit')
    const answered = performance.now()
    for (const answer of await Promise.all(inFlight)) {
      assert.equal(answer.status, 200)
      assert.ok(((await answer.json()) as { repositories: unknown[] }).repositories.length > 0)
    }
    assert.deepEqual(await exited, [0, null], api.output())
    assert.ok(performance.now() - answered < 5000, 'it waits for no idle connection')
    idle.destroy()
  })

  test('it outlives the death of its database connections: reads under way are 503 with Retry-After, refusals stay', async (t) => {
    const { tenants, superuser, api, ask } = await startAlone(t)
    const [{ value }, legacy] = await Promise.all([
      tenants.createKey('workspace'),
      tenants.createKey('legacy'),
    ])
    assert.equal((await ask('/v1/organizations', value)).status, 200)
    await superuser.query('begin; lock table repository, audit_head in access exclusive mode')
    const inFlight = [ask(repositoriesOf(tenants), value), ask('/v1/organizations', legacy.value)]
    await waitForLocks(superuser, 2)
    await superuser.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and usename in ('scholiast_api', 'scholiast_auth')`,
    )
    const [read, refused] = await Promise.all(inFlight)
    assert.deepEqual([read?.status, refused?.status], [503, 410])
    assert.match(read?.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    await superuser.query('commit')
    await waitFor('it serves again', async () => (await ask('/v1/organizations', value)).status === 200)
    assert.equal(api.process.exitCode, null)
  })

  test('its metrics show rate, errors and duration of each route, and name no tenant, person or key [P4-11]', async (t) => {
    const metricsPort = await freePort()
    const { tenants, ask } = await startAlone(t, { METRICS_PORT: String(metricsPort) })
    const [workspace, legacy] = await Promise.all([
      tenants.createKey('workspace'),
      tenants.createKey('legacy'),
    ])
    const [organization] = tenants.workspace.organizations
    for (const path of [
      '/v1/organizations',
      `/v1/organizations/${organization.id}/repositories`,
      '/no/such/path',
    ]) {
      for (const { value } of [workspace, legacy]) await (await ask(path, value)).text()
    }
    // The limit is 10.
    for (const value of ['', ...Array.from({ length: 11 }, () => workspace.value)])
      await (await ask('/v1/keys/self', value)).text()
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    const repositories = '/v1/organizations/{organization_id}/repositories'
    for (const line of [
      'scholiast_http_request_duration_seconds_count{method="GET",route="/v1/organizations",status="200"} 1',
      `scholiast_http_request_duration_seconds_count{method="GET",route="${repositories}",status="200"} 1`,
      'scholiast_http_request_duration_seconds_count{method="GET",route="unknown",status="404"} 2',
      'scholiast_http_refusals_total{route="/v1/organizations",code="LEGACY_API_KEY"} 1',
      'scholiast_http_refusals_total{route="/v1/keys/self",code="UNAUTHORIZED"} 1',
      'scholiast_http_refusals_total{route="/v1/keys/self",code="RATE_LIMIT_EXCEEDED"} 1',
    ]) {
      assert.ok(
        text.includes(line),
        `${line}\n${text
          .split('\n')
          .filter((found) => found.includes('http'))
          .join('\n')}`,
      )
    }
    const secrets = [workspace.root, workspace.id, workspace.owner ?? '', organization.id, organization.orgId]
    for (const secret of [...secrets, organization.name, workspace.value, '/no/such'])
      assert.ok(!text.includes(secret))
    assert.equal((await fetch(`http://127.0.0.1:${metricsPort}/`)).status, 404)
  })

  test('its log has every request and every failure under its id, and contains no key, query or tenant address', async (t) => {
    const { tenants, superuser, api, ask } = await startAlone(t, { LOG_LEVEL: 'trace' })
    const kinds = ['organization', 'user', 'workspace', 'instance', 'legacy', 'agentic', 'ingest'] as const
    const keys = (await Promise.all(kinds.map((kind) => tenants.createKey(kind)))).map(({ value }) => value)
    const [first = '', , workspace = ''] = keys
    const mistyped = `${first.slice(0, -1)}${first.endsWith('0') ? '1' : '0'}`
    const headers = { authorization: `Bearer ${first}`, cookie: `key=${first}` }
    for (const value of [...keys, mistyped]) await ask(`/v1/organizations?cursor=${value}`, value, headers)
    await ask('/v1/organizations', workspace, { 'x-request-id': 'the-good-one' })
    await superuser.query('alter table repository rename column entry to gone')
    const [organization] = tenants.workspace.organizations
    const path = `/v1/organizations/${organization.id}/repositories?limit=7`
    const broken = await ask(path, workspace, { 'x-request-id': 'the-broken-one' })
    assert.equal(broken.status, 500)
    assert.doesNotMatch(await broken.text(), /column|entry|select|repository/)
    await api.stop('SIGTERM')
    const log = api.output()
    const lines = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const good = lines.find((line) => line['requestId'] === 'the-good-one')
    assert.deepEqual([good?.['route'], good?.['method'], good?.['status']], ['/v1/organizations', 'GET', 200])
    const failure = lines.find((line) => line['requestId'] === 'the-broken-one' && line['level'] === 'error')
    assert.match(JSON.stringify(failure?.['err']), /42703/)
    for (const value of [...keys, mistyped]) {
      assert.ok(!log.includes(value) && !log.includes(value.slice(8, 30)), 'a key is in the log')
    }
    for (const text of ['limit=7', 'cursor=', 'Bearer', organization.id, organization.name])
      assert.ok(!log.includes(text), text)
  })
})

import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import type { EventKind } from '../src/bus/ingest-event.ts'
import { createIngestQueue, disabledQueue } from '../src/bus/queue/queue.ts'
import { type Environment, readApiConfig } from '../src/config.ts'
import { eventKinds } from '../src/consumers.ts'
import type { Pool } from '../src/db/connect.ts'
import { createDatabaseProbe } from '../src/db/readiness.ts'
import { type AppContext, createAppContext } from '../src/http/app-context.ts'
import { createDashboardPages } from '../src/http/dashboard.ts'
import type { Endpoint } from '../src/http/endpoint.ts'
import { createHealthPages } from '../src/http/health.ts'
import type { Tool } from '../src/http/mcp/tool.ts'
import { createServer } from '../src/http/server.ts'
import { createLog } from '../src/observe/log.ts'
import { createMetrics } from '../src/observe/metrics.ts'
import { createTraces } from '../src/observe/traces.ts'
import {
  endpoints as allEndpoints,
  tools as allTools,
  createHookEndpoints,
  createSignInEndpoints,
  ingestEndpoints,
  scimEndpoints,
  sessionEndpoints,
} from '../src/routes.ts'
import { compileShape } from '../src/shape.ts'
import { createEmbedders } from '../src/text/embed/create.ts'
import type { TestDatabase } from './database.ts'
import { localEmbedder } from './local-embedder.ts'

export interface TestResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  // biome-ignore lint: tests inspect responses of any shape
  readonly body: Record<string, never> & {
    readonly error?: { readonly code: string; readonly message: string }
  }
}

export interface CallOptions {
  readonly key?: string | undefined
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  readonly headers?: Record<string, string>
  readonly body?: unknown
  readonly payload?: string | Buffer
}

export interface TestService {
  readonly apiPool: Pool
  readonly authPool: Pool
  call(url: string, options?: CallOptions): Promise<TestResponse>
  /** In the format of Prometheus. */
  readMetrics(): Promise<string>
  /** Accepts real connections too; returns the address. */
  listen(): Promise<string>
  stop(): Promise<void>
}

const testEnvironment = {
  SIGNING_KEYS: `test:${'ab'.repeat(32)}`,
  CONNECTOR_KEYS: `test:${'cd'.repeat(32)}`,
  LOG_LEVEL: 'silent',
  DATABASE_CONNECTIONS: '4',
}

/** Requests run concurrently, as on separate nodes: only the database serializes them. */
export const withoutKeyedMutex: Partial<AppContext> = { runExclusive: (_name, work) => work() }

/** For tests without a bus: its queue is empty. */
export const withEmptyQueue: Partial<AppContext> = {
  readIngestStatus: () =>
    Promise.resolve({ last_event_at: null, queued: 0, lag_seconds: 0, parked: 0, dead_letters: new Map() }),
}

/** The whole API in this process, on the test's own database. Events need INGEST_KEYS. */
export function startService(
  database: TestDatabase,
  settings: Environment = {},
  endpoints: readonly Endpoint[] = [...allEndpoints, ...sessionEndpoints],
  kinds: readonly EventKind[] = eventKinds,
  tools: readonly Tool[] = allTools,
  /** Replacements for parts of the service: another clock, another model. */
  overrides: Partial<AppContext> = {},
): TestService {
  const config = readApiConfig({
    ...testEnvironment,
    AUTH_DATABASE_URL: database.urls.auth,
    API_DATABASE_URL: database.urls.api,
    ...settings,
  })
  const log = createLog('test', config.logLevel)
  const embedders = createEmbedders(config.embedder, localEmbedder)
  const bus = {
    ...config.bus,
    log,
    requestsPerSecond: config.ingestRequestsPerSecond,
    maxParkedMessages: config.ingestMaxParkedMessages,
  }
  const queue = config.ingestKeys.length === 0 ? disabledQueue : createIngestQueue(bus)
  const { readTenantStatus: readIngestStatus } = queue
  const app = { ...createAppContext(config, log, { readIngestStatus }), embedders, ...overrides }
  const observers = { log, metrics: createMetrics(), traces: createTraces(null) }
  const senderEndpoints = ingestEndpoints(kinds, undefined, config.metricsRetentionMonths)
  const probe = createDatabaseProbe(config.apiDatabaseUrl, 'test')
  const pages = [
    ...createHealthPages(probe, queue).pages,
    ...createDashboardPages(new URL('dashboard/', import.meta.url), config.publicUrl),
  ]
  const ingest = { queue, endpoints: senderEndpoints }
  const signIn = createSignInEndpoints()
  const server = createServer({
    app,
    observers,
    endpoints,
    pages,
    tools,
    signIn,
    scim: scimEndpoints,
    hooks: createHookEndpoints(),
    ingest,
  })

  async function stop(): Promise<void> {
    await server.close()
    await Promise.all([app.close(), probe.close(), queue.close()])
  }
  const call = createCaller(server, [...endpoints, ...senderEndpoints])
  return {
    apiPool: app.apiPool,
    authPool: app.authPool,
    call,
    readMetrics: () => observers.metrics.registry.metrics(),
    listen: () => server.listen({ host: '127.0.0.1', port: 0 }),
    stop,
  }
}

type DocumentedEndpoint = Pick<Endpoint, 'method' | 'path' | 'replies'>

function createCaller(
  server: FastifyInstance,
  endpoints: readonly DocumentedEndpoint[],
): TestService['call'] {
  return async (url, { key, method = 'GET', headers = {}, body, payload } = {}) => {
    const response = await server.inject({
      method,
      url,
      headers: {
        ...(key === undefined ? {} : { 'x-service-api-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      ...(payload === undefined ? {} : { payload }),
    })
    const text = response.body
    const isJson = response.headers['content-type']?.startsWith('application/json') && text !== ''
    const result = {
      status: response.statusCode,
      headers: response.headers as Record<string, string>,
      text,
      body: isJson ? JSON.parse(text) : {},
    }
    checkResponseShape(endpoints, method, url, result)
    return result
  }
}

/** Checks every successful response against the schema of its endpoint. */
function checkResponseShape(
  endpoints: readonly DocumentedEndpoint[],
  method: string,
  url: string,
  result: TestResponse,
): void {
  // Responses in lines, tables and files have no schema.
  const type = result.headers['content-type'] ?? ''
  if (result.status >= 400 || /^(?:application\/x-ndjson|application\/sarif\+json|text\/csv);/.test(type))
    return
  const path = url.split('?')[0] ?? ''
  const endpoint = endpoints.find(
    (candidate) => candidate.method === method && toPathPattern(candidate.path).test(path),
  )
  const bodyShape = endpoint?.replies[result.status]?.body
  if (!bodyShape) return
  const validate = compileShape(bodyShape)
  assert.ok(validate(result.body), `${method} ${path} broke its promise: ${JSON.stringify(validate.errors)}`)
}

function toPathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w{1,64}\}/g, '[^/]{1,1000}')}$`)
}

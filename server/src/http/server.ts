import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { Span } from '@opentelemetry/api'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { Refusal } from '../errors.ts'
import type { Log } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'
import { endServerSpan, startServerSpan, type Traces } from '../observe/traces.ts'
import type { AppContext } from './app-context.ts'
import {
  createHardenedOptions,
  destroyStalledConnections,
  TRANSPORT_SECURITY,
} from './connections/hardening.ts'
import { createSlotPools, RequestSlots, type SlotPools } from './connections/request-slots.ts'
import { callWhenSent, sendReply } from './connections/send.ts'
import type { Endpoint, Method } from './endpoint.ts'
import { createHookPipeline, type HookEndpoint } from './hooks.ts'
import type { EventQueue, SenderEndpoint } from './ingest/endpoint.ts'
import { createSenderPipeline } from './ingest/pipeline.ts'
import { createMcpPipeline, mcpRoute } from './mcp/pipeline.ts'
import type { Tool } from './mcp/tool.ts'
import { createNetworkLimit } from './network-limit.ts'
import { type ApiRequest, createPipeline, type Pipeline } from './pipeline.ts'
import { type ErrorShape, errorReply, type Reply, readFirstChunk, toRefusal } from './reply.ts'
import type { ScimEndpoint } from './scim/endpoint.ts'
import { createScimPipeline } from './scim/pipeline.ts'
import { createSignInPipeline, type SignInEndpoint } from './sign-in.ts'

export interface Observers {
  readonly log: Log
  readonly metrics: Metrics
  readonly traces: Traces
}

/** A page that requires no key: health, OpenAPI document, reference, documentation, dashboard. */
export interface PublicPage {
  /** `/*` at the end stands for every path below. */
  readonly path: `/${string}`
  run(request?: PageRequest): Reply | Promise<Reply>
}

export interface PageRequest {
  /** What `/*` stands for, decoded. */
  readonly rest: string
  readonly ifNoneMatch: string | undefined
  readonly accept: string | undefined
}

export interface ServerOptions {
  readonly app: AppContext
  readonly observers: Observers
  readonly endpoints: readonly Endpoint[]
  readonly pages: readonly PublicPage[]
  /** The tools at /mcp. */
  readonly tools: readonly Tool[]
  /** Where people sign in, under /auth. */
  readonly signIn?: readonly SignInEndpoint[]
  /** The endpoints of SCIM 2.0. */
  readonly scim?: readonly ScimEndpoint[]
  /** Where Git providers report changes, under /hooks. */
  readonly hooks?: readonly HookEndpoint[]
  /** The ingest endpoints and their queue. */
  readonly ingest?: { readonly queue: EventQueue; readonly endpoints: readonly SenderEndpoint[] }
}

const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const requestIdPattern = /^[A-Za-z0-9._-]{1,128}$/

export function createServer(options: ServerOptions): FastifyInstance {
  const { app, observers, endpoints, pages, tools, signIn = [], scim = [], hooks = [], ingest } = options
  const server = fastify({
    ...createHardenedOptions(app.config),
    frameworkErrors(_error, request, reply) {
      setTransportSecurity(app, reply)
      const refusal = new Refusal('INVALID_REQUEST', 'The path is not valid percent-encoded UTF-8.')
      void respondWithError(observers, unknownRoute, request, reply, refusal)
    },
    genReqId: ({ headers }) => {
      const given = headers['x-request-id']
      return typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID()
    },
  })
  server.addHook('onRequest', async (_request, reply) => setTransportSecurity(app, reply))
  destroyStalledConnections(server.server, {
    seconds: app.config.sendTimeoutSeconds,
    minBytesPerSecond: app.config.minBytesPerSecond,
  })
  // The pipeline reads bodies itself, after it has checked the key.
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    server.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  }
  server.setErrorHandler((error, request, reply) =>
    respondWithError(observers, unknownRoute, request, reply, error),
  )

  const pools = createSlotPools(app.config, observers.metrics)
  for (const endpoint of endpoints) {
    const showsSecret = Object.values(endpoint.replies).some(({ shownOnce }) => shownOnce !== undefined)
    addRoute(server, options, { ...endpoint, showsSecret }, pools.api, createPipeline(app, endpoint))
  }
  const mcpPipeline = createMcpPipeline(app, tools, ({ code }) =>
    observers.metrics.refusals.inc({ route: mcpRoute.path, code }),
  )
  addRoute(server, options, mcpRoute, pools.api, mcpPipeline)
  // Responses under /auth set cookies, so they are not compressed.
  const signInRoutes = signIn.map(
    (endpoint) => ({ ...endpoint, errorBody: 'error', showsSecret: true }) as const,
  )
  // One for all of them: a sign-in is several requests.
  const admitNetwork = createNetworkLimit(app.config.limits['sign-in'])
  for (const endpoint of signInRoutes) {
    const pipeline = createSignInPipeline(app, endpoint, admitNetwork, observers.metrics)
    addRoute(server, options, endpoint, pools.api, pipeline)
  }
  const scimPipeline = createScimPipeline(app, observers.metrics)
  for (const endpoint of scim) addRoute(server, options, endpoint, pools.api, scimPipeline(endpoint))
  for (const endpoint of hooks)
    addRoute(server, options, endpoint, pools.hooks, createHookPipeline(app, endpoint))
  ingest?.endpoints.forEach((endpoint) => {
    addRoute(server, options, endpoint, pools.ingest, createSenderPipeline(app, ingest.queue, endpoint))
  })
  for (const page of pages) {
    const route = { name: page.path, errorBody: 'error', showsSecret: false } as const
    server.route({
      method: withHead('GET'),
      url: page.path,
      handler: (request, reply) =>
        respond(observers, route, request, reply, async () => page.run(toPageRequest(request))),
    })
  }
  const publicRoutes = pages.map(({ path }) => ({ method: 'GET', path, errorBody: 'error' as const }))
  const routes = [
    ...endpoints,
    mcpRoute,
    ...signInRoutes,
    ...scim,
    ...hooks,
    ...(ingest?.endpoints ?? []),
    ...publicRoutes,
  ]
  refuseOtherMethods(server, observers, routes)
  refuseTrailingSlash(server, observers, routes)
  server.setNotFoundHandler((request, reply) =>
    respondWithError(
      observers,
      toUnknownRoute(request),
      request,
      reply,
      new Refusal('NOT_FOUND', UNKNOWN_PATH),
    ),
  )
  return server
}

/** Where browsers use HTTPS, they must never try without. */
function setTransportSecurity({ config: { publicUrl } }: AppContext, { raw }: FastifyReply): void {
  if (publicUrl?.protocol === 'https:') raw.setHeader('strict-transport-security', TRANSPORT_SECURITY)
}

interface Route {
  readonly name: string
  readonly errorBody: ErrorShape
  readonly showsSecret: boolean
}

/** What a path supports. */
interface PathRoute {
  readonly method: string
  readonly path: string
  readonly errorBody: ErrorShape
}

function addRoute(
  server: FastifyInstance,
  { observers }: ServerOptions,
  endpoint: PathRoute & { readonly method: Method; readonly showsSecret?: boolean },
  pools: SlotPools,
  pipeline: Pipeline,
): void {
  const { path, errorBody, showsSecret = false } = endpoint
  const route = { name: path, errorBody, showsSecret }
  server.route({
    method: withHead(endpoint.method),
    url: fastifyPath(endpoint.path),
    handler: async (request, reply) => {
      let slots: RequestSlots | undefined
      const run = async () => {
        slots = new RequestSlots(pools, request.ip)
        const result = await pipeline(toApiRequest(request, slots))
        return slots.countReply(result, endpoint.method === 'GET')
      }
      const runOrDiscard = async () => {
        try {
          return await run()
        } catch (error) {
          // Reading on takes no slot from requests that are served.
          slots?.end()
          const closes = error instanceof Refusal && error.headers['connection'] === 'close'
          if (!closes) pools.refusedBodies.discard(request.raw, slots?.owner ?? request.ip)
          throw error
        }
      }
      await respond(observers, route, request, reply, runOrDiscard)
      callWhenSent(reply.raw, () => slots?.end())
      return reply
    },
  })
}

/** HEAD is answered, checked and counted like GET. */
function withHead(method: string): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}

const unknownRoute: Route = { name: 'unknown', errorBody: 'error', showsSecret: false }

/** Clients of SCIM understand only its own errors. */
function toUnknownRoute(request: FastifyRequest): Route {
  return splitUrl(request)[0].startsWith('/scim/') ? { ...unknownRoute, errorBody: 'scim' } : unknownRoute
}

/** Sends exactly one response per request and records it in log, metrics and trace. */
async function respond(
  observers: Observers,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  run: () => Promise<Reply>,
): Promise<FastifyReply> {
  const started = performance.now()
  const span = startServerSpan(observers.traces, `${request.method} ${route.name}`, traceparentOf(request))
  let result: Reply
  try {
    result = await readFirstChunk(await run())
  } catch (error) {
    const refusal = toRefusal(error, request.id)
    if (refusal !== error) observers.log.error({ requestId: request.id, err: error }, 'request failed')
    observers.metrics.refusals.inc({ route: route.name, code: refusal.code })
    result = errorReply(route.errorBody, refusal)
  }
  recordRequest(observers, route, request, result.status, performance.now() - started, span)
  return sendReply(reply, result, route)
}

function respondWithError(
  observers: Observers,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): Promise<FastifyReply> {
  return respond(observers, route, request, reply, () => Promise.reject(error))
}

function recordRequest(
  { log, metrics }: Observers,
  route: Route,
  { method, id }: FastifyRequest,
  status: number,
  milliseconds: number,
  span: Span,
): void {
  metrics.requests.observe({ method, route: route.name, status: String(status) }, milliseconds / 1000)
  log.info(
    { requestId: id, method, route: route.name, status, ms: Math.round(milliseconds * 10) / 10 },
    'request',
  )
  endServerSpan(span, route.name, status)
}

function toApiRequest(request: FastifyRequest, stages: RequestSlots): ApiRequest {
  const [, search] = splitUrl(request)
  return {
    id: request.id,
    headers: request.headers,
    params: request.params as Record<string, string>,
    search,
    body: request.raw,
    address: request.ip,
    stages,
  }
}

function toPageRequest({ params, headers }: FastifyRequest): PageRequest {
  const { '*': rest = '' } = params as Readonly<Record<string, string>>
  return { rest, ifNoneMatch: headers['if-none-match'], accept: headers.accept }
}

/** The path and the query, both as sent. */
function splitUrl({ raw: { url = '' } }: FastifyRequest): readonly [path: string, search: string] {
  const queryStart = url.indexOf('?')
  return queryStart === -1 ? [url, ''] : [url.slice(0, queryStart), url.slice(queryStart + 1)]
}

/** Before routing counts: the router would take the empty text after the slash as an id. */
function refuseTrailingSlash(
  server: FastifyInstance,
  observers: Observers,
  routes: readonly PathRoute[],
): void {
  server.addHook('onRequest', async (request, reply) => {
    const [path] = splitUrl(request)
    const right = withoutTrailingSlashes(path)
    if (right === path || right === '' || routes.some((route) => isServedAsIs(route, path))) return
    const known = routes.find((route) => isPathOf(route, right))
    const message =
      known === undefined ? UNKNOWN_PATH : `This path does not exist: it ends with a slash. Use ${right}.`
    const { errorBody } = known ?? unknownRoute
    const refusal = new Refusal('NOT_FOUND', message)
    return respondWithError(observers, { ...unknownRoute, errorBody }, request, reply, refusal)
  })
}

/** Pages below `/*` decide on slashes themselves. */
function isServedAsIs(route: PathRoute, path: string): boolean {
  return route.path === path || (route.path.endsWith('/*') && path.startsWith(route.path.slice(0, -1)))
}

/** Not by an expression, whose time would grow with the square of the slashes in a hostile path. */
function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

function isPathOf(route: PathRoute, path: string): boolean {
  const segments = path.split('/')
  const expected = route.path.split('/')
  return (
    segments.length === expected.length &&
    expected.every((segment, index) => segment === segments[index] || segment.startsWith('{'))
  )
}

const UNKNOWN_PATH = 'This path does not exist. The API reference is at /docs/api.'

function refuseOtherMethods(
  server: FastifyInstance,
  observers: Observers,
  routes: readonly PathRoute[],
): void {
  const routesByPath = Map.groupBy(routes, ({ path }) => path)
  for (const [path, pathRoutes] of routesByPath) {
    const supported = pathRoutes.flatMap(({ method }) => withHead(method))
    const allow = supported.join(', ')
    const route = { ...unknownRoute, name: path, errorBody: pathRoutes[0]?.errorBody ?? 'error' }
    const message = `This path does not support this method. Use ${allow}.`
    server.route({
      method: allMethods.filter((method) => !supported.includes(method)),
      url: fastifyPath(path),
      handler: (request, reply) =>
        respondWithError(
          observers,
          route,
          request,
          reply,
          new Refusal('METHOD_NOT_ALLOWED', message, { allow }),
        ),
    })
  }
}

/** Converts `/v1/things/{id}` to the router's syntax. */
function fastifyPath(path: string): string {
  return path.replaceAll(/\{(\w{1,64})\}/g, ':$1')
}

function traceparentOf(request: FastifyRequest): string | undefined {
  const { traceparent } = request.headers
  return typeof traceparent === 'string' ? traceparent : undefined
}

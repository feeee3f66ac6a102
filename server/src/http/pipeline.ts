import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { takeOneOf } from '../access/limit.ts'
import { type Placement, readMetricsPlacement } from '../access/placement.ts'
import type { Principal } from '../access/principal.ts'
import { type Selected, type Selectors, select } from '../access/scope.ts'
import { inTransaction, readScoped, type Tx } from '../db/transaction.ts'
import { Refusal, refuse } from '../errors.ts'
import type { AppContext } from './app-context.ts'
import { readJsonBody } from './body.ts'
import { refuseHolder, refuseRights } from './checks.ts'
import { withWaitLimit } from './connections/keyed-mutex.ts'
import type { Context, Endpoint, Input } from './endpoint.ts'
import {
  findStoredReply,
  hashRequest,
  type KeyedRequest,
  type Outcome,
  readIdempotencyKey,
  runOnce,
  storeReply,
} from './idempotency.ts'
import { openPage, type Page } from './paging.ts'
import { parseQuery } from './query.ts'
import { getReplySize, type Reply } from './reply.ts'
import { bodyCheck, type Check, shapeCheck } from './validate.ts'

export interface Request {
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly params: Record<string, string>
  readonly search: string
  readonly body: Readable
  readonly address: string
}

type Checked = Input<never, never, never>
export type Pipeline = (request: Request) => Promise<Reply>

/** Opens one endpoint. Every request passes the checks of the contract in the contract's order. */
export function createPipeline(app: AppContext, endpoint: Endpoint): Pipeline {
  const checkShape = createInputReader(endpoint)
  return async (request) => {
    const principal = await app.authenticate(readKeyHeader(app.config.keyHeaders, request.headers))
    const readBody = bodyReader(request)
    try {
      // What cannot be read is refused in its turn.
      if (endpoint.refuseFirst) endpoint.refuseFirst(await readBody().catch(() => undefined), principal)
      refuseHolder(endpoint, principal)
      const lines = endpoint.lines !== undefined && acceptsLines(request.headers.accept)
      const input = await checkShape(request, lines, readBody)
      endpoint.refine?.(input, principal)
      const key = endpoint.method === 'GET' ? null : readIdempotencyKey(request.headers['idempotency-key'])
      const selected = await select(app.apiPool, principal, endpoint.organization, getSelectors(input))
      const placement = endpoint.metrics ? await readMetricsPlacement(app.apiPool, selected.scope) : null
      const page = openPage(app.config.signingKeys, endpoint, selected.scope, input.query)
      refuseRights(endpoint, principal)
      const keyed = key === null ? null : keyedRequest(app, endpoint, key, input, selected)
      const admitted = { request, principal, input, selected, placement, lines, page, keyed }
      const run = () => work(app, endpoint, admitted)
      const reply = await (keyed === null
        ? run()
        : app.runExclusive(`${principal.root} ${keyed.keyHash.toString('hex')}`, run))
      return refuseLargeReply(endpoint, await whole(app, endpoint, admitted, reply))
    } catch (error) {
      if (error instanceof Refusal) await noteRefusal(app, endpoint, request, principal, error)
      throw error
    }
  }
}

interface Admitted {
  readonly request: Request
  readonly principal: Principal
  readonly input: Checked
  readonly selected: Selected
  readonly placement: Placement | null
  readonly lines: boolean
  readonly page: Page
  readonly keyed: KeyedRequest | null
}

/** Repeated requests, the limit and the verb. */
async function work(app: AppContext, endpoint: Endpoint, admitted: Admitted): Promise<Reply> {
  // What an Idempotency-Key asks for is kept, and so written, whatever the endpoint does.
  const reads = endpoint.method === 'GET' || (endpoint.reads === true && admitted.keyed === null)
  return reads ? read(app, endpoint, admitted) : write(app, endpoint, admitted)
}

async function read(app: AppContext, endpoint: Endpoint, admitted: Admitted): Promise<Reply> {
  const owner = windowOwner(admitted)
  app.limiter.refuseEarly(endpoint.limit, owner)
  const prepared = await endpoint.prepare?.(app, admitted.input, admitted.selected)
  return readScoped(app.apiPool, admitted.selected.scope, async (tx) => {
    // Both are sent before either is awaited: a read that turns out to be over its limit has changed nothing.
    const admission = app.limiter.admit(tx, endpoint.limit, owner)
    const [limit, result] = await Promise.allSettled([
      admission,
      Promise.try(() =>
        endpoint.run(createRequestContext(app, { ...admitted, prepared }, tx, admission), admitted.input),
      ),
    ])
    if (limit.status === 'rejected') throw limit.reason
    if (result.status === 'rejected') throw withLimit(result.reason, limit.value)
    return withHeaders(result.value, limit.value)
  })
}

async function write(app: AppContext, endpoint: Endpoint, admitted: Admitted): Promise<Reply> {
  const { scope } = admitted.selected
  const { keyed } = admitted
  const before = keyed && (await readScoped(app.apiPool, scope, (tx) => findStoredReply(tx, scope, keyed)))
  if (before && 'reply' in before) return before.reply
  const owner = windowOwner(admitted)
  app.limiter.refuseEarly(endpoint.limit, owner)
  const prepared = await endpoint.prepare?.(app, admitted.input, admitted.selected)
  let headers: Record<string, string> = {}
  const change = async (tx: Tx): Promise<Outcome> => {
    if (endpoint.concurrent) await takeOneOf(tx, endpoint.concurrent, endpoint.limit, owner)
    // Counted in a transaction of its own, on connections of its own: what fails later was a request all the same, and
    // work that holds a connection never waits for another of the same pool.
    headers = await inTransaction(app.admissionPool, scope, (own) =>
      app.limiter.admit(own, endpoint.limit, owner),
    )
    const context = createRequestContext(app, { ...admitted, prepared }, tx, Promise.resolve())
    const run = (pendingWorkId: string | null) =>
      endpoint.run({ ...context, pendingWorkId }, admitted.input).catch((error: unknown) => {
        throw withLimit(error, headers)
      })
    if (keyed === null) return { reply: await run(null) }
    return runOnce(tx, scope, keyed, {
      run,
      errorBody: endpoint.errorBody,
      shownOnce: endpoint.shownOnce ?? [],
    })
  }
  const transact = () => inTransaction(app.apiPool, scope, change)
  const outcome = await (endpoint.serial ? withWaitLimit(app.runExclusive)(scope.root, transact) : transact())
  // Thrown only now: its kept answer is committed, and it is told to the audit log like any other.
  if ('refusal' in outcome) throw outcome.refusal
  return withHeaders(outcome.reply, headers)
}

/** Waits for work that outlives the request, while nothing is held; its answer is kept when it is there. */
async function whole(app: AppContext, endpoint: Endpoint, admitted: Admitted, reply: Reply): Promise<Reply> {
  if (reply.pending === undefined) return reply
  const { keyed } = admitted
  const { scope } = admitted.selected
  const { headers = {} } = reply
  const result = await reply.pending.awaitReply().catch((error: unknown) => {
    throw withLimit(error, headers)
  })
  if (keyed)
    await inTransaction(app.apiPool, scope, (tx) =>
      storeReply(tx, scope, keyed, result, endpoint.shownOnce ?? []),
    )
  return withHeaders(result, headers)
}

function windowOwner({ selected }: Admitted) {
  return { root: selected.scope.root, organization: selected.organization }
}

function createRequestContext(
  app: AppContext,
  {
    request,
    principal,
    selected,
    placement,
    lines,
    page,
    prepared,
  }: Admitted & { readonly prepared: unknown },
  tx: Tx,
  admission: Promise<unknown>,
): Context {
  const counted = admission.then(() => {})
  // A verb that works in `tx` alone has no need to wait for it, nor to hear that it failed.
  counted.catch(() => {})
  return {
    ...selected,
    principal,
    page,
    tx,
    admitted: counted,
    metrics: placement && { stores: app.stores, placement },
    lines,
    pendingWorkId: null,
    prepared,
    transaction: (part) => inTransaction(app.apiPool, selected.scope, part),
    now: app.now,
    requestId: request.id,
    address: request.address,
  }
}

export function readKeyHeader(names: readonly string[], headers: IncomingHttpHeaders): string | undefined {
  for (const name of names) {
    const value = headers[name]
    if (typeof value === 'string') return value
  }
  return undefined
}

/** The body can be read only once, and is read when it is first asked for. */
function bodyReader({ body, headers }: Request): () => Promise<unknown> {
  let parsed: Promise<unknown> | undefined
  return () => {
    parsed ??= readJsonBody(body, headers)
    return parsed
  }
}

type ReadInput = (request: Request, lines: boolean, readBody: () => Promise<unknown>) => Promise<Checked>

function createInputReader(endpoint: Endpoint): ReadInput {
  const checkParams = shapeCheck('path', endpoint.params)
  const checkQuery = shapeCheck('query', endpoint.query)
  const checkLinesQuery = endpoint.lines ? shapeCheck('query', endpoint.lines) : checkQuery
  const checkBody: Check | null = endpoint.body && bodyCheck(endpoint.body, endpoint.judgedItems)
  return async (request, lines, readBody) => {
    const query = parseQuery(request.search, endpoint.query)
    checkParams(request.params)
    if (lines) checkLinesQuery(query)
    else checkQuery(query)
    const body = checkBody && (await readBody())
    checkBody?.(body)
    return { params: request.params, query, body } as unknown as Checked
  }
}

/** Whichever of the two a caller names first; who names neither gets JSON. */
function acceptsLines(accept: string | undefined): boolean {
  const types = (accept ?? '').split(',').map((part) => part.split(';')[0]?.trim().toLowerCase())
  return (
    types.find((type) => type === 'application/x-ndjson' || type === 'application/json') ===
    'application/x-ndjson'
  )
}

function getSelectors(input: Checked): Selectors {
  return {
    ...(input.params as Selectors),
    ...(input.query as Selectors),
    ...(input.body as Selectors | undefined),
  }
}

/** The same request is the same operation on the same organizations: two keys of a workspace may mean two of them. */
function keyedRequest(
  app: AppContext,
  endpoint: Endpoint,
  key: string,
  input: Checked,
  { scope }: Selected,
): KeyedRequest {
  const parts = [endpoint.operationId, scope, input.params, input.query, input.body]
  return hashRequest(app.config.signingKeys, key, parts)
}

function withHeaders(reply: Reply, headers: Readonly<Record<string, string>>): Reply {
  return { ...reply, headers: { ...reply.headers, ...headers } }
}

/** What a verb refuses was counted: the caller is told where it stands. */
function withLimit(error: unknown, headers: Readonly<Record<string, string>>): unknown {
  if (!(error instanceof Refusal)) return error
  return new Refusal(error.code, error.message, { ...headers, ...error.headers })
}

function refuseLargeReply(endpoint: Endpoint, reply: Reply): Reply {
  if (endpoint.maxReplyBytes === undefined) return reply
  if ((getReplySize(reply) ?? 0) <= endpoint.maxReplyBytes) return reply
  return refuse(
    'RESPONSE_TOO_LARGE',
    'The answer would be too large. Reduce limit, narrow the window or add filters.',
  )
}

/** Best effort: a refusal stays what it is when its audit row cannot be written. */
export async function noteRefusal(
  app: AppContext,
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  { id, address }: Request,
  principal: Principal,
  { code }: Refusal,
): Promise<void> {
  const route = `${endpoint.method} ${endpoint.path}`
  try {
    await app.refusals.note({ principal, route, code, address })
  } catch (err) {
    app.log.error({ requestId: id, route, code, err }, 'a refusal is not in the audit log')
  }
}

import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { TSchema } from 'typebox'
import { takeConcurrencySlot, type WindowOwner } from '../access/limit.ts'
import { type Placement, readMetricsPlacement } from '../access/placement.ts'
import type { Caller, Principal } from '../access/principal.ts'
import { CallerRefusal } from '../access/refusals.ts'
import { findRestorePoints } from '../access/restore-point.ts'
import { readsOrgId, type SelectedScope, type Selectors, selectScope } from '../access/scope.ts'
import type { LimitPolicy } from '../config.ts'
import { awaitReplication } from '../db/replication.ts'
import { inTransaction, readScoped, type Tx } from '../db/transaction.ts'
import { Refusal, refuse } from '../errors.ts'
import { checkResponseSize } from '../response-size.ts'
import type { AppContext } from './app-context.ts'
import { hasBody, isOptionalBody, namesBody, readJsonBody, refuseBody } from './body.ts'
import { authenticateRequest, refuseMissingRights, refuseUnacceptedKey } from './checks.ts'
import { withWaitLimit } from './connections/keyed-mutex.ts'
import type { RequestStages } from './connections/request-slots.ts'
import type { Endpoint, RequestContext, RequestInput } from './endpoint.ts'
import {
  findStoredReply,
  hashRequest,
  type KeyedRequest,
  readIdempotencyKey,
  runOnce,
  storeReply,
  type WorkOutcome,
} from './idempotency.ts'
import { type Check, createBodyCheck, createShapeCheck, parseQuery } from './input.ts'
import { createPage, getNdjsonQuery, type Page, refuseCursorBeyondRestore } from './paging.ts'
import { getContentType, getReplySize, type Reply } from './reply.ts'

export interface ApiRequest {
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly params: Record<string, string>
  readonly search: string
  readonly body: Readable
  readonly address: string
  readonly stages: RequestStages
}

type ValidatedInput = RequestInput<never, never, never>
export type Pipeline = (request: ApiRequest) => Promise<Reply>

/** Creates the pipeline of one endpoint. Every request passes the contract's checks in the contract's order. */
export function createPipeline(app: AppContext, endpoint: Endpoint): Pipeline {
  const readInput = createInputReader(endpoint)
  const { checks = {} } = endpoint
  return async (request) => {
    const principal = await authenticateRequest(app, endpoint, request.headers).catch((error: unknown) =>
      auditCallerRefusal(app, endpoint, request, error),
    )
    await request.stages.startWork(principal.root)
    const readBody = createBodyReader(request)
    try {
      // An unreadable body is rejected later, at its position in the order of checks.
      if (checks.body) checks.body(await readBody().catch(() => undefined), principal)
      refuseUnacceptedKey(endpoint, principal)
      const ndjson = endpoint.paging?.maxNdjsonLimit !== undefined && acceptsNdjson(request.headers.accept)
      const input = await readInput(request, principal, ndjson, readBody)
      checks.input?.(input, principal)
      const key = endpoint.method === 'GET' ? null : readIdempotencyKey(request.headers['idempotency-key'])
      const selected = await selectScope(app.apiPool, principal, endpoint.organization, getSelectors(input))
      const placement = endpoint.readsMetrics ? await readMetricsPlacement(app.apiPool, selected.scope) : null
      const page = await readPage(app, endpoint, principal, selected, input)
      refuseMissingRights(endpoint, principal)
      const { access } = checks
      if (access !== undefined)
        await readScoped(app.apiPool, selected.scope, (tx) =>
          access({ ...selected, principal, tx }, { app, input }),
        )
      const keyed = key === null ? null : hashKeyedRequest(app, endpoint, key, input, selected)
      const path = choosePath(endpoint, principal, input)
      const admitted = { request, principal, input, selected, placement, ndjson, page, keyed, ...path }
      const run = () => runAdmitted(app, endpoint, admitted)
      const reply = await (keyed === null
        ? run()
        : app.runExclusive(`${principal.root} ${keyed.organization} ${keyed.keyHash.toString('hex')}`, run))
      const complete = withFileName(endpoint, await awaitPendingReply(app, endpoint, admitted, reply))
      if (endpoint.maxReplyBytes !== undefined)
        checkResponseSize(getReplySize(complete) ?? 0, endpoint.maxReplyBytes)
      return complete
    } catch (error) {
      if (error instanceof Refusal) {
        if (error.code === 'RATE_LIMIT_EXCEEDED') app.noteLimited(principal)
        await auditRefusal(app, endpoint, request, principal, error)
      }
      throw error
    }
  }
}

/** Restore points are read only for a cursor of another epoch than the current one. */
async function readPage(
  app: AppContext,
  endpoint: Endpoint,
  { restoreEpoch }: Principal,
  { scope }: SelectedScope,
  { query }: ValidatedInput,
): Promise<Page> {
  const page = createPage(app.config.signingKeys, endpoint, scope, query, restoreEpoch)
  if (page.uncheckedEpoch === null || endpoint.paging === null) return page
  const restorePoints = await readScoped(app.apiPool, scope, (tx) => findRestorePoints(scope, tx))
  refuseCursorBeyondRestore(endpoint.paging, page, restorePoints)
  return page
}

/** How the request runs, and which limit it counts against. */
function choosePath(
  { method, limit, readOnly: mode }: Endpoint,
  { credential }: Principal,
  input: ValidatedInput,
): Pick<AdmittedRequest, 'limit' | 'readOnly'> {
  const dryRun = typeof mode === 'object' && mode.isDryRun(input) ? mode : null
  const readOnly = method === 'GET' || mode === true || dryRun !== null
  if (readOnly && credential.kind === 'session') return { limit: SESSION_READS, readOnly }
  return { limit: dryRun?.limit ?? limit, readOnly }
}

interface AdmittedRequest {
  readonly request: ApiRequest
  readonly principal: Principal
  readonly input: ValidatedInput
  readonly selected: SelectedScope
  readonly placement: Placement | null
  readonly ndjson: boolean
  readonly page: Page
  readonly keyed: KeyedRequest | null
  readonly limit: LimitPolicy
  readonly readOnly: boolean
}

async function runAdmitted(app: AppContext, endpoint: Endpoint, admitted: AdmittedRequest): Promise<Reply> {
  // The response to a request with an Idempotency-Key is stored, so even a read-only request takes the write path.
  return admitted.readOnly && admitted.keyed === null
    ? runRead(app, endpoint, admitted)
    : runWrite(app, endpoint, admitted)
}

async function runRead(app: AppContext, endpoint: Endpoint, admitted: AdmittedRequest): Promise<Reply> {
  const owner = getLimitOwner(admitted)
  app.limiter.refuseIfKnownFull(admitted.limit, owner)
  const prepared = await endpoint.prepare?.(app, admitted.input, admitted.selected)
  return readScoped(app.apiPool, admitted.selected.scope, async (tx) => {
    const admission = app.limiter.admit(tx, admitted.limit, owner)
    const run = (own: Tx) =>
      endpoint.run(createRequestContext(app, endpoint, { ...admitted, prepared }, own), admitted.input)
    const [limit, result] = await Promise.allSettled([
      admission,
      endpoint.readsWithAdmission
        ? Promise.try(() => run(holdAfterFirstBatch(tx, admission)))
        : admission.then(() => run(tx)),
    ])
    if (limit.status === 'rejected') throw limit.reason
    if (result.status === 'rejected') throw withLimitHeaders(result.reason, limit.value)
    return withHeaders(result.value, limit.value)
  })
}

/** Lets the first batch share the round trip of the admission; every later statement waits for it. */
function holdAfterFirstBatch(tx: Tx, admission: Promise<unknown>): Tx {
  let answered = false
  async function send<Result>(run: () => Promise<Result>): Promise<Result> {
    if (answered) await admission
    try {
      return await run()
    } finally {
      answered = true
    }
  }
  return {
    ...tx,
    query: (query, values) => send(() => tx.query(query, values)),
    streamRows: (query, values, sink) => send(() => tx.streamRows(query, values, sink)),
  }
}

async function runWrite(app: AppContext, endpoint: Endpoint, admitted: AdmittedRequest): Promise<Reply> {
  const { scope } = admitted.selected
  const { keyed } = admitted
  const { concurrency } = endpoint
  const stored = keyed && (await readScoped(app.apiPool, scope, (tx) => findStoredReply(tx, scope, keyed)))
  if (stored && 'reply' in stored) {
    await awaitReplication(app.apiPool)
    return stored.reply
  }
  const owner = getLimitOwner(admitted)
  app.limiter.refuseIfKnownFull(admitted.limit, owner)
  const prepared = await endpoint.prepare?.(app, admitted.input, admitted.selected)
  let headers: Record<string, string> = {}
  const change = async (tx: Tx): Promise<WorkOutcome> => {
    if (typeof concurrency === 'number') await takeConcurrencySlot(tx, concurrency, admitted.limit, owner)
    // Admission commits in its own transaction, so that a failed request counts too, and on its own pool, so that a
    // request holding a connection never waits for another one of the same pool.
    headers = await inTransaction(app.admissionPool, scope, (own) =>
      app.limiter.admit(own, admitted.limit, owner),
    )
    const context = createRequestContext(app, endpoint, { ...admitted, prepared }, tx)
    const run = (pendingWorkId: string | null) =>
      endpoint.run({ ...context, pendingWorkId }, admitted.input).catch((error: unknown) => {
        throw withLimitHeaders(error, headers)
      })
    if (keyed === null) return { reply: await run(null) }
    return runOnce(tx, scope, keyed, endpoint, run)
  }
  const transact = () => inTransaction(app.apiPool, scope, change)
  const outcome = await (concurrency === 'queued'
    ? withWaitLimit(app.runExclusive)(scope.root, transact)
    : transact())
  // Thrown after the commit, so that the stored response survives and the audit log records the refusal.
  if ('refusal' in outcome) throw outcome.refusal
  return withHeaders(outcome.reply, headers)
}

/** Awaits work that outlives the request without holding a connection, then stores its response. */
async function awaitPendingReply(
  app: AppContext,
  endpoint: Endpoint,
  admitted: AdmittedRequest,
  reply: Reply,
): Promise<Reply> {
  if (reply.pending === undefined) return reply
  const { keyed } = admitted
  const { scope } = admitted.selected
  const { headers = {} } = reply
  const result = await reply.pending.awaitReply().catch((error: unknown) => {
    throw withLimitHeaders(error, headers)
  })
  if (keyed) await inTransaction(app.apiPool, scope, (tx) => storeReply(tx, scope, keyed, endpoint, result))
  return withHeaders(result, headers)
}

/** Two open tabs of a person must not use up what an organization's exports need. */
const SESSION_READS = 'session-reads' satisfies LimitPolicy

function getLimitOwner({ limit, principal, selected }: AdmittedRequest): WindowOwner {
  const owner = { root: selected.scope.root, organization: selected.organization }
  return limit === SESSION_READS && 'owner' in principal ? { ...owner, person: principal.owner } : owner
}

function createRequestContext(
  app: AppContext,
  endpoint: Endpoint,
  admitted: AdmittedRequest & { readonly prepared: unknown },
  tx: Tx,
): RequestContext {
  const { request, principal, selected, placement, ndjson, page, prepared } = admitted
  return {
    ...selected,
    principal,
    page,
    tx,
    metrics: placement && { stores: app.stores, placement },
    ndjson,
    pendingWorkId: null,
    prepared,
    transaction: (part) => inTransaction(app.apiPool, selected.scope, part),
    checkAccessAgain: () => checkAccessAgain(app, endpoint, admitted),
    now: app.now,
    requestId: request.id,
    address: request.address,
  }
}

/** Runs the checks of key, scope and rights once more; what they found must be what the request was admitted with. */
async function checkAccessAgain(
  app: AppContext,
  endpoint: Endpoint,
  { request, input, selected, placement }: AdmittedRequest,
): Promise<void> {
  const principal = await authenticateRequest(app, endpoint, request.headers)
  refuseUnacceptedKey(endpoint, principal)
  const now = await selectScope(app.apiPool, principal, endpoint.organization, getSelectors(input))
  const placementNow = endpoint.readsMetrics ? await readMetricsPlacement(app.apiPool, now.scope) : null
  refuseMissingRights(endpoint, principal)
  if (isDeepStrictEqual([now, placementNow], [selected, placement])) return
  refuse('ORGANIZATION_OUT_OF_SCOPE', 'The organizations of the key have changed. Send the request again.')
}

/** Reads the body once, on the first call. */
function createBodyReader({ body, headers, stages }: ApiRequest): () => Promise<unknown> {
  let parsed: Promise<unknown> | undefined
  return () => {
    parsed ??= stages.receive((meter) => readJsonBody(body, headers, meter))
    return parsed
  }
}

type ReadInput = (
  request: ApiRequest,
  principal: Principal,
  ndjson: boolean,
  readBody: () => Promise<unknown>,
) => Promise<ValidatedInput>

function createInputReader(endpoint: Endpoint): ReadInput {
  const { example = {} } = endpoint
  const checkParams = createShapeCheck('path', endpoint.params, example.params)
  const checkQuery = createShapeCheck('query', endpoint.query, example.query)
  const ndjsonQuery = getNdjsonQuery(endpoint)
  const checkNdjsonQuery = ndjsonQuery ? createShapeCheck('query', ndjsonQuery, example.query) : checkQuery
  const checkBody: Check | null = endpoint.body && createBodyCheck(endpoint.body, example.body)
  return async (request, principal, ndjson, readBody) => {
    const ignoresOrgId = !readsOrgId(principal, endpoint.organization)
    const parsed = parseQuery(request.search, endpoint.query)
    const query = ignoresOrgId && hasOrgId(endpoint.query) ? withoutOrgId(parsed) : parsed
    checkParams(request.params)
    if (ndjson) checkNdjsonQuery(query)
    else checkQuery(query)
    const received =
      endpoint.body && (isOptionalBody(endpoint.body) && !namesBody(request.headers) ? {} : await readBody())
    const body = endpoint.body && ignoresOrgId && hasOrgId(endpoint.body) ? withoutOrgId(received) : received
    checkBody?.(body)
    if (endpoint.method === 'DELETE' && hasBody(request.headers))
      await request.stages.receive((meter) => refuseBody(request.body, meter))
    return { params: request.params, query, body } as unknown as ValidatedInput
  }
}

function hasOrgId(schema: TSchema): boolean {
  return 'properties' in schema && Object.hasOwn(schema.properties as object, 'org_id')
}

/** An `org_id` that is ignored is not looked at: the request is the same as one without it. */
function withoutOrgId<Input>(input: Input): Input {
  if (typeof input !== 'object' || input === null) return input
  const { org_id: orgId, ...rest } = input as Input & { org_id?: unknown }
  return typeof orgId === 'string' ? (rest as Input) : input
}

/** The first of the two media types in the Accept header wins; the default is JSON. */
function acceptsNdjson(accept: string | undefined): boolean {
  const types = (accept ?? '').split(',').map((part) => part.split(';')[0]?.trim().toLowerCase())
  return (
    types.find((type) => type === 'application/x-ndjson' || type === 'application/json') ===
    'application/x-ndjson'
  )
}

function getSelectors(input: ValidatedInput): Selectors {
  return {
    ...(input.params as Selectors),
    ...(input.query as Selectors),
    ...(input.body as Selectors | undefined),
  }
}

/** The hash covers the scope, because two keys of one workspace can select different organizations. */
function hashKeyedRequest(
  app: AppContext,
  endpoint: Endpoint,
  key: string,
  input: ValidatedInput,
  { scope }: SelectedScope,
): KeyedRequest {
  const parts = [endpoint.operationId, scope, input.params, input.query, input.body]
  return hashRequest(app.config.signingKeys, scope, key, parts)
}

/** A browser that opens a table saves it under the name of the endpoint. */
function withFileName({ path }: Endpoint, reply: Reply): Reply {
  if (!getContentType(reply).startsWith('text/csv')) return reply
  const name = path.slice('/v1/'.length).replaceAll('/', '-')
  return {
    ...reply,
    headers: { 'content-disposition': `attachment; filename="${name}.csv"`, ...reply.headers },
  }
}

function withHeaders(reply: Reply, headers: Readonly<Record<string, string>>): Reply {
  return { ...reply, headers: { ...reply.headers, ...headers } }
}

/** A refused request counts against the rate limit too, so its response carries the rate limit headers. */
function withLimitHeaders(error: unknown, headers: Readonly<Record<string, string>>): unknown {
  if (!(error instanceof Refusal)) return error
  return new Refusal(error.code, error.message, { ...headers, ...error.headers })
}

/** Audits a refusal that names its caller, and throws it again. */
export async function auditCallerRefusal(
  app: AppContext,
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  request: ApiRequest,
  error: unknown,
): Promise<never> {
  if (error instanceof CallerRefusal) await auditRefusal(app, endpoint, request, error.principal, error)
  throw error
}

/** Best effort: if the audit row cannot be written, the caller still gets the refusal. */
export async function auditRefusal(
  app: AppContext,
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  { id, address }: ApiRequest,
  principal: Caller,
  { code }: Refusal,
): Promise<void> {
  const route = `${endpoint.method} ${endpoint.path}`
  try {
    await app.refusals.note({ principal, route, code, address })
  } catch (err) {
    app.log.error({ requestId: id, route, code, err }, 'could not write a refusal to the audit log')
  }
}

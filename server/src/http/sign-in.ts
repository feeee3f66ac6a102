import type { IncomingHttpHeaders } from 'node:http'
import type { TSchema } from 'typebox'
import { CallerRefusal, type RefusedSignIn, type SignInMethod } from '../access/refusals.ts'
import { SESSION_COOKIE } from '../access/session.ts'
import { type ErrorCode, Refusal, refuse } from '../errors.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { AppContext } from './app-context.ts'
import { readBody, readJsonBody } from './body.ts'
import { readCookie, refuseCrossSite } from './checks.ts'
import { getNetwork } from './connections/request-slots.ts'
import { createShapeCheck } from './input.ts'
import type { NetworkLimit } from './network-limit.ts'
import { type ApiRequest, auditCallerRefusal, auditRefusal, type Pipeline } from './pipeline.ts'
import type { Reply } from './reply.ts'

/** A route under /auth. Its requests have no key, so the pipeline of endpoints does not apply. */
export interface SignInEndpoint {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: `/auth/${string}`
  /** Requests of a browser that change something must come from a page of this service; servers send no such header. */
  readonly caller: 'browser' | 'server'
  /** Set if a request is an attempt to sign in: those of a network are limited. */
  readonly attempt?: SignInMethod
  /** The page that shows a refusal to a person. Without it, refusals are JSON. */
  readonly showRefusal?: (context: SignInContext, refusal: Refusal) => Reply
  run(context: SignInContext, request: SignInRequest): Promise<Reply>
}

export interface SignInContext {
  readonly app: AppContext
  readonly publicUrl: URL
  readonly now: () => Date
}

export interface SignInRequest {
  readonly headers: IncomingHttpHeaders
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly address: string
  readonly userAgent: string
  readCookie(name: string): string | undefined
  /** Refuses a body that does not match the schema. */
  readJson(schema: TSchema): Promise<unknown>
  readForm(): Promise<URLSearchParams>
}

const FORM_TYPE = 'application/x-www-form-urlencoded'
const MAX_USER_AGENT_LENGTH = 200
const MAX_BODY_BYTES = 128 * 1024

/** Why a sign-in was refused: a label of the metrics, and `reason` in the audit log. */
type RefusalReason =
  | 'account_not_linked'
  | 'copied_passkey'
  | 'inactive'
  | 'invitation'
  | 'not_confirmed'
  | 'provider_required'
  | 'rate_limited'
  | 'replayed'
  | 'state'
  | 'unknown_account'
  | 'unknown_link'
  | 'unknown_passkey'
  | 'unproven'
  | 'used_link'
  | 'wrong_signature'

/** A refused sign-in. Without a root, it is counted and not audited. */
export interface SignInAttempt extends Partial<Pick<RefusedSignIn, 'root' | 'person' | 'issuer'>> {
  readonly method: SignInMethod
  readonly reason: RefusalReason
}

class SignInRefusal extends Refusal {
  readonly attempt: SignInAttempt

  constructor(attempt: SignInAttempt, { code, message, headers }: Refusal) {
    super(code, message, headers)
    this.attempt = attempt
  }
}

export function refuseSignIn(attempt: SignInAttempt, code: ErrorCode, message: string): never {
  throw new SignInRefusal(attempt, new Refusal(code, message))
}

/** Runs work whose refusal is one of a sign-in. An unavailable provider refuses nobody. */
export async function runAsSignIn<Result>(
  attempt: SignInAttempt,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const isRefused = error instanceof Refusal && !(error instanceof SignInRefusal) && error.status < 500
    throw isRefused ? new SignInRefusal(attempt, error) : error
  }
}

export function createSignInPipeline(
  app: AppContext,
  endpoint: SignInEndpoint,
  admit: NetworkLimit,
  metrics: Pick<Metrics, 'refusals' | 'signInRefusals'>,
): Pipeline {
  const { attempt, showRefusal } = endpoint
  return async (request) => {
    const { publicUrl } = app.config
    if (publicUrl === null)
      return refuse('NOT_FOUND', 'Sign-in is not set up. The operator must set PUBLIC_URL.')
    const context = { app, publicUrl, now: app.now }
    if (endpoint.caller === 'browser' && endpoint.method !== 'GET')
      await refuseCrossSiteOf(app, request.headers, publicUrl).catch((error: unknown) =>
        auditCallerRefusal(app, endpoint, request, error),
      )
    const { 'sec-fetch-dest': destination = 'document' } = request.headers
    // Images of another site would use up the limit of the network of its visitors.
    if (attempt !== undefined && endpoint.method === 'GET' && destination !== 'document')
      refuse('INVALID_REQUEST', 'A sign-in is a page of its own. Open its address in a window.')
    try {
      if (attempt !== undefined)
        await runAsSignIn({ method: attempt, reason: 'rate_limited' }, () =>
          admit(getNetwork(request.address)),
        )
      return isolate(await endpoint.run(context, toSignInRequest(app, request)))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error instanceof CallerRefusal) await auditRefusal(app, endpoint, request, error.principal, error)
      if (error instanceof SignInRefusal) await noteSignInRefusal(app, metrics, request, error)
      if (showRefusal === undefined) throw error
      metrics.refusals.inc({ route: endpoint.path, code: error.code })
      return isolate(showRefusal(context, error))
    }
  }
}

/** Names the person whose browser sent the request, if its session says who that is, so that the refusal is audited. */
async function refuseCrossSiteOf(
  { authenticateSession }: AppContext,
  headers: IncomingHttpHeaders,
  publicUrl: URL,
): Promise<void> {
  try {
    refuseCrossSite(headers, publicUrl)
  } catch (error) {
    const cookie = readCookie(headers, SESSION_COOKIE)
    const caller = cookie === undefined ? null : await authenticateSession(cookie, null).catch(() => null)
    throw caller === null || !(error instanceof Refusal) ? error : new CallerRefusal(caller, error)
  }
}

/** A window that another site opened has no handle on the pages of a sign-in. */
function isolate(reply: Reply): Reply {
  return { ...reply, headers: { 'cross-origin-opener-policy': 'same-origin', ...reply.headers } }
}

/** Best effort: if the audit row cannot be written, the caller still gets the refusal. */
async function noteSignInRefusal(
  app: AppContext,
  { signInRefusals }: Pick<Metrics, 'signInRefusals'>,
  { id, address }: ApiRequest,
  { attempt: { method, reason, root, person = null, issuer = null } }: SignInRefusal,
): Promise<void> {
  signInRefusals.inc({ reason, method })
  // A copied passkey has a row of its own.
  if (root === undefined || reason === 'copied_passkey') return
  try {
    await app.refusals.noteSignIn({ root, person, method, reason, issuer }, address)
  } catch (err) {
    app.log.error({ requestId: id, reason, err }, 'could not write a refused sign-in to the audit log')
  }
}

function toSignInRequest(
  { config: { minBytesPerSecond } }: AppContext,
  { headers, params, search, address, body }: ApiRequest,
): SignInRequest {
  // Nobody is known yet whose share of memory a body could count in, so it must be small.
  let received = 0
  const arrived = (bytes: number) => {
    received += bytes
    if (received > MAX_BODY_BYTES)
      refuse('PAYLOAD_TOO_LARGE', `The body is larger than ${MAX_BODY_BYTES / 1024} KiB.`)
  }
  const meter = { minBytesPerSecond, arrived }
  return {
    headers,
    params,
    query: new URLSearchParams(search),
    address,
    userAgent: (headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH),
    readCookie: (name) => readCookie(headers, name),
    async readJson(schema) {
      const json = await readJsonBody(body, headers, meter)
      createShapeCheck('body', schema)(json)
      return json
    },
    async readForm() {
      const { text } = await readBody(body, headers, [FORM_TYPE], meter)
      return new URLSearchParams(text)
    },
  }
}

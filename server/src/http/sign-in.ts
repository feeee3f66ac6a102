import type { IncomingHttpHeaders } from 'node:http'
import type { TSchema } from 'typebox'
import { refuse } from '../errors.ts'
import type { AppContext } from './app-context.ts'
import { readCookie, refuseCrossSite } from './authenticate-request.ts'
import { readBody, readJsonBody } from './body.ts'
import { type ApiRequest, auditCallerRefusal, type Pipeline } from './pipeline.ts'
import type { Reply } from './reply.ts'
import { createShapeCheck } from './validate.ts'

/** A route under /auth. Its requests have no key, so the pipeline of endpoints does not apply. */
export interface SignInEndpoint {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: `/auth/${string}`
  /** Requests of a browser that change something must come from a page of this service; servers send no such header. */
  readonly caller: 'browser' | 'server'
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

export function createSignInPipeline(app: AppContext, endpoint: SignInEndpoint): Pipeline {
  return async (request) => {
    const { publicUrl } = app.config
    if (publicUrl === null)
      return refuse('NOT_FOUND', 'Sign-in is not set up. The operator must set PUBLIC_URL.')
    if (endpoint.caller === 'browser' && endpoint.method !== 'GET')
      refuseCrossSite(request.headers, publicUrl)
    return endpoint
      .run({ app, publicUrl, now: app.now }, toSignInRequest(app, request))
      .catch((error: unknown) => auditCallerRefusal(app, endpoint, request, error))
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

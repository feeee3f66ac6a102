// Renders a forced error with the status, headers and body that the service sends.
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { ForcedCode } from './force.ts'
import type { Operation } from './operations.ts'

const requestIdPattern = /^[A-Za-z0-9._-]{1,128}$/

interface ErrorParts {
  readonly status: number
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Everything that a forced response and an error of the sandbox itself have in common. */
export function sendError(
  response: ServerResponse,
  requestId: string | undefined,
  errorBody: Operation['errorBody'],
  code: string,
  { status, message, headers = {} }: ErrorParts,
): void {
  const error = { code, message }
  const body = JSON.stringify(errorBody === 'errors' ? { errors: [error] } : { error })
  response.writeHead(status, {
    'x-request-id': requestId !== undefined && requestIdPattern.test(requestId) ? requestId : randomUUID(),
    'cache-control': 'no-store',
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    vary: 'accept-encoding',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

export function renderForcedError(
  code: ForcedCode,
  operation: Operation,
  retryAfterSeconds: number | null,
): ErrorParts {
  switch (code) {
    case 'RATE_LIMIT_EXCEEDED':
      return renderRateLimit(operation, retryAfterSeconds)
    case 'METRICS_PREPARING':
      return {
        status: 503,
        message: 'The metrics are being moved to another store. Retry the same request later.',
        headers: { 'retry-after': String(retryAfterSeconds ?? 5), ...renderLimit(operation) },
      }
    case 'RESPONSE_TOO_LARGE':
      return {
        status: 413,
        message:
          'The response would be larger than 16 MiB. Reduce limit, narrow the time window or add filters.',
        headers: renderLimit(operation),
      }
    case 'PAYLOAD_TOO_LARGE':
      return {
        status: 413,
        message: 'The body is larger than 4 MiB after decompression. Send fewer entries in each request.',
      }
    case 'OWNER_NOT_ADMIN':
      return {
        status: 403,
        message:
          'The owner of this workspace token is no longer a workspace admin. Ask an admin for a new token.',
      }
  }
}

function renderRateLimit({ limit }: Operation, retryAfterSeconds: number | null): ErrorParts {
  const wait = retryAfterSeconds ?? 1
  const retryAfter = { 'retry-after': String(wait) }
  // The ingest endpoints have no window: what is full there is the tenant's share of the queue.
  if (limit === null)
    return {
      status: 429,
      message: 'The tenant root has filled its share of the event queue. Send the same events again later.',
      headers: retryAfter,
    }
  return {
    status: 429,
    message: `The rate limit of ${limit.requests} requests per ${limit.seconds} seconds is reached. Retry in ${wait} seconds.`,
    headers: {
      ...retryAfter,
      'ratelimit-policy': `"${limit.policy}";q=${limit.requests};w=${limit.seconds}`,
      ratelimit: `"${limit.policy}";r=0;t=${wait}`,
    },
  }
}

/** A request that was admitted carries the headers of its window, also when it fails later. */
function renderLimit({ limit }: Operation): Record<string, string> {
  if (limit === null) return {}
  return {
    'ratelimit-policy': `"${limit.policy}";q=${limit.requests};w=${limit.seconds}`,
    ratelimit: `"${limit.policy}";r=${limit.requests - 1};t=${limit.seconds}`,
  }
}

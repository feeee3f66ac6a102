interface ErrorDetails {
  readonly code: string
  readonly status: number
  readonly requestId?: string | undefined
  readonly retryAfter?: number | undefined
  readonly body?: unknown
  readonly cause?: unknown
}

/**
 * Every failure of a request. `status` is 0 if there was no complete response; `code` is then `NETWORK_ERROR` or `TIMEOUT`.
 * An abort by your own signal is not a failure: it throws the signal's reason.
 */
export class ScholiastError extends Error {
  override readonly name = 'ScholiastError'
  /** Stable code of the API, for example `RATE_LIMIT_EXCEEDED`, or a code of this package. */
  readonly code: string
  readonly status: number
  /** Value of `x-request-id`. Quote it when you report a problem. */
  readonly requestId: string | undefined
  /** Seconds of `Retry-After`. */
  readonly retryAfter: number | undefined
  /** The parsed body of the response. */
  readonly body: unknown

  constructor(message: string, { code, status, requestId, retryAfter, body, cause }: ErrorDetails) {
    super(message, { cause })
    this.code = code
    this.status = status
    this.requestId = requestId
    this.retryAfter = retryAfter
    this.body = body
  }
}

/** Reads the error of a response that is not 2xx. */
export async function toError(response: Response): Promise<ScholiastError> {
  const text = await response.text().catch(() => '')
  const body = parseOrText(text)
  const first = firstError(body)
  return new ScholiastError(
    first?.message ?? `The server returned ${response.status} without an error body of the API.`,
    {
      code: first?.code ?? `HTTP_${response.status}`,
      status: response.status,
      requestId: response.headers.get('x-request-id') ?? undefined,
      retryAfter: parseRetryAfter(response.headers.get('retry-after')),
      body,
    },
  )
}

/** fetch hides the reason in the cause of its error. */
export function toNetworkError(error: unknown, what: string): ScholiastError {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause)
  return new ScholiastError(`${what}: ${reason}.`, { code: 'NETWORK_ERROR', status: 0, cause: error })
}

/** Seconds, from a number or an HTTP date. */
export function parseRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Learnings endpoints return a list of errors, the others one. */
function firstError(body: unknown): { code: string; message: string } | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { error, errors } = body as { error?: unknown; errors?: unknown[] }
  const first = (error ?? (Array.isArray(errors) ? errors[0] : undefined)) as
    | { code?: unknown; message?: unknown }
    | undefined
  return typeof first?.code === 'string' && typeof first.message === 'string'
    ? { code: first.code, message: first.message }
    : undefined
}

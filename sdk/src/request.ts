import { parseRetryAfter, ScholiastError, toError, toNetworkError } from './error.ts'
import { describeRetry, isTransient, nextDelay, type RetryInfo, type RetryOptions, sleep } from './retry.ts'
import type { Query, StreamOptions } from './types.ts'

export interface ClientOptions {
  /** Address of the service, for example `https://scholiast.example.com`. In a browser `/` is the origin of the page. */
  readonly baseUrl: string
  /** For `/v1`. Leave it out in a browser: the session of the page is used. */
  readonly apiKey?: string | undefined
  /** Ingest credential, for `/ingest`. */
  readonly ingestKey?: string | undefined
  readonly fetch?: typeof fetch | undefined
  /** Milliseconds for one attempt, and for each pause in a stream. Default 60,000. */
  readonly timeoutMs?: number | undefined
  readonly retry?: RetryOptions | false | undefined
  readonly userAgent?: string | undefined
  /** Called before each wait, for example to show why the program waits. */
  readonly onRetry?: ((retry: RetryInfo) => void) | undefined
}

/** A response and what limits its reading. */
export interface Reading {
  readonly response: Response
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** Ends the time limit of the attempt, for streams that take as long as they take. */
  stopTimer(): void
}

/** Reads a response inside of the retries: a response that breaks off is requested again. */
export type Read<Value> = (reading: Reading) => Promise<Value>

export type Send = <Value>(
  method: string,
  path: string,
  options: StreamOptions,
  read: Read<Value>,
) => Promise<Value>

const KEY_HEADER = 'x-service-api-key'
const VERSION = '0.1.0'

/** Creates the function through which every request of a client goes. */
export function createSend(options: ClientOptions): Send {
  const base = toBaseUrl(options.baseUrl)
  refuseKeyInBrowser(base, options)
  const retry = options.retry === false ? { attempts: 1 } : options.retry
  const attempts = retry?.attempts ?? 5
  const budgetMs = retry?.budgetMs ?? 120_000

  return async (method, path, request, read) => {
    const headers = toHeaders(options, method, path, request)
    const init = { method, headers, body: toBody(request.body, headers) }
    const url = toUrl(base, path, request)
    const mayRetry = isIdempotent(method, path, headers, request)
    const startedAt = performance.now()
    for (let attempt = 1; ; attempt++) {
      try {
        return await sendOnce(options, url, init, request, read)
      } catch (error) {
        if (!(error instanceof ScholiastError) || !isTransient(error)) throw error
        const waitMs = Math.ceil(nextDelay(attempt, error.retryAfter))
        const late = performance.now() - startedAt + waitMs > budgetMs
        if (!mayRetry || attempt >= attempts || late) throw error
        const { status, code } = error
        options.onRetry?.({
          attempt,
          waitMs,
          ...(status !== 0 && { status }),
          code,
          reason: describeRetry(error),
        })
        await sleep(waitMs, request.signal)
      }
    }
  }
}

export async function readJson({ response }: Reading): Promise<unknown> {
  if (response.status === 204) return undefined
  const type = response.headers.get('content-type') ?? ''
  const text = await response.text()
  if (/[/+]json\b/.test(type)) {
    try {
      return JSON.parse(text)
    } catch (cause) {
      throw toNetworkError(cause, 'The response broke off')
    }
  }
  throw new ScholiastError(
    `The response is ${type || 'of no type'}, not JSON. Use client.stream for files.`,
    {
      code: 'UNEXPECTED_RESPONSE',
      status: response.status,
      requestId: response.headers.get('x-request-id') ?? undefined,
    },
  )
}

async function sendOnce<Value>(
  { fetch: customFetch, timeoutMs: defaultTimeoutMs = 60_000 }: ClientOptions,
  url: URL,
  init: RequestInit,
  { signal, timeoutMs = defaultTimeoutMs }: StreamOptions,
  read: Read<Value>,
): Promise<Value> {
  const timeout = new AbortController()
  const onTimeout = () =>
    timeout.abort(
      new ScholiastError(`No response from ${url.host} within ${timeoutMs} ms.`, {
        code: 'TIMEOUT',
        status: 0,
      }),
    )
  const timer = setTimeout(onTimeout, timeoutMs)
  try {
    signal?.throwIfAborted()
    const all = signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal])
    // A redirect would take the key along to another host, so it is not followed.
    const response = await (customFetch ?? fetch)(url, {
      ...init,
      // Needed by Node.js to send a stream.
      ...(init.body instanceof ReadableStream && { duplex: 'half' }),
      redirect: 'manual',
      signal: all,
    })
    if (!response.ok) throw await toFailure(response, url)
    return await read({ response, timeoutMs, signal, stopTimer: () => clearTimeout(timer) })
  } catch (error) {
    if (error instanceof ScholiastError) throw error
    if (timeout.signal.aborted) throw timeout.signal.reason
    signal?.throwIfAborted()
    throw toNetworkError(error, `The request to ${url.host} failed`)
  } finally {
    clearTimeout(timer)
  }
}

async function toFailure(response: Response, url: URL): Promise<ScholiastError> {
  if (response.type !== 'opaqueredirect' && (response.status < 300 || response.status > 399)) {
    return toError(response)
  }
  const location = response.headers.get('location')
  const target = location === null ? 'another address' : new URL(location, url).origin
  return new ScholiastError(
    `${url.host} redirects to ${target}. Keys are not sent along: use the final address as baseUrl.`,
    {
      code: 'UNEXPECTED_REDIRECT',
      status: response.status,
      requestId: response.headers.get('x-request-id') ?? undefined,
      retryAfter: parseRetryAfter(response.headers.get('retry-after')),
    },
  )
}

/** A request that may be sent twice: safe by its method, its key, or the ids in its body. */
function isIdempotent(
  method: string,
  path: string,
  headers: Headers,
  { body, query }: StreamOptions,
): boolean {
  if (body instanceof ReadableStream) return false
  if (method === 'GET' || method === 'HEAD' || headers.has('idempotency-key')) return true
  if (path === '/ingest/v1/sarif') return query?.['scan_id'] != null
  return path === '/ingest/v1/events'
}

function toHeaders(options: ClientOptions, method: string, path: string, request: StreamOptions): Headers {
  const headers = new Headers(request.headers)
  const isIngest = path.startsWith('/ingest/')
  const key = isIngest ? options.ingestKey : options.apiKey
  if (key !== undefined) headers.set(KEY_HEADER, key)
  if (!headers.has('accept')) headers.set('accept', 'application/json')
  if (!isBrowser()) headers.set('user-agent', options.userAgent ?? `scholiast-sdk/${VERSION}`)
  const idempotencyKey =
    request.idempotencyKey ?? (method === 'GET' || method === 'HEAD' || isIngest ? undefined : randomKey())
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
  return headers
}

function toBody(body: unknown, headers: Headers): BodyInit | null {
  if (body === undefined) return null
  if (typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream) {
    return body as BodyInit
  }
  if (!headers.has('content-type')) headers.set('content-type', 'application/json')
  return JSON.stringify(body)
}

function toUrl(base: URL, path: string, { params, query = {} }: StreamOptions): URL {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params?.[name]
    if (value === undefined || value === '') throw new TypeError(`params.${name} of ${path} is required.`)
    return encodeURIComponent(value)
  })
  const url = new URL(base.pathname.replace(/\/$/, '') + filled, base)
  for (const [name, value] of Object.entries(query satisfies Query)) {
    if (value != null) url.searchParams.set(name, Array.isArray(value) ? value.join() : String(value))
  }
  return url
}

function toBaseUrl(baseUrl: string): URL {
  try {
    return new URL(baseUrl, isBrowser() ? location.href : undefined)
  } catch {
    throw new TypeError(`baseUrl is not a URL: ${baseUrl}`)
  }
}

/** A page's script can be read by everybody who opens it, so a key must not leave the origin that served it. */
function refuseKeyInBrowser(base: URL, { apiKey, ingestKey }: ClientOptions): void {
  if ((apiKey ?? ingestKey) === undefined || !isBrowser() || base.origin === location.origin) return
  throw new TypeError(
    `This page may not send a key to ${base.origin}: keys do not belong in a browser. Call the API from a server, or leave the key out.`,
  )
}

/** Node.js, Deno, Bun and Workers have a navigator too, under their own names. */
function isBrowser(): boolean {
  return (
    typeof location === 'object' &&
    typeof navigator === 'object' &&
    navigator.userAgent.startsWith('Mozilla/')
  )
}

/** crypto.randomUUID is missing on pages that are not served over HTTPS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

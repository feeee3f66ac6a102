// Requests as a test needs them: nothing is corrected, added or retried on the way. The acceptance suite uses them too.
import assert from 'node:assert/strict'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Null unless it is JSON. */
  readonly body: unknown
}

export interface RequestOptions {
  readonly key?: string | undefined
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

export const requestIdPattern = /^[A-Za-z0-9._-]{1,128}$/

const TIMEOUT_MS = 60_000

export async function sendRequest(
  base: string,
  path: string,
  { key, method = 'GET', headers: given, body }: RequestOptions = {},
): Promise<Reply> {
  const headers = new Headers(given)
  if (key !== undefined) headers.set('x-service-api-key', key)
  const init: RequestInit = { method, headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) }
  if (body !== undefined) init.body = body
  const response = await fetch(base.replace(/\/$/, '') + path, init)
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parseJson(response, text) }
}

function parseJson({ headers }: Response, text: string): unknown {
  const isJson = /^application\/json\b/.test(headers.get('content-type') ?? '')
  return text !== '' && isJson ? JSON.parse(text) : null
}

/** A refusal has the one error body of the API, whatever else a test is about. */
export function assertError(reply: Reply, status: number, code: string, about = ''): void {
  const message = checkRefusal(reply, status, about, (reply.body as OneError | null)?.error)
  assert.deepEqual(reply.body, { error: { code, message } }, about)
}

/** The same for the Learnings endpoints, which return a list. */
export function assertErrors(reply: Reply, status: number, code: string, about = ''): void {
  const message = checkRefusal(reply, status, about, (reply.body as ErrorList | null)?.errors?.[0])
  assert.deepEqual(reply.body, { errors: [{ code, message }] }, about)
}

type OneError = { error?: { message?: unknown } }
type ErrorList = { errors?: { message?: unknown }[] }

function checkRefusal(
  { status, headers, text }: Reply,
  expected: number,
  about: string,
  error: { message?: unknown } | undefined,
): string {
  assert.equal(status, expected, `${about} ${text.slice(0, 500)}`)
  assert.match(headers.get('content-type') ?? '', /^application\/json\b/, about)
  assert.match(headers.get('x-request-id') ?? '', requestIdPattern, about)
  const message = error?.message
  assert.ok(typeof message === 'string' && message !== '', `${about} has no message: ${text.slice(0, 500)}`)
  return message
}

/** What a caller can compare: everything but what differs between any two replies. */
export function comparable(reply: Reply): { status: number; text: string; headers: Record<string, string> } {
  const headers = Object.fromEntries(reply.headers)
  for (const name of ['date', 'x-request-id', 'ratelimit', 'retry-after']) {
    if (name in headers) headers[name] = 'differs'
  }
  return { status: reply.status, text: reply.text, headers }
}

import { ScholiastError, toNetworkError } from './error.ts'
import type { Reading } from './request.ts'
import type { Query } from './types.ts'

/** The last line of a response: the fields of a page other than its rows. */
export interface Trailer {
  readonly next_cursor: string | null
  readonly has_more?: boolean
}

/**
 * The lines of a response, as they arrive. Nothing more is read from the network while the caller handles them, so a
 * slow caller slows the server down instead of filling the memory.
 */
async function* readLines({ response, timeoutMs, signal }: Reading): AsyncGenerator<string, void, undefined> {
  if (response.body === null) return
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await limitTime(reader.read(), timeoutMs)
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line !== '') yield line
      if (done) break
    }
    if (rest !== '') yield rest
  } catch (error) {
    if (error instanceof ScholiastError) throw error
    signal?.throwIfAborted()
    throw toNetworkError(error, 'The response broke off')
  } finally {
    // Ends the transfer if the caller stopped early.
    await reader.cancel().catch(() => undefined)
  }
}

/** The rows of one response, and its trailer as the returned value. */
export async function* readRows<Row>(reading: Reading): AsyncGenerator<Row, Trailer, undefined> {
  let previous: string | undefined
  for await (const line of readLines(reading)) {
    if (previous !== undefined) yield JSON.parse(previous) as Row
    previous = line
  }
  const trailer = parseTrailer(previous)
  // The status was sent before the rows, so a failure in the middle shows only by the missing last line.
  if (trailer === undefined) throw toNetworkError('its last line is missing', 'The response broke off')
  return trailer
}

/** Requests response after response, and yields the rows of all of them. */
export async function* readAllRows<Row>(
  query: Query,
  request: (query: Query) => Promise<AsyncGenerator<Row, Trailer, undefined>>,
): AsyncGenerator<Row, void, undefined> {
  let next = query
  for (;;) {
    const { next_cursor: cursor, has_more: hasMore } = yield* await request(next)
    if (cursor === null || hasMore === false) return
    next = { ...next, cursor }
  }
}

async function limitTime<Value>(promise: Promise<Value>, timeoutMs: number): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const message = `The response paused for more than ${timeoutMs} ms.`
      reject(new ScholiastError(message, { code: 'TIMEOUT', status: 0 }))
    }, timeoutMs)
  })
  try {
    return await Promise.race([promise, limit])
  } finally {
    clearTimeout(timer)
  }
}

/** A row is an object too, but never one without `pr_url`. */
function parseTrailer(line: string | undefined): Trailer | undefined {
  try {
    const value: unknown = JSON.parse(line ?? '')
    return typeof value === 'object' && value !== null && 'next_cursor' in value && !('pr_url' in value)
      ? (value as Trailer)
      : undefined
  } catch {
    return undefined
  }
}

import { readRows } from './ndjson.ts'
import type { Reading, Send } from './request.ts'
import { sleep } from './retry.ts'
import type { Item, Options } from './types.ts'

const PATH = '/v1/metrics/review-comments/changes'
// Requests are few (10 per minute by default), so each brings more than the default of the API.
const DEFAULT_LIMIT = 10_000

export type Change = Item<typeof PATH>

export interface ChangesOptions {
  /** Filters, and `limit`: the greatest number of changes of a batch. Default 10,000. */
  readonly query?: Omit<NonNullable<Options<'get', typeof PATH>['query']>, 'cursor'> | undefined
  /** The cursor that you stored with the last batch. Default: from the first change. */
  readonly cursor?: string | undefined
  /** Wait for further changes at the end, instead of returning. */
  readonly follow?: { readonly pollMs: number } | undefined
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
}

/** Store `cursor` in the transaction that applies `changes`: then every change is applied exactly once. */
export interface ChangeBatch {
  readonly changes: readonly Change[]
  readonly cursor: string
  /** Whether more changes exist now. */
  readonly hasMore: boolean
}

/** A batch is one response, because only the end of a response has a cursor. The first batch may be empty. */
export async function* readChanges(
  send: Send,
  { query, cursor, follow, signal, timeoutMs }: ChangesOptions,
): AsyncGenerator<ChangeBatch, void, undefined> {
  let position = cursor
  for (let first = true; ; first = false) {
    const request = {
      query: { limit: DEFAULT_LIMIT, ...query, cursor: position },
      headers: { accept: 'application/x-ndjson' },
      signal,
      timeoutMs,
    }
    const batch = await send('GET', PATH, request, readBatch)
    position = batch.cursor
    if (first || batch.changes.length > 0) yield batch
    if (batch.hasMore) continue
    if (follow === undefined) return
    await sleep(follow.pollMs, signal)
  }
}

async function readBatch(reading: Reading): Promise<ChangeBatch> {
  reading.stopTimer()
  const rows = readRows<Change>(reading)
  const changes: Change[] = []
  for (;;) {
    const { done, value } = await rows.next()
    if (!done) changes.push(value)
    // The feed always returns a cursor.
    else return { changes, cursor: value.next_cursor ?? '', hasMore: value.has_more ?? false }
  }
}

import { isDatabaseUnavailable } from '../db/unavailable.ts'
import { Refusal } from '../errors.ts'
import type { Page } from './paging.ts'
import { renderScimError, SCIM_TYPE } from './scim/refusal.ts'

/** A response: a value to serialize as JSON, stored text or bytes, or a stream of bytes. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body:
    | { readonly json: unknown }
    | { readonly text: string; readonly type: string }
    | {
        readonly chunks: readonly Buffer[]
        readonly type: string
        /** Called after all chunks are written. */
        readonly release?: () => void
        /** The same bytes, compressed earlier. */
        readonly compressed?: CompressedBytes
      }
    | { readonly stream: AsyncIterable<Buffer>; readonly type: string }
    | null
  /** Set by `pendingReply` only. */
  readonly pending?: PendingReply
}

export interface CompressedBytes {
  readonly br: Buffer
  readonly gzip: Buffer
}

/** Work that outlives its request. */
export interface PendingReply {
  /** Identifies the work when the same request is repeated. */
  readonly workId: string
  /** Called after the request's transaction commits. */
  readonly awaitReply: () => Promise<Reply>
}

export const JSON_TYPE = 'application/json; charset=utf-8'

export function ok(json: unknown): Reply {
  return { status: 200, body: { json } }
}

/** Stands for a response that is not ready. The pipeline awaits it outside the request's transaction. */
export function pendingReply(pending: PendingReply): Reply {
  return { status: 202, body: null, pending }
}

/** Stored entries joined to one text; `found` counts the rows, up to one more than the limit; `last` is the last id. */
export type StoredPage = {
  readonly entries: string | null
  readonly found: number
  readonly last: string | null
}

/** Builds a page from stored entries without parsing them. */
export function pageReply(field: string, page: Page, { entries, found, last }: StoredPage): Reply {
  const cursor = found > page.limit && last !== null ? `"${page.cursorAfter(last)}"` : 'null'
  return {
    status: 200,
    body: { text: `{"${field}":[${entries ?? ''}],"next_cursor":${cursor}}`, type: JSON_TYPE },
  }
}

/** Entries as bytes, joined with commas; `last` is the position of the last one. */
export interface CopiedPage {
  readonly chunks: readonly Buffer[]
  readonly more: boolean
  readonly last: number | null
  /** Must be called after all chunks are written. */
  readonly release: () => void
}

/** Builds a page from entries without reading their bytes. */
export function copiedPageReply(page: Page, { chunks, more, last, release }: CopiedPage): Reply {
  const cursor = more && last !== null ? `"${page.cursorAfter(last)}"` : 'null'
  const body = [Buffer.from('{"data":['), ...chunks, Buffer.from(`],"next_cursor":${cursor}}`)]
  return { status: 200, body: { chunks: body, type: JSON_TYPE, release } }
}

/** The body of an error: `{error}`, `{errors}`, JSON-RPC with our code in its data, or that of RFC 7644. */
export type ErrorShape = 'error' | 'errors' | 'json-rpc' | 'scim'

export function errorReply(shape: ErrorShape, refusal: Refusal): Reply {
  const { status, headers } = refusal
  const json = renderError(shape, refusal)
  const wait = status === 429 || status === 503 ? { 'retry-after': '1' } : {}
  const body = shape === 'scim' ? { text: JSON.stringify(json), type: SCIM_TYPE } : { json }
  return { status, headers: { ...wait, ...headers }, body }
}

function renderError(shape: ErrorShape, refusal: Refusal): unknown {
  const { code, message } = refusal
  switch (shape) {
    case 'error':
      return { error: { code, message } }
    case 'errors':
      return { errors: [{ code, message }] }
    case 'json-rpc':
      return { jsonrpc: '2.0', id: null, error: { code: -32000, message, data: { code } } }
    case 'scim':
      return renderScimError(refusal)
  }
}

/** The text of a response, to be sent or stored. Null for bytes and streams: only reads return those, and reads are not stored. */
export function getReplyText({ body }: Reply): string | null {
  if (body === null || 'chunks' in body || 'stream' in body) return null
  return 'json' in body ? JSON.stringify(body.json) : body.text
}

/** The size in bytes; null for a stream. */
export function getReplySize(reply: Reply): number | null {
  if (reply.body === null || 'stream' in reply.body) return null
  if ('chunks' in reply.body) return reply.body.chunks.reduce((sum, { length }) => sum + length, 0)
  return Buffer.byteLength(getReplyText(reply) ?? '')
}

export function getContentType({ body }: Reply): string {
  return body !== null && 'type' in body ? body.type : JSON_TYPE
}

/** Reads the first bytes of a stream, so that an error is raised before the response starts. */
export async function readFirstChunk(reply: Reply): Promise<Reply> {
  const { body } = reply
  if (body === null || !('stream' in body)) return reply
  const chunks = body.stream[Symbol.asyncIterator]()
  let first: IteratorResult<Buffer> | null = await chunks.next()
  const stream: AsyncIterableIterator<Buffer> = {
    [Symbol.asyncIterator]: () => stream,
    next() {
      const result = first
      first = null
      return result === null ? chunks.next() : Promise.resolve(result)
    },
    return: async () => (await chunks.return?.()) ?? { done: true, value: undefined },
  }
  return { ...reply, body: { ...body, stream } }
}

/** Turns anything thrown into an error response. A defect reveals only the request id under which it was logged. */
export function toRefusal(error: unknown, requestId: string): Refusal {
  if (error instanceof Refusal) return error
  if (isDatabaseUnavailable(error)) {
    return new Refusal('OVERLOADED', 'The database is unavailable or overloaded. Retry in a few seconds.', {
      // A planned switch of the primary takes 2 to 4 s.
      'retry-after': '5',
    })
  }
  return new Refusal(
    'INTERNAL_ERROR',
    `An internal error occurred. Report the request id ${requestId} to support.`,
  )
}

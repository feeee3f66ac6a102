import { getHttpStatus, type Refusal } from '../errors.ts'
import type { Page } from './paging.ts'

/** An answer, whole: a value to be written as JSON, text or bytes as they are stored; or bytes that are still to come. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body:
    | { readonly json: unknown }
    | { readonly text: string; readonly type: string }
    | {
        readonly chunks: readonly Buffer[]
        readonly type: string
        /** Called when all of them were written. */
        readonly release?: () => void
      }
    | { readonly stream: AsyncIterable<Buffer>; readonly type: string }
    | null
  /** Only of `pendingReply`. */
  readonly pending?: PendingReply
}

/** Work that outlives its request. */
export interface PendingReply {
  /** What the same request finds it by when it comes again. */
  readonly workId: string
  /** Called when the transaction of the request has been committed. */
  readonly awaitReply: () => Promise<Reply>
}

export const JSON_TYPE = 'application/json; charset=utf-8'

export function ok(json: unknown): Reply {
  return { status: 200, body: { json } }
}

/** In place of an answer that is still to come: the door waits for it, outside of the transaction of the request. */
export function pendingReply(pending: PendingReply): Reply {
  return { status: 202, body: null, pending }
}

/** Stored entries joined to one text, the number of rows up to one more than asked for, and the last one's id. */
export type StoredPage = {
  readonly entries: string | null
  readonly found: number
  readonly last: string | null
}

/** A page put together from stored entries: copied, not parsed and written again. */
export function pageReply(field: string, page: Page, { entries, found, last }: StoredPage): Reply {
  const cursor = found > page.limit && last !== null ? `"${page.cursorAfter(last)}"` : 'null'
  return {
    status: 200,
    body: { text: `{"${field}":[${entries ?? ''}],"next_cursor":${cursor}}`, type: JSON_TYPE },
  }
}

/** Entries as bytes, joined with commas; `last` is the place of the last one. */
export interface CopiedPage {
  readonly chunks: readonly Buffer[]
  readonly more: boolean
  readonly last: number | null
  /** To be called when all of them were written. */
  readonly release: () => void
}

/** A page of entries whose bytes nobody looks at. */
export function copiedPageReply(page: Page, { chunks, more, last, release }: CopiedPage): Reply {
  const cursor = more && last !== null ? `"${page.cursorAfter(last)}"` : 'null'
  const body = [Buffer.from('{"data":['), ...chunks, Buffer.from(`],"next_cursor":${cursor}}`)]
  return { status: 200, body: { chunks: body, type: JSON_TYPE, release } }
}

/** How an error is written; `json-rpc` for callers who speak that, and know our codes from its data. */
export type ErrorShape = 'error' | 'errors' | 'json-rpc'

export function errorReply(shape: ErrorShape, refusal: Refusal): Reply {
  const { code, headers } = refusal
  const status = getHttpStatus(code)
  const json = renderError(shape, refusal)
  const wait = status === 429 || status === 503 ? { 'retry-after': '1' } : {}
  return { status, headers: { ...wait, ...headers }, body: { json } }
}

function renderError(shape: ErrorShape, { code, message }: Refusal): unknown {
  switch (shape) {
    case 'error':
      return { error: { code, message } }
    case 'errors':
      return { errors: [{ code, message }] }
    case 'json-rpc':
      return { jsonrpc: '2.0', id: null, error: { code: -32000, message, data: { code } } }
  }
}

/** The text of an answer that is kept; one of bytes is read, and what is read is not kept. */
export function getReplyText({ body }: Reply): string | null {
  if (body === null || 'chunks' in body || 'stream' in body) return null
  return 'json' in body ? JSON.stringify(body.json) : body.text
}

/** How many bytes an answer has; null when that is not known before it is sent. */
export function getReplySize(reply: Reply): number | null {
  if (reply.body === null || 'stream' in reply.body) return null
  if ('chunks' in reply.body) return reply.body.chunks.reduce((sum, { length }) => sum + length, 0)
  return Buffer.byteLength(getReplyText(reply) ?? '')
}

export function getContentType({ body }: Reply): string {
  return body !== null && 'type' in body ? body.type : JSON_TYPE
}

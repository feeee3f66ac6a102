import { type Refusal, statusOf } from '../errors.ts'
import type { Page } from './paging.ts'

/** An answer: a value to be written as JSON, or JSON text that is handed on as it is stored. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: { readonly json: unknown } | { readonly text: string; readonly type: string } | null
}

const JSON_TYPE = 'application/json; charset=utf-8'

export function ok(json: unknown): Reply {
  return { status: 200, body: { json } }
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

export function errorReply(shape: 'error' | 'errors', { code, message, headers }: Refusal): Reply {
  const status = statusOf(code)
  const json = shape === 'error' ? { error: { code, message } } : { errors: [{ code, message }] }
  const wait = status === 429 || status === 503 ? { 'retry-after': '1' } : {}
  return { status, headers: { ...wait, ...headers }, body: { json } }
}

export function render(reply: Reply): { text: string; type: string } | null {
  if (reply.body === null) return null
  return 'json' in reply.body ? { text: JSON.stringify(reply.body.json), type: JSON_TYPE } : reply.body
}

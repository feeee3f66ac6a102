import { get } from '../tools/client.ts'

/** Follows the metrics with one key and one query, and stores only the cursor. */
export interface Reader {
  readonly name: string
  /** URLs of pull requests in the order they were returned. */
  readonly seen: string[]
  /** How often a response did not continue the previous one. */
  discontinuities: number
  /** How often it has reached the end. */
  caughtUpCount: number
  /** Sends one request; returns false if nothing new was returned. */
  poll(): Promise<boolean>
  /** Reads the rest after the last write. */
  finish(): Promise<void>
  /** Continues with another cursor, and discards what was received after it. */
  restart(from: string, isKept: (url: string) => boolean): void
}

/** A cursor beyond a restore point; the message has the one to continue with. */
export class CursorBeyondRestoreError extends Error {
  readonly cursor: string

  constructor(cursor: string) {
    super('The cursor is beyond the restore point.')
    this.cursor = cursor
  }
}

export function throwIfRestored(status: number, text: string): void {
  const again = /restored to its state .* cursor=([\w-]+);/.exec(text)?.[1]
  if (status === 400 && again !== undefined) throw new CursorBeyondRestoreError(again)
}

export interface ReaderOptions {
  readonly name: string
  readonly baseUrl: string
  readonly key: string
  /** Filters, as in `&repository_ids=1`. */
  readonly filters?: string
  /** Wraps each request; by default it is sent once, immediately. */
  readonly call?: typeof get
}

interface Page {
  readonly data: readonly { readonly pr_url: string; readonly kind: string; readonly position: number }[]
  readonly next_cursor: string | null
  readonly has_more: boolean
}

export const wholeWindow = 'start_date=2020-01-01&end_date=2039-12-31'
const MAX_ROWS = 300

/**
 * Reads pages. The last page has no cursor, so it is requested again with the cursor that led to it, and counts when
 * another page follows. Until then it may grow, but its entries must stay. To stay close to the end, all its entries
 * but one are soon requested as a separate page.
 */
export function readPages({ name, baseUrl, key, filters = '', call = get }: ReaderOptions): Reader {
  const url = `${baseUrl}/v1/metrics/review-comments?${wholeWindow}${filters}`
  let cursor: string | null = null
  let tail: readonly string[] = []
  const reader: Reader = {
    name,
    seen: [],
    discontinuities: 0,
    caughtUpCount: 0,
    async poll() {
      const page = await fetchPage(call, url, key, cursor, tail.length > 1 ? tail.length - 1 : randomLimit())
      const urls = page.data.map(({ pr_url }) => pr_url)
      if (!haveCommonPrefix(urls, tail)) reader.discontinuities += 1
      if (page.next_cursor === null) {
        tail = urls
        reader.caughtUpCount += 1
        return false
      }
      for (const address of urls) reader.seen.push(address)
      tail = tail.slice(urls.length)
      cursor = page.next_cursor
      return true
    },
    async finish() {
      while (await reader.poll()) continue
      reader.seen.push(...tail)
    },
    restart(from, isKept) {
      cursor = from
      tail = []
      keepSeen(reader, isKept)
    },
  }
  return reader
}

/** Follows the changes feed, which returns a cursor with every response: every entry counts immediately. */
export function readChanges({ name, baseUrl, key, filters = '', call = get }: ReaderOptions): Reader {
  const url = `${baseUrl}/v1/metrics/review-comments/changes?${filters}`
  let cursor: string | null = null
  let last = 0
  const reader: Reader = {
    name,
    seen: [],
    discontinuities: 0,
    caughtUpCount: 0,
    async poll() {
      const page = await fetchPage(call, url, key, cursor, randomLimit())
      for (const { kind, pr_url, position } of page.data) {
        if (position <= last) reader.discontinuities += 1
        last = position
        if (kind === 'written') reader.seen.push(pr_url)
      }
      cursor = page.next_cursor
      if (!page.has_more) reader.caughtUpCount += 1
      return page.has_more
    },
    async finish() {
      while (await reader.poll()) continue
    },
    restart(from, isKept) {
      cursor = from
      last = 0
      keepSeen(reader, isKept)
    },
  }
  return reader
}

function keepSeen({ seen }: Reader, isKept: (url: string) => boolean): void {
  seen.splice(0, seen.length, ...seen.filter(isKept))
}

function randomLimit(): number {
  return 1 + Math.floor(Math.random() * MAX_ROWS)
}

async function fetchPage(
  call: typeof get,
  url: string,
  key: string,
  cursor: string | null,
  limit: number,
): Promise<Page> {
  const after = cursor === null ? '' : `&cursor=${cursor}`
  const { status, text } = await call(`${url}&limit=${limit}${after}`, key)
  throwIfRestored(status, text)
  if (status !== 200) throw new Error(`A page returned ${status}: ${text}`)
  return JSON.parse(text) as Page
}

function haveCommonPrefix(one: readonly string[], other: readonly string[]): boolean {
  const length = Math.min(one.length, other.length)
  return one.slice(0, length).every((value, index) => value === other[index])
}

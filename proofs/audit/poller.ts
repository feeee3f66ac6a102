import { throwIfRestored } from '../paging/readers.ts'
import { get } from '../tools/client.ts'

/** Polls the audit log with one key and one query, and stores only the cursor. */
export interface Poller {
  readonly name: string
  readonly seen: string[]
  /** Continues with another cursor, and discards what was received after it. */
  restart(from: string, isKept: (seen: string) => boolean): void
  /** How often it has reached the end of the log. */
  caughtUpCount: number
  /** Sends one request; returns false if nothing new was returned. */
  poll(): Promise<boolean>
}

interface Entry {
  readonly metadata: { readonly resource_id: string; readonly name?: string }
}

interface Page {
  readonly data: readonly Entry[]
  readonly next_cursor: string
  readonly has_more: boolean
}

interface PollerOptions {
  /** Sends each request; by default it is sent once. */
  readonly call?: typeof get
  /** What `seen` gets of an entry, if anything; by default the name of what changed. */
  readonly identify?: (entry: Entry) => string | undefined
}

export function createPoller(
  name: string,
  baseUrl: string,
  key: string,
  filters: string,
  { call = get, identify = ({ metadata }) => metadata.name }: PollerOptions = {},
): Poller {
  let cursor = 'start'
  const poller: Poller = {
    name,
    seen: [],
    caughtUpCount: 0,
    async poll() {
      const size = 1 + Math.floor(Math.random() * 100)
      const url = `${baseUrl}/v1/audit-logs?${filters}&page_size=${size}&cursor=${cursor}`
      const { status, text } = await call(url, key)
      throwIfRestored(status, text)
      if (status !== 200) throw new Error(`A poll returned ${status}: ${text}`)
      const page = JSON.parse(text) as Page
      poller.seen.push(...page.data.flatMap((entry) => identify(entry) ?? []))
      cursor = page.next_cursor
      if (!page.has_more) poller.caughtUpCount += 1
      return page.has_more
    },
    restart(from, isKept) {
      cursor = from
      poller.seen.splice(0, poller.seen.length, ...poller.seen.filter(isKept))
    },
  }
  return poller
}

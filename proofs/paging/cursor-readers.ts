import { isDeepStrictEqual } from 'node:util'
import { get } from '../tools/client.ts'
import type { Comment, Entry, Model } from './model.ts'

/** A view of the model: the pull requests of some organizations, merged in a window. */
export interface View {
  readonly key: string
  readonly organizations: readonly string[]
  readonly startDate: string
  readonly endDate: string
}

export interface CursorTally {
  /** Pull requests that were rewritten and appeared exactly once more. */
  again: number
  /** Pull requests that were rewritten and did not appear, or appeared more than once. */
  notOnce: number
  /** All other differences from the model. */
  differences: number
}

type ChangeEntry = Entry & {
  readonly kind: 'written' | 'outcome' | 'removed'
  readonly findings: readonly (Comment & { readonly finding_id: string })[]
  readonly finding_id: string
  readonly accepted: boolean | null
}

interface Page {
  readonly data: readonly ChangeEntry[]
  readonly next_cursor: string | null
  readonly has_more: boolean
}

export function visibleEntry(model: Model, view: View, name: string): Entry | null {
  const entry = model.findEntry(name)
  const day = model.findDay(name)
  const inWindow = view.startDate <= day && day <= view.endDate
  return entry !== null && inWindow && view.organizations.includes(entry.organization_id) ? entry : null
}

/** Stores its last cursor and continues with it after each batch. */
export function createCursorReader(baseUrl: string, view: View, model: Model, tally: CursorTally) {
  const window = `start_date=${view.startDate}&end_date=${view.endDate}`
  const url = `${baseUrl}/v1/metrics/review-comments?${window}`
  let cursor: string | null = null
  /** The pull requests after the cursor, by name. */
  let tail: readonly string[] = []

  /** Reads everything after the cursor; the cursor advances past every page that is not the last. */
  async function readOn(): Promise<{ told: Entry[]; passed: number }> {
    const received: Entry[] = []
    let passed = 0
    for (;;) {
      const { data, next_cursor } = await fetchPage(url, view.key, cursor)
      received.push(...data)
      if (next_cursor === null) return { told: received, passed }
      passed = received.length
      cursor = next_cursor
    }
  }

  /** Unchanged entries must come first, in their order, then the new ones. */
  return async (written: ReadonlySet<string>): Promise<void> => {
    const { told: received, passed } = await readOn()
    const stayed = tail.filter((name) => !written.has(name) && visibleEntry(model, view, name) !== null)
    const came = [...written].filter((name) => visibleEntry(model, view, name) !== null)
    const nameByUrl = namesByUrl(model, [...stayed, ...came])
    const names = received.map(({ pr_url }) => nameByUrl.get(pr_url) ?? '')
    for (const name of came) {
      if (names.filter((one) => one === name).length === 1) tally.again += 1
      else tally.notOnce += 1
    }
    const matchesModel = received.every((entry, index) =>
      isDeepStrictEqual(entry, model.findEntry(names[index] ?? '')),
    )
    const inOrder = stayed.every((name, index) => names[index] === name)
    if (!matchesModel || !inOrder || received.length !== stayed.length + came.length) tally.differences += 1
    tail = names.slice(passed)
  }
}

function namesByUrl(model: Model, names: readonly string[]): Map<string, string> {
  return new Map(names.map((name) => [model.findEntry(name)?.pr_url ?? '', name]))
}

/** A copy that is maintained from the changes feed, as in a data warehouse. */
export function followChanges(baseUrl: string, view: View) {
  const url = `${baseUrl}/v1/metrics/review-comments/changes?`
  const copy = new Map<string, ChangeEntry>()
  let cursor: string | null = null

  function applyChange(change: ChangeEntry): void {
    if (change.kind === 'removed') copy.delete(change.pr_url)
    else if (change.kind === 'written') copy.set(change.pr_url, change)
    else {
      const present = copy.get(change.pr_url)
      const findings = present?.findings.map((finding) =>
        finding.finding_id === change.finding_id ? { ...finding, accepted: change.accepted } : finding,
      )
      if (present && findings) copy.set(change.pr_url, { ...present, findings })
    }
  }

  return {
    async catchUp(): Promise<void> {
      for (let more = true; more; ) {
        const page: Page = await fetchPage(url, view.key, cursor)
        page.data.forEach(applyChange)
        cursor = page.next_cursor
        more = page.has_more
      }
    },
    /** The copy in the form of the pages. */
    entries: (): Map<string, Entry> =>
      new Map([...copy].map(([address, received]) => [address, toEntry(received)])),
  }
}

function toEntry({
  pr_url,
  organization_id,
  repository_id,
  author_id,
  merged_at,
  findings,
}: ChangeEntry): Entry {
  const coderabbit_comments = findings.map(({ url, severity, category, accepted }) => ({
    url,
    severity,
    category,
    accepted,
  }))
  return { pr_url, organization_id, repository_id, author_id, merged_at, coderabbit_comments }
}

/** Reads all pages from the beginning. */
export async function readAllPages(baseUrl: string, view: View): Promise<Map<string, Entry>> {
  const window = `start_date=${view.startDate}&end_date=${view.endDate}`
  const entries = new Map<string, Entry>()
  let cursor: string | null = null
  do {
    const page: Page = await fetchPage(
      `${baseUrl}/v1/metrics/review-comments?${window}`,
      view.key,
      cursor,
      1000,
    )
    for (const entry of page.data) entries.set(entry.pr_url, entry)
    cursor = page.next_cursor
  } while (cursor !== null)
  return entries
}

async function fetchPage(
  url: string,
  key: string,
  cursor: string | null,
  limit = 1 + Math.floor(Math.random() * 200),
): Promise<Page> {
  const after = cursor === null ? '' : `&cursor=${cursor}`
  const { status, text } = await get(`${url}&limit=${limit}${after}`, key)
  if (status !== 200) throw new Error(`A page returned ${status}: ${text}`)
  return JSON.parse(text) as Page
}

import type { GroupKey } from '../../server/test/statements.ts'
import { get } from '../tools/client.ts'
import type { Filter } from './filter.ts'
import { parseDay, parseReviewer } from './history.ts'

export type Keys = Readonly<Record<GroupKey, string | null>>

/** Findings of one group. */
export interface Sum {
  readonly keys: Partial<Keys>
  posted: number
  accepted: number
  notAccepted: number
}

export type Sums = Map<string, Sum>

export function toGroupName(groupBy: readonly GroupKey[], keys: Partial<Keys>): string {
  return JSON.stringify(groupBy.map((key) => keys[key]))
}

function addToSum(
  sums: Sums,
  groupBy: readonly GroupKey[],
  keys: Partial<Keys>,
  [p, a, n]: readonly number[],
): void {
  const name = toGroupName(groupBy, keys)
  const sum = sums.get(name) ?? { keys, posted: 0, accepted: 0, notAccepted: 0 }
  sums.set(name, sum)
  sum.posted += p ?? 0
  sum.accepted += a ?? 0
  sum.notAccepted += n ?? 0
}

export async function read(url: string, key: string): Promise<string> {
  const { status, text } = await get(url, key)
  if (status !== 200) throw new Error(`${url} returned ${status}: ${text}`)
  return text
}

export async function readPages<Entry>(
  baseUrl: string,
  path: string,
  { key, query }: Filter,
): Promise<Entry[]> {
  const entries: Entry[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`
    const page = JSON.parse(await read(`${baseUrl}${path}?${query}${more}`, key)) as {
      readonly data: Entry[]
      readonly next_cursor: string | null
    }
    entries.push(...page.data)
    cursor = page.next_cursor
  }
  return entries
}

interface PullRequestEntry {
  readonly pr_url: string
  readonly organization_id: string
  readonly repository_id: string
  readonly author_id: string | null
}
interface CommentsEntry extends PullRequestEntry {
  readonly coderabbit_comments: readonly {
    readonly url: string
    readonly severity: string | null
    readonly category: string | null
    readonly accepted: boolean | null
  }[]
}

export function toMonday(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  return date.toISOString().slice(0, 10)
}

const toGroupKeys = ({ pr_url, organization_id, repository_id, author_id }: PullRequestEntry) => ({
  week: toMonday(parseDay(pr_url)),
  organization: organization_id,
  repository: repository_id,
  author: author_id,
})

/** Counts every finding that review-comments returns. */
export async function sumComments(baseUrl: string, filter: Filter): Promise<Sums> {
  const sums: Sums = new Map()
  for (const entry of await readPages<CommentsEntry>(baseUrl, '/v1/metrics/review-comments', filter)) {
    for (const { url, severity, category, accepted } of entry.coderabbit_comments) {
      const keys = { ...toGroupKeys(entry), reviewer: parseReviewer(url), severity, category }
      addToSum(sums, filter.keys, keys, [1, Number(accepted === true), Number(accepted === false)])
    }
  }
  return sums
}

/** Reads the summary; every cell of a table is read as it is. */
export async function sumSummary(baseUrl: string, filter: Filter): Promise<Sums> {
  const { keys, query, format, key } = filter
  const by = keys.length === 0 ? '' : `&group_by=${keys.join(',')}`
  const text = await read(`${baseUrl}/v1/metrics/summary?${query}${by}&format=${format}`, key)
  const sums: Sums = new Map()
  if (format === 'csv') {
    const [, ...lines] = text.trimEnd().split('\r\n').map(parseCells)
    for (const cells of lines) {
      const group = Object.fromEntries(keys.map((name, index) => [name, cells[index] || null]))
      addToSum(sums, keys, group, cells.slice(keys.length, keys.length + 3).map(Number))
    }
    return sums
  }
  const { data } = JSON.parse(text) as {
    readonly data: readonly { group: Partial<Keys>; posted: number; accepted: number; not_accepted: number }[]
  }
  for (const { group, posted, accepted, not_accepted } of data)
    addToSum(sums, keys, group, [posted, accepted, not_accepted])
  return sums
}

function parseCells(line: string): string[] {
  const cells: string[] = []
  for (let at = 0; at <= line.length; ) {
    const quoted = /"((?:[^"]|"")*)"/y
    quoted.lastIndex = at
    const found = quoted.exec(line)
    const end = found === null ? line.indexOf(',', at) : quoted.lastIndex
    const next = end === -1 ? line.length : end
    cells.push(found?.[1]?.replaceAll('""', '"') ?? line.slice(at, next))
    at = next + 1
  }
  return cells
}

interface Counter {
  readonly posted: number
  readonly accepted: number
}
interface ReviewEntry extends PullRequestEntry {
  readonly coderabbit_comments: {
    readonly total: Counter
    readonly severity: Readonly<Record<string, Counter>>
    readonly category: Readonly<Record<string, Counter>>
  }
}

/** Reads the counters of reviews by the same keys. Reviews have severity or category, not both, and no reviewer. */
export async function sumReviews(
  baseUrl: string,
  filter: Filter,
): Promise<{ readonly groupBy: GroupKey[]; readonly sums: Sums }[]> {
  const pullRequestKeys = filter.keys.filter(
    (key) => key === 'week' || key === 'organization' || key === 'repository' || key === 'author',
  )
  const findingKeys = filter.keys.filter((key) => key === 'severity' || key === 'category')
  const results = [undefined, ...findingKeys].map((sort) => ({
    sort,
    groupBy: sort === undefined ? pullRequestKeys : [...pullRequestKeys, sort],
    sums: new Map() as Sums,
  }))
  for (const review of await readPages<ReviewEntry>(baseUrl, '/v1/metrics/reviews', filter)) {
    const { total, severity, category } = review.coderabbit_comments
    for (const { sort, groupBy, sums } of results) {
      if (sort === undefined) addToSum(sums, groupBy, toGroupKeys(review), [total.posted, total.accepted])
      else {
        for (const [name, { posted, accepted }] of Object.entries(sort === 'severity' ? severity : category))
          addToSum(sums, groupBy, { ...toGroupKeys(review), [sort]: name }, [posted, accepted])
      }
    }
  }
  return results
}

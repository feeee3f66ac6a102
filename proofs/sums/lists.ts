import type { Filter } from './filter.ts'
import { parseDay, pick } from './history.ts'
import { read, readPages, toMonday } from './read.ts'

// The summaries of reviews and of MCP usage, and the same figures from the rows of their lists.

/** Figures are rounded to two decimals. */
const ROUNDING = 0.005 + 1e-9
const MINUTE_MS = 60_000

/** Figures of each group by its keys, written as JSON. */
type Figures = Map<string, Readonly<Record<string, number | null>>>

export interface ListComparison {
  readonly groups: number
  /** Whether every figure is that of the rows. */
  readonly equal: boolean
}

interface ReviewRow {
  readonly counted_on: string
  readonly repository_id: string
  readonly status: string
  readonly created_at: string | null
  readonly ready_for_review_at: string | null
  readonly first_human_review_at: string | null
  readonly merged_at: string | null
  readonly review_iterations: number | null
}

/** The summary of reviews, and the rows of the list. */
export async function compareReviews(baseUrl: string, filter: Filter): Promise<ListComparison> {
  const status = `&status=${pick(['merged', 'closed', 'all'])}`
  const keys = (['week', 'repository'] as const).filter(() => Math.random() < 0.5)
  const path = '/v1/metrics/reviews'
  const [rows, summary] = await Promise.all([
    readPages<ReviewRow>(baseUrl, path, { ...filter, query: `${filter.query}${status}` }),
    readSummary(baseUrl, path, filter, keys, status),
  ])
  const groups = Map.groupBy(rows, ({ counted_on, repository_id }) =>
    toGroupName(keys, { week: toMonday(counted_on), repository: repository_id }),
  )
  const expected: Figures = new Map([...groups].map(([name, some]) => [name, toFigures(some)]))
  // Without keys the response has one total, even when it counts nothing.
  if (keys.length === 0 && rows.length === 0) expected.set('[]', toFigures([]))
  return { groups: summary.size, equal: areEqual(summary, expected) }
}

function toFigures(rows: readonly ReviewRow[]): Record<string, number | null> {
  const merged = rows.filter(({ status }) => status === 'merged')
  const toReview = listMinutes(rows, ({ first_human_review_at }) => first_human_review_at)
  const toMerge = listMinutes(merged, ({ merged_at }) => merged_at)
  const iterations = rows.flatMap(({ review_iterations }) => review_iterations ?? [])
  return {
    pull_requests: rows.length,
    merged: merged.length,
    closed: rows.length - merged.length,
    median_minutes_to_first_human_review: getPercentile(toReview, 0.5),
    median_minutes_to_merge: getPercentile(toMerge, 0.5),
    p90_minutes_to_merge: getPercentile(toMerge, 0.9),
    mean_review_iterations:
      iterations.length === 0 ? null : iterations.reduce((sum, count) => sum + count, 0) / iterations.length,
  }
}

function listMinutes(rows: readonly ReviewRow[], getEnd: (row: ReviewRow) => string | null): number[] {
  const minutes = rows.flatMap((row) => {
    const [start, end] = [row.ready_for_review_at ?? row.created_at, getEnd(row)]
    return start === null || end === null
      ? []
      : [Math.max(0, Date.parse(end) - Date.parse(start)) / MINUTE_MS]
  })
  return minutes.sort((a, b) => a - b)
}

function getPercentile(sorted: readonly number[], fraction: number): number | null {
  if (sorted.length === 0) return null
  const rank = fraction * (sorted.length - 1)
  const [lower = 0, upper = 0] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]]
  return lower + (upper - lower) * (rank - Math.floor(rank))
}

interface UsageRow {
  readonly pr_url: string
  readonly servers: readonly {
    readonly name: string
    readonly tools: readonly { readonly name: string; readonly calls: number; readonly errors: number }[]
  }[]
}

/** The summary of MCP usage, and the rows of the list. */
export async function compareUsage(baseUrl: string, filter: Filter): Promise<ListComparison> {
  const keys = (['week', 'server', 'tool'] as const).filter(() => Math.random() < 0.5)
  const path = '/v1/metrics/mcp'
  const [rows, summary] = await Promise.all([
    readPages<UsageRow>(baseUrl, path, filter),
    readSummary(baseUrl, path, filter, keys, ''),
  ])
  const calls = rows.flatMap(({ pr_url, servers }) =>
    servers.flatMap((server) =>
      server.tools.map((tool) => ({
        ...tool,
        pr_url,
        group: toGroupName(keys, { week: toMonday(parseDay(pr_url)), server: server.name, tool: tool.name }),
      })),
    ),
  )
  const expected: Figures = new Map(
    [...Map.groupBy(calls, ({ group }) => group)].map(([group, some]) => [
      group,
      {
        pull_requests: new Set(some.map(({ pr_url }) => pr_url)).size,
        calls: some.reduce((sum, call) => sum + call.calls, 0),
        errors: some.reduce((sum, call) => sum + call.errors, 0),
      },
    ]),
  )
  if (keys.length === 0 && rows.length === 0) expected.set('[]', { pull_requests: 0, calls: 0, errors: 0 })
  return { groups: summary.size, equal: areEqual(summary, expected) }
}

async function readSummary(
  baseUrl: string,
  path: string,
  { query, key }: Filter,
  keys: readonly string[],
  status: string,
): Promise<Figures> {
  const by = keys.length === 0 ? '' : `&group_by=${keys.join(',')}`
  const { data } = JSON.parse(await read(`${baseUrl}${path}/summary?${query}${status}${by}`, key)) as {
    readonly data: readonly ({ readonly group: Record<string, string> } & Record<string, number | null>)[]
  }
  return new Map(data.map(({ group, ...figures }) => [toGroupName(keys, group), figures]))
}

function toGroupName(keys: readonly string[], values: Readonly<Record<string, string>>): string {
  return JSON.stringify(keys.map((key) => values[key]))
}

function areEqual(one: Figures, other: Figures): boolean {
  if (one.size !== other.size) return false
  return [...one].every(([name, figures]) => {
    const expected = other.get(name)
    return (
      expected !== undefined &&
      Object.keys(expected).every((key) => isNear(figures[key], expected[key], ROUNDING))
    )
  })
}

function isNear(
  one: number | null | undefined,
  other: number | null | undefined,
  tolerance: number,
): boolean {
  if (typeof one !== 'number' || typeof other !== 'number') return one === other
  return Math.abs(one - other) <= tolerance
}

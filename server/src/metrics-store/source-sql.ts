/**
 * A list of pull requests in write order. Each row of its table has the filter columns, a write position and a rendered document;
 * page-sql.ts names the indexes that the table needs.
 */
export interface MetricsSource {
  /** Part of its statement names. */
  readonly name: string
  readonly table: 'pull_request' | 'mcp_usage'
  /** Selects the rows that are entries. */
  readonly condition: string
  /** The table with the first and last position of the rows of each day. */
  readonly dayTable: 'metrics_day' | 'mcp_day'
  readonly largestColumn: LargestColumn
  /** The stored document. */
  readonly column: 'entry' | 'review'
  /** The returned entry. */
  readonly entrySql: string
  /** The bytes that it has more than the document. */
  readonly addedBytes: number
}

/** The columns of a head with the size in bytes of the largest document ever written to a source. */
export const largestColumns = ['largest_entry', 'largest_review', 'largest_mcp'] as const
export type LargestColumn = (typeof largestColumns)[number]

export const reviewCommentsSource: MetricsSource = {
  name: 'review-comments',
  table: 'pull_request',
  condition: 'counted',
  dayTable: 'metrics_day',
  largestColumn: 'largest_entry',
  column: 'entry',
  entrySql: 'entry',
  addedBytes: 0,
}

// The day is added to the document.
const reviews = {
  table: 'pull_request',
  dayTable: 'metrics_day',
  largestColumn: 'largest_review',
  column: 'review',
  entrySql: `'{"counted_on":"' || day::text || '",' || right(review, -1)`,
  addedBytes: '"counted_on":"2026-01-01",'.length,
} as const

/** By the `status` parameter. */
export const reviewSources = {
  merged: { ...reviews, name: 'merged-reviews', condition: `status = 'merged'` },
  closed: { ...reviews, name: 'closed-reviews', condition: `status = 'closed'` },
  all: { ...reviews, name: 'reviews', condition: 'true' },
} as const satisfies Readonly<Record<string, MetricsSource>>

export const mcpUsageSource: MetricsSource = {
  name: 'mcp-usage',
  table: 'mcp_usage',
  condition: 'entry is not null',
  dayTable: 'mcp_day',
  largestColumn: 'largest_mcp',
  column: 'entry',
  entrySql: 'entry',
  addedBytes: 0,
}

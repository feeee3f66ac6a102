/**
 * A table whose stored entries are copied into pages. Each row is a pull request with the filter columns, its write position
 * and its entry; `accessPaths` of page-sql.ts lists the indexes that the table needs.
 */
export interface MetricsSource {
  /** Part of its statement names. */
  readonly name: string
  readonly table: 'pull_request' | 'review' | 'mcp_usage'
  /** Selects the rows that are entries. */
  readonly condition: string
  /** The table with the first and last position of the entries of each day. */
  readonly dayTable: 'metrics_day' | 'review_day' | 'mcp_day'
  readonly largestColumn: LargestColumn
  /** The returned entry. */
  readonly entrySql: string
  /** The bytes that it has more than the stored text. */
  readonly addedBytes: number
}

/** The columns of a head with the size in bytes of the largest entry ever written to a source. */
export const largestColumns = ['largest_entry', 'largest_review', 'largest_mcp'] as const
export type LargestColumn = (typeof largestColumns)[number]

const storedEntry = { entrySql: 'entry', addedBytes: 0 } as const

export const reviewCommentsSource: MetricsSource = {
  name: 'review-comments',
  table: 'pull_request',
  condition: 'entry is not null',
  dayTable: 'metrics_day',
  largestColumn: 'largest_entry',
  ...storedEntry,
}

// The day is added to the stored text.
const reviewTables = {
  table: 'review',
  dayTable: 'review_day',
  largestColumn: 'largest_review',
  entrySql: `'{"counted_on":"' || day::text || '",' || substr(entry, 2)`,
  addedBytes: '"counted_on":"2026-01-01",'.length,
} as const

/** By the `status` parameter. */
export const reviewSources = {
  merged: { ...reviewTables, name: 'merged-reviews', condition: "status = 'merged'" },
  closed: { ...reviewTables, name: 'closed-reviews', condition: "status = 'closed'" },
  all: { ...reviewTables, name: 'reviews', condition: 'true' },
} as const satisfies Readonly<Record<string, MetricsSource>>

export const mcpUsageSource: MetricsSource = {
  name: 'mcp-usage',
  table: 'mcp_usage',
  condition: 'entry is not null',
  dayTable: 'mcp_day',
  largestColumn: 'largest_mcp',
  ...storedEntry,
}

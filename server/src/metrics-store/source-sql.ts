/**
 * A table that pages are copied from. Each of its rows is a pull request, with the columns by which pages are narrowed,
 * the place it has in the order of writing, and the entry that is sent; `ways` of page-sql.ts says which indexes it needs.
 */
export interface MetricsSource {
  /** Part of the names of its statements. */
  readonly name: string
  readonly table: 'pull_request' | 'review' | 'mcp_usage'
  /** Which of its rows are entries. */
  readonly condition: string
  /** The table that knows between which positions the entries of a day lie. */
  readonly dayTable: 'metrics_day' | 'review_day' | 'mcp_day'
  readonly largestColumn: LargestColumn
}

/** The columns of a head that know how many bytes the largest entry ever written to a source has. */
export const largestColumns = ['largest_entry', 'largest_review', 'largest_mcp'] as const
export type LargestColumn = (typeof largestColumns)[number]

export const reviewCommentsSource: MetricsSource = {
  name: 'review-comments',
  table: 'pull_request',
  condition: 'entry is not null',
  dayTable: 'metrics_day',
  largestColumn: 'largest_entry',
}

const reviewTables = { table: 'review', dayTable: 'review_day', largestColumn: 'largest_review' } as const

/** By what became of the pull requests. */
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
}

/**
 * A table that pages are copied from. Each of its rows is a pull request, with the columns by which pages are narrowed,
 * the place it has in the order of writing, and the entry that is sent; `ways` of page-sql.ts says which indexes it needs.
 */
export interface Source {
  /** Part of the names of its statements. */
  readonly name: string
  readonly table: 'pull_request' | 'review' | 'mcp_usage'
  /** Which of its rows are entries. */
  readonly condition: string
  /** The table that knows between which positions the entries of a day lie. */
  readonly days: 'metrics_day' | 'review_day' | 'mcp_day'
  readonly largest: Largest
}

/** The columns of a head that know how many bytes the largest entry ever written to a source has. */
export const largests = ['largest_entry', 'largest_review', 'largest_mcp'] as const
export type Largest = (typeof largests)[number]

export const reviewComments: Source = {
  name: 'review-comments',
  table: 'pull_request',
  condition: 'entry is not null',
  days: 'metrics_day',
  largest: 'largest_entry',
}

const reviewTables = { table: 'review', days: 'review_day', largest: 'largest_review' } as const

/** By what became of the pull requests. */
export const reviews = {
  merged: { ...reviewTables, name: 'merged-reviews', condition: "status = 'merged'" },
  closed: { ...reviewTables, name: 'closed-reviews', condition: "status = 'closed'" },
  all: { ...reviewTables, name: 'reviews', condition: 'true' },
} as const satisfies Readonly<Record<string, Source>>

export const mcpUsage: Source = {
  name: 'mcp-usage',
  table: 'mcp_usage',
  condition: 'entry is not null',
  days: 'mcp_day',
  largest: 'largest_mcp',
}

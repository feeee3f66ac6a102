import type { Get } from '@scholiast/sdk'
import type { CliContext } from '../context.ts'
import type { Column, Output } from '../output.ts'
import { formatMinutes } from './figures.ts'

type ReviewSum = Get<'/v1/metrics/reviews/summary'>['data'][number]
type UsageSum = Get<'/v1/metrics/mcp/summary'>['data'][number]

export type ReviewGroupKey = Exclude<keyof ReviewSum['group'], 'repository_name'>
export type UsageGroupKey = keyof UsageSum['group']

interface WindowOptions<Key> {
  readonly from: string
  readonly to: string
  readonly by: readonly Key[]
}

export interface ReviewSummaryOptions extends WindowOptions<ReviewGroupKey> {
  readonly status: 'merged' | 'closed' | 'all'
}

export async function showReviewSummary(context: CliContext, options: ReviewSummaryOptions): Promise<void> {
  const { by, status } = options
  const query = { ...toQuery(context, options), group_by: [...by], status }
  const summary = await context.client().get('/v1/metrics/reviews/summary', { query })
  const { out } = context
  if (out.isJson) return out.json(summary)
  printRows(out, options, summary.data, [
    ...by.map(
      (key): Column<ReviewSum> => ({
        heading: key.toUpperCase(),
        value: ({ group }) => (key === 'repository' && group.repository_name) || group[key],
      }),
    ),
    { heading: 'PULL REQUESTS', value: (sum) => sum.pull_requests, right: true },
    { heading: 'MERGED', value: (sum) => sum.merged, right: true },
    { heading: 'CLOSED', value: (sum) => sum.closed, right: true },
    {
      heading: 'TO FIRST REVIEW',
      value: (sum) => formatMinutes(sum.median_minutes_to_first_human_review),
      right: true,
    },
    { heading: 'TO MERGE', value: (sum) => formatMinutes(sum.median_minutes_to_merge), right: true },
    { heading: '90 % WITHIN', value: (sum) => formatMinutes(sum.p90_minutes_to_merge), right: true },
    { heading: 'ITERATIONS', value: (sum) => sum.mean_review_iterations, right: true },
  ])
  const error = summary.approximate ? ', medians within 2 %' : ''
  out.note(`Times are medians from ready for review (${summary.definition_id}${error}).`)
}

export async function showUsageSummary(
  context: CliContext,
  options: WindowOptions<UsageGroupKey>,
): Promise<void> {
  const query = { ...toQuery(context, options), group_by: [...options.by] }
  const summary = await context.client().get('/v1/metrics/mcp/summary', { query })
  const { out } = context
  if (out.isJson) return out.json(summary)
  printRows(out, options, summary.data, [
    ...options.by.map(
      (key): Column<UsageSum> => ({ heading: key.toUpperCase(), value: ({ group }) => group[key] }),
    ),
    { heading: 'PULL REQUESTS', value: (sum) => sum.pull_requests, right: true },
    { heading: 'CALLS', value: (sum) => sum.calls, right: true },
    { heading: 'ERRORS', value: (sum) => sum.errors, right: true },
  ])
  out.note('Best effort: usage that was not reported is missing.')
}

function toQuery(context: CliContext, { from, to }: WindowOptions<string>) {
  return { start_date: from, end_date: to, ...context.selectOrganization() }
}

function printRows<Row>(
  out: Output,
  { from, to }: WindowOptions<string>,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): void {
  if (rows.length === 0) out.note(`No pull requests from ${from} to ${to}.`)
  else out.table(rows, columns)
}

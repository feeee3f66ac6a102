import { Type } from 'typebox'
import { defineEndpoint, type RequestContext } from '../../../http/endpoint.ts'
import type { Reply } from '../../../http/reply.ts'
import { splitWindow } from '../../../metrics-store/counts/grain.ts'
import { type FindingSum, type GroupKey, SumSink } from '../../../metrics-store/counts/sum-sink.ts'
import { type MetricsReadTarget, readInStore, readUnlessMoved } from '../../../metrics-store/page.ts'
import { MAX_RESPONSE_BYTES, refuseLargeResponse } from '../../../response-size.ts'
import examples from '../examples.json' with { type: 'json' }
import { readCurrentNames } from '../names-sql.ts'
import { SUMMARY_ADVICE, toReadTarget, windowDefaults } from '../request.ts'
import { renderSummary } from './render.ts'
import { Summary, SummaryQuery } from './schema.ts'
import { readCounts, readProviderIds } from './sql.ts'

// The smallest possible size of a group. A summary with more groups than fit is refused before it is rendered.
const MIN_GROUP_BYTES = { json: 140, csv: 30 } as const

const EMPTY_SUM: FindingSum = {
  week: 0,
  organization: null,
  repository: null,
  author: null,
  reviewer: null,
  severity: null,
  category: null,
  posted: 0,
  accepted: 0,
  notAccepted: 0,
}

async function summarize(
  context: RequestContext,
  { query }: { readonly query: SummaryQuery },
): Promise<Reply> {
  const { scope, tx } = context
  const keys: ReadonlySet<GroupKey> = new Set(query.group_by)
  const format = query.format ?? 'json'
  const maxSums = Math.floor(MAX_RESPONSE_BYTES / MIN_GROUP_BYTES[format])
  const rows = await sumFindings(toReadTarget(context, query), keys, maxSums)
  if (rows.exceedsLimit) return refuseLargeResponse(SUMMARY_ADVICE)
  const sums = rows.sums(await readProviderIds(scope, tx, rows.organizations()))
  // Without keys the response has one total, even when it counts nothing.
  const groups = keys.size === 0 && sums.length === 0 ? [EMPTY_SUM] : sums
  // Only the keys of `group_by` are set in a group.
  return renderSummary(format, keys, groups, await readCurrentNames(scope, tx, groups))
}

/** Sums the findings of a window by the keys. */
function sumFindings(
  target: Omit<MetricsReadTarget, 'source'>,
  keys: ReadonlySet<GroupKey>,
  maxSums: number,
): Promise<SumSink> {
  const { scope, window, placement } = target
  const windowSplit = splitWindow(window.startDate, window.endDate, {
    week: keys.has('week'),
    repository: keys.has('repository') || window.repositories !== null,
    author: keys.has('author') || window.authors !== null,
  })
  return readInStore(target, async (tx) => {
    const rows = new SumSink(keys, maxSums)
    const byOrganization = keys.has('organization')
    const request = { scope, window, hidden: placement.inactive, windowSplit, byOrganization }
    await readUnlessMoved(scope, tx, () => readCounts(request, tx, rows))
    return rows
  })
}

export const summary = defineEndpoint({
  ...windowDefaults,
  path: '/v1/metrics/summary',
  operationId: 'summarizeFindings',
  example: examples.summary,
  summary: 'Summarize the acceptance of findings',
  description:
    'Returns counts and acceptance rates of the findings of pull requests merged in the window, grouped by the keys in ' +
    '`group_by`. Findings without a known outcome count as unknown: `rate` covers the other findings, `rate_low` and ' +
    '`rate_high` are its bounds if none or all of the unknown findings were accepted. The counts match ' +
    '`/v1/metrics/review-comments`. Groups are sorted by week, organization, repository, author, reviewer, severity and ' +
    'category, unknown values last.',
  query: SummaryQuery,
  replies: {
    200: {
      description: 'All groups with findings; one total without `group_by`.',
      body: Summary,
      files: {
        'text/csv': Type.String({
          description:
            'With `format=csv`: one line per group with its keys, its fields, `definition_id` and the names.',
        }),
      },
    },
  },
  run: summarize,
})

import type { RequestContext } from '../../../../http/endpoint.ts'
import { ok, type Reply } from '../../../../http/reply.ts'
import { toReadTarget } from '../../../../metrics-store/request.ts'
import { scanStore } from '../../../../metrics-store/scan.ts'
import { toCalendarDay } from '../../../../metrics-store/week.ts'
import { MAX_RESPONSE_BYTES, refuseLargeResponse } from '../../../../response-size.ts'
import type { UsageGroupKey, UsageSummaryQuery, UsageSummaryRow } from './schema.ts'
import { mcpUsageScan } from './sql.ts'
import { createUsageSum, UsageSink, type UsageSum } from './usage-sink.ts'

// The smallest possible size of a group. A summary with more groups than fit is refused before it is rendered.
const MIN_GROUP_BYTES = 60
const MAX_GROUPS = Math.floor(MAX_RESPONSE_BYTES / MIN_GROUP_BYTES)

export async function summarizeMcpUsage(
  context: RequestContext,
  { query }: { readonly query: UsageSummaryQuery },
): Promise<Reply> {
  const keys = query.group_by ?? []
  const rows = new UsageSink(keys, MAX_GROUPS)
  await scanStore(toReadTarget(mcpUsageScan.source, context, query), mcpUsageScan, rows)
  if (rows.exceedsLimit) return refuseLargeResponse('Group by fewer keys, narrow the window or add filters.')
  const found = rows.sums()
  // Without keys the response has one total, even when it counts nothing.
  const sums = keys.length === 0 && found.length === 0 ? [createUsageSum(0, null, null)] : found
  return ok({ data: sums.map((sum) => renderSum(sum, keys)), completeness: 'best_effort' })
}

function renderSum(
  { week, server, tool, pullRequests, calls, errors }: UsageSum,
  keys: readonly UsageGroupKey[],
): UsageSummaryRow {
  return {
    group: {
      ...(keys.includes('week') && { week: toCalendarDay(week) }),
      ...(server !== null && { server }),
      ...(tool !== null && { tool }),
    },
    pull_requests: pullRequests,
    calls,
    errors,
  }
}

import type { RequestContext } from '../../http/endpoint.ts'
import type { Reply } from '../../http/reply.ts'
import { sumFindings } from '../../metrics-store/counts/sum.ts'
import type { FindingSum, GroupKey } from '../../metrics-store/counts/sum-sink.ts'
import { MAX_RESPONSE_BYTES, refuseLargeResponse } from '../../response-size.ts'
import { renderSummary, type SummaryFormat } from './render.ts'
import type { SummaryQuery } from './schema.ts'

// No group can be told in less: a summary of more groups than fit is too large, and is not even put together.
const MIN_GROUP_BYTES: Readonly<Record<SummaryFormat, number>> = { json: 140, csv: 30 }

const EMPTY_SUM: FindingSum = {
  week: 0,
  repository: null,
  author: null,
  reviewer: null,
  severity: null,
  category: null,
  posted: 0,
  accepted: 0,
  notAccepted: 0,
}

export async function summarize(
  { metrics, scope }: RequestContext,
  { query }: { readonly query: SummaryQuery },
): Promise<Reply> {
  if (metrics === null) throw new Error('The door places the metrics before the verb runs.')
  const { start_date, end_date, repository_ids, user_ids } = query
  const window = {
    startDate: start_date,
    endDate: end_date,
    repositories: repository_ids ?? null,
    authors: user_ids ?? null,
  }
  const keys: ReadonlySet<GroupKey> = new Set(query.group_by)
  const format = query.format ?? 'json'
  const maxSums = Math.floor(MAX_RESPONSE_BYTES / MIN_GROUP_BYTES[format])
  const sums = await sumFindings({ ...metrics, scope, window }, keys, maxSums)
  if (sums === null) return refuseLargeResponse('Group by fewer keys, narrow the window or add filters.')
  // A total is told even when it is of nothing.
  return renderSummary(format, keys, keys.size === 0 && sums.length === 0 ? [EMPTY_SUM] : sums)
}

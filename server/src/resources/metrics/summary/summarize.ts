import type { Scope } from '../../../access/scope.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { RequestContext } from '../../../http/endpoint.ts'
import type { Reply } from '../../../http/reply.ts'
import { splitWindow } from '../../../metrics-store/counts/grain.ts'
import { type FindingSum, type GroupKey, SumSink } from '../../../metrics-store/counts/sum-sink.ts'
import { type MetricsReadTarget, readInStore, readUnlessMoved } from '../../../metrics-store/page.ts'
import { MAX_RESPONSE_BYTES, refuseLargeResponse } from '../../../response-size.ts'
import { type CurrentNames, readCurrentNames } from '../names-sql.ts'
import { renderSummary, type SummaryFormat } from './render.ts'
import type { SummaryQuery } from './schema.ts'
import { readCounts, readProviderIds } from './sql.ts'

// The smallest possible size of a group. A summary with more groups than fit is refused before it is rendered.
const MIN_GROUP_BYTES: Readonly<Record<SummaryFormat, number>> = { json: 140, csv: 30 }

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

export async function summarize(
  { metrics, scope, tx }: RequestContext,
  { query }: { readonly query: SummaryQuery },
): Promise<Reply> {
  if (metrics === null) throw new Error('The request context has no metrics placement.')
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
  const rows = await sumFindings({ ...metrics, scope, window }, keys, maxSums)
  if (rows.exceedsLimit) return refuseLargeResponse('Group by fewer keys, narrow the window or add filters.')
  const sums = rows.sums(await readProviderIds(scope, tx, rows.organizations()))
  // Without keys the response has one total, even when it counts nothing.
  const groups = keys.size === 0 && sums.length === 0 ? [EMPTY_SUM] : sums
  return renderSummary(format, keys, groups, await readNamesOf(groups, scope, tx))
}

/** Only the keys of `group_by` are set in a group. */
function readNamesOf(groups: readonly FindingSum[], scope: Scope, tx: Tx): Promise<CurrentNames> {
  const listIds = (key: 'repository' | 'author') => [...new Set(groups.flatMap((group) => group[key] ?? []))]
  return readCurrentNames(scope, tx, { repositories: listIds('repository'), authors: listIds('author') })
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

import type { RequestContext } from '../../http/endpoint.ts'
import { ok, type Reply } from '../../http/reply.ts'
import { MAX_RESPONSE_BYTES, refuseLargeResponse } from '../../response-size.ts'
import { findingStates, type SummaryKey, type SummaryParams, summaryKeys } from './schema.ts'
import { type FindingGroupRow, readFindingGroups } from './sql.ts'

/** The smallest possible size of a group. A summary with more groups than fit is refused. */
const MIN_GROUP_BYTES = 60
const MAX_GROUPS = Math.floor(MAX_RESPONSE_BYTES / MIN_GROUP_BYTES)

const NO_FINDINGS: FindingGroupRow = {
  severity: null,
  state: null,
  repository: null,
  repository_name: null,
  age: null,
  findings: 0,
  oldest_first_seen_at: null,
}

export async function summarizeSecurityFindings(
  { scope, tx }: RequestContext,
  { query: { repo_id, state = 'open', group_by = [] } }: { readonly query: SummaryParams },
): Promise<Reply> {
  const rows = await readFindingGroups(scope, tx, {
    repositories: repo_id === undefined ? null : [repo_id],
    states: state === 'all' ? findingStates : [state],
    keys: group_by,
    maxGroups: MAX_GROUPS,
  })
  if (rows.length > MAX_GROUPS) return refuseLargeResponse('Group by fewer keys or add filters.')
  // Without keys the response has one total, even when it counts nothing.
  const groups = rows.length === 0 && group_by.length === 0 ? [NO_FINDINGS] : rows
  const keys = summaryKeys.filter((key) => group_by.includes(key))
  const data = groups.map(({ findings, oldest_first_seen_at, ...values }) => ({
    group: renderGroup(keys, values),
    findings,
    oldest_first_seen_at,
  }))
  return ok({ data })
}

function renderGroup(
  keys: readonly SummaryKey[],
  values: Omit<FindingGroupRow, 'findings' | 'oldest_first_seen_at'>,
) {
  return {
    ...Object.fromEntries(keys.map((key) => [key, values[key]])),
    ...(keys.includes('repository') && { repository_name: values.repository_name }),
  }
}

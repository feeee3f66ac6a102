import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import { namedStatement } from '../../../db/named-statement.ts'
import type { Tx } from '../../../db/transaction.ts'
import { addDays, toMonday } from '../../../metrics-store/day.ts'
import {
  filterConditions,
  type MetricsWindow,
  ofOrganizations,
  planWithValues,
  renderOrganizations,
  scopeConditions,
} from '../../../metrics-store/page-sql.ts'

/** The keys of `group_by`, in the order of the response. */
export const groupKeys = [
  'week',
  'organization',
  'repository',
  'author',
  'reviewer',
  'severity',
  'category',
] as const
export type GroupKey = (typeof groupKeys)[number]

/** Posted findings and their known outcomes. */
export interface OutcomeCount {
  readonly posted: number
  readonly accepted: number
  readonly notAccepted: number
}

/** A group: its requested keys, null when unknown. `week` is a Monday, `organization` an id of the service. */
export type FindingSum = OutcomeCount & { readonly [Key in GroupKey]: string | null }

export interface SumRequest {
  readonly scope: Scope
  readonly window: MetricsWindow
  /** Organizations whose rows are not returned. */
  readonly hidden: readonly string[]
  readonly keys: ReadonlySet<GroupKey>
  readonly maxGroups: number
}

/** 0001-01-01 was a Monday. */
const mondayOf = (day: string) => `${day} - (${day} - date '0001-01-01') % 7`

// A key that is not grouped by is null. The statements are planned with their values, so nothing is computed for it.
const renderKeys = (columns: Readonly<Record<GroupKey, string>>) =>
  groupKeys
    .map((key) => `case when :by_${key}::boolean then ${columns[key]} end as ${key}`)
    .join(',\n       ')

const keysOfFindings = renderKeys({
  week: `(${mondayOf('day')})::text`,
  organization: 'organization_id::text',
  repository: 'repository_id',
  author: 'author_id',
  reviewer: 'reviewer',
  severity: 'severity::text',
  category: 'category::text',
})
const countedFindings =
  'count(*) as posted, count(*) filter (where accepted) as accepted, count(*) filter (where not accepted) as "notAccepted"'

/** More findings are not grouped in one request. */
const MAX_FINDINGS = 4_000_000

/** Reads an index of findings alone. */
const sumByDay = namedStatement(
  'metrics.sum-findings',
  `with ${renderOrganizations('finding', 'counted')}
   select ${keysOfFindings},
     ${countedFindings}
   from (
     select day, organization_id, repository_id, author_id, reviewer, severity, category, accepted from finding
     where root_id = :root and ${ofOrganizations} and day between :startDate::date and :endDate::date and counted
       and ${filterConditions}
     limit ${MAX_FINDINGS + 1}) finding
   group by 1, 2, 3, 4, 5, 6, 7 limit :maxGroups`,
)

/** Finds the pull requests of some repositories or authors first. */
const sumByPullRequest = namedStatement(
  'metrics.sum-findings-of-pull-requests',
  `select ${keysOfFindings},
     ${countedFindings}
   from (
     select p.day, p.organization_id, p.repository_id, p.author_id, f.reviewer, f.severity, f.category, f.accepted
     from (
       select pull_request_key, day, organization_id, repository_id, author_id from pull_request
       where root_id = :root and day between :startDate::date and :endDate::date and counted and ${filterConditions}
       offset 0) p
     cross join lateral (
       select reviewer, severity, category, accepted from finding
       where root_id = :root and pull_request_key = p.pull_request_key offset 0) f
     limit ${MAX_FINDINGS + 1}) finding
   group by 1, 2, 3, 4, 5, 6, 7 limit :maxGroups`,
)

/** Adds up counted weeks; the findings of the days before and after them are read. */
const sumByWeek = namedStatement(
  'metrics.sum-weeks',
  `with ${renderOrganizations('finding', 'counted')}
   select ${renderKeys({
     week: 'week::text',
     organization: 'organization_id::text',
     repository: 'null::text',
     author: 'null::text',
     reviewer: `nullif(reviewer, '')`,
     severity: `nullif(severity, '')`,
     category: `nullif(category, '')`,
   })},
     sum(posted)::bigint as posted, sum(accepted)::bigint as accepted, sum("notAccepted")::bigint as "notAccepted"
   from (
     select week, organization_id, reviewer, severity, category, posted, accepted, not_accepted as "notAccepted" from finding_week
     where root_id = :root and week between :firstWeek::date and :lastWeek::date and ${scopeConditions}
     union all
     select ${mondayOf('day')}, organization_id, reviewer, severity::text, category::text, ${countedFindings} from finding
     where root_id = :root and ${ofOrganizations} and counted and ${scopeConditions}
       and (day between :startDate::date and :firstWeek::date - 1 or day between :lastWeek::date + 7 and :endDate::date)
     group by 1, 2, 3, 4, 5) counted
   group by 1, 2, 3, 4, 5, 6, 7 having sum(posted) > 0 limit :maxGroups`,
)

/** Every statement of this endpoint. */
export const summaryStatements = [sumByWeek, sumByDay, sumByPullRequest]

/** The groups in any order; null if there are more than `maxGroups`, or too many findings to read. */
export async function readSums(request: SumRequest, tx: Tx): Promise<FindingSum[] | null> {
  const { scope, window, hidden, keys, maxGroups } = request
  const weeks = toWholeWeeks(window)
  const query = chooseStatement(request, weeks !== null)
  const grouping = Object.fromEntries(groupKeys.map((key) => [`by_${key}`, keys.has(key)]))
  const values = { ...window, ...weeks, ...grouping, hidden, maxGroups: maxGroups + 1 }
  const [, rows] = await Promise.all([
    tx.query(planWithValues, []),
    tx.query<FindingSum>(query, query.bind(scope, values)),
  ])
  const findings = rows.reduce((sum, { posted }) => sum + posted, 0)
  return rows.length > maxGroups || (query !== sumByWeek && findings > MAX_FINDINGS) ? null : rows
}

function chooseStatement({ window, keys }: SumRequest, hasWholeWeeks: boolean) {
  if (window.repositories !== null || window.authors !== null) return sumByPullRequest
  return hasWholeWeeks && !keys.has('repository') && !keys.has('author') ? sumByWeek : sumByDay
}

/** The Mondays of the first and the last week that are in the window as a whole; null = there is none. */
function toWholeWeeks({ startDate, endDate }: MetricsWindow) {
  const firstWeek = toMonday(addDays(startDate, 6))
  const lastWeek = toMonday(addDays(endDate, -6))
  return firstWeek > lastWeek ? null : { firstWeek, lastWeek }
}

const selectProviderIds = statement(
  'metrics.provider-ids-of-organizations',
  'select id, provider_organization_id from organization where root_id = $1 and id = any ($2::uuid[])',
)

/** By id of the service: what the Git provider calls these organizations. */
export async function readProviderIds(
  scope: Scope,
  tx: Tx,
  organizations: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (organizations.length === 0) return new Map()
  const rows = await tx.query<{ id: string; provider_organization_id: string }>(selectProviderIds, [
    scope.root,
    organizations,
  ])
  return new Map(rows.map((row) => [row.id, row.provider_organization_id]))
}

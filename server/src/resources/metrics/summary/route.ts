import { Type } from 'typebox'
import { defineEndpoint, type RequestContext } from '../../../http/endpoint.ts'
import type { Reply } from '../../../http/reply.ts'
import { categories, severities } from '../../../metrics-store/findings.ts'
import { compareNullsLast } from '../../../metrics-store/groups.ts'
import { readInStore, readUnlessMoved } from '../../../metrics-store/page.ts'
import { MAX_RESPONSE_BYTES, refuseLargeResponse } from '../../../response-size.ts'
import examples from '../examples.json' with { type: 'json' }
import { readCurrentNames } from '../names-sql.ts'
import { SUMMARY_ADVICE, toReadTarget, windowDefaults } from '../request.ts'
import { renderSummary } from './render.ts'
import { Summary, SummaryQuery } from './schema.ts'
import { type FindingSum, type GroupKey, groupKeys, readProviderIds, readSums } from './sql.ts'

// The smallest possible size of a group. A summary with more groups than fit is refused before it is rendered.
const MIN_GROUP_BYTES = { json: 140, csv: 30 } as const

const EMPTY_SUM: FindingSum = {
  week: null,
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
  const found = await sumFindings(context, query, Math.floor(MAX_RESPONSE_BYTES / MIN_GROUP_BYTES[format]))
  const organizations = [...new Set(found.flatMap(({ organization }) => organization ?? []))]
  const sums = sortSums(nameOrganizations(found, await readProviderIds(scope, tx, organizations)))
  // Without keys the response has one total, even when it counts nothing.
  const groups = keys.size === 0 && sums.length === 0 ? [EMPTY_SUM] : sums
  // Only the keys of `group_by` are set in a group.
  return renderSummary(format, keys, groups, await readCurrentNames(scope, tx, groups))
}

/** Sums the findings of a window by the keys, or refuses if there are too many. */
async function sumFindings(
  context: RequestContext,
  query: SummaryQuery,
  maxGroups: number,
): Promise<readonly FindingSum[]> {
  const target = toReadTarget(context, query)
  const { scope, window, placement } = target
  const request = { scope, window, hidden: placement.inactive, keys: new Set(query.group_by), maxGroups }
  const sums = await readInStore(target, (tx) => readUnlessMoved(scope, tx, () => readSums(request, tx)))
  return sums ?? refuseLargeResponse(SUMMARY_ADVICE)
}

/** Replaces the ids of organizations; those with the same name form one group. */
function nameOrganizations(
  sums: readonly FindingSum[],
  names: ReadonlyMap<string, string>,
): readonly FindingSum[] {
  if (names.size === 0) return sums
  const named = sums.map((sum) => ({ ...sum, organization: names.get(sum.organization ?? '') ?? null }))
  if (new Set(names.values()).size === names.size) return named
  const groups = Map.groupBy(named, (sum) => JSON.stringify(groupKeys.map((key) => sum[key])))
  return [...groups.values()].map((same) => same.reduce(addSums))
}

function addSums(one: FindingSum, other: FindingSum): FindingSum {
  return {
    ...one,
    posted: one.posted + other.posted,
    accepted: one.accepted + other.accepted,
    notAccepted: one.notAccepted + other.notAccepted,
  }
}

/** By each key in turn, unknown values last. */
function sortSums(sums: readonly FindingSum[]): FindingSum[] {
  return sums.toSorted(
    (a, b) =>
      compareNullsLast(a.week, b.week) ||
      compareNullsLast(a.organization, b.organization) ||
      compareNullsLast(a.repository, b.repository) ||
      compareNullsLast(a.author, b.author) ||
      compareNullsLast(a.reviewer, b.reviewer) ||
      findIndex(severities, a.severity) - findIndex(severities, b.severity) ||
      findIndex(categories, a.category) - findIndex(categories, b.category),
  )
}

function findIndex(among: readonly string[], value: string | null): number {
  return value === null ? among.length : among.indexOf(value)
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

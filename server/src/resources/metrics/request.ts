import { type TSchemaOptions, Type } from 'typebox'
import type { Scope } from '../../access/scope.ts'
import { refuse } from '../../errors.ts'
import { allowKeys, type RequestContext } from '../../http/endpoint.ts'
import { getStartPosition } from '../../http/paging.ts'
import type { GroupSink } from '../../metrics-store/groups.ts'
import { type MetricsReadTarget, type PageBytes, readMetricsPage } from '../../metrics-store/page.ts'
import { scanStore } from '../../metrics-store/scan.ts'
import type { MetricsScan } from '../../metrics-store/scan-sql.ts'
import type { MetricsSource } from '../../metrics-store/source-sql.ts'
import { MAX_RESPONSE_BYTES, refuseLargeResponse } from '../../response-size.ts'
import { optionalOrgId } from '../../shape.ts'

// Parameters, endpoint settings and reads that the metrics endpoints share.

const providerIds = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 10, description }))

export const orgIdField = {
  org_id: optionalOrgId(
    'Workspace tokens only: ID of one organization, assigned by the Git provider. Ignored for other keys.',
  ),
}

/** `day` names the day that decides whether a pull request is in the window. */
export const windowFields = (day = 'merge day') => ({
  ...orgIdField,
  start_date: Type.String({ format: 'date', description: `First ${day}, UTC, inclusive.` }),
  end_date: Type.String({ format: 'date', description: `Last ${day}, UTC, inclusive.` }),
  repository_ids: providerIds('Repository IDs assigned by the Git provider, comma-separated, at most 10.'),
  user_ids: providerIds(
    'IDs of pull request authors assigned by the Git provider, comma-separated, at most 10.',
  ),
  organization_ids: providerIds(
    'Self-hosted instance keys only: organization IDs assigned by the Git provider, comma-separated, at most 10.',
  ),
})

export const pageFields = (description: string) => ({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 1000, description })),
  cursor: Type.Optional(Type.String({ description: '`next_cursor` of the previous page, unchanged.' })),
})

export const choice = <Value extends string>(values: readonly Value[], options: TSchemaOptions = {}) =>
  Type.Unsafe<Value>({ type: 'string', enum: [...values], ...options })

export const formatField = (description: string) => ({
  format: Type.Optional(choice(['json', 'csv'], { default: 'json', description })),
})

/** `counted` is what the groups of the summary count. */
export const groupByField = <Key extends string>(keys: readonly Key[], counted: string) => ({
  group_by: Type.Optional(
    Type.Array(choice(keys), {
      maxItems: keys.length,
      uniqueItems: true,
      description: `Keys to group ${counted} by, comma-separated: any of ${keys.join(', ')}. Without it the response has one total.`,
    }),
  ),
})

interface WindowQuery {
  readonly start_date: string
  readonly end_date: string
  readonly repository_ids?: readonly string[]
  readonly user_ids?: readonly string[]
}

/** The metrics of the request's scope, and where they are stored. */
export function requireMetrics({ metrics, scope }: Pick<RequestContext, 'metrics' | 'scope'>) {
  if (metrics === null) throw new Error('The request context has no metrics placement.')
  return { ...metrics, scope }
}

export function toReadTarget(
  context: { readonly metrics: RequestContext['metrics']; readonly scope: Scope },
  { start_date, end_date, repository_ids, user_ids }: WindowQuery,
): Omit<MetricsReadTarget, 'source'> {
  const repositories = repository_ids ?? null
  const authors = user_ids ?? null
  return {
    ...requireMetrics(context),
    window: { startDate: start_date, endDate: end_date, repositories, authors },
  }
}

/** Reads the page of a source that the request selects. */
export function readPage(
  source: MetricsSource,
  context: RequestContext,
  query: WindowQuery,
): Promise<PageBytes> {
  const { page } = context
  const slice = { after: getStartPosition(page), rows: page.limit, separator: ',' } as const
  return readMetricsPage({ source, ...toReadTarget(context, query) }, slice, MAX_RESPONSE_BYTES)
}

export const SUMMARY_ADVICE = 'Group by fewer keys, narrow the window or add filters.'

/** Passes the rows of the window to the sink, and refuses the request if it has too many groups. */
export async function scanWindow<Sink extends GroupSink<unknown>>(
  context: RequestContext,
  query: WindowQuery,
  scan: MetricsScan,
  sink: Sink,
  advice = SUMMARY_ADVICE,
): Promise<Sink> {
  await scanStore(toReadTarget(context, query), scan, sink)
  return sink.exceedsLimit ? refuseLargeResponse(advice) : sink
}

export const metricsEndpointDefaults = {
  method: 'GET',
  tag: 'Metrics',
  keys: allowKeys('organization', 'user', 'workspace', 'instance', 'legacy'),
  organization: 'optional',
  readsMetrics: true,
  permission: 'metrics:read',
  admin: false,
  limit: 'metrics',
  maxReplyBytes: MAX_RESPONSE_BYTES,
  refusals: [
    'ORG_ID_AMBIGUOUS',
    'ORGANIZATION_NOT_FOUND',
    'ORGANIZATION_OUT_OF_SCOPE',
    'METRICS_UNAVAILABLE',
    'METRICS_PREPARING',
    'METRICS_TEMPORARILY_UNAVAILABLE',
  ],
} as const

/** Endpoints that read the pull requests of a window. */
export const windowDefaults = {
  ...metricsEndpointDefaults,
  checks: { input: refuseInvertedWindow },
} as const

function refuseInvertedWindow({ query }: { readonly query: WindowQuery }): void {
  if (query.end_date < query.start_date)
    refuse(
      'INVALID_REQUEST',
      'end_date must not precede start_date. Send an end_date that is equal or later.',
    )
}

/** The parameters that select the rows of a window. */
export const windowParameters = ['start_date', 'end_date', 'repository_ids', 'user_ids'] as const

/** Pages in write order, with cursors for the values of the given parameters. */
export const metricsPaging = (...boundBy: readonly string[]) =>
  ({ defaultLimit: 1000, limitInCursor: false, boundBy, positions: 'metrics' }) as const

import { Type } from 'typebox'
import type { Scope } from '../../access/scope.ts'
import { refuse } from '../../errors.ts'
import type { MetricsReadTarget } from '../../metrics-store/page.ts'
import type { MetricsSource } from '../../metrics-store/source-sql.ts'
import { MAX_RESPONSE_BYTES } from '../../response-size.ts'
import { NoPath, optionalOrgId } from '../../shape.ts'

// Parameters and endpoint settings that all metrics endpoints share.

const providerIds = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 10, description }))

export const orgIdField = {
  org_id: optionalOrgId(
    'Workspace tokens only: ID of one organization, assigned by the Git provider. Ignored for other keys.',
  ),
}

export const cursorField = {
  cursor: Type.Optional(Type.String({ description: '`next_cursor` of the previous page, unchanged.' })),
}

/** `day` names the day that decides whether a pull request is in the window. */
export const windowFields = (day: string) => ({
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

export const limitField = (maxRows: number, description: string) => ({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxRows, default: 1000, description })),
})

export const formatField = {
  format: Type.Optional(
    Type.Unsafe<'json' | 'csv'>({
      type: 'string',
      enum: ['json', 'csv'],
      default: 'json',
      description: '`csv` returns a table; its next cursor is in the `x-next-cursor` header.',
    }),
  ),
}

export const NextCursor = Type.Union([Type.String(), Type.Null()], {
  description: 'null when no pull requests remain.',
})

interface WindowQuery {
  readonly start_date: string
  readonly end_date: string
  readonly repository_ids?: readonly string[]
  readonly user_ids?: readonly string[]
}

export function refuseReversedWindow({ query }: { readonly query: WindowQuery }): void {
  if (query.end_date < query.start_date)
    refuse(
      'INVALID_REQUEST',
      'end_date must not precede start_date. Send an end_date that is equal or later.',
    )
}

export function toReadTarget(
  source: MetricsSource,
  {
    metrics,
    scope,
  }: { readonly metrics: Pick<MetricsReadTarget, 'stores' | 'placement'> | null; readonly scope: Scope },
  { start_date, end_date, repository_ids, user_ids }: WindowQuery,
): MetricsReadTarget {
  if (metrics === null) throw new Error('The request context has no metrics placement.')
  const repositories = repository_ids ?? null
  const authors = user_ids ?? null
  return {
    ...metrics,
    source,
    scope,
    window: { startDate: start_date, endDate: end_date, repositories, authors },
  }
}

export const metricsEndpointDefaults = {
  method: 'GET',
  tag: 'Metrics',
  keys: {
    organization: 'allowed',
    user: 'allowed',
    workspace: 'allowed',
    instance: 'allowed',
    legacy: 'allowed',
    agentic: 'KEY_KIND_NOT_ALLOWED',
  },
  organization: 'optional',
  readsMetrics: true,
  plan: 'enterprise',
  permission: 'metrics:read',
  admin: false,
  limit: 'metrics',
  errorBody: 'error',
  params: NoPath,
  body: null,
  paging: { defaultLimit: 1000, limitInCursor: false, positions: 'metrics' },
  maxReplyBytes: MAX_RESPONSE_BYTES,
} as const

export const metricsRefusals = [
  'INVALID_CURSOR',
  'ORG_ID_AMBIGUOUS',
  'ORGANIZATION_NOT_FOUND',
  'ORGANIZATION_OUT_OF_SCOPE',
  'METRICS_UNAVAILABLE',
  'RESPONSE_TOO_LARGE',
  'METRICS_PREPARING',
  'METRICS_TEMPORARILY_UNAVAILABLE',
] as const

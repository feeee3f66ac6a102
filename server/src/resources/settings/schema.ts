import { type Static, Type } from 'typebox'
import { learningScopes, MAX_APPROVAL_DELAY_DAYS } from '../../learning-index/sql.ts'
import { closed, closedObject, literals, nullable, optionalOrgId } from '../../shape.ts'

const target = {
  org_id: optionalOrgId(
    'ID of the organization, assigned by the Git provider. Required with workspace tokens. Other keys ignore it; an ' +
      'instance key uses its home organization.',
  ),
  repository_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'ID of a repository, assigned by the Git provider. Default: the organization.',
    }),
  ),
}

export const SettingsQuery = closedObject(target)
export type SettingsQuery = Static<typeof SettingsQuery>

const scope = literals(learningScopes, {
  description:
    'Which Learnings a review uses: `local`, those of its repository; `global`, those of the organization; `auto`, ' +
    '`local` for a public repository and `global` for a private one.',
})
const approvalDelay = Type.Integer({
  minimum: 0,
  maximum: MAX_APPROVAL_DELAY_DAYS,
  description: 'Days that a Learning from chat waits for approval; 0 for none.',
})

const MAX_PRICE = 1_000_000_000
const MAX_REVIEWERS = 100
/** A name of a reviewer, as findings carry it. */
const reviewerName = '^[^\\p{Cc}\\p{Cs}]{1,255}$'
const price = Type.Number({
  minimum: 0,
  maximum: MAX_PRICE,
  description: 'Price a month for the whole organization, in `currency`.',
})
const since = nullable(Type.String({ format: 'date' }), {
  description: 'First day of the subscription; null: the day of the first finding of the reviewer.',
})
const currency = nullable(Type.String({ pattern: '^[A-Z]{3}$', examples: ['EUR'] }), {
  description: 'Currency of the prices, ISO 4217. Prices are not converted when it changes.',
})

export const SettingsChange = closedObject({
  ...target,
  settings: closedObject(
    {
      knowledge_base: Type.Optional(
        closedObject({
          learnings: Type.Optional(
            closedObject({
              scope: Type.Optional(nullable(scope)),
              approval_delay: Type.Optional(nullable(approvalDelay)),
            }),
          ),
        }),
      ),
      currency: Type.Optional(currency),
      reviewers: Type.Optional(
        Type.Record(
          Type.String({ pattern: reviewerName }),
          nullable(closedObject({ price_per_month: price, since: Type.Optional(since) })),
          {
            ...closed,
            maxProperties: MAX_REVIEWERS,
            description:
              'Prices by reviewer, for `cost_per_accepted` of `GET /v1/metrics/reviewers`. Other reviewers do not change; null ' +
              'removes a price. Not with `repository_id`.',
          },
        ),
      ),
    },
    {
      description: 'The settings to change. null removes a value, so that the level above applies.',
    },
  ),
})
export type SettingsChange = Static<typeof SettingsChange>

export const settingNames = [
  'knowledge_base.learnings.scope',
  'knowledge_base.learnings.approval_delay',
  'metrics.enabled',
  'currency',
  'reviewers',
] as const
export type SettingName = (typeof settingNames)[number]

export const Settings = closedObject({
  organization_id: Type.String({ description: 'ID of the organization, assigned by the Git provider.' }),
  repository_id: nullable(Type.String()),
  settings: closedObject(
    {
      knowledge_base: closedObject({ learnings: closedObject({ scope, approval_delay: approvalDelay }) }),
      metrics: closedObject({
        enabled: Type.Boolean({ description: 'Read-only: the operator changes it.' }),
      }),
      currency,
      reviewers: Type.Record(
        Type.String({ pattern: reviewerName }),
        closedObject({ price_per_month: price, since }),
        { ...closed, description: 'Prices by reviewer, of the organization.' },
      ),
    },
    { description: 'The values that apply.' },
  ),
  inherited: Type.Array(literals(settingNames), {
    description:
      'Names of the settings whose value is not set at this level: it comes from the organization or is the default.',
  }),
})

export const ChangedSettings = closedObject({
  ...Settings.properties,
  warnings: Type.Array(closedObject({ reviewer: Type.String(), message: Type.String() }), {
    description: 'Reviewers of the given prices that have no findings. Their prices are stored.',
  }),
})

import { type Static, Type } from 'typebox'
import { learningScopes, MAX_APPROVAL_DELAY_DAYS } from '../../learning-index/sql.ts'
import { closed, optionalOrgId } from '../../shape.ts'

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

export const SettingsQuery = Type.Object(target, closed)
export type SettingsQuery = Static<typeof SettingsQuery>

const scope = Type.Union(
  learningScopes.map((name) => Type.Literal(name)),
  {
    description:
      'Which Learnings a review uses: `local`, those of its repository; `global`, those of the organization; `auto`, ' +
      '`local` for a public repository and `global` for a private one.',
  },
)
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
const since = Type.Union([Type.String({ format: 'date' }), Type.Null()], {
  description: 'First day of the subscription; null: the day of the first finding of the reviewer.',
})
const currency = Type.Union([Type.String({ pattern: '^[A-Z]{3}$', examples: ['EUR'] }), Type.Null()], {
  description: 'Currency of the prices, ISO 4217. Prices are not converted when it changes.',
})

export const SettingsChange = Type.Object(
  {
    ...target,
    settings: Type.Object(
      {
        knowledge_base: Type.Optional(
          Type.Object(
            {
              learnings: Type.Optional(
                Type.Object(
                  {
                    scope: Type.Optional(Type.Union([scope, Type.Null()])),
                    approval_delay: Type.Optional(Type.Union([approvalDelay, Type.Null()])),
                  },
                  closed,
                ),
              ),
            },
            closed,
          ),
        ),
        currency: Type.Optional(currency),
        reviewers: Type.Optional(
          Type.Record(
            Type.String({ pattern: reviewerName }),
            Type.Union([
              Type.Object({ price_per_month: price, since: Type.Optional(since) }, closed),
              Type.Null(),
            ]),
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
        ...closed,
        description: 'The settings to change. null removes a value, so that the level above applies.',
      },
    ),
  },
  closed,
)
export type SettingsChange = Static<typeof SettingsChange>

export const settingNames = [
  'knowledge_base.learnings.scope',
  'knowledge_base.learnings.approval_delay',
  'metrics.enabled',
  'currency',
  'reviewers',
] as const
export type SettingName = (typeof settingNames)[number]

export const Settings = Type.Object(
  {
    organization_id: Type.String({ description: 'ID of the organization, assigned by the Git provider.' }),
    repository_id: Type.Union([Type.String(), Type.Null()]),
    settings: Type.Object(
      {
        knowledge_base: Type.Object(
          { learnings: Type.Object({ scope, approval_delay: approvalDelay }, closed) },
          closed,
        ),
        metrics: Type.Object(
          { enabled: Type.Boolean({ description: 'Read-only: the operator changes it.' }) },
          closed,
        ),
        currency,
        reviewers: Type.Record(
          Type.String({ pattern: reviewerName }),
          Type.Object({ price_per_month: price, since }, closed),
          { ...closed, description: 'Prices by reviewer, of the organization.' },
        ),
      },
      { ...closed, description: 'The values that apply.' },
    ),
    inherited: Type.Array(Type.Union(settingNames.map((name) => Type.Literal(name))), {
      description:
        'Names of the settings whose value is not set at this level: it comes from the organization or is the default.',
    }),
  },
  closed,
)

export const ChangedSettings = Type.Object(
  {
    ...Settings.properties,
    warnings: Type.Array(Type.Object({ reviewer: Type.String(), message: Type.String() }, closed), {
      description: 'Reviewers of the given prices that have no findings. Their prices are stored.',
    }),
  },
  closed,
)

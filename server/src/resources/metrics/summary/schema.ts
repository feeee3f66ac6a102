import { type Static, Type } from 'typebox'
import { type GroupKey, groupKeys } from '../../../metrics-store/counts/sum-sink.ts'
import { categories, severities } from '../../../metrics-store/findings.ts'
import { orgIdField, windowFields } from '../../../metrics-store/request.ts'
import { closed } from '../../../shape.ts'

/** Ids of the computed metrics that docs/metrics.md defines. A definition that changes gets a new id. */
export const definitions = {
  acceptance: 'acceptance.v1',
} as const

export const SummaryQuery = Type.Object(
  {
    ...orgIdField,
    ...windowFields('merge day'),
    group_by: Type.Optional(
      Type.Array(Type.Unsafe<GroupKey>({ type: 'string', enum: [...groupKeys] }), {
        maxItems: groupKeys.length,
        uniqueItems: true,
        description: `What the findings are told apart by, comma separated: any of ${groupKeys.join(', ')}. Nothing: one total.`,
      }),
    ),
    format: Type.Optional(
      Type.Unsafe<'json' | 'csv'>({
        type: 'string',
        enum: ['json', 'csv'],
        default: 'json',
        description: 'csv: the same as a table, a group a line.',
      }),
    ),
  },
  closed,
)

export type SummaryQuery = Static<typeof SummaryQuery>

const Count = (description: string) => Type.Integer({ minimum: 0, description })
const Rate = (description: string) =>
  Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], { description })
const Key = (description: string) => Type.Optional(Type.Union([Type.String(), Type.Null()], { description }))
const Choice = (values: readonly string[]) =>
  Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      enum: [...values, null],
      description: 'null when absent or unknown.',
    }),
  )

const Group = Type.Object(
  {
    week: Type.Optional(
      Type.String({
        format: 'date',
        description: 'The Monday of the week; only its days within the window count.',
      }),
    ),
    repository: Key('ID assigned by the Git provider.'),
    author: Key('ID assigned by the Git provider; null when the author is not known.'),
    reviewer: Key('Who made the finding; null when that is not known.'),
    severity: Choice(severities),
    category: Choice(categories),
  },
  {
    ...closed,
    description:
      'The keys that `group_by` names, in this order; all other groups are those without findings.',
  },
)

export const acceptanceFields = {
  posted: Count('Findings of merged pull requests.'),
  accepted: Count('Known to be accepted.'),
  not_accepted: Count('Known not to be accepted.'),
  unknown: Count('Nothing is known of their outcome.'),
  rate: Rate('accepted ÷ (accepted + not_accepted); null when nothing is known.'),
  rate_low: Rate('accepted ÷ posted: the rate if none of the unknown was accepted.'),
  rate_high: Rate('(accepted + unknown) ÷ posted: the rate if all of the unknown were accepted.'),
  interval_low: Rate('Of the rate: lower end of the Wilson interval, 95 %.'),
  interval_high: Rate('Of the rate: upper end of the Wilson interval, 95 %.'),
}

export const Summary = Type.Object(
  {
    data: Type.Array(Type.Object({ group: Group, ...acceptanceFields }, closed)),
    definition_id: Type.String({
      description: 'What these figures mean, by its id in the metric dictionary (docs/metrics.md).',
      examples: [definitions.acceptance],
    }),
  },
  closed,
)

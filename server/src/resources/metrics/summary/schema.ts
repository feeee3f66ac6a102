import { type Static, Type } from 'typebox'
import { type GroupKey, groupKeys } from '../../../metrics-store/counts/sum-sink.ts'
import { categories, severities } from '../../../metrics-store/findings.ts'
import { closed } from '../../../shape.ts'
import { definitions } from '../definitions.ts'
import { orgIdField, windowFields } from '../request.ts'

export const SummaryQuery = Type.Object(
  {
    ...orgIdField,
    ...windowFields('merge day'),
    group_by: Type.Optional(
      Type.Array(Type.Unsafe<GroupKey>({ type: 'string', enum: [...groupKeys] }), {
        maxItems: groupKeys.length,
        uniqueItems: true,
        description: `Keys to group findings by, comma-separated: any of ${groupKeys.join(', ')}. Without it the response has one total.`,
      }),
    ),
    format: Type.Optional(
      Type.Unsafe<'json' | 'csv'>({
        type: 'string',
        enum: ['json', 'csv'],
        default: 'json',
        description: '`csv` returns a table with one line per group.',
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

const currentName = (key: GroupKey, name: string) =>
  Key(
    `With \`${key}\`: ${name}; null when the inventory does not have it, or two Git providers use the ID. It does not affect grouping.`,
  )

const Group = Type.Object(
  {
    week: Type.Optional(
      Type.String({
        format: 'date',
        description: 'Monday of the week. Only days within the window are counted.',
      }),
    ),
    organization: Key('ID assigned by the Git provider.'),
    repository: Key('ID assigned by the Git provider.'),
    author: Key('ID assigned by the Git provider; null when the author is unknown.'),
    reviewer: Key('Reviewer that made the finding; null when unknown.'),
    severity: Choice(severities),
    category: Choice(categories),
    repository_name: currentName('repository', 'its current name'),
    author_username: currentName('author', 'the current username'),
  },
  {
    ...closed,
    description: 'The keys of `group_by`, in this order. Groups without findings are not returned.',
  },
)

export const acceptanceFields = {
  posted: Count('Findings of merged pull requests.'),
  accepted: Count('Findings known to be accepted.'),
  not_accepted: Count('Findings known not to be accepted.'),
  unknown: Count('Findings without a known outcome.'),
  rate: Rate('accepted ÷ (accepted + not_accepted); null when no outcome is known.'),
  rate_low: Rate('accepted ÷ posted: the rate if no unknown finding was accepted.'),
  rate_high: Rate('(accepted + unknown) ÷ posted: the rate if all unknown findings were accepted.'),
  interval_low: Rate('Lower bound of the 95% Wilson interval of `rate`.'),
  interval_high: Rate('Upper bound of the 95% Wilson interval of `rate`.'),
}

export const Summary = Type.Object(
  {
    data: Type.Array(Type.Object({ group: Group, ...acceptanceFields }, closed)),
    definition_id: Type.String({
      description: 'ID of the definition of these figures in the metric dictionary (docs/metrics.md).',
      examples: [definitions.acceptance],
    }),
  },
  closed,
)

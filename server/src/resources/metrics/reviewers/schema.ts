import { type Static, Type } from 'typebox'
import { closed } from '../../../shape.ts'
import { definitions } from '../definitions.ts'
import { orgIdField, windowFields } from '../request.ts'
import { acceptanceFields } from '../summary/schema.ts'

export const ReviewersQuery = Type.Object({ ...orgIdField, ...windowFields('merge day') }, closed)
export type ReviewersQuery = Static<typeof ReviewersQuery>

const Count = (description: string) => Type.Integer({ minimum: 0, description })
const Figure = (description: string) =>
  Type.Union([Type.Number({ minimum: 0 }), Type.Null()], { description })
const { posted: _posted, ...rates } = acceptanceFields

const ReviewerRecord = Type.Object(
  {
    reviewer: Type.Union([Type.String(), Type.Null()], {
      description: 'null: findings whose reviewer is unknown.',
    }),
    pull_requests: Count(
      'Merged pull requests that it reviewed, also those without findings if the sender lists them.',
    ),
    findings: Count('Findings of merged pull requests.'),
    ...rates,
    median_minutes_to_fix: Figure(
      'Median time from `posted_at` of an accepted finding to the first commit in its evidence; null when none is known. ' +
        'Above 50,000 such findings it is within 2 % of the exact figure.',
    ),
    unique_accepted: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description:
        'Accepted findings that no other reviewer made, on pull requests that another reviewer reviewed too; null when there ' +
        'are no such pull requests.',
    }),
    cost_per_accepted: Figure(
      'Price per month × days ÷ 30.4 ÷ findings accepted on those days, in `currency`. The days are those of the window from ' +
        '`since` of the price on, or from the first finding of the reviewer if the price has no `since`. null without a price ' +
        'or an accepted finding, ' +
        'when the request covers several organizations, and with `repository_ids` or `user_ids`: a price is that of a whole ' +
        'organization.',
    ),
  },
  closed,
)
export type ReviewerRecord = Static<typeof ReviewerRecord>

const definition = (id: string) =>
  Type.String({
    description: 'ID of the definition of these figures in the metric dictionary (docs/metrics.md).',
    examples: [id],
  })

export const Reviewers = Type.Object(
  {
    data: Type.Array(ReviewerRecord),
    currency: Type.Union([Type.String(), Type.Null()], {
      description:
        'Currency of the costs, `settings.currency` of the organization; null where no cost can be stated.',
    }),
    definition_id: definition(definitions.reviewers),
  },
  closed,
)

const OverlapRecord = Type.Object(
  {
    a: Type.String({ description: 'One reviewer; its name sorts before that of `b`.' }),
    b: Type.String({ description: 'The other reviewer.' }),
    common_pull_requests: Count('Merged pull requests that both reviewed. Only they are compared.'),
    both: Count('Findings that both made.'),
    only_a: Count('Findings of `a` that `b` did not make.'),
    only_b: Count('Findings of `b` that `a` did not make.'),
    both_accepted: Count('Findings that both made and that were accepted of both.'),
  },
  closed,
)
export type OverlapRecord = Static<typeof OverlapRecord>

export const ReviewerOverlap = Type.Object(
  { data: Type.Array(OverlapRecord), definition_id: definition(definitions.reviewers) },
  closed,
)

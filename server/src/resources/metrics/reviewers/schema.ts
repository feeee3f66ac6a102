import { type Static, Type } from 'typebox'
import { closedObject, nullable } from '../../../shape.ts'
import { windowFields } from '../request.ts'
import { count, definitionField, figure, nullableText } from '../schema.ts'
import { acceptanceFields } from '../summary/schema.ts'

export const ReviewersQuery = closedObject(windowFields())
export type ReviewersQuery = Static<typeof ReviewersQuery>

const { posted: _posted, ...rates } = acceptanceFields

const ReviewerRecord = closedObject({
  reviewer: nullableText('null: findings whose reviewer is unknown.'),
  pull_requests: count(
    'Merged pull requests that it reviewed, also those without findings if the sender lists them.',
  ),
  findings: count('Findings of merged pull requests.'),
  ...rates,
  median_minutes_to_fix: figure(
    'Median time from `posted_at` of an accepted finding to the first commit in its evidence; null when none is known. ' +
      'Above 50,000 such findings it is within 2 % of the exact figure.',
  ),
  unique_accepted: nullable(Type.Integer({ minimum: 0 }), {
    description:
      'Accepted findings that no other reviewer made, on pull requests that another reviewer reviewed too; null when there ' +
      'are no such pull requests.',
  }),
  cost_per_accepted: figure(
    'Price per month × days ÷ 30.4 ÷ findings accepted on those days, in `currency`. The days are those of the window from ' +
      '`since` of the price on, or from the first finding of the reviewer if the price has no `since`. null without a price ' +
      'or an accepted finding, ' +
      'when the request covers several organizations, and with `repository_ids` or `user_ids`: a price is that of a whole ' +
      'organization.',
  ),
})
export type ReviewerRecord = Static<typeof ReviewerRecord>

export const Reviewers = closedObject({
  data: Type.Array(ReviewerRecord),
  currency: nullableText(
    'Currency of the costs, `settings.currency` of the organization; null where no cost can be stated.',
  ),
  ...definitionField('reviewers'),
})

const OverlapRecord = closedObject({
  a: Type.String({ description: 'One reviewer; its name sorts before that of `b`.' }),
  b: Type.String({ description: 'The other reviewer.' }),
  common_pull_requests: count('Merged pull requests that both reviewed. Only they are compared.'),
  both: count('Findings that both made.'),
  only_a: count('Findings of `a` that `b` did not make.'),
  only_b: count('Findings of `b` that `a` did not make.'),
  both_accepted: count('Findings that both made and that were accepted of both.'),
})
export type OverlapRecord = Static<typeof OverlapRecord>

export const ReviewerOverlap = closedObject({
  data: Type.Array(OverlapRecord),
  ...definitionField('reviewers'),
})

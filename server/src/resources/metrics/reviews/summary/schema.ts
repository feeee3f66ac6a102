import { type Static, Type } from 'typebox'
import { closed } from '../../../../shape.ts'
import { definitions } from '../../definitions.ts'
import { ReviewsQuery } from '../schema.ts'
import { MAX_EXACT_PULL_REQUESTS } from './durations.ts'

/** The keys of `group_by`, in the order of the response. */
export const reviewGroupKeys = ['week', 'repository'] as const
export type ReviewGroupKey = (typeof reviewGroupKeys)[number]

const { limit: _limit, cursor: _cursor, format: _format, ...filters } = ReviewsQuery.properties

export const ReviewSummaryQuery = Type.Object(
  {
    ...filters,
    group_by: Type.Optional(
      Type.Array(Type.Unsafe<ReviewGroupKey>({ type: 'string', enum: [...reviewGroupKeys] }), {
        maxItems: reviewGroupKeys.length,
        uniqueItems: true,
        description: `Keys to group pull requests by, comma-separated: any of ${reviewGroupKeys.join(', ')}. Without it the response has one total.`,
      }),
    ),
  },
  closed,
)

export type ReviewSummaryQuery = Static<typeof ReviewSummaryQuery>

const Count = (description: string) => Type.Integer({ minimum: 0, description })
const Figure = (description: string) =>
  Type.Union([Type.Number({ minimum: 0 }), Type.Null()], { description })

const Group = Type.Object(
  {
    week: Type.Optional(
      Type.String({
        format: 'date',
        description: 'Monday of the week. Only days within the window are counted.',
      }),
    ),
    repository: Type.Optional(Type.String({ description: 'ID assigned by the Git provider.' })),
    repository_name: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description:
          'With `repository`: its current name; null when the inventory does not have it, or two Git providers use the ID. ' +
          'It does not affect grouping.',
      }),
    ),
  },
  {
    ...closed,
    description: 'The keys of `group_by`, in this order. Groups without pull requests are not returned.',
  },
)

const ReviewSummaryRow = Type.Object(
  {
    group: Group,
    pull_requests: Count('Pull requests of the group.'),
    merged: Count('Those of them that were merged.'),
    closed: Count('Those of them that were closed without a merge.'),
    median_minutes_to_first_human_review: Figure(
      'Median time from ready for review, or else from creation, to the first review by a person; null when none is known.',
    ),
    median_minutes_to_merge: Figure(
      'Median time from ready for review, or else from creation, to the merge; null when none is known.',
    ),
    p90_minutes_to_merge: Figure('90th percentile of the same times.'),
    mean_review_iterations: Figure('Mean of `review_iterations`; null when none is known.'),
  },
  closed,
)

export type ReviewSummaryRow = Static<typeof ReviewSummaryRow>

export const ReviewSummary = Type.Object(
  {
    data: Type.Array(ReviewSummaryRow),
    definition_id: Type.String({
      description: 'ID of the definition of these figures in the metric dictionary (docs/metrics.md).',
      examples: [definitions.reviewTimes],
    }),
    approximate: Type.Boolean({
      description: `Whether a group has more than ${MAX_EXACT_PULL_REQUESTS.toLocaleString('en')} pull requests. Its median and 90th percentile are then within 2 % of the exact figures; every other figure is exact.`,
    }),
  },
  closed,
)

import { type Static, Type } from 'typebox'
import { closedObject } from '../../../../shape.ts'
import { groupByField } from '../../request.ts'
import { count, currentName, definitionField, figure, groupField, weekField } from '../../schema.ts'
import { reviewFilters } from '../schema.ts'

/** The keys of `group_by`, in the order of the response. */
const reviewGroupKeys = ['week', 'repository'] as const
export type ReviewGroupKey = (typeof reviewGroupKeys)[number]

export const ReviewSummaryQuery = closedObject({
  ...reviewFilters,
  ...groupByField(reviewGroupKeys, 'pull requests'),
})
export type ReviewSummaryQuery = Static<typeof ReviewSummaryQuery>

const groupKeys = {
  ...weekField,
  repository: Type.Optional(Type.String({ description: 'ID assigned by the Git provider.' })),
  repository_name: currentName('repository', 'its current name'),
}

const ReviewSummaryRow = closedObject({
  ...groupField(groupKeys, 'pull requests'),
  pull_requests: count('Pull requests of the group.'),
  merged: count('Those of them that were merged.'),
  closed: count('Those of them that were closed without a merge.'),
  median_minutes_to_first_human_review: figure(
    'Median time from ready for review, or else from creation, to the first review by a person; null when none is known.',
  ),
  median_minutes_to_merge: figure(
    'Median time from ready for review, or else from creation, to the merge; null when none is known.',
  ),
  p90_minutes_to_merge: figure('90th percentile of the same times.'),
  mean_review_iterations: figure('Mean of `review_iterations`; null when none is known.'),
})
export type ReviewSummaryRow = Static<typeof ReviewSummaryRow>

export const ReviewSummary = closedObject({
  data: Type.Array(ReviewSummaryRow),
  ...definitionField('reviewTimes'),
  approximate: Type.Boolean({
    description: 'Always false: every figure is exact.',
  }),
})

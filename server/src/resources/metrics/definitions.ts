/** Ids of the computed metrics that docs/metrics.md defines. A definition that changes gets a new id. */
export const definitions = {
  acceptance: 'acceptance.v1',
  reviewTimes: 'review_times.v1',
  reviewers: 'reviewers.v1',
} as const

import { defineEndpoint } from '../../../../http/endpoint.ts'
import { metricsEndpointDefaults, metricsRefusals, refuseReversedWindow } from '../../request.ts'
import { reviewSummaryExample } from './examples.ts'
import { ReviewSummary, ReviewSummaryQuery } from './schema.ts'
import { summarizeReviews } from './summarize.ts'

export const reviewSummary = defineEndpoint({
  ...metricsEndpointDefaults,
  path: '/v1/metrics/reviews/summary',
  operationId: 'summarizeReviews',
  example: reviewSummaryExample,
  summary: 'Summarize how long pull requests took',
  description:
    'Returns counts and times of pull requests that were merged or closed in the window, grouped by the keys in `group_by`. ' +
    'The counts match `/v1/metrics/reviews` with the same filters, where `status` is merged unless you send another. Times ' +
    'begin when a pull request is ready for review or, if that is unknown, when it was created. Groups are sorted by week ' +
    'and repository.',
  query: ReviewSummaryQuery,
  paging: null,
  refine: refuseReversedWindow,
  replies: {
    200: { description: 'All groups with pull requests; one total without `group_by`.', body: ReviewSummary },
  },
  refusals: metricsRefusals.filter((code) => code !== 'INVALID_CURSOR'),
  run: summarizeReviews,
})

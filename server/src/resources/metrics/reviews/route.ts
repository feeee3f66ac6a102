import { defineEndpoint } from '../../../http/endpoint.ts'
import { metricsEndpointDefaults, metricsRefusals, refuseReversedWindow } from '../request.ts'
import { reviewColumns } from './entry.ts'
import { reviewsExample } from './examples.ts'
import { listReviews } from './list.ts'
import { ReviewsPage, ReviewsQuery } from './schema.ts'

export const reviews = defineEndpoint({
  ...metricsEndpointDefaults,
  path: '/v1/metrics/reviews',
  operationId: 'listReviews',
  example: reviewsExample,
  summary: 'List review metrics of pull requests',
  description:
    'Returns one record per pull request that was merged or closed in the window, with or without findings: its times, ' +
    'estimates, and counts of findings by severity and category. The day of a pull request is its merge day or its close day; ' +
    'if that is unknown, the day of its event; `counted_on` returns it. Pages are in write order: later writes and rewrites ' +
    'are on later pages. Join records of different metrics by `pr_url`.',
  query: ReviewsQuery,
  refine: refuseReversedWindow,
  replies: { 200: { description: 'A page of pull requests.', body: ReviewsPage, csv: reviewColumns } },
  refusals: metricsRefusals,
  run: listReviews,
})

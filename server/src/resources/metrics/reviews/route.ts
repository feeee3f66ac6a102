import { defineEndpoint } from '../../../http/endpoint.ts'
import {
  metricsEndpointDefaults,
  metricsRefusals,
  refuseReversedWindow,
} from '../../../metrics-store/request.ts'
import { reviewColumns } from './entry.ts'
import { listReviews } from './list.ts'
import { ReviewsPage, ReviewsQuery } from './schema.ts'

export const reviews = defineEndpoint({
  ...metricsEndpointDefaults,
  path: '/v1/metrics/reviews',
  operationId: 'listReviews',
  summary: 'List review metrics of pull requests',
  description:
    'One record a pull request that was merged or closed in the window, also without findings: its times and estimates, and ' +
    'its findings counted by severity and category. Merged ones count for the day of the merge, closed ones for that of ' +
    'the closing; where it is not known, the day on which it was told. Pages follow the order of writing: what is written, or ' +
    'written again, later is on a later page, so a cursor that is kept can be used again tomorrow. `pr_url` joins a ' +
    'record with those of the other metrics.',
  query: ReviewsQuery,
  refine: refuseReversedWindow,
  replies: { 200: { description: 'A page of pull requests.', body: ReviewsPage, csv: reviewColumns } },
  refusals: metricsRefusals,
  run: listReviews,
})

import { defineEndpoint } from '../../../http/endpoint.ts'
import {
  metricsEndpointDefaults,
  metricsRefusals,
  refuseReversedWindow,
} from '../../../metrics-store/request.ts'
import { listChanges } from './changes.ts'
import { listReviewComments } from './list.ts'
import {
  ChangesPage,
  ChangesQuery,
  ReviewCommentsLinesQuery,
  ReviewCommentsPage,
  ReviewCommentsQuery,
} from './schema.ts'

export const reviewComments = defineEndpoint({
  ...metricsEndpointDefaults,
  path: '/v1/metrics/review-comments',
  operationId: 'listReviewComments',
  summary: 'List review comment metrics of merged pull requests',
  description:
    'Findings of pull requests that were merged in the window, one entry a pull request; comment text is never returned. ' +
    'Pages follow the order of writing, not of merging: what is written later is on a later page, so a cursor that is ' +
    'kept can be used again tomorrow. With `Accept: application/x-ndjson` the answer is one entry a line, without a ' +
    'bound on its size, and its last line is `{"next_cursor":…}`.',
  query: ReviewCommentsQuery,
  ndjsonQuery: ReviewCommentsLinesQuery,
  refine: refuseReversedWindow,
  replies: { 200: { description: 'A page of pull requests.', body: ReviewCommentsPage } },
  refusals: metricsRefusals,
  run: listReviewComments,
})

export const reviewCommentChanges = defineEndpoint({
  ...metricsEndpointDefaults,
  path: '/v1/metrics/review-comments/changes',
  operationId: 'listReviewCommentChanges',
  summary: 'Follow the changes of review comment metrics',
  description:
    'Everything that was written, written again, removed, or whose outcome changed, in order. Without a cursor it begins ' +
    'at the beginning; a cursor is always returned. A copy that follows it stays exact with one call at a time.',
  query: ChangesQuery,
  replies: { 200: { description: 'A page of changes.', body: ChangesPage } },
  refusals: metricsRefusals,
  run: listChanges,
})

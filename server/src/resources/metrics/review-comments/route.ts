import { defineEndpoint } from '../../../http/endpoint.ts'
import examples from '../examples.json' with { type: 'json' }
import { metricsEndpointDefaults, metricsPaging, windowDefaults, windowParameters } from '../request.ts'
import { listChanges } from './changes.ts'
import { listReviewComments } from './list.ts'
import { ChangesPage, ChangesQuery, MAX_LINES, ReviewCommentsPage, ReviewCommentsQuery } from './schema.ts'

export const reviewComments = defineEndpoint({
  ...windowDefaults,
  path: '/v1/metrics/review-comments',
  operationId: 'listReviewComments',
  example: examples.reviewComments,
  summary: 'List review comment metrics of merged pull requests',
  description:
    'Returns the findings of pull requests merged in the window, one entry per pull request. Comment text is never returned. ' +
    'Pages are in write order, not in merge order: later writes are on later pages. `next_cursor` of the last page is null; to ' +
    'follow later writes and outcomes, use `/v1/metrics/review-comments/changes`. With `Accept: application/x-ndjson` the response has one entry per line and no size limit; its ' +
    'last line is `{"next_cursor":…}`.',
  query: ReviewCommentsQuery,
  paging: { ...metricsPaging(...windowParameters), maxNdjsonLimit: MAX_LINES },
  replies: { 200: { description: 'A page of pull requests.', body: ReviewCommentsPage } },
  run: listReviewComments,
})

export const reviewCommentChanges = defineEndpoint({
  ...metricsEndpointDefaults,
  path: '/v1/metrics/review-comments/changes',
  operationId: 'listReviewCommentChanges',
  example: examples.reviewCommentChanges,
  summary: 'List changes of review comment metrics',
  description:
    'Returns every write, rewrite, removal and outcome change, in order. Without a cursor it starts with the oldest change. ' +
    'A cursor is always returned. A copy that applies the changes in order, one request at a time, keyed by ' +
    '`pull_request_key`, stays exact and can rebuild the summary. With `Accept: application/x-ndjson` the response has one ' +
    'change per line and no size limit; its last line is `{"next_cursor":…,"has_more":…}`.',
  query: ChangesQuery,
  paging: { ...metricsPaging('counted_from'), maxNdjsonLimit: MAX_LINES },
  replies: { 200: { description: 'A page of changes.', body: ChangesPage } },
  run: listChanges,
})

import { endpoint } from '../../http/endpoint.ts'
import { listChanges } from './changes.ts'
import { listReviewComments, MOST_BYTES, refuseReversedWindow } from './list.ts'
import {
  ChangesPage,
  ChangesQuery,
  NoPath,
  ReviewCommentsLinesQuery,
  ReviewCommentsPage,
  ReviewCommentsQuery,
} from './schema.ts'

const paging = { defaultLimit: 1000, cursorKeepsLimit: false } as const

const reads = {
  method: 'GET',
  tag: 'Metrics',
  keys: {
    organization: 'allowed',
    user: 'allowed',
    workspace: 'allowed',
    instance: 'allowed',
    legacy: 'allowed',
    agentic: 'KEY_KIND_NOT_ALLOWED',
  },
  organization: 'optional',
  metrics: true,
  plan: 'enterprise',
  permission: 'metrics:read',
  admin: false,
  limit: 'metrics',
  errorBody: 'error',
  params: NoPath,
  body: null,
  paging,
  maxReplyBytes: MOST_BYTES,
} as const

const refusals = [
  'INVALID_CURSOR',
  'ORG_ID_AMBIGUOUS',
  'ORGANIZATION_NOT_FOUND',
  'ORGANIZATION_OUT_OF_SCOPE',
  'METRICS_UNAVAILABLE',
  'RESPONSE_TOO_LARGE',
  'METRICS_PREPARING',
  'METRICS_TEMPORARILY_UNAVAILABLE',
] as const

export const reviewComments = endpoint({
  ...reads,
  path: '/v1/metrics/review-comments',
  operationId: 'listReviewComments',
  summary: 'List review comment metrics of merged pull requests',
  description:
    'Findings of pull requests that were merged in the window, one entry a pull request; comment text is never returned. ' +
    'Pages follow the order of writing, not of merging: what is written later is on a later page, so a cursor that is ' +
    'kept can be used again tomorrow. With `Accept: application/x-ndjson` the answer is one entry a line, without a ' +
    'bound on its size, and its last line is `{"next_cursor":…}`.',
  query: ReviewCommentsQuery,
  lines: ReviewCommentsLinesQuery,
  refine: refuseReversedWindow,
  replies: { 200: { description: 'A page of pull requests.', body: ReviewCommentsPage } },
  refusals,
  run: listReviewComments,
})

export const reviewCommentChanges = endpoint({
  ...reads,
  path: '/v1/metrics/review-comments/changes',
  operationId: 'listReviewCommentChanges',
  summary: 'Follow the changes of review comment metrics',
  description:
    'Everything that was written, written again, removed, or whose outcome changed, in order. Without a cursor it begins ' +
    'at the beginning; a cursor is always returned. A copy that follows it stays exact with one call at a time.',
  query: ChangesQuery,
  replies: { 200: { description: 'A page of changes.', body: ChangesPage } },
  refusals,
  run: listChanges,
})

import { defineEndpoint } from '../../http/endpoint.ts'
import { MAX_RESPONSE_BYTES } from '../../response-size.ts'
import { NoPath } from '../../shape.ts'
import { listLearnings, prepareLearnings, refuseInvalidQuery } from './read/list.ts'
import { learningFields } from './read/record.ts'
import { LearningsPage, LearningsQuery } from './read/schema.ts'

export const learnings = defineEndpoint({
  method: 'GET',
  path: '/v1/learnings',
  operationId: 'listLearnings',
  summary: 'Export and search Learnings',
  description:
    'Learnings that are shared and approved, in the order in which they came to be shared: what is shared later is on a ' +
    'later page, so no page misses one and none is told twice. With `search` the answer is one page, the best first. ' +
    'With `repository_name` the owner of the key needs verified read access to that repository.',
  tag: 'Learnings',
  keys: {
    organization: 'allowed',
    user: 'allowed',
    workspace: 'allowed',
    instance: 'allowed',
    legacy: 'allowed',
    agentic: 'KEY_KIND_NOT_ALLOWED',
  },
  organization: 'optional',
  plan: 'enterprise',
  permission: 'learning:read',
  admin: false,
  limit: 'metrics',
  readsWithAdmission: true,
  errorBody: 'errors',
  params: NoPath,
  query: LearningsQuery,
  body: null,
  refine: refuseInvalidQuery,
  prepare: prepareLearnings,
  paging: { defaultLimit: 1000, limitInCursor: false },
  maxReplyBytes: MAX_RESPONSE_BYTES,
  replies: { 200: { description: 'A page of Learnings.', body: LearningsPage, csv: learningFields } },
  refusals: ['INVALID_CURSOR', 'REPOSITORY_ACCESS_REQUIRED'],
  run: listLearnings,
})

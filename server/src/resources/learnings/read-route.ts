import { defineEndpoint } from '../../http/endpoint.ts'
import { NoPath } from '../../shape.ts'
import { listLearnings, MAX_RESPONSE_BYTES, prepareLearnings, refuseInvalidQuery } from './read/list.ts'
import { learningFields } from './read/record.ts'
import { LearningsPage, LearningsQuery } from './read/schema.ts'

export const learnings = defineEndpoint({
  method: 'GET',
  path: '/v1/learnings',
  operationId: 'listLearnings',
  summary: 'Export and search Learnings',
  description:
    'Returns shared Learnings in the order in which they were shared. Learnings that are shared during an export appear on ' +
    'a later page, so an export neither skips nor repeats one. With `search`, the response is one page, best match first. ' +
    'With `repository_name`, the owner of the key must have verified read access to that repository.',
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

import { defineEndpoint } from '../../http/endpoint.ts'
import { NoPath, NoQuery } from '../../shape.ts'
import { LearningRecord } from './read/record.ts'
import { decideOnLearning, prepareApproval } from './write/approve.ts'
import { createLearnings, prepareBatch } from './write/create.ts'
import { deleteLearning } from './write/delete.ts'
import { patchLearning, prepareText, refuseBadText } from './write/patch.ts'
import {
  Approval,
  ApprovalBody,
  BatchResult,
  CreateBody,
  LearningPath,
  OrganizationQuery,
  PatchBody,
} from './write/schema.ts'

const writeDefaults = {
  tag: 'Learnings',
  keys: {
    organization: 'allowed',
    user: 'allowed',
    workspace: 'allowed',
    instance: 'KEY_KIND_NOT_ALLOWED',
    legacy: 'LEGACY_API_KEY',
    agentic: 'KEY_KIND_NOT_ALLOWED',
  },
  organization: 'required',
  plan: 'enterprise',
  permission: 'learning:write',
  admin: false,
  limit: 'learnings-writes',
  serializePerRoot: true,
  errorBody: 'errors',
  params: LearningPath,
  query: NoQuery,
  paging: null,
  refusals: [],
} as const

export const createLearning = defineEndpoint({
  ...writeDefaults,
  method: 'POST',
  path: '/v1/learnings',
  operationId: 'createLearnings',
  summary: 'Create Learnings',
  description:
    'Creates 1 to 100 Learnings in one ordered batch and indexes them for future reviews. The reply is 200 also when ' +
    'items fail: check `status` and every result. An id derives from organization, repository and redacted text, so ' +
    'sending the same again is safe, and repairs an index that failed. A text that waits in an open pull request or ' +
    'for approval is shared instead of created twice. Author and repository ownership are set by the service.',
  params: NoPath,
  body: CreateBody,
  individuallyValidatedField: 'data',
  prepare: prepareBatch,
  replies: { 200: { description: 'What became of each item.', body: BatchResult } },
  run: createLearnings,
})

export const updateLearning = defineEndpoint({
  ...writeDefaults,
  method: 'PATCH',
  path: '/v1/learnings/{learning_id}',
  operationId: 'updateLearning',
  summary: 'Replace the text of a Learning',
  description:
    'Replaces the text and, when the Learning is shared, rebuilds its review index. The id stays. After a 503 ' +
    '`INDEX_FAILED` the text is replaced already: repeating the same request rebuilds the index.',
  body: PatchBody,
  refine: refuseBadText,
  prepare: prepareText,
  replies: { 200: { description: 'The Learning as it is now.', body: LearningRecord } },
  refusals: ['NOT_FOUND', 'LEARNING_EXISTS', 'INDEX_FAILED'],
  run: patchLearning,
})

export const removeLearning = defineEndpoint({
  ...writeDefaults,
  method: 'DELETE',
  path: '/v1/learnings/{learning_id}',
  operationId: 'deleteLearning',
  summary: 'Delete a Learning',
  description:
    'Deletes a Learning in any state. Deleting one that is not there is the same success, so retries are safe. ' +
    'Creating the same text later gives the same id, with fresh counters.',
  query: OrganizationQuery,
  body: null,
  replies: { 204: { description: 'It is not there any more.', body: null } },
  run: deleteLearning,
})

export const approveLearning = defineEndpoint({
  ...writeDefaults,
  method: 'POST',
  path: '/v1/learnings/{learning_id}/approval',
  operationId: 'decideOnLearning',
  summary: 'Approve or disapprove a Learning',
  description:
    'Decides on a Learning that waits for approval: approved, it is part of the knowledge base at once; disapproved, its ' +
    'text is refused from then on. The same decision again is the same success.',
  admin: true,
  body: ApprovalBody,
  prepare: prepareApproval,
  replies: { 200: { description: 'The decision.', body: Approval } },
  refusals: ['NOT_FOUND'],
  run: decideOnLearning,
})

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
    'Creates 1 to 100 Learnings in one ordered batch and indexes them for future reviews. The response is 200 even if ' +
    'items fail: check `status` and every result. The id derives from organization, repository and redacted text, so ' +
    'a retry with the same items is safe; it also repairs an index that failed. If a private or pending Learning has ' +
    'the same text, it is shared and no second one is created. The server sets author and repository ownership.',
  params: NoPath,
  body: CreateBody,
  individuallyValidatedField: 'data',
  prepare: prepareBatch,
  replies: { 200: { description: 'The result of each item.', body: BatchResult } },
  run: createLearnings,
})

export const updateLearning = defineEndpoint({
  ...writeDefaults,
  method: 'PATCH',
  path: '/v1/learnings/{learning_id}',
  operationId: 'updateLearning',
  summary: 'Replace the text of a Learning',
  description:
    'Replaces the text and, if the Learning is shared, rebuilds its review index. The id does not change. After a 503 ' +
    '`INDEX_FAILED` the text has been replaced: repeat the same request to rebuild the index.',
  body: PatchBody,
  refine: refuseBadText,
  prepare: prepareText,
  replies: { 200: { description: 'The updated Learning.', body: LearningRecord } },
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
    'Deletes a Learning in any state. Deleting a Learning that does not exist also returns 204, so retries are safe. ' +
    'Creating the same text later returns the same id, with usage counters reset.',
  query: OrganizationQuery,
  body: null,
  replies: { 204: { description: 'The Learning does not exist any more.', body: null } },
  run: deleteLearning,
})

export const approveLearning = defineEndpoint({
  ...writeDefaults,
  method: 'POST',
  path: '/v1/learnings/{learning_id}/approval',
  operationId: 'decideOnLearning',
  summary: 'Approve or disapprove a Learning',
  description:
    'Approves or disapproves a pending Learning. An approved Learning is shared immediately. After a disapproval, the ' +
    'server rejects new Learnings with the same text. Repeating a decision returns the same response.',
  admin: true,
  body: ApprovalBody,
  prepare: prepareApproval,
  replies: { 200: { description: 'The decision.', body: Approval } },
  refusals: ['NOT_FOUND'],
  run: decideOnLearning,
})

import { allowKeys, defineEndpoint } from '../../http/endpoint.ts'
import { agentKeys, type Tool } from '../../http/mcp/tool.ts'
import { MAX_RESPONSE_BYTES } from '../../response-size.ts'
import { NoPath } from '../../shape.ts'
import {
  handleProposeLearning,
  ProposeBody,
  ProposeResult,
  prepareProposal,
  refuseInvalidProposal,
} from './events/propose-tool.ts'
import examples from './examples.json' with { type: 'json' }
import type { LearningState } from './lifecycle.ts'
import {
  listLearnings,
  prepareLearnings,
  refuseInvalidQuery,
  refuseUnreadableRepository,
} from './read/list.ts'
import { listPendingLearnings, preparePending } from './read/pending.ts'
import {
  LearningRecord,
  LearningsPage,
  LearningsQuery,
  learningFields,
  PendingLearningsPage,
  PendingLearningsQuery,
} from './read/schema.ts'
import { decideOnLearning, decideOnLearnings, prepareApproval, prepareApprovals } from './write/approve.ts'
import { createLearnings, isDryRun, prepareBatch } from './write/create.ts'
import { deleteLearning } from './write/delete.ts'
import { patchLearning, prepareText, refuseBadText } from './write/patch.ts'
import {
  Approval,
  ApprovalBody,
  ApprovalsBody,
  ApprovalsResult,
  BatchResult,
  CreateBody,
  LearningPath,
  OrganizationQuery,
  PatchBody,
} from './write/schema.ts'

const defaults = {
  tag: 'Learnings',
  keys: allowKeys('organization', 'user', 'workspace'),
  organization: 'required',
  permission: 'learning:write',
  admin: false,
  errorBody: 'errors',
} as const

const writeDefaults = {
  ...defaults,
  limit: 'learnings-writes',
  concurrency: 'queued',
  params: LearningPath,
} as const

export const createLearning = defineEndpoint({
  ...writeDefaults,
  method: 'POST',
  path: '/v1/learnings',
  operationId: 'createLearnings',
  example: examples.createLearnings,
  summary: 'Create Learnings',
  description:
    'Creates 1 to 100 Learnings in one ordered batch and indexes them for future reviews. The response is 200 even if ' +
    'items fail: check `status` and every result. The id derives from organization, repository and redacted text, so ' +
    'a retry with the same items is safe; it also repairs an index that failed. If a private or pending Learning has ' +
    'the same text, it is shared and no second one is created. A Learning whose text was changed since is not changed ' +
    'back: the item is a `duplicate` with `matched`. With `import`, a text that has a flag is pending until an Admin ' +
    'decides. The server sets author and repository ownership.',
  params: NoPath,
  body: CreateBody,
  readOnly: { isDryRun, limit: 'learnings-dry-runs' },
  prepare: prepareBatch,
  replies: { 200: { description: 'The result of each item.', body: BatchResult } },
  run: createLearnings,
})

export const updateLearning = defineEndpoint({
  ...writeDefaults,
  method: 'PATCH',
  path: '/v1/learnings/{learning_id}',
  operationId: 'updateLearning',
  example: examples.updateLearning,
  summary: 'Replace the text of a Learning',
  description:
    'Replaces the text and, if the Learning is shared, rebuilds its review index. The id does not change. After a 503 ' +
    '`INDEX_FAILED` the text has been replaced: repeat the same request to rebuild the index.',
  body: PatchBody,
  checks: { input: refuseBadText },
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
  example: examples.removeLearning,
  summary: 'Delete a Learning',
  description:
    'Deletes a Learning in any state. Deleting a Learning that does not exist also returns 204, so retries are safe. ' +
    'Creating the same text later returns the same id, with usage counters reset. The text of a disapproved Learning ' +
    'stays rejected until an Admin approves its id.',
  query: OrganizationQuery,
  replies: { 204: { description: 'The Learning does not exist any more.', body: null } },
  run: deleteLearning,
})

export const approveLearning = defineEndpoint({
  ...writeDefaults,
  method: 'POST',
  path: '/v1/learnings/{learning_id}/approval',
  operationId: 'decideOnLearning',
  example: examples.approveLearning,
  summary: 'Approve or disapprove a Learning',
  description:
    'Approves or disapproves a pending Learning. An approved Learning is shared immediately. After a disapproval, the ' +
    'server rejects new Learnings with the same text, also after the Learning was deleted. Approving a disapproved ' +
    'Learning lifts that: it is shared, or, if it was deleted, its text can be created again. Repeating a decision on a ' +
    'Learning returns the same response.',
  admin: true,
  body: ApprovalBody,
  prepare: prepareApproval,
  replies: { 200: { description: 'The decision.', body: Approval } },
  refusals: ['NOT_FOUND'],
  run: decideOnLearning,
})

export const approveLearnings = defineEndpoint({
  ...writeDefaults,
  method: 'POST',
  path: '/v1/learnings/approvals',
  operationId: 'decideOnLearnings',
  example: examples.approveLearnings,
  summary: 'Approve or disapprove many Learnings',
  description:
    'Applies 1 to 100 decisions in their order, each as `POST /v1/learnings/{learning_id}/approval` does. The response is ' +
    '200 even if decisions fail: check `status` and every result. Repeating the request returns the same results.',
  admin: true,
  params: NoPath,
  body: ApprovalsBody,
  prepare: prepareApprovals,
  replies: { 200: { description: 'The result of each decision.', body: ApprovalsResult } },
  run: decideOnLearnings,
})

export const pendingLearnings = defineEndpoint({
  ...defaults,
  method: 'GET',
  path: '/v1/learnings/pending',
  operationId: 'listPendingLearnings',
  example: examples.pendingLearnings,
  summary: 'List pending Learnings',
  description:
    'Returns the Learnings that wait for approval, oldest proposal first, each with the shared Learnings that are close to ' +
    'it. Decide on them with `POST /v1/learnings/approvals`.',
  admin: true,
  limit: 'learnings-pending',
  query: PendingLearningsQuery,
  prepare: preparePending,
  paging: { defaultLimit: 100, limitInCursor: false, boundBy: ['repository_ids', 'source'] },
  replies: { 200: { description: 'A page of pending Learnings.', body: PendingLearningsPage } },
  run: listPendingLearnings,
})

export const learnings = defineEndpoint({
  method: 'GET',
  path: '/v1/learnings',
  operationId: 'listLearnings',
  example: examples.learnings,
  summary: 'Export and search Learnings',
  description:
    'Returns shared Learnings in the order in which they were shared. Learnings that are shared during an export appear on ' +
    'a later page, so an export neither skips nor repeats one. With `search`, the response is one page, best match first. ' +
    'With `repository_name`, the owner of the key must have verified read access to that repository.',
  tag: 'Learnings',
  keys: allowKeys('organization', 'user', 'workspace', 'instance', 'legacy'),
  organization: 'filtered',
  permission: 'learning:read',
  admin: false,
  limit: 'metrics',
  readsWithAdmission: true,
  errorBody: 'errors',
  query: LearningsQuery,
  checks: { input: refuseInvalidQuery, access: refuseUnreadableRepository },
  prepare: prepareLearnings,
  paging: {
    defaultLimit: 1000,
    limitInCursor: false,
    boundBy: ['repository_ids', 'user_ids', 'repository_name', 'files', 'search', 'stat_filter'],
    positions: 'learnings',
  },
  maxReplyBytes: MAX_RESPONSE_BYTES,
  replies: {
    200: {
      description: 'A page of Learnings.',
      body: LearningsPage,
      csv: learningFields,
      csvHeaders: ['x-ranked-by'],
    },
  },
  refusals: ['REPOSITORY_ACCESS_REQUIRED'],
  run: listLearnings,
})

/** Available only as an MCP tool. */
const proposeLearning = defineEndpoint({
  method: 'POST',
  path: '/mcp/propose_learning',
  operationId: 'proposeLearning',
  summary: 'Propose a Learning',
  description:
    'Proposes guidance for future reviews of a repository. The proposal is pending until an Admin approves it; reviews do ' +
    'not use it before. If a Learning with the same text exists, it is not changed and its state is returned.',
  tag: 'Learnings',
  keys: agentKeys,
  organization: 'required',
  permission: 'learning:write',
  admin: false,
  limit: 'review-context',
  concurrency: 'queued',
  errorBody: 'errors',
  body: ProposeBody,
  checks: { input: refuseInvalidProposal },
  prepare: prepareProposal,
  replies: { 200: { description: 'The id and state of the Learning.', body: ProposeResult } },
  refusals: ['NOT_FOUND'],
  run: handleProposeLearning,
})

export const proposeLearningTool: Tool = {
  name: 'propose_learning',
  title: 'Propose a Learning',
  description:
    'Proposes a rule that future reviews and agents should follow in this repository: one rule in one to three sentences, ' +
    'with its reason, without credentials or names of people. The proposal is not used until a person approves it. ' +
    'Search first: do not propose a rule that already exists.',
  endpoint: proposeLearning,
  renderText: (result) => renderProposal(result as ProposalResult),
}

interface ProposalResult {
  readonly id: string
  readonly state: LearningState
  readonly matched?: 'id'
}

function renderProposal({ id, state, matched }: ProposalResult): string {
  if (matched)
    return `The Learning ${id} was created with this text, and somebody has changed its text since. Nothing was changed: read it, and do not propose the former text again.`
  switch (state) {
    case 'pending':
      return `Proposed as ${id}. It is pending until a person approves it: do not rely on it before.`
    case 'shared':
      return `The team already shares this Learning: ${id}. Nothing was changed.`
    case 'private':
      return `An open pull request already proposes this Learning: ${id}. Nothing was changed.`
    case 'disapproved':
      return `An Admin disapproved this Learning: ${id}. Do not propose it again.`
  }
}

import type { Static } from 'typebox'
import { auditChange } from '../../../access/change-context.ts'
import type { SelectedScope } from '../../../access/scope.ts'
import { readScoped } from '../../../db/transaction.ts'
import { refuse } from '../../../errors.ts'
import type { AppContext } from '../../../http/app-context.ts'
import type { RequestContext } from '../../../http/endpoint.ts'
import { ok, type Reply } from '../../../http/reply.ts'
import type { LearningId } from '../../../ids.ts'
import { indexLearnings } from '../../../learning-index/index-learnings.ts'
import { deleteTasks } from '../../../learning-index/tasks-sql.ts'
import { REDACTOR_VERSION } from '../../../text/redact.ts'
import type { LearningState } from '../lifecycle.ts'
import { type EmbeddedTexts, embedTexts } from './embed.ts'
import { toSharedRow } from './plan.ts'
import { recordLearningChanges } from './record-change.ts'
import type { ApprovalBody, ApprovalsBody, ApprovalsResult, LearningPath } from './schema.ts'
import { findSimilarLearnings, renderSimilar } from './similar.ts'
import {
  deleteOrigins,
  deleteTombstone,
  findLearnings,
  findTombstone,
  type LearningRow,
  reserveLearningPositions,
  type Tombstone,
  updateLearnings,
} from './sql.ts'
import { parseLearningId, toWriteContext, type WriteContext } from './write-context.ts'

const notPendingMessage = 'The organization has no pending or disapproved Learning with this id.'

interface ApprovalInput {
  readonly params: Static<typeof LearningPath>
  readonly body: Static<typeof ApprovalBody>
}

interface ApprovalsInput {
  readonly body: Static<typeof ApprovalsBody>
}

type Decision = Static<typeof ApprovalBody>['decision']

interface Decided {
  readonly id: LearningId
  readonly state: 'shared' | 'disapproved' | 'deleted'
  /** Absent if it had been deleted before. */
  readonly learning?: LearningRow
}

export function prepareApproval(
  app: AppContext,
  { params, body }: ApprovalInput,
  selected: SelectedScope,
): Promise<EmbeddedTexts> {
  return embedApproved(app, [{ learning_id: params.learning_id, decision: body.decision }], selected)
}

export function prepareApprovals(
  app: AppContext,
  { body }: ApprovalsInput,
  selected: SelectedScope,
): Promise<EmbeddedTexts> {
  return embedApproved(app, body.decisions, selected)
}

/** Embeds the texts before the transaction begins. If a text changes in between, the worker repairs the index. */
async function embedApproved(
  app: AppContext,
  decisions: Static<typeof ApprovalsBody>['decisions'],
  { scope, organization }: SelectedScope,
): Promise<EmbeddedTexts> {
  const ids = decisions.flatMap(({ learning_id, decision }) => {
    const id = decision === 'approve' ? parseLearningId(learning_id) : null
    return id === null ? [] : [id]
  })
  if (ids.length === 0 || organization === null) return embedTexts(scope, app, [])
  const found = await readScoped(app.apiPool, scope, (tx) => findLearnings(scope, tx, organization, { ids }))
  return embedTexts(
    scope,
    app,
    found.filter(({ state }) => state !== 'private').map(({ text }) => text),
  )
}

export async function decideOnLearning(
  context: RequestContext<EmbeddedTexts>,
  { params, body }: ApprovalInput,
): Promise<Reply> {
  const writeContext = toWriteContext(context)
  const decided = await decide(writeContext, params.learning_id, body.decision, context.prepared)
  if (decided === null) return refuse('NOT_FOUND', notPendingMessage)
  const { id, state, learning } = decided
  const shared = state === 'shared' && learning !== undefined ? [learning] : []
  const similar = await findSimilarLearnings(writeContext, shared, context.prepared, {
    withEachOther: false,
  })
  return ok({ id, state, ...renderSimilar(similar, id) })
}

/** In the order of the request: a later decision on the same Learning applies to the result of the earlier one. */
export async function decideOnLearnings(
  context: RequestContext<EmbeddedTexts>,
  { body }: ApprovalsInput,
): Promise<Reply> {
  const writeContext = toWriteContext(context)
  const results: Static<typeof ApprovalsResult>['results'] = []
  for (const { learning_id, decision } of body.decisions) {
    const decided = await decide(writeContext, learning_id, decision, context.prepared)
    results.push(
      decided === null
        ? { learning_id, status: 'failed', state: null, code: 'NOT_FOUND' }
        : { learning_id, status: 'decided', state: decided.state, code: null },
    )
  }
  const failed = results.filter(({ status }) => status === 'failed').length
  return ok({ status: summarizeBatch(failed, results.length), results })
}

function summarizeBatch(failed: number, all: number): 'success' | 'partial_success' | 'failure' {
  if (failed === 0) return 'success'
  return failed === all ? 'failure' : 'partial_success'
}

/** Null if the organization has no Learning with this id that the decision applies to. */
async function decide(
  writeContext: WriteContext,
  learningId: string,
  decision: Decision,
  embedded: EmbeddedTexts,
): Promise<Decided | null> {
  const id = parseLearningId(learningId)
  if (id === null) return null
  const { scope, tx, organization, at } = writeContext
  const [head, [was], tombstone] = await Promise.all([
    reserveLearningPositions(scope, tx, 1, REDACTOR_VERSION),
    findLearnings(scope, tx, organization, { ids: [id] }),
    findTombstone(scope, tx, organization, id),
  ])
  if (was === undefined)
    return tombstone === null ? null : decideOnTombstone(writeContext, tombstone, decision)
  const state = decision === 'approve' ? 'shared' : 'disapproved'
  if (was.state === state) return { id, state, learning: was }
  if (!isDecidable(was.state, state)) return null
  const is: LearningRow =
    state === 'shared'
      ? toSharedRow(was, head.position, at)
      : { ...was, state, deadline: null, updated_at: at }
  await writeDecision(writeContext, was, is, embedded)
  return { id, state, learning: is }
}

/** Approval lifts a disapproval; a shared Learning is deleted, not disapproved. */
function isDecidable(state: LearningState, wanted: 'shared' | 'disapproved'): boolean {
  return state === 'pending' || (state === 'disapproved' && wanted === 'shared')
}

async function writeDecision(
  writeContext: WriteContext,
  was: LearningRow,
  is: LearningRow,
  { models, vectorsOf, onIndexError }: EmbeddedTexts,
): Promise<void> {
  const { scope, tx, organization, at } = writeContext
  const isShared = is.state === 'shared'
  await Promise.all([
    updateLearnings(scope, tx, [is]),
    deleteOrigins(scope, tx, organization, [is.id]),
    deleteTasks(scope, tx, 'approve', [is]),
  ])
  const toIndex = isShared ? [{ learning: is, vectors: vectorsOf(is.text) }] : []
  await indexLearnings(scope, tx, models, toIndex, at, onIndexError)
  const what = isShared ? 'approved' : 'disapproved'
  await recordLearningChanges(writeContext, [{ what, learning: is, was }])
}

/** The Learning and its text were deleted: approval only permits the text again. */
async function decideOnTombstone(
  writeContext: WriteContext,
  { id, repository_id }: Tombstone,
  decision: Decision,
): Promise<Decided> {
  if (decision === 'disapprove') return { id, state: 'disapproved' }
  const { scope, tx, organization } = writeContext
  await deleteTombstone(scope, tx, organization, id)
  await auditChange(writeContext, {
    action: 'learning_approved',
    resourceId: id,
    organization,
    metadata: { repository_id, state: 'deleted' },
    before: { state: 'disapproved' },
    after: { state: 'deleted' },
  })
  return { id, state: 'deleted' }
}

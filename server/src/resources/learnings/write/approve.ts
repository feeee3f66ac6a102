import type { Static } from 'typebox'
import { type AuditEntry, writeAuditEntries } from '../../../access/audit.ts'
import type { SelectedScope } from '../../../access/scope.ts'
import { readScoped } from '../../../db/transaction.ts'
import { refuse } from '../../../errors.ts'
import type { AppContext } from '../../../http/app-context.ts'
import type { RequestContext } from '../../../http/endpoint.ts'
import { ok, type Reply } from '../../../http/reply.ts'
import { indexLearnings } from '../../../learning-index/index-learnings.ts'
import { deleteTasks } from '../../../learning-index/tasks-sql.ts'
import { REDACTOR_VERSION } from '../../../text/redact.ts'
import type { LearningState } from '../lifecycle.ts'
import { type EmbeddedTexts, embedTexts } from './embed.ts'
import { toSharedRow } from './plan.ts'
import { recordLearningChanges } from './record-change.ts'
import type { ApprovalBody, LearningPath } from './schema.ts'
import { findSimilarLearnings, renderSimilar } from './similar.ts'
import {
  deleteOrigins,
  findLearnings,
  type LearningRow,
  reserveLearningPositions,
  updateLearnings,
} from './sql.ts'
import { deleteTombstone, findTombstone, type Tombstone } from './tombstones-sql.ts'
import { parseLearningId, toWriteContext, type WriteContext } from './write-context.ts'

const notPendingMessage = 'The organization has no pending or disapproved Learning with this id.'

interface ApprovalInput {
  readonly params: Static<typeof LearningPath>
  readonly body: Static<typeof ApprovalBody>
}

/** Embeds the text before the transaction begins. If the text changes in between, the worker repairs the index. */
export async function prepareApproval(
  app: AppContext,
  { params, body }: ApprovalInput,
  { scope, organization }: SelectedScope,
): Promise<EmbeddedTexts> {
  const id = parseLearningId(params.learning_id)
  if (id === null || organization === null || body.decision === 'disapprove') return embedTexts(app, [])
  const found = await readScoped(app.apiPool, scope, (tx) =>
    findLearnings(scope, tx, organization, { ids: [id] }),
  )
  return embedTexts(
    app,
    found.filter(({ state }) => state !== 'private').map(({ text }) => text),
  )
}

export async function decideOnLearning(
  context: RequestContext<EmbeddedTexts>,
  { params, body }: ApprovalInput,
): Promise<Reply> {
  const id = parseLearningId(params.learning_id)
  if (id === null) return refuse('NOT_FOUND', notPendingMessage)
  const writeContext = toWriteContext(context)
  const { scope, tx, organization, at } = writeContext
  const [head, [was], tombstone] = await Promise.all([
    reserveLearningPositions(scope, tx, 1, REDACTOR_VERSION),
    findLearnings(scope, tx, organization, { ids: [id] }),
    findTombstone(scope, tx, organization, id),
  ])
  if (was === undefined && tombstone !== undefined)
    return decideOnTombstone(writeContext, tombstone, body.decision)
  const wanted = body.decision === 'approve' ? 'shared' : 'disapproved'
  if (was?.state === wanted) return renderDecision(writeContext, was, context.prepared)
  if (was === undefined || !isDecidable(was.state, wanted)) return refuse('NOT_FOUND', notPendingMessage)
  const is: LearningRow =
    wanted === 'shared'
      ? toSharedRow(was, head.position, at)
      : { ...was, state: wanted, deadline: null, updated_at: at }
  await writeDecision(writeContext, was, is, context.prepared)
  return renderDecision(writeContext, is, context.prepared)
}

async function renderDecision(
  writeContext: WriteContext,
  learning: LearningRow,
  embedded: EmbeddedTexts,
): Promise<Reply> {
  const { id, state } = learning
  const similar = await findSimilarLearnings(writeContext, state === 'shared' ? [learning] : [], embedded)
  return ok({ id, state, ...renderSimilar(similar, id) })
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
  { scope, tx, organization, actor, at }: WriteContext,
  { id, repository_id }: Tombstone,
  decision: Static<typeof ApprovalBody>['decision'],
): Promise<Reply> {
  if (decision === 'disapprove') return ok({ id, state: 'disapproved' })
  await deleteTombstone(scope, tx, organization, id)
  const entry: AuditEntry = {
    action: 'learning_approved',
    resourceType: 'learning',
    resourceId: id,
    organization,
    actor,
    metadata: { repository_id, state: 'deleted' },
    before: { state: 'disapproved' },
    after: { state: 'deleted' },
  }
  await writeAuditEntries(tx, scope, [entry], at)
  return ok({ id, state: 'deleted' })
}

import type { Static } from 'typebox'
import type { SelectedScope } from '../../../access/scope.ts'
import { readScoped } from '../../../db/transaction.ts'
import { refuse } from '../../../errors.ts'
import type { AppContext } from '../../../http/app-context.ts'
import type { RequestContext } from '../../../http/endpoint.ts'
import { ok, type Reply } from '../../../http/reply.ts'
import { indexLearnings } from '../../../learning-index/index-learnings.ts'
import { deleteTasks } from '../../../learning-index/tasks-sql.ts'
import { REDACTOR_VERSION } from '../../../text/redact.ts'
import { type EmbeddedTexts, embedTexts } from './embed.ts'
import { toSharedRow } from './plan.ts'
import { recordLearningChanges } from './record-change.ts'
import type { ApprovalBody, LearningPath } from './schema.ts'
import {
  deleteOrigins,
  findLearnings,
  type LearningRow,
  reserveLearningPositions,
  updateLearnings,
} from './sql.ts'
import { parseLearningId, toWriteContext } from './write-context.ts'

const notPendingMessage = 'The organization has no pending Learning with this id.'

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
    found.filter(({ state }) => state === 'pending').map(({ text }) => text),
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
  const [head, [was]] = await Promise.all([
    reserveLearningPositions(scope, tx, 1, REDACTOR_VERSION),
    findLearnings(scope, tx, organization, { ids: [id] }),
  ])
  const wanted = body.decision === 'approve' ? 'shared' : 'disapproved'
  if (was?.state === wanted) return ok({ id, state: wanted })
  if (was?.state !== 'pending') return refuse('NOT_FOUND', notPendingMessage)
  const is: LearningRow =
    wanted === 'shared'
      ? toSharedRow(was, head.position, at)
      : { ...was, state: wanted, deadline: null, updated_at: at }
  await Promise.all([
    updateLearnings(scope, tx, [is]),
    deleteOrigins(scope, tx, organization, [id]),
    deleteTasks(scope, tx, 'approve', [is]),
  ])
  const { models, vectorsOf, onIndexError } = context.prepared
  const toIndex = wanted === 'shared' ? [{ learning: is, vectors: vectorsOf(is.text) }] : []
  await indexLearnings(scope, tx, models, toIndex, at, onIndexError)
  await recordLearningChanges(writeContext, [
    { what: wanted === 'shared' ? 'approved' : 'disapproved', learning: is },
  ])
  return ok({ id, state: wanted })
}

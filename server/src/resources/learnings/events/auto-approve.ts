import type { ChangeContext } from '../../../access/change-context.ts'
import { rootScope } from '../../../access/scope.ts'
import type { WorkerContext } from '../../../bus/context.ts'
import { inTransaction, readScoped } from '../../../db/transaction.ts'
import type { LearningId, OrganizationId } from '../../../ids.ts'
import {
  deleteTasks,
  enqueueApprovals,
  findDueTasksUnscoped,
  type LearningTask,
  retryTasksLater,
} from '../../../learning-index/tasks-sql.ts'
import { findTextFlags } from '../../../text/flags.ts'
import { REDACTOR_VERSION } from '../../../text/redact.ts'
import { isApprovalDue } from '../lifecycle.ts'
import type { EmbeddedTexts } from '../write/embed.ts'
import { toSharedRow } from '../write/plan.ts'
import {
  findLearnings,
  type LearningRow,
  lockLearnings,
  reserveLearningPositions,
  updateLearnings,
} from '../write/sql.ts'
import { embedBeforeTransaction, writeTransitions } from './transition.ts'

const BATCH_SIZE = 200

/** Shares pending Learnings whose deadline has passed. A failing organization does not block the others. */
export async function autoApproveDueLearnings(context: WorkerContext): Promise<void> {
  for (;;) {
    const due = await findDueTasksUnscoped(context.database, 'approve', context.now(), BATCH_SIZE)
    for (const tasks of Map.groupBy(
      due,
      ({ root, organization_id }) => `${root} ${organization_id}`,
    ).values())
      await approveOrRetryLater(context, tasks)
    if (due.length < BATCH_SIZE) return
  }
}

async function approveOrRetryLater(context: WorkerContext, tasks: readonly LearningTask[]): Promise<void> {
  const [first] = tasks
  if (first === undefined) return
  const scope = rootScope(first.root)
  try {
    await approveTasks(context, scope, first.organization_id, tasks)
  } catch (err) {
    context.log.error({ err, root: first.root }, 'automatic approval failed; will retry')
    await inTransaction(context.database, scope, (tx) =>
      retryTasksLater(scope, tx, 'approve', tasks, context.now()),
    )
  }
}

async function approveTasks(
  context: WorkerContext,
  scope: ChangeContext['scope'],
  organization: OrganizationId,
  tasks: readonly LearningTask[],
): Promise<void> {
  const ids = tasks.map(({ id }) => id)
  const seen = await readScoped(context.database, scope, (tx) =>
    findLearnings(scope, tx, organization, { ids }),
  )
  const ready = seen.filter((row) => isApprovalDue(row, context.now()))
  const embedded = await embedBeforeTransaction(
    scope,
    context,
    ready.map(({ text }) => text),
  )
  await inTransaction(context.database, scope, async (tx) => {
    const change: ChangeContext = { scope, tx, actor: { kind: 'service', id: null }, at: context.now() }
    await approveInTransaction(change, organization, ids, embedded)
  })
}

/** Checks again under the head lock: a person or another worker may have decided meanwhile. */
async function approveInTransaction(
  change: ChangeContext,
  organization: OrganizationId,
  ids: readonly LearningId[],
  embedded: EmbeddedTexts,
): Promise<void> {
  const { scope, tx, at } = change
  const [head, rows] = await Promise.all([
    reserveLearningPositions(scope, tx, ids.length, REDACTOR_VERSION),
    lockLearnings(scope, tx, organization, { ids }),
    deleteTasks(
      scope,
      tx,
      'approve',
      ids.map((id) => ({ organization_id: organization, id })),
    ),
  ])
  const waiting = rows.filter(hasDeadline)
  const due = waiting.filter((row) => isApprovalDue(row, at)).toSorted(byDeadline)
  // The text may have been changed since it was proposed, or proposed before texts were examined.
  const flagged = due.filter(({ text, file }) => findTextFlags(text, file).length > 0)
  const ready = due.filter((row) => !flagged.includes(row))
  await Promise.all([
    enqueueApprovals(
      scope,
      tx,
      waiting.filter((row) => !due.includes(row)),
    ),
    updateLearnings(
      scope,
      tx,
      flagged.map((row) => ({ ...row, deadline: null })),
    ),
  ])
  const before = head.position - ids.length
  const transitions = ready.map((was, index) => ({
    was,
    is: toSharedRow(was, before + index + 1, was.deadline),
    what: 'approved' as const,
    metadata: { by: 'time', deadline: was.deadline.toISOString() },
  }))
  await writeTransitions(change, transitions, embedded)
}

type PendingWithDeadline = LearningRow & { readonly deadline: Date }

function hasDeadline(row: LearningRow): row is PendingWithDeadline {
  return row.state === 'pending' && row.deadline !== null
}

function byDeadline(one: PendingWithDeadline, other: PendingWithDeadline): number {
  return one.deadline.getTime() - other.deadline.getTime() || (one.id < other.id ? -1 : 1)
}

import type { Scope } from '../access/scope.ts'
import { type Pool, statement } from '../db/connect.ts'
import { runUnscoped, type Tx } from '../db/transaction.ts'
import type { LearningId, OrganizationId, RootId } from '../ids.ts'

export type TaskKind = 'index' | 'approve'

export interface LearningRef {
  readonly organization_id: OrganizationId
  readonly id: LearningId
}

export interface LearningTask extends LearningRef {
  readonly root: RootId
  readonly attempts: number
}

const given = 'unnest($2::uuid[], $3::uuid[]) as given (organization_id, id)'

// In order of id, like all locks on rows of Learnings, to prevent deadlocks.
const upsertTasks = statement(
  'learning-index.upsert-tasks',
  `insert into learning_task as t (root_id, organization_id, learning_id, kind, at)
   select $1, organization_id, id, $4, at
   from unnest($2::uuid[], $3::uuid[], $5::timestamptz[]) as given (organization_id, id, at) order by id
   on conflict (root_id, organization_id, learning_id, kind) do update set at = least(t.at, excluded.at)`,
)

const deleteTaskRows = statement(
  'learning-index.delete-tasks',
  `delete from learning_task t using ${given}
   where t.root_id = $1 and t.organization_id = given.organization_id and t.learning_id = given.id and t.kind = $4`,
)

const postponeRows = statement(
  'learning-index.postpone-tasks',
  `update learning_task t set attempts = attempts + 1,
     at = $5::timestamptz + least(interval '10 minutes', interval '1 second' * 2 ^ least(t.attempts, 20))
   from ${given}
   where t.root_id = $1 and t.organization_id = given.organization_id and t.learning_id = given.id and t.kind = $4`,
)

const selectDue = statement(
  'learning-index.tasks-due',
  `select root_id as root, organization_id, learning_id as id, attempts from learning_task
   where kind = $1 and at <= $2 order by at, learning_id limit $3`,
)

export async function enqueueTasks(
  scope: Scope,
  tx: Tx,
  kind: TaskKind,
  tasks: readonly (LearningRef & { readonly at: Date })[],
): Promise<void> {
  if (tasks.length === 0) return
  await tx.query(upsertTasks, [scope.root, ...toColumns(tasks), kind, tasks.map(({ at }) => at)])
}

export async function deleteTasks(
  scope: Scope,
  tx: Tx,
  kind: TaskKind,
  tasks: readonly LearningRef[],
): Promise<void> {
  if (tasks.length > 0) await tx.query(deleteTaskRows, [scope.root, ...toColumns(tasks), kind])
}

/** Exponential backoff, at most ten minutes. */
export async function retryTasksLater(
  scope: Scope,
  tx: Tx,
  kind: TaskKind,
  tasks: readonly LearningRef[],
  at: Date,
): Promise<void> {
  if (tasks.length > 0) await tx.query(postponeRows, [scope.root, ...toColumns(tasks), kind, at])
}

/** Due tasks of all roots, oldest first. */
export function findDueTasksUnscoped(
  pool: Pool,
  kind: TaskKind,
  at: Date,
  limit: number,
): Promise<LearningTask[]> {
  return runUnscoped<LearningTask>(pool, selectDue, [kind, at, limit])
}

/** The parameters of two arrays of ids. */
export function toColumns(tasks: readonly LearningRef[]): [OrganizationId[], LearningId[]] {
  return [tasks.map(({ organization_id }) => organization_id), tasks.map(({ id }) => id)]
}

/** The worker shares the Learnings at their deadline unless an Admin decides before. */
export function enqueueApprovals(
  scope: Scope,
  tx: Tx,
  learnings: readonly (LearningRef & { readonly deadline: Date })[],
): Promise<void> {
  return enqueueTasks(
    scope,
    tx,
    'approve',
    learnings.map(({ organization_id, id, deadline }) => ({ organization_id, id, at: deadline })),
  )
}

import type { Scope } from '../../access/scope.ts'
import { type Pool, statement } from '../../db/connect.ts'
import { runUnscoped, type Tx } from '../../db/transaction.ts'
import { type LearningId, NIL_UUID, type OrganizationId, type RootId } from '../../ids.ts'
import type { SharedLearning } from '../index-rows-sql.ts'
import type { LearningRef } from '../tasks-sql.ts'

const sharedColumns = 'l.organization_id, l.instance_id, l.id, l.repository_id, l.content_hash, l.text'

const selectShared = statement(
  'knowledge.read-shared',
  `select ${sharedColumns} from unnest($2::uuid[], $3::uuid[]) given (organization_id, id)
   join learning l on l.root_id = $1 and l.organization_id = given.organization_id and l.id = given.id
   where l.state = 'shared'`,
)

// In order of id, like all locks on Learnings, to prevent deadlocks.
const lockSharedStatement = statement(
  'knowledge.lock-shared',
  `select ${sharedColumns} from learning l
   where l.root_id = $1 and (l.organization_id, l.id) in (select * from unnest($2::uuid[], $3::uuid[]))
     and l.state = 'shared'
   order by l.id for no key update`,
)

const selectUnindexed = statement(
  'knowledge.missing',
  `select ${sharedColumns}, l.updated_at::text from learning l
   where l.root_id = $1 and (l.organization_id, l.id) > ($3, $4) and l.state = 'shared' and not exists (
     select from learning_index i
     where i.root_id = $1 and i.organization_id = l.organization_id and i.learning_id = l.id and i.model = $2
       and i.content_hash = l.content_hash)
   order by l.organization_id, l.id limit $5`,
)

const selectSharedCount = statement(
  'knowledge.count-shared',
  `select coalesce(sum(shared), 0)::bigint as shared from learning_count where repository_id = ''`,
)

const selectRoots = statement(
  'knowledge.roots',
  'select distinct root_id as root from learning_count order by 1',
)

const deleteRows = statement(
  'knowledge.drop-rows',
  `with gone as materialized (
     select i.organization_id, i.learning_id from learning_count c, lateral (
       select organization_id, learning_id from learning_index
       where root_id = $1 and organization_id = c.organization_id and model = $2 limit $3) i
     where c.root_id = $1 and c.repository_id = '' limit $3),
   dropped as (
     delete from learning_index i using gone
     where i.root_id = $1 and i.organization_id = gone.organization_id and i.model = $2
       and i.learning_id = gone.learning_id returning 1)
   select count(*) as dropped from dropped`,
)

/** Reads those of the Learnings that are shared. */
export function readSharedLearnings(
  scope: Scope,
  tx: Tx,
  learnings: readonly LearningRef[],
): Promise<SharedLearning[]> {
  return tx.query<SharedLearning & object>(selectShared, [scope.root, ...toColumns(learnings)])
}

/** Like `readSharedLearnings`, with row locks until the commit. */
export function lockSharedLearnings(
  scope: Scope,
  tx: Tx,
  learnings: readonly LearningRef[],
): Promise<SharedLearning[]> {
  return tx.query<SharedLearning & object>(lockSharedStatement, [scope.root, ...toColumns(learnings)])
}

const NIL_LEARNING: LearningRef = {
  organization_id: NIL_UUID as OrganizationId,
  id: NIL_UUID as LearningId,
}

export interface UnindexedLearning extends SharedLearning {
  readonly updated_at: string
}

/** Shared Learnings whose current text has no row of the model, in order of organization and id. */
export function findUnindexedLearnings(
  scope: Scope,
  tx: Tx,
  model: string,
  limit: number,
  { organization_id, id }: LearningRef = NIL_LEARNING,
): Promise<UnindexedLearning[]> {
  return tx.query<UnindexedLearning & object>(selectUnindexed, [
    scope.root,
    model,
    organization_id,
    id,
    limit,
  ])
}

/** Counts shared Learnings of the whole installation. */
export async function countSharedUnscoped(pool: Pool): Promise<number> {
  const [row] = await runUnscoped<{ shared: number }>(pool, selectSharedCount, [])
  return row?.shared ?? 0
}

/** Roots that have ever shared a Learning. */
export async function findIndexedRootsUnscoped(pool: Pool): Promise<RootId[]> {
  return (await runUnscoped<{ root: RootId }>(pool, selectRoots, [])).map(({ root }) => root)
}

export async function deleteModelRows(scope: Scope, tx: Tx, model: string, limit: number): Promise<number> {
  const [counted] = await tx.query<{ dropped: number }>(deleteRows, [scope.root, model, limit])
  return counted?.dropped ?? 0
}

function toColumns(learnings: readonly LearningRef[]): [OrganizationId[], LearningId[]] {
  return [learnings.map(({ organization_id }) => organization_id), learnings.map(({ id }) => id)]
}

import type { Scope } from '../../access/scope.ts'
import { runBatch } from '../../db/batch.ts'
import { acquireConnection, type Pool, statement } from '../../db/connect.ts'
import { inTransactionUnscoped, runUnscoped, type Tx } from '../../db/transaction.ts'
import { type LearningId, NIL_UUID, type OrganizationId, type RootId } from '../../ids.ts'
import type { Embedder } from '../../text/embed/embedder.ts'
import type { SharedLearning } from '../sql.ts'
import { type LearningRef, toColumns } from '../tasks-sql.ts'

interface LargeOrganization {
  readonly root: RootId
  readonly organization: OrganizationId
  readonly model: string
}

const selectWithoutVectorIndex = statement(
  'learning-index.without-vector-index',
  `select c.root_id as root, c.organization_id as organization, m.model
   from learning_count c cross join learning_model m
   where c.repository_id = '' and c.shared > $1 and m.state <> 'retired' and not exists (
     select from learning_vector_index n
     where n.root_id = c.root_id and n.organization_id = c.organization_id and n.model = m.model)
   order by c.shared desc, m.model`,
)

const createIndex = statement(
  'learning-index.create-vector-index',
  'select learning_index_create_vector_index($1, $2, $3) as created',
)

/** Organizations of all roots with more than `minRows` Learnings and no vector index. */
export function findWithoutVectorIndexUnscoped(pool: Pool, minRows: number): Promise<LargeOrganization[]> {
  return runUnscoped<LargeOrganization>(pool, selectWithoutVectorIndex, [minRows])
}

const longStatements = statement(
  'learning-index.allow-long-statements',
  `select set_config('statement_timeout', $1, true)`,
)

// A million vectors took 18 minutes.
const CREATE_INDEX_MS = 2 * 3_600_000

/** May take minutes, so it has a statement timeout of its own. False if the organization has no rows of the model yet. */
export async function createVectorIndex(
  scope: Scope,
  pool: Pool,
  organization: OrganizationId,
  model: string,
): Promise<boolean> {
  const { connection } = await acquireConnection(pool)
  let failure: Error | undefined
  try {
    // One round trip is one transaction.
    const statements = [
      { statement: longStatements, values: [String(CREATE_INDEX_MS)] },
      { statement: createIndex, values: [scope.root, organization, model] },
    ]
    const [, rows] = await runBatch(connection, statements, CREATE_INDEX_MS)
    return (rows?.[0] as { created: boolean } | undefined)?.created ?? false
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    connection.release(failure)
  }
}

const sharedColumns = 'l.organization_id, l.instance_id, l.id, l.repository_id, l.content_hash, l.text'

const selectShared = statement(
  'learning-index.read-shared',
  `select ${sharedColumns} from unnest($2::uuid[], $3::uuid[]) given (organization_id, id)
   join learning l on l.root_id = $1 and l.organization_id = given.organization_id and l.id = given.id
   where l.state = 'shared'`,
)

// In order of id, like all locks on Learnings, to prevent deadlocks. Without a subquery, because PostgreSQL
// may leave out a row for which a locking statement with a subquery has waited.
const lockSharedStatement = statement(
  'learning-index.lock-shared',
  `select ${sharedColumns} from learning l
   where l.root_id = $1 and l.organization_id = any ($2::uuid[]) and l.id = any ($3::uuid[]) and l.state = 'shared'
   order by l.id for no key update`,
)

const selectUnindexed = statement(
  'learning-index.unindexed-rows',
  `select ${sharedColumns}, l.updated_at::text from learning l
   where l.root_id = $1 and (l.organization_id, l.id) > ($3, $4) and l.state = 'shared' and not exists (
     select from learning_index i
     where i.root_id = $1 and i.organization_id = l.organization_id and i.learning_id = l.id and i.model = $2
       and i.content_hash = l.content_hash)
   order by l.organization_id, l.id limit $5`,
)

const selectSharedCount = statement(
  'learning-index.count-shared',
  `select coalesce(sum(shared), 0)::bigint as shared from learning_count where repository_id = ''`,
)

const selectRoots = statement(
  'learning-index.roots',
  'select distinct root_id as root from learning_count order by 1',
)

const deleteRows = statement(
  'learning-index.drop-rows',
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
  return tx.query(selectShared, [scope.root, ...toColumns(learnings)])
}

/** Like `readSharedLearnings`, with row locks until the commit. */
export function lockSharedLearnings(
  scope: Scope,
  tx: Tx,
  learnings: readonly LearningRef[],
): Promise<SharedLearning[]> {
  return tx.query(lockSharedStatement, [scope.root, ...toColumns(learnings)])
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
  return tx.query(selectUnindexed, [scope.root, model, organization_id, id, limit])
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
  const counted = await tx.first<{ dropped: number }>(deleteRows, [scope.root, model, limit])
  return counted?.dropped ?? 0
}

const countRows = statement(
  'learning-index.count-rows',
  `select coalesce(sum(rows), 0)::bigint as rows from learning_count c, lateral (
     select count(*) as rows from learning_index
     where root_id = $1 and organization_id = c.organization_id and model = $2) i
   where c.root_id = $1 and c.repository_id = ''`,
)

export async function countModelRows(scope: Scope, tx: Tx, model: string): Promise<number> {
  const counted = await tx.first<{ rows: number }>(countRows, [scope.root, model])
  return counted?.rows ?? 0
}

// Unscoped because models belong to the installation, not to a tenant.

const insertFirstActive = statement(
  'learning-index.insert-first-model',
  `insert into learning_model (model, dimensions, state) select $1, $2, 'active'
   where not exists (select from learning_model) on conflict do nothing returning model`,
)

const selectRecentlyActivated = statement(
  'learning-index.recently-activated-model',
  `select model from learning_model where state = 'active' and since > now() - interval '10 minutes'`,
)

const selectRetired = statement(
  'learning-index.retired-models',
  `select model from learning_model where state = 'retired' and since < now() - interval '10 minutes' order by since`,
)

const dropVectorIndexes = statement(
  'learning-index.drop-vector-indexes',
  'select learning_index_drop_vector_indexes($1)',
)

const deleteModel = statement(
  'learning-index.delete-model',
  `delete from learning_model where model = $1 and state = 'retired'`,
)

const retireFilling = statement(
  'learning-index.retire-filling',
  `update learning_model set state = 'retired', since = now() where state = 'filling' and model <> $1`,
)

const upsertFilling = statement(
  'learning-index.fill-model',
  `insert into learning_model as m (model, dimensions, state) values ($1, $2, 'filling')
   on conflict (model) do update set state = 'filling', since = now() where m.state = 'retired'`,
)

const retireActive = statement(
  'learning-index.retire-active',
  `update learning_model set state = 'retired', since = now() where state = 'active' and model <> $1`,
)

const activate = statement(
  'learning-index.activate-model',
  `update learning_model set state = 'active', since = now() where model = $1 and state = 'filling' returning model`,
)

/** False if a model exists already. */
export async function activateFirstModelUnscoped(
  pool: Pool,
  { model, dimensions }: Embedder,
): Promise<boolean> {
  return (await runUnscoped(pool, insertFirstActive, [model, dimensions])).length > 0
}

/** The active model, if it was activated so recently that some nodes may have written without it. */
export async function findRecentlyActivatedModelUnscoped(pool: Pool): Promise<string | null> {
  const [row] = await runUnscoped<{ model: string }>(pool, selectRecentlyActivated, [])
  return row?.model ?? null
}

/** Models retired so long ago that no node has them cached as active. */
export async function findRetiredModelsUnscoped(pool: Pool): Promise<string[]> {
  return (await runUnscoped<{ model: string }>(pool, selectRetired, [])).map(({ model }) => model)
}

export async function dropVectorIndexesUnscoped(pool: Pool, model: string): Promise<void> {
  await runUnscoped(pool, dropVectorIndexes, [model])
}

export async function deleteModelUnscoped(pool: Pool, model: string): Promise<void> {
  await runUnscoped(pool, deleteModel, [model])
}

/** From now on, new texts are embedded with this model too. Retires any other model that is being filled. */
export function startFillingUnscoped(pool: Pool, { model, dimensions }: Embedder): Promise<void> {
  return inTransactionUnscoped(pool, async (tx) => {
    await Promise.all([tx.query(retireFilling, [model]), tx.query(upsertFilling, [model, dimensions])])
  })
}

/** Switches searches to the model. Throws without a change if it is no longer being filled. */
export function activateModelUnscoped(pool: Pool, model: string): Promise<void> {
  return inTransactionUnscoped(pool, async (tx) => {
    const [, activated] = await Promise.all([tx.query(retireActive, [model]), tx.query(activate, [model])])
    if (activated.length === 0)
      throw new Error(`The model ${model} is no longer being filled. Run the reindex again.`)
  })
}

export interface IndexStatus {
  readonly shared: number
  readonly roots: number
  readonly active: string | null
  readonly filling: string[]
  readonly retired: string[]
  /** Pending index tasks, and how many of them failed at least once. */
  readonly to_index: number
  readonly failing: number
  readonly to_approve: number
  readonly vector_indexes: number
  /** Whether the inverted index of terms is usable, which the database bootstrap ensures. */
  readonly terms_indexed: boolean
}

const selectStatus = statement(
  'learning-index.status',
  `select
     (select coalesce(sum(shared), 0)::bigint from learning_count where repository_id = '') as shared,
     (select count(distinct root_id) from learning_count) as roots,
     (select model from learning_model where state = 'active') as active,
     array(select model from learning_model where state = 'filling' order by 1) as filling,
     array(select model from learning_model where state = 'retired' order by 1) as retired,
     (select count(*) from learning_task where kind = 'index') as to_index,
     (select count(*) from learning_task where kind = 'index' and attempts > 0) as failing,
     (select count(*) from learning_task where kind = 'approve') as to_approve,
     (select count(*) from learning_vector_index) as vector_indexes,
     (select proleakproof from pg_proc where oid = 'pg_catalog.arraycontains'::regproc) as terms_indexed`,
)

/** Counts and model names of the whole installation. */
export async function readIndexStatusUnscoped(pool: Pool): Promise<IndexStatus> {
  const [row] = await runUnscoped<IndexStatus>(pool, selectStatus, [])
  if (row === undefined) throw new Error('The status query returned no row.')
  return row
}

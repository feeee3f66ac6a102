import { type Pool, statement } from '../../db/connect.ts'
import { runUnscoped } from '../../db/transaction.ts'

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
  readonly near_indexes: number
  /** Whether the inverted index of terms is usable, which the database bootstrap ensures. */
  readonly terms_indexed: boolean
}

const selectStatus = statement(
  'knowledge.status',
  `select
     (select coalesce(sum(shared), 0)::bigint from learning_count where repository_id = '') as shared,
     (select count(distinct root_id) from learning_count) as roots,
     (select model from learning_model where state = 'active') as active,
     array(select model from learning_model where state = 'filling' order by 1) as filling,
     array(select model from learning_model where state = 'retired' order by 1) as retired,
     (select count(*) from learning_task where kind = 'index') as to_index,
     (select count(*) from learning_task where kind = 'index' and attempts > 0) as failing,
     (select count(*) from learning_task where kind = 'approve') as to_approve,
     (select count(*) from learning_near_index) as near_indexes,
     (select proleakproof from pg_proc where oid = 'pg_catalog.arraycontains'::regproc) as terms_indexed`,
)

/** Counts and model names of the whole installation. */
export async function readIndexStatusUnscoped(pool: Pool): Promise<IndexStatus> {
  const [row] = await runUnscoped<IndexStatus & object>(pool, selectStatus, [])
  if (row === undefined) throw new Error('The status query returned no row.')
  return row
}

import type { Scope } from '../access/scope.ts'
import { statement } from '../db/connect.ts'
import type { Tx } from '../db/transaction.ts'

// The connections keep one plan a statement, but whether an index of one organization can be used only its id can tell.
const setCustomPlans = statement(
  'knowledge.plan-each',
  "select set_config('plan_cache_mode', 'force_custom_plan', true)",
)
// The planner takes the rows of an organization for few, which sorting them would be good for.
const setVectorIndexPlans = statement(
  'knowledge.plan-near',
  `select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_sort', 'off', true),
     set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', $1, true)`,
)
const setGenericPlans = statement(
  'knowledge.plan-once',
  `select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_sort', 'on', true)`,
)

/** Statements that follow in the transaction are planned for their values. */
export async function useCustomPlans(_scope: Scope, tx: Tx): Promise<void> {
  await tx.query(setCustomPlans, [])
}

/** The same, for `searchVectorIndex`. The more effort, the fewer of the nearest are missed. */
export async function useVectorIndexPlans(_scope: Scope, tx: Tx, efSearch: number): Promise<void> {
  await tx.query(setVectorIndexPlans, [String(efSearch)])
}

export async function useGenericPlans(_scope: Scope, tx: Tx): Promise<void> {
  await tx.query(setGenericPlans, [])
}

import type { Scope } from '../access/scope.ts'
import { statement } from '../db/connect.ts'
import type { Tx } from '../db/transaction.ts'

// Connections cache generic plans, but a partial index of one organization is usable only if its id is known.
const setCustomPlans = statement(
  'knowledge.plan-each',
  "select set_config('plan_cache_mode', 'force_custom_plan', true)",
)
// The planner underestimates the rows of an organization and would sort them instead of using the index.
const setVectorIndexPlans = statement(
  'knowledge.plan-near',
  `select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_sort', 'off', true),
     set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', $1, true)`,
)
const setGenericPlans = statement(
  'knowledge.plan-once',
  `select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_sort', 'on', true)`,
)

/** Plans the following statements of the transaction for their values. */
export async function useCustomPlans(_scope: Scope, tx: Tx): Promise<void> {
  await tx.query(setCustomPlans, [])
}

/** For `searchVectorIndex`. A higher `efSearch` misses fewer of the nearest rows, at a higher cost. */
export async function useVectorIndexPlans(_scope: Scope, tx: Tx, efSearch: number): Promise<void> {
  await tx.query(setVectorIndexPlans, [String(efSearch)])
}

export async function useGenericPlans(_scope: Scope, tx: Tx): Promise<void> {
  await tx.query(setGenericPlans, [])
}

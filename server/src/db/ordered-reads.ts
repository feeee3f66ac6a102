import { type SessionSettings, statement } from './connect.ts'

// A page is read in index order. A generic plan does not know that its limit is small, so the plans that would read all
// rows first are disabled.
const disabledPlannerSettings = ['enable_sort', 'enable_bitmapscan', 'enable_seqscan']

/** Session settings of a pool. */
export const orderedReadSettings: SessionSettings = {
  ...Object.fromEntries(disabledPlannerSettings.map((setting) => [setting, 'off'])),
  max_parallel_workers_per_gather: '0',
}

/** Applies to the statements in the same round trip. */
export const forceIndexOrder = statement(
  'db.force-index-order',
  `select ${disabledPlannerSettings.map((setting) => `set_config('${setting}', 'off', true)`).join(', ')}`,
)

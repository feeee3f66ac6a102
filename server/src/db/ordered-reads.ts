import { statement } from './connect.ts'

/**
 * Applies to the transaction. A page is read in index order. A generic plan does not know that its limit is small, so the
 * plans that would read all rows first are disabled.
 */
export const forceIndexOrder = statement(
  'db.force-index-order',
  `select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true),
          set_config('enable_seqscan', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)`,
)

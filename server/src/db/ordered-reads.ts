import { statement } from './connect.ts'

// A page is read in the order of an index, and a generic plan cannot know that its limit is small: the other ways to
// the same rows, which would read all of them first, are taken off the table.
const disabledPlannerSettings = ['enable_sort', 'enable_bitmapscan', 'enable_seqscan']

/** As settings of the sessions of a pool. */
export const orderedReadOptions = [
  ...disabledPlannerSettings.map((setting) => `-c ${setting}=off`),
  '-c max_parallel_workers_per_gather=0',
].join(' ')

/** For whatever is asked with it, in the same round trip. */
export const forceIndexOrder = statement(
  'db.read-in-order',
  `select ${disabledPlannerSettings.map((setting) => `set_config('${setting}', 'off', true)`).join(', ')}`,
)

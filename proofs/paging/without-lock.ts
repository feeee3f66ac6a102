import type { TestDatabase } from '../../server/test/database.ts'
import type { SourceEdit } from '../tools/copy.ts'

/** The usual mistake: positions in the order of reservation, which is not that of the commits. */
const positionsFromSequence: SourceEdit = {
  file: 'metrics-store/write/head-sql.ts',
  name: 'advanceHead',
  by: `const advanceHead = statement('metrics.positions-from-sequence',
    \`select nextval('write_position') * 10000 + $2::bigint as position, state, \${largestColumns.join(', ')}
     from metrics_head where root_id = $1\`)`,
}

// Writers of the same weeks would wait for each other, or end in a deadlock.
const withoutWeeks: SourceEdit = {
  file: 'resources/metrics/write/sql.ts',
  name: 'addToWeeks',
  by: 'export const addToWeeks = async () => {}',
}

export const withoutLock = [positionsFromSequence, withoutWeeks]

/** The heads exist from the start with a sufficient largest entry, so that nothing locks them afterwards. */
export async function prepareSequence(
  superuser: ReturnType<TestDatabase['superuser']>,
  roots: readonly string[],
): Promise<void> {
  await superuser.query(
    'create sequence write_position; grant usage on sequence write_position to scholiast_worker',
  )
  await superuser.query(
    'insert into metrics_head (root_id, position, largest_entry, largest_review) select unnest($1::uuid[]), 0, 15000, 15000',
    [roots],
  )
}

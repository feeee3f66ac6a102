import type { TestDatabase } from '../../server/test/database.ts'

/** The usual mistake: positions in the order of reservation, chained to the last visible row. */
export const positionsFromSequence = {
  file: 'access/audit/sql.ts',
  name: 'advanceHead',
  by: `const advanceHead = \`select next.position, coalesce(seen.hash, :genesis::bytea) as previous_hash,
       sha256(coalesce(seen.hash, :genesis::bytea) || int8send(next.position) || :digest::bytea) as hash
     from (select nextval('audit_position') + 1000000 as position) next left join lateral (
       select hash from audit_log where root_id = :root order by position desc limit 1) seen on true\``,
}

/** Counting is removed too: counters of a root are updated one after the other, which would act as a lock. */
export async function prepareSequence(superuser: ReturnType<TestDatabase['superuser']>): Promise<void> {
  await superuser.query('create sequence audit_position; grant usage on sequence audit_position to public')
  await superuser.query('alter table audit_log disable trigger audit_log_count')
}

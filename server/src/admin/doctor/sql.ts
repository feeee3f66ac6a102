import { statement } from '../../db/connect.ts'

// Unscoped: about the server, and counts of the installation.

export interface ServerState {
  readonly version: string
  readonly major: number
  readonly vector: string | null
  readonly bytes: number
  /** In seconds since 1970. */
  readonly clock: number
  readonly allowed: number
  readonly used: number
  readonly apis: number
  readonly workers: number
  readonly synchronous: string
  readonly standbys: string[]
  /** In seconds; null without a standby, and for a role that may not see it. */
  readonly lag: number | null
  /** What the slowest replication slot has not confirmed; null without slots. */
  readonly behind: number | null
}

// Everybody may read the names of connections and the positions of replication slots; the lag is for pg_read_all_stats.
export const readServerUnscoped = statement(
  'doctor.server',
  `select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
     (select extversion from pg_extension where extname = 'vector') as vector,
     pg_database_size(current_database()) as bytes, extract(epoch from clock_timestamp())::float8 as clock,
     current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
       - coalesce(current_setting('reserved_connections', true), '0')::int as allowed,
     count(*) filter (where datid is not null)::int as used,
     count(*) filter (where application_name = 'scholiast-api-readiness' and datname = current_database())::int as apis,
     count(*) filter (where application_name = 'scholiast-worker-readiness' and datname = current_database())::int as workers,
     current_setting('synchronous_standby_names') as synchronous,
     array(select application_name from pg_stat_replication) as standbys,
     (select extract(epoch from max(replay_lag))::float8 from pg_stat_replication) as lag,
     (select max(pg_current_wal_lsn() - restart_lsn)::float8 from pg_replication_slots) as behind
   from pg_stat_activity`,
)

/** Tables without the policy that isolates tenants, or with one that shows the API the rows of all. */
export const readPoliciesUnscoped = statement(
  'doctor.policies',
  `select c.relname::text as table from pg_class c
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity and not c.relispartition
     and (not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'tenant')
       or exists (select from pg_policies p where p.schemaname = 'public' and p.tablename = c.relname
         and p.qual = 'true' and p.roles && array['scholiast_api', 'public']::name[]))
   order by 1`,
)

/** Seconds since the oldest row of a root that no signed head covers. */
export const readUnsignedAge = statement(
  'doctor.unsigned-age',
  `select extract(epoch from clock_timestamp() - at)::float8 as seconds from audit_log
   where root_id = $1 and position > coalesce((select position from audit_signed where root_id = $1), 0)
   order by position limit 1`,
)

export const estimateRowsUnscoped = statement(
  'doctor.rows',
  `select relname as table, reltuples::bigint as rows from pg_class
   where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples > 0 order by 1`,
)

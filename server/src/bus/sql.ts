import { statement } from '../db/connect.ts'

export const insertEvent = statement(
  'bus.insert-event',
  `insert into outbox (root_id, event_id, type, payload) values ($1, $2, $3, $4)`,
)

export const insertEvents = statement(
  'bus.insert-events',
  `insert into outbox (root_id, event_id, type, payload)
   select $1, event_id, type, payload from json_to_recordset($2) as e (event_id uuid, type text, payload jsonb)`,
)

export const readOldestEventsUnscoped = statement(
  'bus.read-oldest-events',
  `select id, event_id, root_id, type, payload,
     to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as occurred_at
   from outbox order by id limit $1`,
)

export const deleteEventsUnscoped = statement(
  'bus.delete-events',
  `delete from outbox where id = any ($1::bigint[])`,
)

export const readOldestRestrictionsUnscoped = statement(
  'bus.read-oldest-restrictions',
  `select id, root_id as root, change, at::text from restriction order by id limit $1`,
)

export const deleteRestrictionsUnscoped = statement(
  'bus.delete-restrictions',
  `delete from restriction where id = any ($1::bigint[])`,
)

export const takeLock = statement(
  'bus.take-lock',
  `select pg_try_advisory_xact_lock(hashtextextended($1, 7215)) as taken,
     set_config('idle_in_transaction_session_timeout', $2, true), pg_backend_pid() as holder,
     (select backend_start::text from pg_stat_activity where pid = pg_backend_pid()) as since`,
)

/** Waits for transactions of the last holder that have passed `requireLock`. */
export const awaitLastHolder = statement(
  'bus.await-last-holder',
  `select pg_advisory_xact_lock(hashtextextended($1, 7216))`,
)

/** Fails unless that transaction still holds the lock. */
export const requireLock = statement('bus.require-lock', `select require_lock($1, $2, $3)`)

/** Any statement: it fails if the connection, and with it the lock, is lost. */
export const confirmLock = statement('bus.confirm-lock', 'select 1')

export const readOutboxAgeUnscoped = statement(
  'bus.outbox-age',
  `select extract(epoch from clock_timestamp() - created_at)::float8 as seconds from outbox order by id limit 1`,
)

import { statement } from '../../db/connect.ts'

// Statements of the worker's timers. Those over all roots are called Unscoped; the role's policies limit them.

export const findRootsWithRefusalsUnscoped = statement(
  'access.find-roots-with-refusals',
  `select distinct root_id from refusal_count where minute <= $1::timestamptz`,
)

export const takeRefusals = statement(
  'access.take-refusals',
  `with taken as (
     delete from refusal_count where root_id = $1 and minute <= $2::timestamptz
     returning key_id, organization_id, route, code, minute, refused
   )
   select * from taken order by minute, key_id, route, code`,
)

// The delete checks the age again, so that a row which a request claims meanwhile survives.
const sweepExpired = (table: string) => `with outlived as (
     select ctid from ${table} where created_at < now() - interval '24 hours' order by created_at limit $1
   ), swept as (
     delete from ${table} i using outlived o
     where i.ctid = o.ctid and i.created_at < now() - interval '24 hours'
     returning 1
   )
   select count(*) as swept from swept`

export const sweepIdempotencyUnscoped = [
  statement('access.sweep-requests', sweepExpired('idempotent_request')),
  // Rows of the previous version and copies for it.
  statement('access.sweep-idempotency', sweepExpired('idempotency')),
]

// An index by age would slow down every request, so the sweep scans windows by their primary key.
export const sweepWindowsUnscoped = statement(
  'access.sweep-windows',
  `with page as (
     select root_id, policy, owner_id from limit_window
     where (root_id, policy, owner_id) > ($1::uuid, $2::text, $3::uuid)
     order by root_id, policy, owner_id limit $4
   ), swept as (
     delete from limit_window w using page p
     where w.root_id = p.root_id and w.policy = p.policy and w.owner_id = p.owner_id
       and w.stamps[cardinality(w.stamps)] < now() - interval '1 day'
   )
   select root_id, policy, owner_id from page order by root_id desc, policy desc, owner_id desc limit 1`,
)

export const makeAuditMonthsUnscoped = statement(
  'access.make-audit-months',
  `select audit_log_make_month((date_trunc('month', now() at time zone 'UTC') + n * interval '1 month')::date)
   from generate_series(0, 2) n`,
)

// Returns the checkpoints of the next roots, ordered by id.
export const retireAuditUnscoped = statement(
  'access.retire-audit',
  `select 'checkpoint' as kind, root_id as root, position, encode(hash, 'hex') as hash
   from audit_retire($1::date, $2::uuid, $3::int)`,
)

export const dropAuditMonthsUnscoped = statement(
  'access.drop-audit-months',
  `select audit_log_drop_before($1::date) as dropped`,
)

export const sweepAuditClearUnscoped = statement(
  'access.sweep-audit-clear',
  `select audit_clear_sweep($1::int) as swept`,
)

export const findUnsignedUnscoped = statement(
  'access.find-unsigned',
  `select 'head' as kind, root_id as root, position, encode(hash, 'hex') as hash from audit_unsigned($1::int)`,
)

export const storeHeadsUnscoped = statement(
  'access.store-heads',
  `select audit_store_heads($1::json, $2::text, $3::text)`,
)

export const sweepHeadsUnscoped = statement(
  'access.sweep-heads',
  `select audit_sweep_heads($1::int) as swept`,
)

export const markSignedUnscoped = statement(
  'access.mark-signed',
  `select audit_mark_signed($1::uuid[], $2::bigint[])`,
)

export const noteKeyUsesUnscoped = statement(
  'access.note-key-uses',
  `select note_key_uses($1::uuid[], $2::uuid[], $3::timestamptz[])`,
)

export const noteSessionUsesUnscoped = statement(
  'access.note-session-uses',
  `select note_session_uses($1::uuid[], $2::uuid[], $3::timestamptz[])`,
)

// Ended and expired sessions stay for a month, for the list of a person's sessions.
export const sweepSessionsUnscoped = statement(
  'access.sweep-sessions',
  `with old as (select ctid from session where expires_at < now() - interval '30 days' order by expires_at limit $1),
   swept as (delete from session s using old where s.ctid = old.ctid returning 1)
   select count(*)::int as swept from swept`,
)

export const sweepNoncesUnscoped = statement(
  'access.sweep-nonces',
  `with old as (select ctid from used_nonce where expires_at < now() order by expires_at limit $1),
   swept as (delete from used_nonce n using old where n.ctid = old.ctid returning 1)
   select count(*)::int as swept from swept`,
)

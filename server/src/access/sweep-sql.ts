import { statement } from '../db/connect.ts'

// Statements of the worker's timers. Those over all roots are called Unscoped; the role's policies limit them.

// The delete checks the age again, so that a row which a request claims meanwhile survives.
export const sweepIdempotencyUnscoped = statement(
  'access.sweep-requests',
  `with outlived as (
     select ctid from idempotent_request where created_at < now() - interval '24 hours' order by created_at limit $1
   ), swept as (
     delete from idempotent_request i using outlived o
     where i.ctid = o.ctid and i.created_at < now() - interval '24 hours'
     returning 1
   )
   select count(*) as swept from swept`,
)

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

export const noteKeyUsesUnscoped = statement(
  'access.note-key-uses',
  `select record_key_uses($1::uuid[], $2::uuid[], $3::timestamptz[])`,
)

export const noteSessionUsesUnscoped = statement(
  'access.note-session-uses',
  `select record_session_uses($1::uuid[], $2::uuid[], $3::timestamptz[])`,
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

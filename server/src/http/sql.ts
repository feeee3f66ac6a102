import { statement } from '../db/connect.ts'

// Runs in the transaction of the work: a second request with the same key blocks on the unique index until the first
// commits, then finds its response. A request that fails leaves no row.
export const claimIdempotencyKey = statement(
  'http.claim-request',
  `insert into idempotent_request as i (root_id, organization_id, key_hash, request_hash) values ($1, $2, $3, $4)
   on conflict (root_id, key_hash, organization_id) do update
     set request_hash = excluded.request_hash, status = null, body = null, created_at = now()
     where i.created_at < now() - interval '24 hours' or (i.status is null and i.body is null)
   returning true as claimed`,
)
// The previous version stores one row per root and key, and this one a copy of its own for one release (DECISIONS.md). Only
// a row of the same request counts here; any other may belong to another organization.
export const selectStoredReply = statement(
  'http.find-reply',
  `select request_hash, status, body from (
     select request_hash, status, body from idempotent_request
     where root_id = $1 and organization_id is not distinct from $2 and key_hash = $3
       and (status is not null or body is not null) and created_at >= now() - interval '24 hours'
     union all
     select request_hash, status, body from idempotency
     where root_id = $1 and key_hash = $3 and request_hash = $4
       and (status is not null or body is not null) and created_at >= now() - interval '24 hours') found
   order by request_hash = $4 desc limit 1`,
)
export const updateStoredReply = statement(
  'http.store-reply',
  `update idempotent_request set status = $4, body = $5
   where root_id = $1 and organization_id is not distinct from $2 and key_hash = $3`,
)

export const claimPreviousKey = statement(
  'http.claim',
  `insert into idempotency as i (root_id, key_hash, request_hash) values ($1, $2, $3)
   on conflict (root_id, key_hash) do update
     set request_hash = excluded.request_hash, status = null, body = null, created_at = now()
     where i.created_at < now() - interval '24 hours' or (i.status is null and i.body is null)
   returning true as claimed`,
)
// Another organization's row stays; the previous version must not find it expired while our response is stored.
export const extendPreviousKey = statement(
  'http.extend-previous',
  'update idempotency set created_at = now() where root_id = $1 and key_hash = $2',
)
export const updatePreviousReply = statement(
  'http.store-previous-reply',
  `update idempotency set status = $4, body = $5 where root_id = $1 and key_hash = $2 and request_hash = $3`,
)
export const createSavepoint = statement('http.start-work', 'savepoint work')
export const rollbackToSavepoint = statement('http.return-to-start', 'rollback to savepoint work')

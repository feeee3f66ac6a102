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
export const selectStoredReply = statement(
  'http.find-reply',
  `select request_hash, status, body from idempotent_request
   where root_id = $1 and organization_id is not distinct from $2 and key_hash = $3
     and (status is not null or body is not null) and created_at >= now() - interval '24 hours'`,
)
export const updateStoredReply = statement(
  'http.store-reply',
  `update idempotent_request set status = $4, body = $5
   where root_id = $1 and organization_id is not distinct from $2 and key_hash = $3`,
)

export const createSavepoint = statement('http.start-work', 'savepoint work')
export const rollbackToSavepoint = statement('http.return-to-start', 'rollback to savepoint work')

import { statement } from '../../db/connect.ts'

// A credential carries its expiry time, at most 366 days after its creation, but a rotation shortens the lifetime only in
// the row. So a revoked or expired credential is listed for as long as it could verify, even after its root is deleted.
export const readRevokedOrExpiredUnscoped = statement(
  'ingest.read-ended',
  `select id from api_key
   where kind = 'ingest' and created_at > $1::timestamptz - interval '367 days'
     and (revoked_at is not null or expires_at <= $1::timestamptz)
   union
   select unnest(ended_credentials) from root_tombstone where begun_at > $1::timestamptz - interval '367 days'`,
)

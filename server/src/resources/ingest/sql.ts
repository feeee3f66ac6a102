import { statement } from '../../db/connect.ts'

// A credential says itself when it expires, at most 366 days after it was made; a rotation may have shortened its life
// in the row alone. So every one that has ended is told for as long as it could still verify, also when its root was
// deleted.
export const readRevokedOrExpiredUnscoped = statement(
  'ingest.read-ended',
  `select id from api_key
   where kind = 'ingest' and created_at > $1::timestamptz - interval '367 days'
     and (revoked_at is not null or expires_at <= $1::timestamptz)
   union
   select unnest(ended_credentials) from root_tombstone where begun_at > $1::timestamptz - interval '367 days'`,
)

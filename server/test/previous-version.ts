import type pg from 'pg'

// Statements of the version before migration 0022 (commit b7474a0), word for word. Both versions run on one database during an upgrade and on the
// way back, so tests send the same work through either.

const previousClaim = `insert into idempotency as i (root_id, key_hash, request_hash) values ($1, $2, $3)
   on conflict (root_id, key_hash) do update
     set request_hash = excluded.request_hash, status = null, body = null, created_at = now()
     where i.created_at < now() - interval '24 hours' or (i.status is null and i.body is null)
   returning true as claimed`

const previousFind = `select request_hash, status, body from idempotency
   where root_id = $1 and key_hash = $2 and (status is not null or body is not null)
     and created_at >= now() - interval '24 hours'`

const previousStore = `update idempotency set status = $3, body = $4 where root_id = $1 and key_hash = $2`

export const previousRecordEvent =
  'insert into learning_event (root_id, event_id, at) values ($1, $2, $3) on conflict do nothing returning 1 as noted'

/** What the previous version does with a request: runs it, repeats a response, or refuses it with 409. */
export async function sendThroughPreviousVersion(
  database: pg.Client | pg.Pool,
  { root, keyHash, requestHash }: { root: string; keyHash: Buffer; requestHash: Buffer },
  body: string,
): Promise<string> {
  const { rows: claimed } = await database.query(previousClaim, [root, keyHash, requestHash])
  if (claimed.length > 0) {
    await database.query(previousStore, [root, keyHash, 200, body])
    return 'runs'
  }
  const { rows } = await database.query<{ request_hash: Buffer; body: string }>(previousFind, [root, keyHash])
  const [found] = rows
  if (found === undefined) throw new Error('A claimed key has a stored response.')
  return found.request_hash.equals(requestHash) ? `repeats ${found.body}` : '409'
}

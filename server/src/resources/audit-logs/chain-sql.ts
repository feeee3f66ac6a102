import type { SignedHead } from '../../access/audit/heads.ts'
import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'

export interface ChainLink {
  readonly position: number
  readonly digest: string
  readonly hash: string
}

// A function of the owner role: it returns nothing else of the rows of other organizations.
const chain = statement(
  'audit-logs.chain',
  `select position, encode(digest, 'hex') as digest, encode(hash, 'hex') as hash
   from audit_chain($1::uuid, $2::bigint, $3::int) order by position`,
)

const heads = statement(
  'audit-logs.signed-heads',
  `select kind, root_id as root, position, hash, at, key, signature from audit_signed_head
   where root_id = $1 and position between $2::bigint and $3::bigint order by position, at`,
)

const publicKeys = statement(
  'audit-logs.public-keys',
  `select key, public_key from audit_public_key where $1::uuid is not null order by first_used_at, key`,
)

export function readChain(scope: Scope, tx: Tx, after: number, limit: number): Promise<ChainLink[]> {
  return tx.query<ChainLink & object>(chain, [scope.root, after, limit])
}

/** The signed heads between two positions, both inclusive. */
export function readSignedHeads(scope: Scope, tx: Tx, first: number, last: number): Promise<SignedHead[]> {
  return tx.query<SignedHead & object>(heads, [scope.root, first, last])
}

/** The public keys of the installation, which are the same for every tenant. */
export function readPublicKeys(
  scope: Scope,
  tx: Tx,
): Promise<{ readonly key: string; readonly public_key: string }[]> {
  return tx.query<{ key: string; public_key: string }>(publicKeys, [scope.root])
}

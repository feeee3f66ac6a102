import type { Scope } from '../../../access/scope.ts'
import { type Pool, statement } from '../../../db/connect.ts'
import { renderUtc } from '../../../db/sql-text.ts'
import { runUnscoped, type Tx } from '../../../db/transaction.ts'
import type { KeyId, OrganizationId, PersonId, RootId } from '../../../ids.ts'
import type { AnyKeyKind } from '../request.ts'

export interface ExpiringKey {
  readonly id: KeyId
  readonly kind: AnyKeyKind
  readonly organization_id: OrganizationId | null
  readonly owner_id: PersonId | null
  readonly expires_at: string
  /** Days before expiry of this warning; null if the key expired before it was sent. */
  readonly days: 14 | 3 | null
}

const rootsToWarn = statement(
  'keys.roots-to-warn',
  `select roots_with_keys_to_warn($1::timestamptz, $2::uuid, $3::int) as root_id`,
)

// Locks the rows, so that each warning is sent once however many workers run this.
const claimWarnings = statement(
  'keys.take-warnings',
  `with due as (
     select id, expires_at - $2::timestamptz as life from api_key
     where root_id = $1 and warn_at <= $2::timestamptz order by warn_at limit $3 for update skip locked
   )
   update api_key k set warn_at = case when due.life > interval '72 hours' then k.expires_at - interval '72 hours' end
   from due where k.root_id = $1 and k.id = due.id
   returning k.id, k.kind, k.organization_id, k.owner_id,
     ${renderUtc('k.expires_at')} as expires_at,
     case when due.life <= interval '0' then null when due.life <= interval '72 hours' then 3 else 14 end as days`,
)

export async function findRootsToWarnUnscoped(
  pool: Pool,
  at: Date,
  after: RootId,
  limit: number,
): Promise<RootId[]> {
  const values = [at.toISOString(), after, limit]
  const rows = await runUnscoped<{ root_id: RootId }>(pool, rootsToWarn, values)
  return rows.map(({ root_id }) => root_id)
}

const countExpiring = statement(
  'keys.count-expiring',
  'select kind, value from count_expiring_keys($1::timestamptz, $2::timestamptz)',
)

/** Keys of all roots by kind that expire in that time. */
export function countExpiringKeysUnscoped(
  pool: Pool,
  at: Date,
  until: Date,
): Promise<{ kind: string; value: number }[]> {
  return runUnscoped(pool, countExpiring, [at.toISOString(), until.toISOString()])
}

/** Due warnings. Each is returned once, if the transaction commits. */
export function claimDueWarnings(scope: Scope, tx: Tx, at: Date, limit: number): Promise<ExpiringKey[]> {
  return tx.query<ExpiringKey>(claimWarnings, [scope.root, at.toISOString(), limit])
}

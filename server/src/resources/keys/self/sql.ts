import type { RootKind } from '../../../access/root.ts'
import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'

const visibleCondition = `root_id = $1 and active and ($2::uuid[] is null or id = any ($2))
  and ($3::uuid is null or instance_id = $3)`

const root = statement('keys.self-root', `select id, kind, name from root where id = $1`)

const count = statement(
  'keys.self-count',
  `select count(*)::int as count from organization where ${visibleCondition}`,
)

const first = statement(
  'keys.self-first',
  `select id, name, provider, provider_organization_id from organization where ${visibleCondition} order by id limit 100`,
)

export function readTenantRoot(scope: Scope, tx: Tx) {
  return tx.one<{ id: string; kind: RootKind; name: string }>(root, [scope.root])
}

/** The number of active organizations in the scope, and the first of them. */
export async function readVisibleOrganizations(scope: Scope, tx: Tx) {
  const values = [scope.root, scope.organizations, scope.instance]
  const [[counted], rows] = await Promise.all([
    tx.query<{ count: number }>(count, values),
    tx.query<Record<'id' | 'name' | 'provider' | 'provider_organization_id', string>>(first, values),
  ])
  return { count: counted?.count ?? 0, first: rows }
}

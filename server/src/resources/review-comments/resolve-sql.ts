import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { InstanceId, OrganizationId } from '../../ids.ts'
import type { OrganizationName } from './payload.ts'

export interface FoundOrganization extends OrganizationName {
  readonly organization_id: OrganizationId
  readonly instance_id: InstanceId | null
  readonly name: string
}

export interface StoreOfRoot {
  readonly store: string
  /** On its way to another store. */
  readonly moving: boolean
}

const organizations = statement(
  'review-comments.organizations',
  `select o.provider, o.host, o.provider_organization_id as id, o.id as organization_id, o.instance_id, o.name
   from unnest($2::text[], $3::text[], $4::text[]) as asked (provider, host, id)
   join organization o on o.root_id = $1 and o.provider_organization_id = asked.id
     and o.provider = asked.provider and o.host = asked.host`,
)

// No row = it was never moved.
const storeOfRoot = statement(
  'review-comments.store-of-root',
  `select coalesce(p.store, 'shared') as store, p.moving_to is not null as moving
   from (select $1::uuid as root_id) asked left join metrics_placement p on p.root_id = asked.root_id`,
)

/** Inactive ones too: their rows are stored and shown to nobody, so that nothing is missing when they are active again. */
export function readOrganizations(
  scope: Scope,
  tx: Tx,
  names: readonly OrganizationName[],
): Promise<FoundOrganization[]> {
  const columns = [
    names.map(({ provider }) => provider),
    names.map(({ host }) => host),
    names.map(({ id }) => id),
  ]
  return tx.query<FoundOrganization & object>(organizations, [scope.root, ...columns])
}

export async function readStore(scope: Scope, tx: Tx): Promise<StoreOfRoot> {
  const [found] = await tx.query<StoreOfRoot & object>(storeOfRoot, [scope.root])
  if (found === undefined) throw new Error('A store is always found.')
  return found
}

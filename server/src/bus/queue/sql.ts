import type { Scope } from '../../access/scope.ts'
import { type Pool, statement } from '../../db/connect.ts'
import { sweepUnscoped } from '../../db/sweep.ts'
import type { Tx } from '../../db/transaction.ts'
import type { InstanceId, OrganizationId, PersonId } from '../../ids.ts'
import type { OrganizationRef } from './shapes.ts'

export interface ResolvedOrganization extends OrganizationRef {
  readonly organization_id: OrganizationId
  readonly instance_id: InstanceId | null
  readonly name: string
}

const selectOrganizations = statement(
  'ingest.organizations',
  `select o.provider, o.host, o.provider_organization_id as id, o.id as organization_id, o.instance_id, o.name
   from unnest($2::text[], $3::text[], $4::text[]) as asked (provider, host, id)
   join organization o on o.root_id = $1 and o.provider_organization_id = asked.id
     and o.provider = asked.provider and o.host = asked.host`,
)

/** Includes inactive organizations: their rows are stored but hidden, so that nothing is missing after reactivation. */
export function readOrganizations(
  scope: Scope,
  tx: Tx,
  names: readonly OrganizationRef[],
): Promise<ResolvedOrganization[]> {
  const columns = [
    names.map(({ provider }) => provider),
    names.map(({ host }) => host),
    names.map(({ id }) => id),
  ]
  return tx.query<ResolvedOrganization>(selectOrganizations, [scope.root, ...columns])
}

export interface RootStore {
  readonly store: string
  /** Being moved to another store. */
  readonly moving: boolean
}

// A root without a row was never moved.
const selectRootStore = statement(
  'ingest.store-of-root',
  `select coalesce(p.store, 'shared') as store, p.moving_to is not null as moving
   from (select $1::uuid as root_id) asked left join metrics_placement p on p.root_id = asked.root_id`,
)

export function readRootStore(scope: Scope, tx: Tx): Promise<RootStore> {
  return tx.one(selectRootStore, [scope.root])
}

const selectAccountOwner = statement(
  'ingest.account-owner',
  `select a.person_id as id from account a
   join organization o on o.root_id = $1 and o.id = $2 and o.provider = a.provider and o.host = a.host
   where a.root_id = $1 and a.account_id = $3`,
)

/** The person who owns the account at the organization's provider. */
export async function findAccountOwner(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  account: { readonly id: string } | null,
): Promise<PersonId | null> {
  if (account === null) return null
  const found = await tx.first<{ id: PersonId }>(selectAccountOwner, [scope.root, organization, account.id])
  return found?.id ?? null
}

/** A function that deletes rows that are older than a time, in batches, and returns their number. */
export function createSweepUnscoped(name: string, table: 'counted_event_id' | 'event_status') {
  const sweep = statement(
    name,
    `with gone as (
       delete from ${table} where ctid = any (array(
         select ctid from ${table} where at < $1 order by at limit $2)) returning 1
     )
     select count(*)::integer as swept from gone`,
  )
  return (pool: Pool, before: Date, batch: number) => sweepUnscoped(pool, sweep, batch, [before])
}

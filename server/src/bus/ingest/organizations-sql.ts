import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { InstanceId, OrganizationId } from '../../ids.ts'
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

/** Inactive ones too: their rows are stored and shown to nobody, so that nothing is missing when they are active again. */
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
  return tx.query<ResolvedOrganization & object>(selectOrganizations, [scope.root, ...columns])
}

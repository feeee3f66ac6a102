import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import { type InstanceId, NIL_UUID, type OrganizationId } from '../../ids.ts'

export interface OrganizationRecord {
  readonly id: OrganizationId
  readonly name: string
  readonly provider: string
  readonly host: string
  readonly org_id: string
  readonly instance_id: InstanceId | null
  readonly active: boolean
}

export interface RepositoryRecord {
  readonly id: string
  readonly name: string
  readonly repository_id: string
  readonly private: boolean
  readonly active: boolean
}

export interface ListPage {
  readonly after: string | null
  readonly limit: number
}

const columns = 'id, name, provider, host, provider_organization_id as org_id, instance_id, active'

const allOrganizations = statement(
  'organizations.inventory',
  `select ${columns} from organization where root_id = $1 and id > $2 order by id limit $3`,
)

const allRepositories = statement(
  'organizations.inventory-of-repositories',
  `select id, name, provider_repository_id as repository_id, private, active from repository
   where root_id = $1 and organization_id = $2 and id > $3 order by id limit $4`,
)

const organizationById = statement(
  'organizations.inventory-by-id',
  `select ${columns} from organization where root_id = $1 and id = $2`,
)

const organizationsByText = statement(
  'organizations.inventory-matching',
  `select ${columns} from organization
   where root_id = $1
     and (provider_organization_id = $2 or provider || ':' || provider_organization_id = $2 or name = $2)
   order by id limit 10`,
)

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function readAllOrganizations(
  scope: Scope,
  tx: Tx,
  { after, limit }: ListPage,
): Promise<OrganizationRecord[]> {
  return tx.query<OrganizationRecord & object>(allOrganizations, [scope.root, after ?? NIL_UUID, limit])
}

export function readAllRepositories(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  { after, limit }: ListPage,
): Promise<RepositoryRecord[]> {
  return tx.query<RepositoryRecord & object>(allRepositories, [
    scope.root,
    organization,
    after ?? NIL_UUID,
    limit,
  ])
}

export function readMatchingOrganizations(scope: Scope, tx: Tx, text: string): Promise<OrganizationRecord[]> {
  return tx.query<OrganizationRecord & object>(uuid.test(text) ? organizationById : organizationsByText, [
    scope.root,
    text,
  ])
}

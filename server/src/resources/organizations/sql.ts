import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Page } from '../../http/paging.ts'
import type { StoredPage } from '../../http/reply.ts'
import { type InstanceId, isUuid, NIL_UUID, type OrganizationId } from '../../ids.ts'

// $3 entries are returned. One more row is read to detect a next page.
const pageOf = (name: string, table: 'organization' | 'repository', condition = '') =>
  statement(
    `organizations.page-of-${name}`,
    `select string_agg(entry, ',' order by id) filter (where ordinal <= $3) as entries, count(*)::int as found,
       max(id::text) filter (where ordinal <= $3) as last
     from (
       select id, entry, row_number() over (order by id) as ordinal from ${table}
       where root_id = $1 and id > $2 and active ${condition} order by id limit $3 + 1) page`,
  )

export const pageOfRoot = pageOf('root', 'organization')
const pageOfInstance = pageOf(
  'instance',
  'organization',
  'and instance_id = $4 and ($5::uuid[] is null or id = any ($5))',
)
const pageOfNamedOrganizations = pageOf('bound', 'organization', 'and id = any ($4::uuid[])')
const pageOfRepositories = pageOf('repositories', 'repository', 'and organization_id = $4')

export function readOrganizations(scope: Scope, tx: Tx, page: Page): Promise<StoredPage> {
  const { instance, organizations } = scope
  const values = [scope.root, page.after?.[0] ?? NIL_UUID, page.limit]
  if (instance !== null) return tx.one<StoredPage>(pageOfInstance, [...values, instance, organizations])
  if (organizations === null) return tx.one<StoredPage>(pageOfRoot, values)
  return tx.one<StoredPage>(pageOfNamedOrganizations, [...values, organizations])
}

export function readRepositories(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  page: Page,
): Promise<StoredPage> {
  const values = [scope.root, page.after?.[0] ?? NIL_UUID, page.limit, organization]
  return tx.one<StoredPage>(pageOfRepositories, values)
}

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

export function readAllOrganizations(
  scope: Scope,
  tx: Tx,
  { after, limit }: ListPage,
): Promise<OrganizationRecord[]> {
  return tx.query<OrganizationRecord>(allOrganizations, [scope.root, after ?? NIL_UUID, limit])
}

export function readAllRepositories(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  { after, limit }: ListPage,
): Promise<RepositoryRecord[]> {
  return tx.query<RepositoryRecord>(allRepositories, [scope.root, organization, after ?? NIL_UUID, limit])
}

export function readMatchingOrganizations(scope: Scope, tx: Tx, text: string): Promise<OrganizationRecord[]> {
  const query = isUuid(text) ? organizationById : organizationsByText
  return tx.query<OrganizationRecord>(query, [scope.root, text])
}

const rootWithInstances = statement(
  'organizations.root-with-instances',
  `select r.kind, i.id, i.provider, i.host from root r left join instance i on i.root_id = r.id where r.id = $1`,
)

const create = statement(
  'organizations.create',
  `insert into organization (root_id, id, instance_id, provider, host, provider_organization_id, name)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning id`,
)

const rename = statement(
  'organizations.rename',
  `with before as materialized (select name from organization where root_id = $1 and id = $2 for update)
   update organization o set name = $3 from before b where o.root_id = $1 and o.id = $2 returning o.active, b.name`,
)

const renameRoot = statement(
  'organizations.rename-root',
  `update root set name = $2 where id = $1 and kind = 'organization'`,
)

export type OrganizationFlag = 'active' | 'metrics_enabled'

const setFlag = (column: OrganizationFlag) =>
  statement(
    `organizations.set-${column}`,
    `update organization set ${column} = $3 where root_id = $1 and id = $2 and ${column} <> $3 returning active`,
  )
const flagStatements = { active: setFlag('active'), metrics_enabled: setFlag('metrics_enabled') } as const

const exists = statement('organizations.exists', `select id from organization where root_id = $1 and id = $2`)

const createRepository = statement(
  'organizations.create-repository',
  `insert into repository (root_id, organization_id, id, provider, provider_repository_id, name, private, active)
   select $1, id, $3, provider, $4, $5, $6, $7 from organization where root_id = $1 and id = $2
   on conflict do nothing returning id`,
)

export interface RootWithInstances {
  readonly kind: string
  readonly instances: readonly { readonly id: InstanceId; readonly provider: string; readonly host: string }[]
}

export interface NewOrganizationRow {
  readonly id: OrganizationId
  readonly instance: InstanceId | null
  readonly provider: string
  readonly host: string
  readonly providerOrganizationId: string
  readonly name: string
}

export interface NewRepositoryRow {
  readonly id: string
  readonly providerRepositoryId: string
  readonly name: string
  readonly private: boolean
  readonly active: boolean
}

export async function readRootWithInstances(scope: Scope, tx: Tx): Promise<RootWithInstances | null> {
  const rows = await tx.query<{ kind: string; id: InstanceId | null; provider: string; host: string }>(
    rootWithInstances,
    [scope.root],
  )
  const [first] = rows
  if (first === undefined) return null
  const instances = rows.flatMap(({ id, provider, host }) => (id === null ? [] : [{ id, provider, host }]))
  return { kind: first.kind, instances }
}

/** Returns false if the root already has an organization with this id, or with this provider id at this host. */
export async function insertOrganization(scope: Scope, tx: Tx, row: NewOrganizationRow): Promise<boolean> {
  const { id, instance, provider, host, providerOrganizationId, name } = row
  const values = [scope.root, id, instance, provider, host, providerOrganizationId, name]
  return (await tx.query(create, values)).length === 1
}

/** Returns the name before; null if the organization does not exist. */
export async function updateName(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  name: string,
): Promise<{ active: boolean; name: string } | null> {
  const row = await tx.first<{ active: boolean; name: string }>(rename, [scope.root, organization, name])
  if (row === null) return null
  await tx.query(renameRoot, [scope.root, name])
  return row
}

/** Returns whether the organization is active now, or why nothing changed. */
export async function updateFlag(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  flag: OrganizationFlag,
  value: boolean,
): Promise<{ readonly active: boolean } | 'unchanged' | 'unknown'> {
  const key = [scope.root, organization]
  const row = await tx.first<{ active: boolean }>(flagStatements[flag], [...key, value])
  if (row !== null) return row
  return (await tx.query(exists, key)).length === 1 ? 'unchanged' : 'unknown'
}

/** Returns false if the organization already has a repository with this id or provider id. */
export async function insertRepository(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  { id, providerRepositoryId, name, private: hidden, active }: NewRepositoryRow,
): Promise<boolean> {
  const values = [scope.root, organization, id, providerRepositoryId, name, hidden, active]
  return (await tx.query(createRepository, values)).length === 1
}

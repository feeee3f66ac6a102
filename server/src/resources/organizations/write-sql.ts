import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { InstanceId, OrganizationId } from '../../ids.ts'

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
  `update organization set name = $3 where root_id = $1 and id = $2 returning active`,
)

const renameRoot = statement(
  'organizations.rename-root',
  `update root set name = $2 where id = $1 and kind = 'organization'`,
)

const setActive = statement(
  'organizations.set-active',
  `update organization set active = $3 where root_id = $1 and id = $2 and active <> $3 returning id`,
)

const exists = statement('organizations.exists', `select id from organization where root_id = $1 and id = $2`)

const setMetricsEnabled = statement(
  'organizations.set-metrics-enabled',
  `update organization set metrics_enabled = $3 where root_id = $1 and id = $2 and metrics_enabled <> $3
   returning active`,
)

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

/** Returns null if the organization does not exist. */
export async function updateName(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  name: string,
): Promise<{ active: boolean } | null> {
  const [row] = await tx.query<{ active: boolean }>(rename, [scope.root, organization, name])
  if (row === undefined) return null
  await tx.query(renameRoot, [scope.root, name])
  return row
}

type Unchanged = 'unchanged' | 'unknown'

export async function updateActive(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  active: boolean,
): Promise<'changed' | Unchanged> {
  const changed = await tx.query(setActive, [scope.root, organization, active])
  return changed.length === 1 ? 'changed' : checkUnchangedOrUnknown(scope, tx, organization)
}

export async function updateMetricsEnabled(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  enabled: boolean,
): Promise<{ readonly active: boolean } | Unchanged> {
  const [row] = await tx.query<{ active: boolean }>(setMetricsEnabled, [scope.root, organization, enabled])
  return row ?? checkUnchangedOrUnknown(scope, tx, organization)
}

async function checkUnchangedOrUnknown(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
): Promise<Unchanged> {
  return (await tx.query(exists, [scope.root, organization])).length === 1 ? 'unchanged' : 'unknown'
}

/** Returns false if the organization already has a repository with this id or provider id. */
export async function insertRepository(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  row: NewRepositoryRow,
): Promise<boolean> {
  const values = [
    scope.root,
    organization,
    row.id,
    row.providerRepositoryId,
    row.name,
    row.private,
    row.active,
  ]
  return (await tx.query(createRepository, values)).length === 1
}

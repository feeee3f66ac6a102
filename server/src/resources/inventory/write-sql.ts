import type { Scope } from '../../access/scope.ts'
import { type Statement, statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { InstanceId, OrganizationId, PersonId } from '../../ids.ts'

export interface OrganizationRow {
  readonly id: OrganizationId
  readonly instance_id: InstanceId | null
  readonly provider: string
  readonly host: string
  readonly provider_organization_id: string
  readonly name: string
  readonly active: boolean
}

export interface RepositoryRow {
  readonly organization_id: OrganizationId
  readonly id: string
  readonly provider: string
  readonly provider_repository_id: string
  readonly name: string
  readonly private: boolean
  readonly active: boolean
}

export interface PersonRow {
  readonly id: PersonId
  readonly email: string | null
  readonly name: string
}

export interface AccountRow {
  readonly provider: string
  readonly host: string
  readonly account_id: string
  readonly username: string
  readonly person_id: PersonId
}

export interface MembershipKey {
  readonly organization_id: OrganizationId
  readonly person_id: PersonId
}

export interface MembershipRow extends MembershipKey {
  readonly account_id: string
}

export interface NewMembership extends MembershipRow {
  readonly custom_role_id: string | null
}

export interface RemovedMemberRow extends MembershipKey {
  /** False if the person has rejoined since, or was not a member. */
  readonly removed: boolean
}

export interface AccessRow extends MembershipKey {
  readonly repository_id: string
}

export interface RemovalRow {
  readonly organization_id: OrganizationId
  readonly account_id: string
  readonly repository_id: string
}

/** All writes of one event. Unchanged rows are included, because they store the time of the event. */
export interface InventoryWrites {
  readonly rootName: string | null
  readonly newOrganizations: readonly OrganizationRow[]
  readonly organizations: readonly Pick<OrganizationRow, 'id' | 'name' | 'active'>[]
  readonly newRepositories: readonly RepositoryRow[]
  readonly repositories: readonly RepositoryRow[]
  readonly newPeople: readonly PersonRow[]
  readonly people: readonly PersonRow[]
  readonly newAccounts: readonly AccountRow[]
  readonly accounts: readonly AccountRow[]
  readonly newMemberships: readonly NewMembership[]
  readonly memberships: readonly MembershipRow[]
  readonly revoked: readonly AccessRow[]
  readonly granted: readonly AccessRow[]
  readonly removals: readonly RemovalRow[]
}

const renameRoot = statement('inventory.rename-root', `update root set name = $2 where id = $1`)

const createOrganizations = statement(
  'inventory.create-organizations',
  `insert into organization (root_id, id, instance_id, provider, host, provider_organization_id, name, active,
     inventory_at)
   select $1, id, instance_id, provider, host, provider_organization_id, name, active, $3::timestamptz
   from json_to_recordset($2::json) as e (id uuid, instance_id uuid, provider text, host text,
     provider_organization_id text, name text, active boolean)`,
)

const changeOrganizations = statement(
  'inventory.change-organizations',
  `update organization o set name = e.name, active = e.active, inventory_at = $3::timestamptz
   from json_to_recordset($2::json) as e (id uuid, name text, active boolean)
   where o.root_id = $1 and o.id = e.id`,
)

const createRepositories = statement(
  'inventory.create-repositories',
  `insert into repository (root_id, organization_id, id, provider, provider_repository_id, name, private, active,
     inventory_at)
   select $1, organization_id, id, provider, provider_repository_id, name, private, active, $3::timestamptz
   from json_to_recordset($2::json) as e (organization_id uuid, id uuid, provider text,
     provider_repository_id text, name text, private boolean, active boolean)`,
)

const changeRepositories = statement(
  'inventory.change-repositories',
  `update repository r set name = e.name, private = e.private, active = e.active, inventory_at = $3::timestamptz
   from json_to_recordset($2::json) as e (organization_id uuid, id uuid, name text, private boolean, active boolean)
   where r.root_id = $1 and r.organization_id = e.organization_id and r.id = e.id`,
)

const createPeople = statement(
  'inventory.create-people',
  `insert into person (root_id, id, email, name)
   select $1, id, email, name from json_to_recordset($2::json) as e (id uuid, email text, name text)`,
)

const changePeople = statement(
  'inventory.change-people',
  `update person p set email = e.email, name = e.name
   from json_to_recordset($2::json) as e (id uuid, email text, name text)
   where p.root_id = $1 and p.id = e.id`,
)

const createAccounts = statement(
  'inventory.create-accounts',
  `insert into account (root_id, provider, host, account_id, username, person_id, inventory_at)
   select $1, provider, host, account_id, username, person_id, $3::timestamptz
   from json_to_recordset($2::json) as e (provider text, host text, account_id text, username text,
     person_id uuid)`,
)

const changeAccounts = statement(
  'inventory.change-accounts',
  `update account a set username = e.username, inventory_at = $3::timestamptz
   from json_to_recordset($2::json) as e (provider text, host text, account_id text, username text)
   where a.root_id = $1 and a.provider = e.provider and a.host = e.host and a.account_id = e.account_id`,
)

const createMemberships = statement(
  'inventory.create-memberships',
  `insert into membership (root_id, organization_id, account_id, person_id, system_role, custom_role_id,
     inventory_at)
   select $1, organization_id, account_id, person_id,
     case when custom_role_id is null then 'cr_member' end, custom_role_id, $3::timestamptz
   from json_to_recordset($2::json) as e (organization_id uuid, account_id text, person_id uuid,
     custom_role_id uuid)`,
)

const changeMemberships = statement(
  'inventory.change-memberships',
  `update membership m set account_id = e.account_id, inventory_at = $3::timestamptz
   from json_to_recordset($2::json) as e (organization_id uuid, account_id text, person_id uuid)
   where m.root_id = $1 and m.organization_id = e.organization_id and m.person_id = e.person_id`,
)

const deleteMembershipRows = statement(
  'inventory.delete-memberships',
  `delete from membership m
   using json_to_recordset($2::json) as e (organization_id uuid, person_id uuid, removed boolean)
   where m.root_id = $1 and m.organization_id = e.organization_id and m.person_id = e.person_id and e.removed`,
)

// Access verified after the person left is retained: the event of the return may arrive later.
const deleteAccessRows = statement(
  'inventory.delete-access',
  `delete from repository_access v
   using json_to_recordset($2::json) as e (organization_id uuid, person_id uuid)
   where v.root_id = $1 and v.organization_id = e.organization_id and v.person_id = e.person_id
     and v.verified_at <= $3::timestamptz
   returning v.organization_id, v.person_id, v.repository_id`,
)

const deleteSeatRows = statement(
  'inventory.free-seats',
  `delete from seat s where s.root_id = $1 and s.person_id = any ($2::uuid[])
     and not exists (select from membership m where m.root_id = $1 and m.person_id = s.person_id)
   returning s.person_id`,
)

const withoutAdmin = statement(
  'inventory.without-admin',
  `select o.id from organization o
   where o.root_id = $1 and o.id = any ($2::uuid[])
     and not exists (
       select from membership m join person p on p.root_id = m.root_id and p.id = m.person_id and p.active
       where m.root_id = o.root_id and m.organization_id = o.id and m.system_role = 'cr_admin')
     and not exists (select from person p where p.root_id = o.root_id and p.workspace_admin and p.active)`,
)

const revoke = statement(
  'inventory.revoke',
  `delete from repository_access v
   using json_to_recordset($2::json) as e (organization_id uuid, person_id uuid, repository_id uuid)
   where v.root_id = $1 and v.organization_id = e.organization_id and v.repository_id = e.repository_id
     and v.person_id = e.person_id`,
)

const grant = statement(
  'inventory.grant',
  `insert into repository_access (root_id, organization_id, repository_id, person_id, verified_at)
   select $1, organization_id, repository_id, person_id, $3::timestamptz
   from json_to_recordset($2::json) as e (organization_id uuid, person_id uuid, repository_id uuid)
   on conflict (root_id, organization_id, repository_id, person_id) do update
     set verified_at = excluded.verified_at`,
)

const upsertRemovals = statement(
  'inventory.remember-removals',
  `insert into inventory_removal (root_id, organization_id, account_id, repository_id, at)
   select $1, organization_id, account_id, repository_id, $3::timestamptz
   from json_to_recordset($2::json) as e (organization_id uuid, account_id text, repository_id text)
   on conflict (root_id, organization_id, account_id, repository_id) do update set at = excluded.at`,
)

/** Issues all statements that have rows, in foreign-key order; they share a round trip. */
export function writeInventory(scope: Scope, tx: Tx, writes: InventoryWrites, at: Date): Promise<unknown>[] {
  const write = (query: Statement, rows: readonly object[], ...more: readonly string[]) =>
    rows.length === 0 ? [] : [tx.query(query, [scope.root, JSON.stringify(rows), ...more])]
  const time = at.toISOString()
  return [
    ...(writes.rootName === null ? [] : [tx.query(renameRoot, [scope.root, writes.rootName])]),
    ...write(createPeople, writes.newPeople),
    ...write(changePeople, writes.people),
    ...write(revoke, writes.revoked),
    ...write(createOrganizations, writes.newOrganizations, time),
    ...write(changeOrganizations, writes.organizations, time),
    ...write(createRepositories, writes.newRepositories, time),
    ...write(changeRepositories, writes.repositories, time),
    ...write(createAccounts, writes.newAccounts, time),
    ...write(changeAccounts, writes.accounts, time),
    ...write(createMemberships, writes.newMemberships, time),
    ...write(changeMemberships, writes.memberships, time),
    ...write(grant, writes.granted, time),
    ...write(upsertRemovals, writes.removals, time),
  ]
}

/** Deletes memberships and the access of the people who left; returns the deleted access. */
export async function deleteRemovedMembers(
  scope: Scope,
  tx: Tx,
  removedMembers: readonly RemovedMemberRow[],
  at: Date,
): Promise<AccessRow[]> {
  const keys = removedMembers.map(({ organization_id, person_id, removed }) => {
    return { organization_id, person_id, removed }
  })
  const rows = JSON.stringify(keys)
  const [deletedAccess] = await Promise.all([
    tx.query<AccessRow>(deleteAccessRows, [scope.root, rows, at.toISOString()]),
    tx.query(deleteMembershipRows, [scope.root, rows]),
  ])
  return deletedAccess
}

/** Releases the seats of people without memberships. */
export async function releaseSeats(
  scope: Scope,
  tx: Tx,
  removedMembers: readonly RemovedMemberRow[],
): Promise<ReadonlySet<PersonId>> {
  const people = removedMembers.filter(({ removed }) => removed).map(({ person_id }) => person_id)
  if (people.length === 0) return new Set()
  const rows = await tx.query<{ person_id: PersonId }>(deleteSeatRows, [scope.root, people])
  return new Set(rows.map(({ person_id }) => person_id))
}

/** Organizations without an active admin or workspace admin. */
export async function readWithoutAdmin(
  scope: Scope,
  tx: Tx,
  organizations: readonly OrganizationId[],
): Promise<ReadonlySet<OrganizationId>> {
  const rows = await tx.query<{ id: OrganizationId }>(withoutAdmin, [scope.root, organizations])
  return new Set(rows.map(({ id }) => id))
}

import type { SystemRole } from '../../access/permissions.ts'
import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import { isUuid, NIL_UUID, type OrganizationId, type PersonId } from '../../ids.ts'

/** A membership has one role: a system role by name, or a custom role of the organization by id. */
export type Role = { readonly system: SystemRole } | { readonly custom: string }

export interface MembershipRole {
  readonly person: PersonId
  readonly organization: OrganizationId
  readonly role: Role
}

export interface RepositoryGrant {
  readonly person: PersonId
  readonly organization: OrganizationId
  readonly repositories: readonly string[]
}

export interface Account {
  readonly provider: string
  readonly host: string
  readonly accountId: string
  readonly username: string
}

export interface Person {
  readonly id: PersonId
  /** Null if it is unknown or the person is erased. */
  readonly email: string | null
  readonly name: string
  readonly erased: boolean
  readonly active: boolean
  readonly workspace_admin: boolean
  readonly organizations: number
}

const create = statement(
  'people.create',
  `insert into person (root_id, id, email, name, workspace_admin) values ($1, $2, $3, $4, $5)
   on conflict do nothing returning id`,
)

// The account of an erased person can be assigned to a person who is added manually.
const createAccount = statement(
  'people.create-account',
  `insert into account as a (root_id, provider, host, account_id, username, person_id) values ($1, $2, $3, $4, $5, $6)
   on conflict (root_id, provider, host, account_id) do update
     set username = excluded.username, person_id = excluded.person_id, inventory_at = null
     where exists (select from person p where p.root_id = a.root_id and p.id = a.person_id and p.erased_at is not null)
   returning account_id`,
)

// A member is identified in an organization by the account at that organization's provider.
const createMembership = statement(
  'people.create-membership',
  `insert into membership (root_id, organization_id, account_id, person_id, system_role, custom_role_id)
   select o.root_id, o.id, a.account_id, a.person_id, $4, c.id
   from organization o
   join account a on a.root_id = o.root_id and a.provider = o.provider and a.host = o.host and a.person_id = $3
   left join custom_role c on c.root_id = o.root_id and c.organization_id = o.id and c.id = $5::uuid
   where o.root_id = $1 and o.id = $2 and (($4::text is null) = (c.id is not null))
   order by a.account_id limit 1
   on conflict do nothing returning account_id`,
)

const setActive = statement(
  'people.set-active',
  `update person set active = $3 where root_id = $1 and id = $2 and active <> $3 returning id`,
)

const organizationsOf = statement(
  'people.organizations',
  `select organization_id as id from membership where root_id = $1 and person_id = $2 order by organization_id`,
)

const setWorkspaceAdmin = statement(
  'people.set-workspace-admin',
  `update person set workspace_admin = $3 where root_id = $1 and id = $2 and workspace_admin <> $3 returning id`,
)

// Requests change roles under the same lock, so that each change sees the role before it.
const lockOrganization = statement(
  'people.lock-organization',
  `select id from organization where root_id = $1 and id = $2 for no key update`,
)

const setRole = statement(
  'people.set-role',
  `with before as materialized (
     select account_id, coalesce(system_role, custom_role_id::text) as role from membership
     where root_id = $1 and organization_id = $2 and person_id = $3
       and ($5::uuid is null or exists (
         select from custom_role where root_id = $1 and organization_id = $2 and id = $5))
   )
   update membership m set system_role = $4, custom_role_id = $5 from before b
   where m.root_id = $1 and m.organization_id = $2 and m.account_id = b.account_id
   returning b.role`,
)

const grantAccess = statement(
  'people.grant-repository-access',
  `insert into repository_access (root_id, organization_id, repository_id, person_id, verified_at)
   select m.root_id, m.organization_id, r.id, m.person_id, $5
   from membership m
   join repository r on r.root_id = m.root_id and r.organization_id = m.organization_id and r.id = any ($4::uuid[])
   where m.root_id = $1 and m.organization_id = $2 and m.person_id = $3
   on conflict (root_id, organization_id, repository_id, person_id) do update
     set verified_at = excluded.verified_at
   returning repository_id`,
)

const columns = `p.id, p.email, p.name, p.erased_at is not null as erased, p.active, p.workspace_admin,
  (select count(*)::int from membership m where m.root_id = p.root_id and m.person_id = p.id) as organizations`

const page = statement(
  'people.page',
  `select ${columns} from person p where p.root_id = $1 and p.id > $2 order by p.id limit $3`,
)

const pageOfOrganization = statement(
  'people.page-of-organization',
  `select ${columns} from person p
   where p.root_id = $1 and p.id > $2 and exists (
     select from membership m where m.root_id = $1 and m.organization_id = $4 and m.person_id = p.id)
   order by p.id limit $3`,
)

const byId = statement('people.by-id', `select ${columns} from person p where p.root_id = $1 and p.id = $2`)

const byEmail = statement(
  'people.by-email',
  `select ${columns} from person p where p.root_id = $1 and p.email = lower($2)`,
)

/** Returns false if the root already has a person with this id or e-mail. */
export async function insertPerson(
  scope: Scope,
  tx: Tx,
  person: Pick<Person, 'id' | 'email' | 'name' | 'workspace_admin'>,
): Promise<boolean> {
  const values = [scope.root, person.id, person.email, person.name, person.workspace_admin]
  return (await tx.query(create, values)).length === 1
}

/** Returns false if the account belongs to another person of the root. */
export async function insertAccount(
  scope: Scope,
  tx: Tx,
  person: PersonId,
  { provider, host, accountId, username }: Account,
): Promise<boolean> {
  const values = [scope.root, provider, host, accountId, username, person]
  return (await tx.query(createAccount, values)).length === 1
}

/** Returns false without an account at the organization's provider, without the role, or for an existing member. */
export async function insertMembership(
  scope: Scope,
  tx: Tx,
  { person, organization, role }: MembershipRole,
): Promise<boolean> {
  const values = [scope.root, organization, person, ...toRoleColumns(role)]
  return (await tx.query(createMembership, values)).length === 1
}

export async function updateActive(
  scope: Scope,
  tx: Tx,
  person: PersonId,
  active: boolean,
): Promise<boolean> {
  return (await tx.query(setActive, [scope.root, person, active])).length === 1
}

/** The organizations of which the person is a member. */
export async function readOrganizations(scope: Scope, tx: Tx, person: PersonId): Promise<OrganizationId[]> {
  const rows = await tx.query<{ id: OrganizationId }>(organizationsOf, [scope.root, person])
  return [...new Set(rows.map(({ id }) => id))]
}

export async function updateWorkspaceAdmin(
  scope: Scope,
  tx: Tx,
  person: PersonId,
  admin: boolean,
): Promise<boolean> {
  return (await tx.query(setWorkspaceAdmin, [scope.root, person, admin])).length === 1
}

/** Returns the role before; null if the person is not a member or the organization lacks the role. */
export async function updateRole(
  scope: Scope,
  tx: Tx,
  { person, organization, role }: MembershipRole,
): Promise<string | null> {
  const [, [changed]] = await Promise.all([
    tx.query(lockOrganization, [scope.root, organization]),
    tx.query<{ role: string }>(setRole, [scope.root, organization, person, ...toRoleColumns(role)]),
  ])
  return changed?.role ?? null
}

/** Returns the number of granted repositories; 0 if the person is not a member. */
export async function upsertRepositoryAccess(
  scope: Scope,
  tx: Tx,
  { person, organization, repositories }: RepositoryGrant,
  at: Date,
): Promise<number> {
  const values = [scope.root, organization, person, repositories, at.toISOString()]
  return (await tx.query(grantAccess, values)).length
}

export function readPeople(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId | null,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<Person[]> {
  const values = [scope.root, after ?? NIL_UUID, limit]
  if (organization === null) return tx.query<Person>(page, values)
  return tx.query<Person>(pageOfOrganization, [...values, organization])
}

export function readPerson(scope: Scope, tx: Tx, idOrEmail: string): Promise<Person | null> {
  const lookup = isUuid(idOrEmail) ? byId : byEmail
  return tx.first<Person>(lookup, [scope.root, idOrEmail])
}

function toRoleColumns(role: Role): [SystemRole | null, string | null] {
  return 'system' in role ? [role.system, null] : [null, role.custom]
}

import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import { renderUtc } from '../../../db/sql-text.ts'
import type { Tx } from '../../../db/transaction.ts'
import { NIL_UUID, type OrganizationId, type PersonId, type ScimGroupId } from '../../../ids.ts'
import type { Role } from '../sql.ts'
import type { Slice } from './sql.ts'

export interface GroupRow {
  readonly id: ScimGroupId
  readonly external_id: string | null
  readonly display_name: string
  readonly created_at: string
  readonly updated_at: string
  /** The number of its members. */
  readonly size: number
}

export interface MemberRow {
  readonly group_id: ScimGroupId
  readonly value: PersonId
  readonly display: string
}

const groupColumns = `g.id, g.external_id, g.display_name, ${renderUtc('g.created_at')} as created_at,
  ${renderUtc('g.updated_at')} as updated_at,
  (select count(*)::int from scim_group_member m where m.root_id = g.root_id and m.group_id = g.id) as size`

const byId = statement(
  'scim.group-by-id',
  `select ${groupColumns} from scim_group g where g.root_id = $1 and g.id = $2`,
)

const byName = statement(
  'scim.group-by-name',
  `select ${groupColumns} from scim_group g where g.root_id = $1 and lower(g.display_name) = lower($2)`,
)

const groupConditions = `g.root_id = $1
  and ($2::uuid[] is null or g.id = all ($2)) and ($3::text[] is null or lower(g.display_name) = all ($3))
  and ($4::text[] is null or g.external_id = all ($4))
  and ($5::uuid[] is null or exists (select from scim_group_member m
    where m.root_id = g.root_id and m.group_id = g.id and m.person_id = all ($5)))`

const page = statement(
  'scim.page-of-groups',
  `select ${groupColumns} from scim_group g where ${groupConditions} order by g.created_at, g.id offset $6 limit $7`,
)

const total = statement(
  'scim.count-groups',
  `select count(*)::int as total from scim_group g where ${groupConditions}`,
)

const members = statement(
  'scim.members',
  `select m.group_id, m.person_id as value, p.name as display
   from scim_group_member m join person p on p.root_id = m.root_id and p.id = m.person_id
   where m.root_id = $1 and m.group_id = any ($2::uuid[]) order by m.group_id, m.person_id`,
)

const findTaken = statement(
  'scim.find-taken-group',
  `select case when lower(display_name) = lower($2) then 'displayName' else 'externalId' end as attribute
   from scim_group where root_id = $1 and (lower(display_name) = lower($2) or external_id = $3) and id <> $4 limit 1`,
)

const insert = statement(
  'scim.insert-group',
  `insert into scim_group (root_id, id, external_id, display_name, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $5)`,
)

const update = statement(
  'scim.update-group',
  `update scim_group set external_id = $3, display_name = $4, updated_at = $5 where root_id = $1 and id = $2`,
)

const addMemberRows = statement(
  'scim.add-members',
  `insert into scim_group_member (root_id, group_id, person_id)
   select u.root_id, $2, u.person_id from scim_user u where u.root_id = $1 and u.person_id = any ($3::uuid[])
   on conflict do nothing returning person_id`,
)

const countUsers = statement(
  'scim.count-known-users',
  `select count(*)::int as known from scim_user where root_id = $1 and person_id = any ($2::uuid[])`,
)

const removeMemberRows = statement(
  'scim.remove-members',
  `delete from scim_group_member where root_id = $1 and group_id = $2 and person_id = any ($3::uuid[])
   returning person_id`,
)

const removeAllMembers = statement(
  'scim.remove-all-members',
  `delete from scim_group_member where root_id = $1 and group_id = $2 returning person_id`,
)

const removeRoles = statement(
  'scim.remove-group-roles',
  `delete from scim_group_role where root_id = $1 and group_id = $2`,
)

const remove = statement('scim.delete-group', `delete from scim_group where root_id = $1 and id = $2`)

export function readGroup(scope: Scope, tx: Tx, id: string): Promise<GroupRow | null> {
  return tx.first<GroupRow>(byId, [scope.root, id])
}

export function readGroupByName(scope: Scope, tx: Tx, name: string): Promise<GroupRow | null> {
  return tx.first<GroupRow>(byName, [scope.root, name])
}

/** All values of a field must be equal to that of the group. Null = any value. */
export interface GroupFilter {
  readonly ids: readonly string[] | null
  readonly names: readonly string[] | null
  readonly externalIds: readonly string[] | null
  readonly members: readonly string[] | null
}

export async function readGroups(
  scope: Scope,
  tx: Tx,
  { ids, names, externalIds, members: people }: GroupFilter,
  { offset, limit }: Slice,
): Promise<{ readonly total: number; readonly groups: readonly GroupRow[] }> {
  const values = [scope.root, ids, names, externalIds, people]
  const [[count], groups] = await Promise.all([
    tx.query<{ total: number }>(total, values),
    limit === 0 ? [] : tx.query<GroupRow>(page, [...values, offset, limit]),
  ])
  return { total: count?.total ?? 0, groups }
}

export function readMembers(scope: Scope, tx: Tx, groups: readonly ScimGroupId[]): Promise<MemberRow[]> {
  return tx.query<MemberRow>(members, [scope.root, groups])
}

export interface StoredGroup {
  readonly id: ScimGroupId
  readonly externalId: string | null
  readonly displayName: string
}

/** The attribute that another group has already; null if there is none. */
export async function findTakenGroupAttribute(
  scope: Scope,
  tx: Tx,
  { id, externalId, displayName }: StoredGroup,
): Promise<string | null> {
  const row = await tx.first<{ attribute: string }>(findTaken, [scope.root, displayName, externalId, id])
  return row?.attribute ?? null
}

export async function insertGroup(scope: Scope, tx: Tx, group: StoredGroup, at: Date): Promise<void> {
  await tx.query(insert, [scope.root, group.id, group.externalId, group.displayName, at.toISOString()])
}

export async function updateGroup(scope: Scope, tx: Tx, group: StoredGroup, at: Date): Promise<void> {
  await tx.query(update, [scope.root, group.id, group.externalId, group.displayName, at.toISOString()])
}

/** How many of these ids are users of the root. */
export async function countKnownUsers(scope: Scope, tx: Tx, people: readonly string[]): Promise<number> {
  const row = await tx.first<{ known: number }>(countUsers, [scope.root, people])
  return row?.known ?? 0
}

/** Returns those who were not members before. */
export async function addMembers(
  scope: Scope,
  tx: Tx,
  group: ScimGroupId,
  people: readonly string[],
): Promise<PersonId[]> {
  const rows = await tx.query<{ person_id: PersonId }>(addMemberRows, [scope.root, group, people])
  return rows.map(({ person_id }) => person_id)
}

/** Returns those who were members. Null = all. */
export async function removeMembers(
  scope: Scope,
  tx: Tx,
  group: ScimGroupId,
  people: readonly string[] | null,
): Promise<PersonId[]> {
  const values = [scope.root, group]
  const rows = await (people === null
    ? tx.query<{ person_id: PersonId }>(removeAllMembers, values)
    : tx.query<{ person_id: PersonId }>(removeMemberRows, [...values, people]))
  return rows.map(({ person_id }) => person_id)
}

/** The caller has removed the members. */
export async function deleteGroup(scope: Scope, tx: Tx, group: ScimGroupId): Promise<void> {
  await Promise.all([tx.query(removeRoles, [scope.root, group]), tx.query(remove, [scope.root, group])])
}

/** A role that a group gives in an organization: the name of a system role or the id of a custom one. */
export interface MappedRole {
  readonly organization_id: OrganizationId
  readonly role: string
}

const mappedRoles = statement(
  'scim.mapped-roles',
  `select organization_id, coalesce(system_role, custom_role_id::text) as role
   from scim_group_role where root_id = $1 and group_id = any ($2::uuid[]) order by organization_id`,
)

const lockOrganizations = statement(
  'scim.lock-organizations',
  `select o.id from organization o where o.root_id = $1 and o.id = any ($2::uuid[]) and exists (
     select from membership m where m.root_id = $1 and m.organization_id = o.id and m.person_id = any ($3::uuid[]))
   order by o.id for no key update of o`,
)

// If a person has several groups, an admin's decides, then one with a custom role.
const memberships = statement(
  'scim.memberships',
  `select m.organization_id, m.account_id, m.person_id, p.name, p.active,
     coalesce(m.system_role, m.custom_role_id::text) as role, given.role as given,
     (select count(*)::int from membership a join person b on b.root_id = a.root_id and b.id = a.person_id
      where a.root_id = $1 and a.organization_id = m.organization_id and a.system_role = 'cr_admin' and b.active) as admins
   from membership m join person p on p.root_id = m.root_id and p.id = m.person_id
   left join lateral (
     select coalesce(r.system_role, r.custom_role_id::text) as role
     from scim_group_member gm join scim_group_role r on r.root_id = gm.root_id and r.group_id = gm.group_id
     where gm.root_id = $1 and gm.person_id = m.person_id and r.organization_id = m.organization_id
     order by r.system_role is not distinct from 'cr_admin' desc, r.custom_role_id nulls last limit 1) given on true
   where m.root_id = $1 and m.organization_id = any ($2::uuid[]) and m.person_id = any ($3::uuid[])
   order by m.organization_id, m.person_id`,
)

const organizationsOfPeople = statement(
  'scim.mapped-organizations',
  `select distinct r.organization_id as id
   from scim_group_member gm join scim_group_role r on r.root_id = gm.root_id and r.group_id = gm.group_id
   where gm.root_id = $1 and gm.person_id = any ($2::uuid[])`,
)

const setRoles = statement(
  'scim.set-roles',
  `update membership m
   set system_role = case when c.role like 'cr\\_%' then c.role end,
     custom_role_id = case when c.role not like 'cr\\_%' then c.role::uuid end
   from unnest($2::uuid[], $3::text[], $4::text[]) as c (organization_id, account_id, role)
   where m.root_id = $1 and m.organization_id = c.organization_id and m.account_id = c.account_id`,
)

export function readMappedRoles(scope: Scope, tx: Tx, groups: readonly ScimGroupId[]): Promise<MappedRole[]> {
  return tx.query<MappedRole>(mappedRoles, [scope.root, groups])
}

/** A member of an organization, with the role that the person's groups give in it. */
export interface MembershipRow {
  readonly organization_id: OrganizationId
  readonly account_id: string
  readonly person_id: PersonId
  readonly name: string
  readonly active: boolean
  readonly role: string
  readonly given: string | null
  /** Active admins of the organization. */
  readonly admins: number
}

/** Locks the organizations until the commit, as every change of roles does. */
export async function lockMemberships(
  scope: Scope,
  tx: Tx,
  people: readonly PersonId[],
  left: readonly OrganizationId[],
): Promise<MembershipRow[]> {
  const mapped = await tx.query<{ id: OrganizationId }>(organizationsOfPeople, [scope.root, people])
  const organizations = [...new Set([...left, ...mapped.map(({ id }) => id)])]
  if (organizations.length === 0) return []
  const values = [scope.root, organizations, people]
  const [, rows] = await Promise.all([
    tx.query(lockOrganizations, values),
    tx.query<MembershipRow>(memberships, values),
  ])
  return rows
}

export async function updateRoles(
  scope: Scope,
  tx: Tx,
  changes: readonly { readonly member: MembershipRow; readonly role: string }[],
): Promise<void> {
  await tx.query(setRoles, [
    scope.root,
    changes.map(({ member }) => member.organization_id),
    changes.map(({ member }) => member.account_id),
    changes.map(({ role }) => role),
  ])
}

const upsertRole = statement(
  'scim.map-group',
  `insert into scim_group_role (root_id, group_id, organization_id, system_role, custom_role_id, created_at)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (root_id, group_id, organization_id) do update
     set system_role = excluded.system_role, custom_role_id = excluded.custom_role_id`,
)

const deleteRole = statement(
  'scim.unmap-group',
  `delete from scim_group_role where root_id = $1 and group_id = $2 and organization_id = $3
   returning coalesce(system_role, custom_role_id::text) as role`,
)

const allMappings = statement(
  'scim.list-groups',
  `select g.id, g.display_name as name,
     (select count(*)::int from scim_group_member m where m.root_id = g.root_id and m.group_id = g.id) as members,
     r.organization_id as organization, coalesce(r.system_role, r.custom_role_id::text) as role
   from scim_group g left join scim_group_role r on r.root_id = g.root_id and r.group_id = g.id
   where g.root_id = $1 and g.id > $2 order by g.id, r.organization_id limit $3`,
)

export async function upsertGroupRole(
  scope: Scope,
  tx: Tx,
  group: ScimGroupId,
  organization: OrganizationId,
  role: Role,
  at: Date,
): Promise<void> {
  const columns = 'system' in role ? [role.system, null] : [null, role.custom]
  await tx.query(upsertRole, [scope.root, group, organization, ...columns, at.toISOString()])
}

/** Returns the role that the group gave; null if it gave none. */
export async function deleteGroupRole(
  scope: Scope,
  tx: Tx,
  group: ScimGroupId,
  organization: OrganizationId,
): Promise<string | null> {
  const row = await tx.first<{ role: string }>(deleteRole, [scope.root, group, organization])
  return row?.role ?? null
}

/** One row for each role that a group gives, and one for a group that gives none. */
export interface GroupMapping {
  readonly id: ScimGroupId
  readonly name: string
  readonly members: number
  readonly organization: OrganizationId | null
  readonly role: string | null
}

/** Groups of a root by id, each with the roles that it gives. */
export function readGroupMappings(
  scope: Scope,
  tx: Tx,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<GroupMapping[]> {
  return tx.query<GroupMapping>(allMappings, [scope.root, after ?? NIL_UUID, limit])
}

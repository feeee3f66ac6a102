import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import { renderUtc } from '../../../db/sql-text.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { PersonId, ScimGroupId } from '../../../ids.ts'
import type { Resource } from './patch.ts'

/** A person whom an identity provider manages. */
export interface UserRow {
  readonly id: PersonId
  readonly external_id: string | null
  readonly user_name: string
  readonly attributes: Resource
  readonly active: boolean
  readonly name: string
  readonly email: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly groups: readonly { readonly value: ScimGroupId; readonly display: string }[]
}

// Until the commit, so that no two requests decide about one name at a time. Requests of other tenant roots do not wait.
const lockRoot = statement(
  'scim.lock',
  `select pg_advisory_xact_lock(hashtextextended('scim ' || $1::text, 0))`,
)

const userColumns = `u.person_id as id, u.external_id, u.user_name, u.attributes, p.active, p.name, p.email,
  ${renderUtc('u.created_at')} as created_at, ${renderUtc('u.updated_at')} as updated_at,
  (select coalesce(json_agg(json_build_object('value', g.id, 'display', g.display_name) order by g.id), '[]')
   from scim_group_member m join scim_group g on g.root_id = m.root_id and g.id = m.group_id
   where m.root_id = u.root_id and m.person_id = u.person_id) as groups`

const byId = statement(
  'scim.user-by-id',
  `select ${userColumns} from scim_user u join person p on p.root_id = u.root_id and p.id = u.person_id
   where u.root_id = $1 and u.person_id = $2`,
)

// A user name and an address are compared without case, an external id exactly.
const userConditions = `u.root_id = $1
  and ($2::uuid[] is null or u.person_id = all ($2)) and ($3::text[] is null or lower(u.user_name) = all ($3))
  and ($4::text[] is null or u.external_id = all ($4))
  and ($5::text[] is null or exists (
    select from jsonb_array_elements(u.attributes -> 'emails') e
    where lower(e ->> 'value') = all ($5) and ($6::text[] is null or lower(e ->> 'type') = all ($6))))`

const page = statement(
  'scim.page-of-users',
  `select ${userColumns} from scim_user u join person p on p.root_id = u.root_id and p.id = u.person_id
   where ${userConditions} order by u.created_at, u.person_id offset $7 limit $8`,
)

const total = statement(
  'scim.count-users',
  `select count(*)::int as total from scim_user u where ${userConditions}`,
)

const findTaken = statement(
  'scim.find-taken-user',
  `select case when lower(user_name) = lower($2) then 'userName' else 'externalId' end as attribute
   from scim_user where root_id = $1 and (lower(user_name) = lower($2) or external_id = $3) and person_id is distinct from $4
   limit 1`,
)

const findPersonByAddress = statement(
  'scim.find-person-by-email',
  `select p.id, p.name, p.email, p.active, exists (
     select from scim_user u where u.root_id = p.root_id and u.person_id = p.id) as provisioned
   from person p where p.root_id = $1 and p.email = $2 and p.erased_at is null`,
)

const findByExternalId = statement(
  'scim.find-person-by-external-id',
  `select p.id as person_id, p.active, p.email from scim_user u join person p on p.root_id = u.root_id and p.id = u.person_id
   where u.root_id = $1 and u.external_id = $2`,
)

// The subject of Entra is the id of the directory, which has 36 characters, a colon and the external id.
const isOfAccount = `(subject = $3 or substr(subject, 37) = ':' || $3)`

const findIdentity = statement(
  'scim.find-identity',
  `select subject from identity where root_id = $1 and person_id = $2 and ${isOfAccount} limit 1`,
)

const unlinkIdentities = statement(
  'scim.unlink-identities',
  `delete from identity where root_id = $1 and person_id = $2 and ($3::text is null or not ${isOfAccount})
   returning issuer, subject`,
)

const insert = statement(
  'scim.insert-user',
  `insert into scim_user (root_id, person_id, external_id, user_name, attributes, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $6)`,
)

const update = statement(
  'scim.update-user',
  `update scim_user set external_id = $3, user_name = $4, attributes = $5, updated_at = $6
   where root_id = $1 and person_id = $2`,
)

const updatePersonRow = statement(
  'scim.update-person',
  `update person set name = $3, email = $4 where root_id = $1 and id = $2`,
)

const removeFromGroups = statement(
  'scim.remove-user-from-groups',
  `delete from scim_group_member where root_id = $1 and person_id = $2 returning group_id`,
)

const remove = statement('scim.delete-user', `delete from scim_user where root_id = $1 and person_id = $2`)

/** Must be first in every change. */
export async function lockScim(scope: Scope, tx: Tx): Promise<void> {
  await tx.query(lockRoot, [scope.root])
}

export function readUser(scope: Scope, tx: Tx, id: string): Promise<UserRow | null> {
  return tx.first<UserRow>(byId, [scope.root, id])
}

/** All values of a field must be equal to that of the user. Null = any value. */
export interface UserFilter {
  readonly ids: readonly string[] | null
  readonly userNames: readonly string[] | null
  readonly externalIds: readonly string[] | null
  readonly emails: readonly string[] | null
  readonly emailTypes: readonly string[] | null
}

export interface Slice {
  readonly offset: number
  readonly limit: number
}

export async function readUsers(
  scope: Scope,
  tx: Tx,
  { ids, userNames, externalIds, emails, emailTypes }: UserFilter,
  { offset, limit }: Slice,
): Promise<{ readonly total: number; readonly users: readonly UserRow[] }> {
  const values = [scope.root, ids, userNames, externalIds, emails, emailTypes]
  const [[count], users] = await Promise.all([
    tx.query<{ total: number }>(total, values),
    limit === 0 ? [] : tx.query<UserRow>(page, [...values, offset, limit]),
  ])
  return { total: count?.total ?? 0, users }
}

/** The attribute that another user has already; null if there is none. */
export async function findTakenAttribute(
  scope: Scope,
  tx: Tx,
  user: { readonly userName: string; readonly externalId: string | null },
  except: PersonId | null,
): Promise<string | null> {
  const row = await tx.first<{ attribute: string }>(findTaken, [
    scope.root,
    user.userName,
    user.externalId,
    except,
  ])
  return row?.attribute ?? null
}

export interface PersonState {
  readonly id: PersonId
  readonly name: string
  readonly email: string | null
  readonly active: boolean
}

export function findPersonByEmail(
  scope: Scope,
  tx: Tx,
  email: string,
): Promise<(PersonState & { readonly provisioned: boolean }) | null> {
  type Row = PersonState & { provisioned: boolean }
  return tx.first<Row>(findPersonByAddress, [scope.root, email])
}

export interface ProvisionedPerson {
  readonly person_id: PersonId
  readonly active: boolean
  readonly email: string | null
}

/** Whom the identity provider of the root means by this id; for linking a sign-in. */
export function findPersonByExternalId(
  scope: Scope,
  tx: Tx,
  externalId: string,
): Promise<ProvisionedPerson | null> {
  return tx.first<ProvisionedPerson>(findByExternalId, [scope.root, externalId])
}

/** Whether the person has signed in with the provider's account of this external id. */
export async function hasIdentity(
  scope: Scope,
  tx: Tx,
  person: PersonId,
  externalId: string,
): Promise<boolean> {
  return (await tx.query(findIdentity, [scope.root, person, externalId])).length === 1
}

/** Removes the links to other accounts than this one, and returns them. */
export function deleteOtherIdentities(
  scope: Scope,
  tx: Tx,
  person: PersonId,
  externalId: string | null,
): Promise<{ readonly issuer: string; readonly subject: string }[]> {
  const values = [scope.root, person, externalId]
  return tx.query<{ issuer: string; subject: string }>(unlinkIdentities, values)
}

export interface StoredUser {
  readonly externalId: string | null
  readonly userName: string
  readonly attributes: Resource
}

export async function storeUser(
  scope: Scope,
  tx: Tx,
  person: PersonId,
  { externalId, userName, attributes }: StoredUser,
  { isNew, at }: { readonly isNew: boolean; readonly at: Date },
): Promise<void> {
  const values = [scope.root, person, externalId, userName, JSON.stringify(attributes), at.toISOString()]
  await tx.query(isNew ? insert : update, values)
}

export async function updatePerson(
  scope: Scope,
  tx: Tx,
  person: PersonId,
  { name, email }: Pick<PersonState, 'name' | 'email'>,
): Promise<void> {
  await tx.query(updatePersonRow, [scope.root, person, name, email])
}

/** Returns the groups that the user was in. The person stays. */
export async function deleteUser(scope: Scope, tx: Tx, person: PersonId): Promise<ScimGroupId[]> {
  const [groups] = await Promise.all([
    tx.query<{ group_id: ScimGroupId }>(removeFromGroups, [scope.root, person]),
    tx.query(remove, [scope.root, person]),
  ])
  return groups.map(({ group_id }) => group_id)
}

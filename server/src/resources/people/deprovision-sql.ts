import type { KeyKind } from '../../access/key-format.ts'
import type { Scope } from '../../access/scope.ts'
import { type Statement, statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { KeyId, OrganizationId, PersonId } from '../../ids.ts'

// Statements that take access from a person. `$3` limits them to one organization; null = everywhere in the root.

export interface RevokedKey {
  readonly id: KeyId
  readonly kind: KeyKind
  readonly name: string
  readonly organization_id: OrganizationId | null
}

export interface LeftOrganization {
  readonly organization_id: OrganizationId
  readonly role: string
  /** No other active admin is left. */
  readonly without_admin: boolean
}

export interface EndedSession {
  readonly id: string
  readonly method: string
}

/** A person before access is taken away. */
export interface DeprovisionedPerson {
  readonly name: string
  readonly email: string | null
  readonly active: boolean
  readonly workspace_admin: boolean
}

// Ordered by id, as every change of roles locks them.
const lockOrganizations = statement(
  'people.lock-organizations',
  `select id from organization where root_id = $1 and id in (
     select organization_id from membership where root_id = $1 and person_id = $2
       and ($3::uuid is null or organization_id = $3))
   order by id for no key update`,
)

// Before the person, because a request that creates a key locks its own key and then the owner.
const lockKeys = statement(
  'people.lock-keys',
  `select id from api_key where root_id = $1 and owner_id = $2 and revoked_at is null order by id for update`,
)

// `for update` waits for transactions that refer to the person, such as a sign-in or the creation of a key.
const lockPerson = statement(
  'people.lock-person',
  `select name, email, active, workspace_admin from person where root_id = $1 and id = $2 and erased_at is null for update`,
)

const selectLeft = (source: string) => `with left_organization as (${source})
   select organization_id, role, role = 'cr_admin' and not exists (
       select from membership m join person p on p.root_id = m.root_id and p.id = m.person_id and p.active
       where m.root_id = $1 and m.organization_id = left_organization.organization_id and m.system_role = 'cr_admin'
         and m.person_id <> $2)
     and not exists (select from person p where p.root_id = $1 and p.workspace_admin and p.active and p.id <> $2)
     as without_admin
   from left_organization order by organization_id`

// Workspace admins act as admins of every organization, so the last of them leaves all that have no admin of their own.
const findWithoutAdmin = statement(
  'people.organizations-without-admin',
  `select o.id from organization o
   where o.root_id = $1 and o.active
     and not exists (select from person p where p.root_id = $1 and p.workspace_admin and p.active and p.id <> $2)
     and not exists (
       select from membership m join person p on p.root_id = m.root_id and p.id = m.person_id and p.active
       where m.root_id = $1 and m.organization_id = o.id and m.system_role = 'cr_admin' and m.person_id <> $2)
   order by o.id`,
)

const membershipsOf = `root_id = $1 and person_id = $2 and ($3::uuid is null or organization_id = $3)`
const leftColumns = 'organization_id, coalesce(system_role, custom_role_id::text) as role'

export const deleteMemberships = statement(
  'people.delete-memberships',
  selectLeft(`delete from membership where ${membershipsOf} returning ${leftColumns}`),
)

const readMemberships = statement(
  'people.read-memberships',
  selectLeft(`select ${leftColumns} from membership where ${membershipsOf}`),
)

export const deleteRepositoryAccess = statement(
  'people.delete-access',
  `delete from repository_access where root_id = $1 and person_id = $2 and ($3::uuid is null or organization_id = $3)
   returning repository_id`,
)

export const deleteSeat = statement(
  'people.delete-seat',
  'delete from seat where root_id = $1 and person_id = $2 returning person_id',
)

// The time of the decision stays, so that an event from before does not request the seat again.
const declineSeatRequest = statement(
  'people.decline-seat-request',
  `update seat_request set organization_id = null, requested_at = null, decided_at = greatest(decided_at, $3)
   where root_id = $1 and person_id = $2 and requested_at is not null returning person_id`,
)

const revokeKeys = statement(
  'people.revoke-keys',
  `update api_key set revoked_at = $4
   where root_id = $1 and owner_id = $2 and revoked_at is null and ($3::uuid is null or organization_id = $3)
     and (expires_at is null or expires_at > $4)
   returning id, kind, name, organization_id`,
)

const endSessions = statement(
  'people.end-sessions',
  `update session set ended_at = $3 where root_id = $1 and person_id = $2 and ended_at is null and expires_at > $3
   returning id, method`,
)

const deletePasskeys = statement(
  'people.end-passkeys',
  'delete from passkey where root_id = $1 and person_id = $2 returning id',
)

// Used when it was created: the person did not use it, so it is no sign-in.
const voidLinks = statement(
  'people.end-sign-in-links',
  'update sign_in_link set used_at = created_at where root_id = $1 and person_id = $2 and used_at is null',
)

// The person stays a workspace admin if $3.
export const deactivate = statement(
  'people.deactivate',
  `update person set active = false, workspace_admin = workspace_admin and $3 where root_id = $1 and id = $2`,
)

/** Locks what a deprovisioning decides about, in the order of all other changes. Seats are locked by `lockAndCountSeats`. */
export async function lockMemberships(
  scope: Scope,
  tx: Tx,
  person: PersonId,
  organization: OrganizationId | null,
): Promise<void> {
  await tx.query(lockOrganizations, [scope.root, person, organization])
}

/** Returns null if the root has no such person, or if the person is erased. */
export async function lockKeysAndPerson(
  scope: Scope,
  tx: Tx,
  person: PersonId,
): Promise<DeprovisionedPerson | null> {
  const [, [row]] = await Promise.all([
    tx.query(lockKeys, [scope.root, person]),
    tx.query<DeprovisionedPerson>(lockPerson, [scope.root, person]),
  ])
  return row ?? null
}

/** Active organizations that have no active admin without this person. */
export async function listOrganizationsWithoutAdmin(
  scope: Scope,
  tx: Tx,
  person: PersonId,
): Promise<OrganizationId[]> {
  const rows = await tx.query<{ id: OrganizationId }>(findWithoutAdmin, [scope.root, person])
  return rows.map(({ id }) => id)
}

/** Revokes the keys that have not expired. */
export function revokeOwnedKeys(
  scope: Scope,
  tx: Tx,
  person: PersonId,
  organization: OrganizationId | null,
  at: Date,
): Promise<RevokedKey[]> {
  return tx.query<RevokedKey>(revokeKeys, [scope.root, person, organization, at.toISOString()])
}

export function endAllSessions(scope: Scope, tx: Tx, person: PersonId, at: Date): Promise<EndedSession[]> {
  return tx.query<EndedSession>(endSessions, [scope.root, person, at.toISOString()])
}

/** Returns the ids of the removed passkeys. Unused links stop working with them. */
export async function removePasskeysAndLinks(scope: Scope, tx: Tx, person: PersonId): Promise<string[]> {
  const [passkeys] = await Promise.all([
    tx.query<{ id: string }>(deletePasskeys, [scope.root, person]),
    tx.query(voidLinks, [scope.root, person]),
  ])
  return passkeys.map(({ id }) => id)
}

export interface AccessLimits {
  /** Null = everywhere in the root. Otherwise the person stays active, with sessions, passkeys and the seat. */
  readonly organization: OrganizationId | null
  /** Whether memberships end; otherwise they are listed. */
  readonly leaves: boolean
}

/** Takes access from a person, and counts or lists what ended. The caller holds the locks. */
export async function takeAccess(
  scope: Scope,
  tx: Tx,
  person: PersonId,
  { organization, leaves }: AccessLimits,
  at: Date,
) {
  const own = [scope.root, person]
  const values = [...own, organization]
  const count = async (query: Statement, parameters: readonly unknown[]) =>
    (await tx.query(query, parameters)).length
  const rootWide = organization === null
  const [organizations, repositories, keys, seats, requests, sessions, passkeys] = await Promise.all([
    tx.query<LeftOrganization>(leaves ? deleteMemberships : readMemberships, values),
    leaves ? count(deleteRepositoryAccess, values) : 0,
    revokeOwnedKeys(scope, tx, person, organization, at),
    rootWide ? count(deleteSeat, own) : 0,
    rootWide ? count(declineSeatRequest, [...own, at.toISOString()]) : 0,
    rootWide ? endAllSessions(scope, tx, person, at) : [],
    rootWide ? removePasskeysAndLinks(scope, tx, person) : [],
    rootWide ? tx.query(deactivate, [...own, !leaves]) : null,
  ])
  return { organizations, repositories, keys, seats, requests, sessions, passkeys }
}

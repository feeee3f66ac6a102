import type { KeyKind } from '../../access/key-format.ts'
import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { KeyId, OrganizationId, PersonId } from '../../ids.ts'

const ERASED_NAME = 'Erased person'

export interface AccountIdentity {
  readonly provider: string
  readonly host: string
  readonly account_id: string
  readonly username: string
}

/** Values that identify a person here and in the other stores. */
export interface PersonalIdentifiers {
  readonly email: string | null
  readonly accounts: readonly AccountIdentity[]
  readonly keys: readonly KeyId[]
}

export interface RevokedKey {
  readonly id: KeyId
  readonly kind: KeyKind
  readonly organization_id: OrganizationId | null
}

export interface LeftOrganization {
  readonly organization_id: OrganizationId
  readonly role: string
  /** No other active admin is left. */
  readonly without_admin: boolean
}

// Inventory events take the same lock, so none of them changes a person during the erasure.
const lockRoot = statement('people.lock-root', 'select id from root where id = $1 for no key update')

const personalIdentifiers = statement(
  'people.known',
  `select p.email,
     (select coalesce(json_agg(json_build_object('provider', provider, 'host', host, 'account_id', account_id,
         'username', username) order by provider, host, account_id), '[]')
       from account where root_id = $1 and person_id = p.id) as accounts,
     (select coalesce(json_agg(id order by id), '[]') from api_key where root_id = $1 and owner_id = p.id) as keys
   from person p where p.root_id = $1 and p.id = $2`,
)

const deleteMemberships = statement(
  'people.end-memberships',
  `with left_organization as (
     delete from membership where root_id = $1 and person_id = $2
     returning organization_id, coalesce(system_role, custom_role_id::text) as role
   )
   select organization_id, role, role = 'cr_admin' and not exists (
       select from membership m join person p on p.root_id = m.root_id and p.id = m.person_id and p.active
       where m.root_id = $1 and m.organization_id = left_organization.organization_id and m.system_role = 'cr_admin'
         and m.person_id <> $2)
     and not exists (select from person p where p.root_id = $1 and p.workspace_admin and p.active and p.id <> $2)
     as without_admin
   from left_organization order by organization_id`,
)

const deleteRepositoryAccess = statement(
  'people.end-access',
  'delete from repository_access where root_id = $1 and person_id = $2 returning repository_id',
)

const deleteSeat = statement(
  'people.end-seat',
  'delete from seat where root_id = $1 and person_id = $2 returning person_id',
)

const deleteSeatRequest = statement(
  'people.end-seat-request',
  'delete from seat_request where root_id = $1 and person_id = $2 returning person_id',
)

const revokeKeys = statement(
  'people.end-keys',
  `update api_key set revoked_at = $3 where root_id = $1 and owner_id = $2 and revoked_at is null
   returning id, kind, organization_id`,
)

const deactivate = statement(
  'people.shut-out',
  `update person set active = false, workspace_admin = false where root_id = $1 and id = $2`,
)

const blankPerson = statement(
  'people.blank-person',
  `update person set name = $3, email = null, erased_at = $4
   where root_id = $1 and id = $2 and erased_at is null returning id`,
)

const blankAccounts = statement(
  'people.blank-accounts',
  `update account set username = '' where root_id = $1 and person_id = $2 and username <> '' returning account_id`,
)

const blankKeys = statement(
  'people.blank-keys',
  `update api_key set name = $3 where root_id = $1 and owner_id = $2 and name <> $3 returning id`,
)

export async function lockRootForErasure(scope: Scope, tx: Tx): Promise<void> {
  await tx.query(lockRoot, [scope.root])
}

export async function readPersonalIdentifiers(
  scope: Scope,
  tx: Tx,
  person: PersonId,
): Promise<PersonalIdentifiers | null> {
  const [row] = await tx.query<PersonalIdentifiers & object>(personalIdentifiers, [scope.root, person])
  return row ?? null
}

export interface RevokedAccess {
  readonly organizations: readonly LeftOrganization[]
  readonly repositories: number
  readonly seats: number
  readonly requests: number
  readonly keys: readonly RevokedKey[]
}

/** The caller holds the locks of the root and of its seats. */
export async function revokeAllAccess(
  scope: Scope,
  tx: Tx,
  person: PersonId,
  at: Date,
): Promise<RevokedAccess> {
  const values = [scope.root, person]
  const [organizations, access, seats, requests, keys] = await Promise.all([
    tx.query<LeftOrganization & object>(deleteMemberships, values),
    tx.query(deleteRepositoryAccess, values),
    tx.query(deleteSeat, values),
    tx.query(deleteSeatRequest, values),
    tx.query<RevokedKey & object>(revokeKeys, [...values, at.toISOString()]),
    tx.query(deactivate, values),
  ])
  return { organizations, repositories: access.length, seats: seats.length, requests: requests.length, keys }
}

export async function blankNames(scope: Scope, tx: Tx, person: PersonId, at: Date) {
  const values = [scope.root, person]
  const [people, accounts, keys] = await Promise.all([
    tx.query(blankPerson, [...values, ERASED_NAME, at.toISOString()]),
    tx.query(blankAccounts, values),
    tx.query(blankKeys, [...values, 'Key of an erased person']),
  ])
  return { person: people.length, account: accounts.length, api_key: keys.length }
}

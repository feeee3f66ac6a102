import type { Scope } from '../../access/scope.ts'
import { type Statement, statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { OrganizationId, PersonId } from '../../ids.ts'
import { lockLearnings, lockRoot } from './erase-sql.ts'

// Statements that move what belongs to one person ($2) to another one ($3) of the same root.

export interface MergedPerson {
  readonly id: PersonId
  readonly name: string
  readonly email: string | null
  readonly active: boolean
  readonly workspace_admin: boolean
  /** Provisioned by SCIM: the identity provider knows the person by this id. */
  readonly provisioned: boolean
}

/** An organization of either person. `kept` and `duplicate` are their roles; null = not a member. */
export interface MergedMembership {
  readonly organization_id: OrganizationId
  readonly kept: string | null
  readonly duplicate: string | null
}

const lockPeople = statement(
  'people.merge-lock-people',
  `select id, name, email, active, workspace_admin,
     exists (select from scim_user s where s.root_id = $1 and s.person_id = person.id) as provisioned
   from person where root_id = $1 and id = any ($2::uuid[]) and erased_at is null order by id for update`,
)

const memberships = statement(
  'people.merge-memberships',
  `select organization_id,
     max(coalesce(system_role, custom_role_id::text)) filter (where person_id = $3) as kept,
     max(coalesce(system_role, custom_role_id::text)) filter (where person_id = $2) as duplicate
   from membership where root_id = $1 and person_id in ($2, $3) group by organization_id order by organization_id`,
)

// The account of the kept membership stays the member; the other account still leads to the person.
const takeStrongerRole = statement(
  'people.merge-take-role',
  `update membership k set system_role = d.system_role, custom_role_id = d.custom_role_id
   from membership d
   where k.root_id = $1 and d.root_id = $1 and d.person_id = $2 and k.person_id = $3
     and k.organization_id = d.organization_id and k.organization_id = any ($4::uuid[])
   returning k.organization_id`,
)

const dropDoubleMemberships = statement(
  'people.merge-drop-memberships',
  `delete from membership d where d.root_id = $1 and d.person_id = $2 and exists (
     select from membership k where k.root_id = $1 and k.organization_id = d.organization_id and k.person_id = $3)
   returning d.organization_id`,
)

const moveRows = (table: string, column = 'person_id') =>
  statement(
    `people.merge-move-${table}`,
    `update ${table} set ${column} = $3 where root_id = $1 and ${column} = $2 returning 1`,
  )
const deleteRows = (table: string) =>
  statement(
    `people.merge-delete-${table}`,
    `delete from ${table} where root_id = $1 and person_id = $2 returning 1`,
  )

const moves = {
  membership: moveRows('membership'),
  account: moveRows('account'),
  api_key: moveRows('api_key', 'owner_id'),
  identity: moveRows('identity'),
  learning: moveRows('learning'),
  // So that an erasure of the person finds their names in the rows of both records.
  audit_clear: moveRows('audit_clear'),
  repository_access: moveRows('repository_access'),
} as const

const refreshAccess = statement(
  'people.merge-refresh-access',
  `update repository_access k set verified_at = d.verified_at
   from repository_access d
   where k.root_id = $1 and d.root_id = $1 and d.person_id = $2 and k.person_id = $3
     and k.organization_id = d.organization_id and k.repository_id = d.repository_id and k.verified_at < d.verified_at`,
)

const dropDoubleAccess = statement(
  'people.merge-drop-access',
  `delete from repository_access d where d.root_id = $1 and d.person_id = $2 and exists (
     select from repository_access k where k.root_id = $1 and k.organization_id = d.organization_id
       and k.repository_id = d.repository_id and k.person_id = $3)`,
)

const dropSeat = deleteRows('seat')
const dropSeatRequest = deleteRows('seat_request')

const takeSeat = statement(
  'people.merge-take-seat',
  `insert into seat (root_id, person_id, assigned_at)
   select root_id, $3, assigned_at from seat where root_id = $1 and person_id = $2
   on conflict do nothing returning 1`,
)

// An open request ends if the person has a seat now. The later decision stays.
const takeSeatRequest = statement(
  'people.merge-take-seat-request',
  `insert into seat_request as k (root_id, person_id, organization_id, requested_at, decided_at)
   select root_id, $3, organization_id, requested_at, decided_at from seat_request where root_id = $1 and person_id = $2
   on conflict (root_id, person_id) do update
     set organization_id = coalesce(k.organization_id, excluded.organization_id),
       requested_at = coalesce(k.requested_at, excluded.requested_at),
       decided_at = greatest(k.decided_at, excluded.decided_at)
   returning 1`,
)

const resolveSeatRequest = statement(
  'people.merge-resolve-seat-request',
  `update seat_request set organization_id = null, requested_at = null, decided_at = greatest(decided_at, $3)
   where root_id = $1 and person_id = $2 and requested_at is not null
     and exists (select from seat s where s.root_id = $1 and s.person_id = $2)`,
)

// What proves who somebody is at this moment does not move: the person signs in again.
const endings = {
  session: deleteRows('session'),
  passkey: deleteRows('passkey'),
  sign_in_link: deleteRows('sign_in_link'),
} as const

const deletePerson = statement(
  'people.merge-delete-person',
  'delete from person where root_id = $1 and id = $2 returning id',
)

const completePerson = statement(
  'people.merge-complete-person',
  `update person set email = coalesce(email, $3), workspace_admin = workspace_admin or $4 where root_id = $1 and id = $2`,
)

/** Locks both people against every other change. Those that do not exist, or are erased, are missing. */
export async function lockMergedPeople(
  scope: Scope,
  tx: Tx,
  people: readonly PersonId[],
): Promise<MergedPerson[]> {
  const [, , rows] = await Promise.all([
    tx.query(lockRoot, [scope.root]),
    tx.query(lockLearnings, [scope.root]),
    tx.query<MergedPerson>(lockPeople, [scope.root, people]),
  ])
  return rows
}

export interface Merge {
  readonly keep: PersonId
  readonly duplicate: PersonId
}

export function readMergedMemberships(
  scope: Scope,
  tx: Tx,
  { keep, duplicate }: Merge,
): Promise<MergedMembership[]> {
  return tx.query<MergedMembership>(memberships, [scope.root, duplicate, keep])
}

/** Rows by table that moved, or ended. */
export type MergedRows = Readonly<Record<keyof typeof moves | keyof typeof endings | 'seat', number>> & {
  /** Memberships of organizations of which both were members. */
  readonly double_memberships: number
}

/** `stronger` are the organizations in which the role of the duplicate replaces the kept one. */
export async function moveEverything(
  scope: Scope,
  tx: Tx,
  { keep, duplicate }: Merge,
  stronger: readonly OrganizationId[],
  at: Date,
): Promise<MergedRows> {
  const values = [scope.root, duplicate, keep]
  const count = async (query: Statement, parameters: readonly unknown[] = values) =>
    (await tx.query(query, parameters)).length
  const end = (query: Statement) => count(query, [scope.root, duplicate])
  // Sent at once, run in this order.
  const [, double_memberships, membership, account, api_key, identity, learning, audit_clear, ...others] =
    await Promise.all([
      count(takeStrongerRole, [...values, stronger]),
      count(dropDoubleMemberships),
      count(moves.membership),
      count(moves.account),
      count(moves.api_key),
      count(moves.identity),
      count(moves.learning),
      count(moves.audit_clear),
      count(refreshAccess),
      count(dropDoubleAccess),
      count(moves.repository_access),
      count(takeSeat),
      end(dropSeat),
      count(takeSeatRequest),
      end(dropSeatRequest),
      count(resolveSeatRequest, [scope.root, keep, at.toISOString()]),
      end(endings.session),
      end(endings.passkey),
      end(endings.sign_in_link),
    ])
  const [, , repository_access, seat, , , , , session, passkey, sign_in_link] = others
  const moved = { api_key, identity, repository_access, seat, learning, audit_clear }
  return { account, membership, double_memberships, ...moved, session, passkey, sign_in_link }
}

/** Deletes the duplicate; the kept person takes the e-mail if there is none, and the role of a workspace admin. */
export async function replaceDuplicate(
  scope: Scope,
  tx: Tx,
  { keep, duplicate }: Merge,
  { email, workspace_admin }: Pick<MergedPerson, 'email' | 'workspace_admin'>,
): Promise<void> {
  await Promise.all([
    tx.query(deletePerson, [scope.root, duplicate]),
    tx.query(completePerson, [scope.root, keep, email, workspace_admin]),
  ])
}

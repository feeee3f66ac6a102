import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { OrganizationId, PersonId } from '../../ids.ts'

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

// Inventory events and erasure take the same lock, so none of them changes either person meanwhile.
const lockRoot = statement('people.merge-lock-root', 'select id from root where id = $1 for no key update')

const lockPeople = statement(
  'people.merge-lock-people',
  `select id, name, email, active, workspace_admin,
     exists (select from scim_user s where s.root_id = $1 and s.person_id = person.id) as provisioned
   from person where root_id = $1 and id = any ($2::uuid[]) and erased_at is null order by id for update`,
)

const lockLearningHead = statement(
  'people.merge-lock-learnings',
  'select position from learning_head where root_id = $1 for update',
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

const moves = {
  membership: statement(
    'people.merge-move-memberships',
    'update membership set person_id = $3 where root_id = $1 and person_id = $2 returning 1',
  ),
  account: statement(
    'people.merge-move-accounts',
    'update account set person_id = $3 where root_id = $1 and person_id = $2 returning 1',
  ),
  api_key: statement(
    'people.merge-move-keys',
    'update api_key set owner_id = $3 where root_id = $1 and owner_id = $2 returning 1',
  ),
  identity: statement(
    'people.merge-move-identities',
    'update identity set person_id = $3 where root_id = $1 and person_id = $2 returning 1',
  ),
  learning: statement(
    'people.merge-move-learnings',
    'update learning set person_id = $3 where root_id = $1 and person_id = $2 returning 1',
  ),
  // So that an erasure of the person finds their names in the rows of both records.
  audit_clear: statement(
    'people.merge-move-audit-values',
    'update audit_clear set person_id = $3 where root_id = $1 and person_id = $2 returning 1',
  ),
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

const moveAccess = statement(
  'people.merge-move-access',
  'update repository_access set person_id = $3 where root_id = $1 and person_id = $2 returning 1',
)

const takeSeat = statement(
  'people.merge-take-seat',
  `insert into seat (root_id, person_id, assigned_at)
   select root_id, $3, assigned_at from seat where root_id = $1 and person_id = $2
   on conflict do nothing returning 1`,
)

const dropSeat = statement(
  'people.merge-drop-seat',
  'delete from seat where root_id = $1 and person_id = $2 returning 1',
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

const dropSeatRequest = statement(
  'people.merge-drop-seat-request',
  'delete from seat_request where root_id = $1 and person_id = $2',
)

const resolveSeatRequest = statement(
  'people.merge-resolve-seat-request',
  `update seat_request set organization_id = null, requested_at = null, decided_at = greatest(decided_at, $3)
   where root_id = $1 and person_id = $2 and requested_at is not null
     and exists (select from seat s where s.root_id = $1 and s.person_id = $2)`,
)

// What proves who somebody is at this moment does not move: the person signs in again.
const endings = {
  session: statement(
    'people.merge-delete-sessions',
    'delete from session where root_id = $1 and person_id = $2 returning 1',
  ),
  passkey: statement(
    'people.merge-delete-passkeys',
    'delete from passkey where root_id = $1 and person_id = $2 returning 1',
  ),
  sign_in_link: statement(
    'people.merge-delete-links',
    'delete from sign_in_link where root_id = $1 and person_id = $2 returning 1',
  ),
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
    tx.query(lockLearningHead, [scope.root]),
    tx.query<MergedPerson & object>(lockPeople, [scope.root, people]),
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
  return tx.query<MergedMembership & object>(memberships, [scope.root, duplicate, keep])
}

/** Rows by table that moved, or ended. */
export type MergedRows = Readonly<
  Record<keyof typeof moves | keyof typeof endings | 'repository_access' | 'seat', number>
> & {
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
  const own = [scope.root, duplicate]
  const count = async (rows: Promise<unknown[]>) => (await rows).length
  // Sent at once, run in this order.
  const [, doubleMemberships, ...counts] = await Promise.all([
    tx.query(takeStrongerRole, [...values, stronger]),
    count(tx.query(dropDoubleMemberships, values)),
    count(tx.query(moves.membership, values)),
    count(tx.query(moves.account, values)),
    count(tx.query(moves.api_key, values)),
    count(tx.query(moves.identity, values)),
    count(tx.query(moves.learning, values)),
    count(tx.query(moves.audit_clear, values)),
    count(tx.query(refreshAccess, values)).then(() => 0),
    count(tx.query(dropDoubleAccess, values)).then(() => 0),
    count(tx.query(moveAccess, values)),
    count(tx.query(takeSeat, values)),
    count(tx.query(dropSeat, own)).then(() => 0),
    count(tx.query(takeSeatRequest, values)).then(() => 0),
    count(tx.query(dropSeatRequest, own)).then(() => 0),
    count(tx.query(resolveSeatRequest, [scope.root, keep, at.toISOString()])).then(() => 0),
    count(tx.query(endings.session, own)),
    count(tx.query(endings.passkey, own)),
    count(tx.query(endings.sign_in_link, own)),
  ])
  const [membership, account, api_key, identity, learning, audit_clear, , , repository_access, seat] = counts
  const [session, passkey, sign_in_link] = counts.slice(-3)
  const toCount = (rows: number | undefined) => rows ?? 0
  return {
    account: toCount(account),
    membership: toCount(membership),
    double_memberships: doubleMemberships,
    api_key: toCount(api_key),
    identity: toCount(identity),
    repository_access: toCount(repository_access),
    seat: toCount(seat),
    learning: toCount(learning),
    audit_clear: toCount(audit_clear),
    session: toCount(session),
    passkey: toCount(passkey),
    sign_in_link: toCount(sign_in_link),
  }
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

import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import { renderUtc } from '../../../db/sql-text.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { OrganizationId, PersonId } from '../../../ids.ts'
import type { OffboardingRequest, OffboardingResult } from './schema.ts'

// `$3` limits a statement to one organization; null = everywhere in the root.

const findPersonBy = (name: string, condition: string) =>
  statement(
    `offboarding.person-by-${name}`,
    `select id from person p where p.root_id = $1 and ${condition} and p.erased_at is null
     and ($3::uuid is null or exists (
       select from membership m where m.root_id = $1 and m.organization_id = $3 and m.person_id = p.id))`,
  )

const personByEmail = findPersonBy('email', 'p.email = lower($2)')
const personById = findPersonBy('id', 'p.id = $2')
const personByAccount = statement(
  'offboarding.person-by-account',
  `select person_id as id from membership where root_id = $1 and account_id = $2 and organization_id = $3`,
)

const personFacts = statement(
  'offboarding.person',
  `select p.id as cr_user_id, p.name, p.email, p.active, p.workspace_admin,
     p.workspace_admin and not exists (
       select from person o where o.root_id = $1 and o.workspace_admin and o.active and o.id <> p.id) as last_admin,
     (select count(*)::int from seat s where s.root_id = $1 and s.person_id = p.id) as seats,
     (select count(*)::int from session s where s.root_id = $1 and s.person_id = p.id and s.ended_at is null
       and s.expires_at > $3) as sessions
   from person p where p.root_id = $1 and p.id = $2 and p.erased_at is null`,
)

const roles = statement(
  'offboarding.roles',
  `select o.provider_organization_id as organization_id, json_build_object('id', o.id) as organization,
     o.name as organization_name, m.account_id as user_id,
     coalesce(m.system_role, (select name from custom_role c
       where c.root_id = $1 and c.organization_id = m.organization_id and c.id = m.custom_role_id)) as role_name,
     case when m.system_role is null then 'custom' else 'system' end as role_type,
     coalesce(m.system_role = 'cr_admin', false) and not exists (
       select from membership n join person p on p.root_id = n.root_id and p.id = n.person_id and p.active
       where n.root_id = $1 and n.organization_id = m.organization_id and n.system_role = 'cr_admin'
         and n.person_id <> $2) as last_admin
   from membership m join organization o on o.root_id = m.root_id and o.id = m.organization_id
   where m.root_id = $1 and m.person_id = $2 and ($3::uuid is null or m.organization_id = $3)
   order by o.name, m.organization_id`,
)

const keys = statement(
  'offboarding.keys',
  `select id, kind, name, ${renderUtc('last_used_at')} as last_used_at,
     $3::uuid is null or coalesce(organization_id = $3, false) as ends,
     coalesce(last_used_at > $6, false) as in_use
   from api_key
   where root_id = $1 and owner_id = $2 and revoked_at is null and (expires_at is null or expires_at > $4)
     and ($5 or $3::uuid is null or organization_id = $3)
   order by id`,
)

// By the person who proposed it, or by the account that an event names. The index learning_waiting leads to those that wait.
const pendingLearnings = statement(
  'offboarding.pending-learnings',
  `select count(*)::int as pending
   from organization o
   join learning l on l.root_id = $1 and l.organization_id = o.id and l.state = 'pending'
   where o.root_id = $1 and ($3::uuid is null or o.id = $3)
     and (l.person_id = $2 or exists (
       select from account a where a.root_id = $1 and a.person_id = $2 and a.provider = o.provider and a.host = o.host
         and a.account_id = l.author_id))`,
)

/** Null if the root, or the organization, has no such person. */
export async function findPerson(
  scope: Scope,
  tx: Tx,
  member: OffboardingRequest['member'],
  organization: OrganizationId | null,
): Promise<PersonId | null> {
  const [lookup, value] =
    'email' in member
      ? [personByEmail, member.email]
      : 'cr_user_id' in member
        ? [personById, member.cr_user_id]
        : [personByAccount, member.user_id]
  const row = await tx.first<{ id: PersonId }>(lookup, [scope.root, value, organization])
  return row?.id ?? null
}

interface RoleRow {
  /** Assigned by the Git provider. */
  readonly organization_id: string
  readonly organization: { readonly id: OrganizationId }
  readonly organization_name: string
  readonly user_id: string
  readonly role_name: string
  readonly role_type: 'system' | 'custom'
  readonly last_admin: boolean
}

type KeyRow = OffboardingResult['keys'][number] & { readonly in_use: boolean }

type PersonRow = OffboardingResult['person'] &
  Pick<OffboardingResult, 'seats' | 'sessions'> & {
    readonly workspace_admin: boolean
    readonly last_admin: boolean
  }

/** Everything that an offboarding ends, and what it is decided by. */
export interface OffboardingFacts {
  readonly person: PersonRow
  readonly roles: readonly RoleRow[]
  readonly keys: readonly KeyRow[]
  readonly pendingLearnings: OffboardingResult['pending_learnings']
}

export interface FactsRequest {
  readonly person: PersonId
  readonly organization: OrganizationId | null
  /** Whether keys outside of the organization are listed, as keys that do not end. */
  readonly allKeys: boolean
  readonly at: Date
  /** A key that was used later is in use. */
  readonly usedAfter: Date
}

/** Null if the person does not exist or is erased. */
export async function readFacts(
  scope: Scope,
  tx: Tx,
  { person, organization, allKeys, at, usedAfter }: FactsRequest,
): Promise<OffboardingFacts | null> {
  const values = [scope.root, person, organization]
  const [[personRow], roleRows, keyRows, [learnings]] = await Promise.all([
    tx.query<PersonRow>(personFacts, [scope.root, person, at.toISOString()]),
    tx.query<RoleRow>(roles, values),
    tx.query<KeyRow>(keys, [...values, at.toISOString(), allKeys, usedAfter.toISOString()]),
    tx.query<{ pending: number }>(pendingLearnings, values),
  ])
  if (personRow === undefined) return null
  return { person: personRow, roles: roleRows, keys: keyRows, pendingLearnings: learnings?.pending ?? 0 }
}

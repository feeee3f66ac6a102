import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { OrganizationId, PersonId } from '../../ids.ts'
import type { Outcomes } from './result.ts'
import type { AssignableRole, FailureCode } from './schema.ts'

// Held until the commit, so that no two transactions decide about the admins of one organization at a time. Ordered by
// id to prevent deadlocks.
const lock = statement(
  'user-roles.lock',
  `select id from organization where root_id = $1 and id = any ($2::uuid[]) order by id for no key update`,
)

// `offset 0` makes the planner look up each user by the primary key: an organization can have a million members.
// An organization always has an active admin: if a request would remove all of them, the last one in the order of the
// request stays.
const change = statement(
  'user-roles.change',
  `with requested as materialized (
     select user_id, ordinal from unnest($3::text[]) with ordinality as r (user_id, ordinal)
   ), named as materialized (
     select m.organization_id, m.account_id, m.person_id, m.system_role, r.ordinal
     from unnest($2::uuid[]) as o (id) cross join requested r
     cross join lateral (
       select * from membership where root_id = $1 and organization_id = o.id and account_id = r.user_id offset 0) m
   ), leaving as materialized (
     select n.organization_id, n.ordinal, p.active
     from named n join person p on p.root_id = $1 and p.id = n.person_id
     where n.system_role = 'cr_admin' and $4::text <> 'cr_admin'
   ), without_admin as materialized (
     select l.organization_id, max(l.ordinal) filter (where l.active) as last_ordinal
     from leaving l group by l.organization_id
     having count(*) filter (where l.active) = (
       select count(*) from (
         select from membership m join person p on p.root_id = m.root_id and p.id = m.person_id
         where m.root_id = $1 and m.organization_id = l.organization_id and m.system_role = 'cr_admin' and p.active
         limit 501) admin)
   ), decided as materialized (
     select n.organization_id, n.account_id,
       case when n.system_role = 'cr_billing_admin' then 'PROTECTED_ROLE'
         when n.system_role = 'cr_admin' and w.organization_id is not null
           and n.ordinal = coalesce(w.last_ordinal, n.ordinal) then 'LAST_ADMIN' end as code
     from named n left join without_admin w on w.organization_id = n.organization_id
   ), changed as (
     update membership m set system_role = $4, custom_role_id = null
     from decided d
     where m.root_id = $1 and m.organization_id = d.organization_id and m.account_id = d.account_id
       and d.code is null and m.system_role is distinct from $4
       and m.system_role is distinct from 'cr_billing_admin'
     returning m.organization_id, m.person_id
   )
   select
     (select coalesce(json_agg(json_build_array(u.account_id, u.code)), '[]') from (
       select account_id, min(code) as code from decided group by account_id) u) as users,
     (select coalesce(json_agg(json_build_object('organization', c.organization_id, 'people', c.people)), '[]')
      from (select organization_id, json_agg(person_id order by person_id) as people from changed
            group by organization_id order by organization_id) c) as changes`,
)

/** Members of one organization whose role changed. */
export interface ChangedOrganization {
  readonly organization: OrganizationId
  readonly people: readonly PersonId[]
}

export interface ChangedRoles {
  readonly outcomes: Outcomes
  readonly changes: readonly ChangedOrganization[]
}

/** Gives each user the role in every listed organization they are a member of. */
export async function updateRoles(
  scope: Scope,
  tx: Tx,
  organizations: readonly OrganizationId[],
  { role, user_ids }: { readonly role: AssignableRole; readonly user_ids: readonly string[] },
): Promise<ChangedRoles> {
  // Both are sent at once and run in this order: members are read under the lock.
  const [, [row]] = await Promise.all([
    tx.query(lock, [scope.root, organizations]),
    tx.query<{
      users: [string, Exclude<FailureCode, 'USER_NOT_FOUND'> | null][]
      changes: ChangedOrganization[]
    }>(change, [scope.root, organizations, user_ids, role]),
  ])
  return { outcomes: new Map(row?.users), changes: row?.changes ?? [] }
}

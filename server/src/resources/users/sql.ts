import type { Scope } from '../../access/scope.ts'
import { type Statement, statement } from '../../db/connect.ts'
import { renderUtc } from '../../db/sql-text.ts'
import type { Tx } from '../../db/transaction.ts'
import { NIL_UUID, type OrganizationId } from '../../ids.ts'
import type { OrganizationUser, WorkspaceUser } from './schema.ts'

export interface UsersPageRequest {
  readonly after: string | null
  readonly limit: number
  /** Maximum number of rows that are read, whether or not they match the filters. */
  readonly scanLimit: number
  /** Null means no filter. */
  readonly seat: boolean | null
  readonly admin: boolean | null
}

export interface FilteredUsers<User> {
  readonly users: readonly User[]
  /** Last row that was read if more rows follow, else null. */
  readonly lastScanned: string | null
}

// Sub-selects and `offset 0` make the planner look up related rows by key, one row at a time: a join could be planned as
// a scan of all people or organizations. The end of the scan and the page are read in one statement, so that no user
// can be missed in between.
const pageOfOrganization = statement(
  'users.page-of-organization',
  `select scan.last as last_scanned, page.user_id, page.active, page.seat_assigned, page.role, page.role_name, page.role_type,
     (select name from person p where p.root_id = $1 and p.id = page.person_id) as name,
     (select username from account a where a.root_id = $1 and a.provider = page.provider and a.host = page.host
       and a.account_id = page.user_id) as username,
     (select email from person p where p.root_id = $1 and p.id = page.person_id) as email,
     (select ${renderUtc('requested_at')} from seat_request r where r.root_id = $1 and r.person_id = page.person_id)
       as seat_requested_at,
     ${renderUtc(`greatest(
       (select max(authenticated_at) from session s
         where s.root_id = $1 and s.person_id = page.person_id and s.ended_at is null),
       (select max(last_used_at) from identity i where i.root_id = $1 and i.person_id = page.person_id),
       (select max(last_used_at) from passkey k where k.root_id = $1 and k.person_id = page.person_id),
       (select max(used_at) from sign_in_link l where l.root_id = $1 and l.person_id = page.person_id
         and l.used_at > l.created_at),
       (select max(last_used_at) from api_key k where k.root_id = $1 and k.owner_id = page.person_id))`)} as last_active_at
   from (
     select (select account_id from (
         select account_id from membership
         where root_id = $1 and organization_id = $2 and account_id > $3
         order by account_id offset $5::int - 1 limit 2) last
       order by account_id desc offset 1 limit 1) as last) scan
   left join (
     select account_id as user_id, person_id, active, seat_assigned,
       (select provider from organization o where o.root_id = $1 and o.id = $2) as provider,
       (select host from organization o where o.root_id = $1 and o.id = $2) as host,
       case when admin then 'cr_admin' else coalesce(system_role, 'cr_member') end as role,
       coalesce(system_role, (select name from custom_role c
         where c.root_id = $1 and c.organization_id = $2 and c.id = custom_role_id)) as role_name,
       case when system_role is null then 'custom' else 'system' end as role_type
     from (
       select account_id, person_id, system_role, custom_role_id,
         (select active from person p where p.root_id = $1 and p.id = m.person_id) as active,
         coalesce((select true from seat s where s.root_id = $1 and s.person_id = m.person_id), false)
           as seat_assigned,
         coalesce(system_role = 'cr_admin', false)
           or (select workspace_admin from person p where p.root_id = $1 and p.id = m.person_id) as admin
       from (
         select account_id, person_id, system_role, custom_role_id from membership
         where root_id = $1 and organization_id = $2 and account_id > $3
         order by account_id limit $5) m) scanned
     where ($6::boolean is null or seat_assigned = $6) and ($7::boolean is null or admin = $7)
     order by account_id limit $4 + 1) page on true
   order by page.user_id`,
)

const pageOfWorkspace = statement(
  'users.page-of-workspace',
  `select scan.last as last_scanned, page.id as cr_user_id, page.email, page.name, page.active,
     page.seat_assigned,
     (select coalesce(json_agg(json_build_object('org_id', o.provider_organization_id, 'provider', o.provider,
         'user_id', m.account_id, 'username', (select username from account a where a.root_id = $1
           and a.provider = o.provider and a.host = o.host and a.account_id = m.account_id),
         'role', case when page.workspace_admin then 'cr_admin' else coalesce(m.system_role, 'cr_member') end,
         'role_name', coalesce(m.system_role, (select name from custom_role c
           where c.root_id = $1 and c.organization_id = m.organization_id and c.id = m.custom_role_id)))
         order by o.provider_organization_id, o.provider, o.host), '[]')
       from (select organization_id, account_id, system_role, custom_role_id from membership
           where root_id = $1 and person_id = page.id offset 0) m
       cross join lateral (select provider_organization_id, provider, host from organization
           where root_id = $1 and id = m.organization_id and active offset 0) o) as accounts
   from (
     select (select id from (
         select id from person where root_id = $1 and id > $2 and erased_at is null order by id offset $4::int - 1 limit 2) last
       order by id desc offset 1 limit 1) as last) scan
   left join (
     select id, email, name, active, workspace_admin, seat_assigned
     from (
       select id, email, name, active, workspace_admin,
         coalesce((select true from seat s where s.root_id = $1 and s.person_id = p.id), false) as seat_assigned,
         workspace_admin or coalesce((select true
           from (select organization_id from membership
             where root_id = $1 and person_id = p.id and system_role = 'cr_admin' offset 0) m
           cross join lateral (select from organization
             where root_id = $1 and id = m.organization_id and active offset 0) o
           limit 1), false) as admin
       from (
         select id, email, name, active, workspace_admin from person
         where root_id = $1 and id > $2 and erased_at is null order by id limit $4) p) scanned
     where ($5::boolean is null or seat_assigned = $5) and ($6::boolean is null or admin = $6)
     order by id limit $3 + 1) page on true
   order by page.id`,
)

const modeOfOrganization = statement(
  'users.mode-of-organization',
  'select seat_assignment_mode from organization where root_id = $1 and id = $2',
)

/** Each user with the last activity that is stored here: the latest sign-in or use of an owned key. */
export function readOrganizationUsers(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  { after, limit, scanLimit, seat, admin }: UsersPageRequest,
): Promise<FilteredUsers<OrganizationUser>> {
  const values = [scope.root, organization, after ?? '', limit, scanLimit, seat, admin]
  return readFilteredUsers(tx, pageOfOrganization, values, 'user_id')
}

export function readWorkspaceUsers(
  scope: Scope,
  tx: Tx,
  { after, limit, scanLimit, seat, admin }: UsersPageRequest,
): Promise<FilteredUsers<WorkspaceUser>> {
  const values = [scope.root, after ?? NIL_UUID, limit, scanLimit, seat, admin]
  return readFilteredUsers(tx, pageOfWorkspace, values, 'cr_user_id')
}

/** An empty page still returns one row, with the position of the scan and no user. */
async function readFilteredUsers<User>(
  tx: Tx,
  query: Statement,
  values: readonly unknown[],
  id: keyof User,
): Promise<FilteredUsers<User>> {
  const rows = await tx.query<User & { readonly last_scanned: string | null }>(query, values)
  const users = rows
    .filter((row) => row[id] !== null)
    .map((row) => {
      const { last_scanned: _, ...user } = row
      return user as User
    })
  return { users, lastScanned: rows[0]?.last_scanned ?? null }
}

// In a metrics store, whose sessions do not sort: both lookups use pull_request_of_member.
const lastPullRequests = statement(
  'users.last-pull-requests',
  `select author.id as user_id, (
       select ${renderUtc('max(coalesce(p.merged_at, p.closed_at))')} from pull_request p
       where p.root_id = $1 and p.organization_id = $2 and p.author_id = author.id and p.day = (
         select d.day from pull_request d where d.root_id = $1 and d.organization_id = $2 and d.author_id = author.id
         order by d.day desc limit 1)) as at
   from unnest($3::text[]) as author (id)`,
)

/** When the newest pull request of each user was merged or closed; users without one are missing. */
export async function readLastPullRequests(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  users: readonly string[],
): Promise<Map<string, string>> {
  const values = [scope.root, organization, users]
  const rows = await tx.query<{ user_id: string; at: string | null }>(lastPullRequests, values)
  return new Map(rows.flatMap(({ user_id, at }) => (at === null ? [] : [[user_id, at] as const])))
}

export async function readSeatMode(scope: Scope, tx: Tx, organization: OrganizationId): Promise<string> {
  const values = [scope.root, organization]
  const found = await tx.one<{ seat_assignment_mode: string }>(modeOfOrganization, values)
  return found.seat_assignment_mode
}

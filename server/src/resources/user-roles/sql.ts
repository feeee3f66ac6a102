import type { Scope } from '../../access/scope.ts'
import type { RoleChange } from '../../bus/record-role-changes.ts'
import { type Pool, statement } from '../../db/connect.ts'
import { namedStatement } from '../../db/named-statement.ts'
import { runUnscoped, type Tx } from '../../db/transaction.ts'
import type { InstanceId, KeyId, OrganizationId, RootId } from '../../ids.ts'
import type { AssignableRole, AssignedRole, FailureCode } from './schema.ts'

// Held until the commit, so that no two transactions decide about the admins of one organization at a time. Ordered by
// id to prevent deadlocks.
const lockOrganizations = statement(
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
     select m.organization_id, m.account_id, m.person_id, m.system_role, m.custom_role_id, r.ordinal,
       (select active from person p where p.root_id = $1 and p.id = m.person_id) as active
     from unnest($2::uuid[]) as o (id) cross join requested r
     cross join lateral (
       select * from membership where root_id = $1 and organization_id = o.id and account_id = r.user_id offset 0) m
   ), leaving as materialized (
     select n.organization_id, n.ordinal, n.active
     from named n
     where n.system_role = 'cr_admin' and $4::text is distinct from 'cr_admin'
   ), without_admin as materialized (
     select l.organization_id, max(l.ordinal) filter (where l.active) as last_ordinal
     from leaving l group by l.organization_id
     having count(*) filter (where l.active) = (
       select count(*) from (
         select from membership m join person p on p.root_id = m.root_id and p.id = m.person_id
         where m.root_id = $1 and m.organization_id = l.organization_id and m.system_role = 'cr_admin' and p.active
         limit 501) admin)
   ), decided as materialized (
     select n.organization_id, n.account_id, coalesce(n.system_role, n.custom_role_id::text) as role,
       case when n.system_role = 'cr_billing_admin' then 'PROTECTED_ROLE'
         when $4 = 'cr_admin' and not n.active then 'USER_INACTIVE'
         when n.system_role = 'cr_admin' and w.organization_id is not null
           and n.ordinal = coalesce(w.last_ordinal, n.ordinal) then 'LAST_ADMIN' end as code
     from named n left join without_admin w on w.organization_id = n.organization_id
   ), changed as (
     update membership m set system_role = $4, custom_role_id = $5::uuid
     from decided d
     where m.root_id = $1 and m.organization_id = d.organization_id and m.account_id = d.account_id
       and d.code is null and (m.system_role is distinct from $4 or m.custom_role_id is distinct from $5::uuid)
       and m.system_role is distinct from 'cr_billing_admin'
     returning m.organization_id, m.person_id, d.role
   )
   select
     (select coalesce(json_agg(json_build_array(u.account_id, u.code)), '[]') from (
       select account_id, min(code) as code from decided group by account_id) u) as users,
     (select coalesce(json_agg(json_build_object('organization', c.organization_id, 'people', c.people)), '[]')
      from (select c.organization_id, json_agg(json_build_object('id', c.person_id, 'role', c.role, 'name', p.name)
              order by c.person_id) as people
            from changed c join person p on p.root_id = $1 and p.id = c.person_id
            group by c.organization_id order by c.organization_id) c) as changes`,
)

// Until the commit the role is not deleted, so that no member refers to a missing one.
const lockRole = statement(
  'user-roles.lock-role',
  `select id from custom_role where root_id = $1 and organization_id = $2 and id = $3 for key share`,
)

/** False if the organization has no such custom role. */
export async function lockCustomRole(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  role: string,
): Promise<boolean> {
  // In the same order as the deletion of a role locks them.
  const [, found] = await Promise.all([
    tx.query(lockOrganizations, [scope.root, [organization]]),
    tx.query(lockRole, [scope.root, organization, role]),
  ])
  return found.length > 0
}

/** Why the role of a user was not changed; null if it was. */
type Outcome = Exclude<FailureCode, 'USER_NOT_FOUND'> | null

/** For each user that was found, the first failure. */
export type Outcomes = ReadonlyMap<string, Outcome>

export interface ChangedRoles {
  readonly outcomes: Outcomes
  readonly changes: readonly RoleChange[]
}

/** Gives each user the role in every listed organization they are a member of. */
export async function updateRoles(
  scope: Scope,
  tx: Tx,
  organizations: readonly OrganizationId[],
  { role, user_ids }: { readonly role: AssignedRole; readonly user_ids: readonly string[] },
): Promise<ChangedRoles> {
  const [system, custom] = 'system' in role ? [role.system, null] : [null, role.custom]
  type Changed = { users: [string, Outcome][]; changes: Omit<RoleChange, 'role'>[] }
  // Both are sent at once and run in this order: members are read under the lock.
  const [, [row]] = await Promise.all([
    tx.query(lockOrganizations, [scope.root, organizations]),
    tx.query<Changed>(change, [scope.root, organizations, user_ids, system, custom]),
  ])
  const name = 'system' in role ? role.system : role.custom
  const changes = row?.changes.map((changed) => ({ ...changed, role: name })) ?? []
  return { outcomes: new Map(row?.users), changes }
}

export interface OpenJob {
  readonly root_id: RootId
  readonly id: string
  readonly instance_id: InstanceId
  readonly organization_ids: readonly OrganizationId[] | null
  readonly role: AssignableRole
  readonly user_ids: readonly string[]
  readonly key_id: KeyId
  readonly address: string
  readonly done_until: string
  readonly failures: number
}

export type NewJob = Omit<OpenJob, 'root_id' | 'done_until' | 'failures'>

const countOpen = statement(
  'user-roles.count-open-jobs',
  `select count(*)::int as open from role_job where root_id = $1 and finished_at is null`,
)

const lockRoot = statement(
  'user-roles.lock-jobs',
  `select pg_advisory_xact_lock(hashtextextended('role_job ' || $1::text, 0))`,
)

const insertJobRow = namedStatement(
  'user-roles.insert-job',
  `insert into role_job (root_id, id, instance_id, organization_ids, role, user_ids, key_id, address, created_at)
   values (:root, :id, :instance_id, :organization_ids, :role, :user_ids, :key_id, :address, :at)`,
)

const jobState = statement(
  'user-roles.job-state',
  `select finished_at is not null as finished, user_ids from role_job where root_id = $1 and id = $2`,
)

const outcomes = statement(
  'user-roles.job-outcomes',
  'select user_id, code from role_job_user where root_id = $1 and job_id = $2',
)

const findOpen = statement(
  'user-roles.find-open-jobs',
  `select root_id, id, instance_id, organization_ids from role_job where finished_at is null order by created_at, id`,
)

const lockOpenJob = statement(
  'user-roles.lock-job',
  `select root_id, id, instance_id, organization_ids, role, user_ids, key_id, address, done_until, failures
   from role_job where root_id = $1 and id = $2 and finished_at is null for no key update`,
)

const nextOrganizations = statement(
  'user-roles.next-organizations',
  `select id from organization
   where root_id = $1 and instance_id = $2 and ($3::uuid[] is null or id = any ($3)) and active and id > $4
   order by id limit $5`,
)

const record = statement(
  'user-roles.record-outcomes',
  `insert into role_job_user as u (root_id, job_id, user_id, code)
   select $1, $2, user_id, code from unnest($3::text[], $4::text[]) as o (user_id, code)
   on conflict (root_id, job_id, user_id) do update set code = excluded.code
     where u.code is null and excluded.code is not null`,
)

const recordFailed = statement(
  'user-roles.record-failed-organization',
  `insert into role_job_user as u (root_id, job_id, user_id, code)
   select $1, $2, account_id, 'INTERNAL_ERROR' from membership
   where root_id = $1 and organization_id = $3 and account_id = any ($4::text[])
   on conflict (root_id, job_id, user_id) do update set code = excluded.code where u.code is null`,
)

// The lock makes a revocation wait for the running step, so that nothing changes after the revocation is answered.
const lockValidKey = statement(
  'user-roles.lock-valid-key',
  `select from api_key where root_id = $1 and id = $2 and revoked_at is null
     and (expires_at is null or expires_at > clock_timestamp())
   for share`,
)

const advance = statement(
  'user-roles.advance-job',
  `update role_job set done_until = $3, failures = $4 where root_id = $1 and id = $2`,
)

const incrementFailures = statement(
  'user-roles.fail-job',
  `update role_job set failures = failures + 1 where root_id = $1 and id = $2`,
)

const finish = statement(
  'user-roles.finish-job',
  `update role_job set finished_at = $3 where root_id = $1 and id = $2`,
)

// Retained longer than the stored response of its Idempotency-Key.
const deleteFinished = statement(
  'user-roles.sweep-jobs',
  `delete from role_job where finished_at is not null and created_at < $1::timestamptz - interval '48 hours'`,
)

/** Returns the number of open jobs and prevents new ones until the commit. */
export async function countOpenJobs(scope: Scope, tx: Tx): Promise<number> {
  const [, [row]] = await Promise.all([
    tx.query(lockRoot, [scope.root]),
    tx.query<{ open: number }>(countOpen, [scope.root]),
  ])
  return row?.open ?? 0
}

export async function insertJob(scope: Scope, tx: Tx, job: NewJob, at: Date): Promise<void> {
  await tx.query(insertJobRow, insertJobRow.bind(scope, { ...job, at }))
}

/** Returns null while the job is running. */
export async function readOutcomes(
  scope: Scope,
  tx: Tx,
  id: string,
): Promise<{ readonly user_ids: readonly string[]; readonly outcomes: Outcomes } | null> {
  const job = await tx.one<{ finished: boolean; user_ids: string[] }>(jobState, [scope.root, id])
  if (!job.finished) return null
  type Row = { user_id: string; code: Outcome }
  const rows = await tx.query<Row>(outcomes, [scope.root, id])
  return { user_ids: job.user_ids, outcomes: new Map(rows.map(({ user_id, code }) => [user_id, code])) }
}

export type OpenJobRef = Pick<OpenJob, 'root_id' | 'id' | 'instance_id' | 'organization_ids'>

export function findOpenJobsUnscoped(pool: Pool): Promise<OpenJobRef[]> {
  return runUnscoped<OpenJobRef>(pool, findOpen, [])
}

/** Returns null if the job is finished. */
export function lockJob(scope: Scope, tx: Tx, id: string): Promise<OpenJob | null> {
  return tx.first<OpenJob>(lockOpenJob, [scope.root, id])
}

export async function readNextOrganizations(
  scope: Scope,
  tx: Tx,
  { instance_id, organization_ids, done_until }: OpenJob,
  limit: number,
): Promise<OrganizationId[]> {
  const values = [scope.root, instance_id, organization_ids, done_until, limit]
  const rows = await tx.query<{ id: OrganizationId }>(nextOrganizations, values)
  return rows.map(({ id }) => id)
}

export async function recordOutcomes(scope: Scope, tx: Tx, job: string, found: Outcomes): Promise<void> {
  if (found.size > 0) await tx.query(record, [scope.root, job, [...found.keys()], [...found.values()]])
}

export async function recordFailedOrganization(
  scope: Scope,
  tx: Tx,
  { id, user_ids }: OpenJob,
  organization: OrganizationId,
): Promise<void> {
  await tx.query(recordFailed, [scope.root, id, organization, user_ids])
}

/** Locks the key of a job until the commit; false if it was revoked or has expired. */
export async function lockJobKey(scope: Scope, tx: Tx, { key_id }: OpenJob): Promise<boolean> {
  return (await tx.query(lockValidKey, [scope.root, key_id])).length > 0
}

export async function advanceJob(
  scope: Scope,
  tx: Tx,
  id: string,
  until: OrganizationId,
  failures: number,
): Promise<void> {
  await tx.query(advance, [scope.root, id, until, failures])
}

export async function countFailure(scope: Scope, tx: Tx, id: string): Promise<void> {
  await tx.query(incrementFailures, [scope.root, id])
}

export async function finishJob(scope: Scope, tx: Tx, id: string, at: Date): Promise<void> {
  await tx.query(finish, [scope.root, id, at.toISOString()])
}

export async function deleteFinishedJobsUnscoped(pool: Pool, now: Date): Promise<void> {
  await runUnscoped(pool, deleteFinished, [now.toISOString()])
}

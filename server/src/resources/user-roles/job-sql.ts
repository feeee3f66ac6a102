import type { Scope } from '../../access/scope.ts'
import { type Pool, statement } from '../../db/connect.ts'
import { runUnscoped, type Tx } from '../../db/transaction.ts'
import type { InstanceId, KeyId, OrganizationId, RootId } from '../../ids.ts'
import type { Outcomes } from './result.ts'
import type { AssignableRole, FailureCode } from './schema.ts'

export interface NewJob {
  readonly id: string
  readonly instance: InstanceId
  readonly organizations: readonly OrganizationId[] | null
  readonly role: AssignableRole
  readonly user_ids: readonly string[]
  readonly key: KeyId
  readonly address: string
}

export interface OpenJob {
  readonly root_id: RootId
  readonly id: string
  readonly instance_id: InstanceId
  readonly organization_ids: OrganizationId[] | null
  readonly role: AssignableRole
  readonly user_ids: string[]
  readonly key_id: KeyId
  readonly address: string
  readonly done_until: string
  readonly failures: number
}

const countOpen = statement(
  'user-roles.count-open-jobs',
  `select count(*)::int as open from role_job where root_id = $1 and finished_at is null`,
)

const lockRoot = statement(
  'user-roles.lock-jobs',
  `select pg_advisory_xact_lock(hashtextextended('role_job ' || $1::text, 0))`,
)

const insertJobRow = statement(
  'user-roles.insert-job',
  `insert into role_job (root_id, id, instance_id, organization_ids, role, user_ids, key_id, address, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

const jobState = statement(
  'user-roles.job-state',
  `select finished_at is not null as finished, user_ids from role_job where root_id = $1 and id = $2`,
)

const outcomes = statement(
  'user-roles.job-outcomes',
  `select user_id, code from role_job_user where root_id = $1 and job_id = $2`,
)

const findOpen = statement(
  'user-roles.find-open-jobs',
  `select root_id, id, instance_id, organization_ids from role_job where finished_at is null order by created_at, id`,
)

const lock = statement(
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
  const { id, instance, organizations, role, user_ids, key, address } = job
  await tx.query(insertJobRow, [
    scope.root,
    id,
    instance,
    organizations,
    role,
    user_ids,
    key,
    address,
    at.toISOString(),
  ])
}

/** Returns null while the job is running. */
export async function readOutcomes(
  scope: Scope,
  tx: Tx,
  id: string,
): Promise<{ readonly user_ids: readonly string[]; readonly outcomes: Outcomes } | null> {
  const [job] = await tx.query<{ finished: boolean; user_ids: string[] }>(jobState, [scope.root, id])
  if (job === undefined) throw new Error('The job was not found.')
  if (!job.finished) return null
  type Row = { user_id: string; code: Exclude<FailureCode, 'USER_NOT_FOUND'> | null }
  const rows = await tx.query<Row>(outcomes, [scope.root, id])
  return { user_ids: job.user_ids, outcomes: new Map(rows.map(({ user_id, code }) => [user_id, code])) }
}

export type OpenJobRef = Pick<OpenJob, 'root_id' | 'id' | 'instance_id' | 'organization_ids'>

export function findOpenJobsUnscoped(pool: Pool): Promise<OpenJobRef[]> {
  return runUnscoped<OpenJobRef & object>(pool, findOpen, [])
}

/** Returns null if the job is finished. */
export async function lockJob(scope: Scope, tx: Tx, id: string): Promise<OpenJob | null> {
  const [job] = await tx.query<OpenJob & object>(lock, [scope.root, id])
  return job ?? null
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

import { restoreScope, type Scope } from '../../access/scope.ts'
import type { WorkerContext } from '../../bus/context.ts'
import { recordRoleChanges } from '../../bus/record-role-changes.ts'
import { inTransaction, type Tx } from '../../db/transaction.ts'
import { isDatabaseUnavailable } from '../../db/unavailable.ts'
import type { OrganizationId } from '../../ids.ts'
import {
  advanceJob,
  countFailure,
  deleteFinishedJobsUnscoped,
  findOpenJobsUnscoped,
  finishJob,
  lockJob,
  lockJobKey,
  type OpenJob,
  type OpenJobRef,
  readNextOrganizations,
  recordFailedOrganization,
  recordOutcomes,
  updateRoles,
} from './sql.ts'

type JobContext = Pick<WorkerContext, 'database' | 'log' | 'now'>

// Shorter than the drain time of a worker. Jobs advance in rounds of some organizations each, so that a small job does
// not wait for a large one.
const RUN_MS = 10_000
/** Users times organizations of one transaction, which locks the audit log of the root until its commit. */
const MAX_BATCH_MEMBERSHIPS = 10_000
const MAX_BATCH_ORGANIZATIONS = 200
/** Each failure divides the batch size by this factor, each success multiplies it; four failures leave one organization. */
const BACKOFF_FACTOR = 4
/** After this many consecutive failures the single remaining organization is skipped. */
const MAX_FAILURES = 7

/** Advances every open job. The next run continues from there, on any worker. */
export async function runRoleJobs(context: JobContext): Promise<void> {
  const end = performance.now() + RUN_MS
  let jobs = await findOpenJobsUnscoped(context.database)
  while (jobs.length > 0 && performance.now() < end) {
    const left: OpenJobRef[] = []
    for (const job of jobs) if (await tryStepJob(context, job)) left.push(job)
    jobs = left
  }
}

/** Jobs are retained as long as their result can be requested. */
export function deleteFinishedRoleJobs({ database, now }: JobContext): Promise<void> {
  return deleteFinishedJobsUnscoped(database, now())
}

/** A failing job does not delay other jobs, and a failing organization does not stop its job. */
async function tryStepJob(
  context: JobContext,
  { root_id, id, instance_id, organization_ids }: OpenJobRef,
): Promise<boolean> {
  const scope = restoreScope(root_id, instance_id, organization_ids)
  try {
    return await inTransaction(context.database, scope, (tx) => stepJob(context, scope, tx, id))
  } catch (err) {
    context.log.error(
      { err, root: root_id, job: id },
      'a step of a role change failed; retrying on the next run',
    )
    if (!isDatabaseUnavailable(err))
      await inTransaction(context.database, scope, (tx) => countFailure(scope, tx, id))
    return false
  }
}

/** Changes roles, records them and advances the job in one transaction. A job does not outlive its key. */
async function stepJob(context: JobContext, scope: Scope, tx: Tx, id: string): Promise<boolean> {
  const job = await lockJob(scope, tx, id)
  if (job === null) return false
  const organizations = await readNextOrganizations(scope, tx, job, getBatchSize(job))
  const [first] = organizations
  const last = organizations.at(-1)
  if (first === undefined || last === undefined) {
    await finishJob(scope, tx, id, context.now())
    return false
  }
  if (!(await lockJobKey(scope, tx, job))) {
    // Every user fails, unless they have failed before.
    await recordOutcomes(scope, tx, id, new Map(job.user_ids.map((user) => [user, 'INTERNAL_ERROR'])))
    await finishJob(scope, tx, id, context.now())
    context.log.info(
      { root: job.root_id, job: id, key: job.key_id },
      'stopped a role change without a valid key',
    )
    return false
  }
  const isSkipped = job.failures >= MAX_FAILURES
  if (isSkipped) await recordFailedOrganization(scope, tx, job, first)
  else await changeRolesInOrganizations(context, scope, tx, job, organizations)
  await advanceJob(scope, tx, id, last, isSkipped ? 0 : Math.max(job.failures - 1, 0))
  return true
}

async function changeRolesInOrganizations(
  context: JobContext,
  scope: Scope,
  tx: Tx,
  job: OpenJob,
  organizations: readonly OrganizationId[],
): Promise<void> {
  const role = { system: job.role }
  const { outcomes, changes } = await updateRoles(scope, tx, organizations, { role, user_ids: job.user_ids })
  const actor = { kind: 'key', id: job.key_id, address: job.address } as const
  await recordOutcomes(scope, tx, job.id, outcomes)
  await recordRoleChanges({ tx, scope, actor, at: context.now() }, changes)
}

function getBatchSize({ failures, user_ids }: OpenJob): number {
  const maxOrganizations = Math.min(
    Math.floor(MAX_BATCH_MEMBERSHIPS / user_ids.length),
    MAX_BATCH_ORGANIZATIONS,
  )
  return Math.max(Math.floor(maxOrganizations / BACKOFF_FACTOR ** failures), 1)
}

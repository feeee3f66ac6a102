import { restoreScope, type Scope } from '../../access/scope.ts'
import type { WorkerContext } from '../../bus/context.ts'
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
  type OpenJob,
  type OpenJobRef,
  readNextOrganizations,
  recordFailedOrganization,
  recordOutcomes,
} from './job-sql.ts'
import { recordUserRoleChanges } from './record-change.ts'
import { updateRoles } from './sql.ts'

type JobContext = Pick<WorkerContext, 'database' | 'log' | 'now'>

// Shorter than a worker has to drain. Jobs take turns, some organizations each, so that a small one does not wait for a
// large one.
const RUN_MS = 10_000
/** Users times organizations that one transaction looks at: it holds up the audit log of the root for that long. */
const MAX_BATCH_MEMBERSHIPS = 10_000
const MAX_BATCH_ORGANIZATIONS = 200
/** Each failure quarters what is taken at once, and each success takes one back: four of them leave one organization. */
const BACKOFF_FACTOR = 4
/** After so many failures in a row the one organization that is left is passed over. */
const MAX_FAILURES = 7

/** Takes every open job some organizations on; the next run goes on from there, on whichever worker. */
export async function runRoleJobs(context: JobContext): Promise<void> {
  const end = performance.now() + RUN_MS
  let jobs = await findOpenJobsUnscoped(context.database)
  while (jobs.length > 0 && performance.now() < end) {
    const left: OpenJobRef[] = []
    for (const job of jobs) if (await tryStepJob(context, job)) left.push(job)
    jobs = left
  }
}

/** Not while the answer to its request may still be asked for. */
export function deleteFinishedRoleJobs({ database, now }: JobContext): Promise<void> {
  return deleteFinishedJobsUnscoped(database, now())
}

/** A job that fails does not hold up the others, nor one organization the rest of its job. */
async function tryStepJob(
  context: JobContext,
  { root_id, id, instance_id, organization_ids }: OpenJobRef,
): Promise<boolean> {
  const scope = restoreScope(root_id, instance_id, organization_ids)
  try {
    return await inTransaction(context.database, scope, (tx) => stepJob(context, scope, tx, id))
  } catch (err) {
    context.log.error({ err, root: root_id, job: id }, 'a change of roles is held up')
    if (!isDatabaseUnavailable(err))
      await inTransaction(context.database, scope, (tx) => countFailure(scope, tx, id))
    return false
  }
}

/** The next organizations, wholly or not at all: what was changed, what is told of it, and how far the job is. */
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
  const { outcomes, changes } = await updateRoles(scope, tx, organizations, job)
  const actor = { kind: 'key', id: job.key_id, address: job.address } as const
  await recordOutcomes(scope, tx, job.id, outcomes)
  await recordUserRoleChanges({ tx, scope, actor, at: context.now() }, job.role, changes)
}

function getBatchSize({ failures, user_ids }: OpenJob): number {
  const maxOrganizations = Math.min(
    Math.floor(MAX_BATCH_MEMBERSHIPS / user_ids.length),
    MAX_BATCH_ORGANIZATIONS,
  )
  return Math.max(Math.floor(maxOrganizations / BACKOFF_FACTOR ** failures), 1)
}

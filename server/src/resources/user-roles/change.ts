import { setTimeout as sleep } from 'node:timers/promises'
import { toChange } from '../../access/change-context.ts'
import type { Principal } from '../../access/principal.ts'
import { isAllOrganizations } from '../../access/scope.ts'
import { recordRoleChanges } from '../../bus/record-role-changes.ts'
import { refuse } from '../../errors.ts'
import { type RequestContext, requireOrganization } from '../../http/endpoint.ts'
import { refuseTooManyUsers, toBatchResult } from '../../http/named-users.ts'
import { ok, pendingReply, type Reply } from '../../http/reply.ts'
import { type KeyId, newId, type OrganizationId } from '../../ids.ts'
import {
  type AssignedRole,
  assignableRoles,
  type FailureCode,
  type RoleMembersPath,
  type RoleMembersRequest,
  type RoleRequest,
} from './schema.ts'
import {
  countOpenJobs,
  insertJob,
  lockCustomRole,
  type NewJob,
  type Outcomes,
  readOutcomes,
  updateRoles,
} from './sql.ts'

/** Runs before the check of the key kind: the contract requires 400, also for legacy keys. */
export function refuseAllOrganizations(body: unknown, { kind }: Principal): void {
  if (kind === 'instance' || typeof body !== 'object' || body === null) return
  if ('org_id' in body && isAllOrganizations(body.org_id)) {
    refuse(
      'INVALID_REQUEST',
      'ALL is accepted only with self-hosted instance keys. Name one organization in org_id.',
    )
  }
}

/** Members of a role belong to one organization. Also for keys that ignore `org_id`, so it runs on the body as sent. */
export function refuseAllForMembers(body: unknown): void {
  if (typeof body !== 'object' || body === null) return
  if ('org_id' in body && isAllOrganizations(body.org_id))
    refuse('INVALID_REQUEST', 'org_id must name one organization here. Use POST /v1/users/roles for ALL.')
}

export function refuseTooMany({ body }: { readonly body: Pick<RoleRequest, 'user_ids'> }): void {
  refuseTooManyUsers(body.user_ids)
}

export async function changeUserRoles(
  context: RequestContext,
  { body }: { readonly body: RoleRequest },
): Promise<Reply> {
  const { organization } = context
  const user_ids = [...new Set(body.user_ids)]
  if (organization === null) return changeAllOrganizations(context, { role: body.role, user_ids })
  return changeInOrganization(context, organization, { system: body.role }, user_ids)
}

export async function assignRoleToMembers(
  context: RequestContext,
  { params, body }: { readonly params: RoleMembersPath; readonly body: RoleMembersRequest },
): Promise<Reply> {
  const { scope, tx } = context
  const organization = requireOrganization(context)
  const role = toAssignedRole(params.role_id)
  if ('custom' in role && !(await lockCustomRole(scope, tx, organization, role.custom)))
    refuse('NOT_FOUND', `The organization has no role with the id ${role.custom}.`)
  return changeInOrganization(context, organization, role, [...new Set(body.user_ids)])
}

function toAssignedRole(id: string): AssignedRole {
  const system = assignableRoles.find((role) => role === id)
  return system === undefined ? { custom: id.toLowerCase() } : { system }
}

async function changeInOrganization(
  context: RequestContext,
  organization: OrganizationId,
  role: AssignedRole,
  users: readonly string[],
): Promise<Reply> {
  const change = toChange(context)
  const { outcomes, changes } = await updateRoles(change.scope, change.tx, [organization], {
    role,
    user_ids: users,
  })
  await recordRoleChanges(change, changes)
  return ok(toRoleResult(users, outcomes))
}

const messages: Readonly<Record<FailureCode, string>> = {
  USER_NOT_FOUND: 'No member with this ID was found. List users with GET /v1/users.',
  USER_INACTIVE:
    'This person is deactivated and cannot become an admin. The operator can reactivate the person; cr_member works.',
  PROTECTED_ROLE: 'The role of a billing admin cannot be changed with this endpoint.',
  LAST_ADMIN: 'An organization must have an admin. Give another user the role cr_admin first.',
  INTERNAL_ERROR: 'The role could not be changed in at least one organization. Retry the request.',
}

function toRoleResult(users: readonly string[], outcomes: Outcomes) {
  const found = users.map((user) => {
    const outcome = outcomes.get(user)
    return [user, outcome === undefined ? 'USER_NOT_FOUND' : outcome] as const
  })
  return toBatchResult(found, messages)
}

const MAX_OPEN_JOBS = 3
const WAIT_TIMEOUT_MS = 50_000
const MIN_POLL_MS = 50
const MAX_POLL_MS = 500

/** Creates a job for the worker, or joins the job of an earlier request with the same Idempotency-Key. */
async function changeAllOrganizations(
  context: RequestContext,
  request: Pick<NewJob, 'role' | 'user_ids'>,
): Promise<Reply> {
  const job = context.pendingWorkId ?? (await createJob(context, request))
  return pendingReply({ workId: job, awaitReply: () => awaitResult(context, job) })
}

async function createJob(
  context: RequestContext,
  { role, user_ids }: Pick<NewJob, 'role' | 'user_ids'>,
): Promise<string> {
  const { scope, tx, principal, address } = context
  if (scope.instance === null) throw new Error('Only an instance key can select all organizations.')
  if ((await countOpenJobs(scope, tx)) >= MAX_OPEN_JOBS) {
    refuse(
      'RATE_LIMIT_EXCEEDED',
      `Only ${MAX_OPEN_JOBS} changes of all organizations can run at a time. Retry after one has finished.`,
      { 'retry-after': '5' },
    )
  }
  const id = newId<string>()
  const { instance: instance_id, organizations: organization_ids } = scope
  const key_id = requireKey(principal)
  const job = { id, instance_id, organization_ids, role, user_ids, key_id, address }
  await insertJob(scope, tx, job, context.now())
  return id
}

function requireKey({ credential }: Principal): KeyId {
  if (credential.kind !== 'key') throw new Error('Only an instance key can change all organizations.')
  return credential.id
}

/** Polls without holding a transaction. The job continues even if the client disconnects. */
async function awaitResult(context: RequestContext, job: string): Promise<Reply> {
  const { scope } = context
  const end = performance.now() + WAIT_TIMEOUT_MS
  for (let pause = MIN_POLL_MS; performance.now() < end; pause = Math.min(pause * 2, MAX_POLL_MS)) {
    await sleep(pause)
    const finished = await context.transaction((tx) => readOutcomes(scope, tx, job))
    if (finished !== null) return ok(toRoleResult(finished.user_ids, finished.outcomes))
  }
  return refuse(
    'OVERLOADED',
    'The change is still running. Retry with the same request and Idempotency-Key to get its result.',
    { 'retry-after': '10' },
  )
}

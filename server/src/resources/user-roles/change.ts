import { getRequestActor } from '../../access/audit.ts'
import type { Principal } from '../../access/principal.ts'
import { isAllOrganizations } from '../../access/scope.ts'
import { refuse } from '../../errors.ts'
import type { RequestContext } from '../../http/endpoint.ts'
import { ok, type Reply } from '../../http/reply.ts'
import { changeAllOrganizations } from './change-all-organizations.ts'
import { recordUserRoleChanges } from './record-change.ts'
import { toRoleResult } from './result.ts'
import { MAX_USERS, type RoleRequest } from './schema.ts'
import { updateRoles } from './sql.ts'

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

export function refuseTooMany({ body }: { readonly body: RoleRequest }): void {
  if (body.user_ids.length > MAX_USERS) {
    refuse(
      'BATCH_SIZE_EXCEEDED',
      `A request can name at most ${MAX_USERS} users. Split it into several requests.`,
    )
  }
}

export async function changeUserRoles(
  context: RequestContext,
  { body }: { readonly body: RoleRequest },
): Promise<Reply> {
  const { scope, tx, organization } = context
  const users = [...new Set(body.user_ids)]
  const request = { role: body.role, user_ids: users }
  if (organization === null) return changeAllOrganizations(context, request)
  const { outcomes, changes } = await updateRoles(scope, tx, [organization], request)
  await recordUserRoleChanges(
    { tx, scope, actor: getRequestActor(context), at: context.now() },
    body.role,
    changes,
  )
  return ok(toRoleResult(users, outcomes))
}

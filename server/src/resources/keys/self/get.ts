import { allPermissions } from '../../../access/permissions.ts'
import type { Principal } from '../../../access/principal.ts'
import type { Scope } from '../../../access/scope.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { ErrorCode } from '../../../errors.ts'
import { findAccessRefusal } from '../../../http/checks.ts'
import type { Endpoint, RequestContext } from '../../../http/endpoint.ts'
import type { Tool } from '../../../http/mcp/tool.ts'
import { ok, type Reply } from '../../../http/reply.ts'
import { renderKeyFields } from '../handlers.ts'
import { readKeyDetails, readSessionDetails, readTenantRoot, readVisibleOrganizations } from '../sql.ts'

/** Every endpoint and tool that a key can be allowed to use. */
export interface ApiSurface {
  readonly endpoints: readonly Endpoint[]
  readonly tools: readonly Tool[]
}

/** Runs the access checks of the request pipeline for each endpoint, so that the response cannot differ from them. */
export async function getKeySelf(
  { scope, tx, principal }: RequestContext,
  { endpoints, tools }: ApiSurface,
): Promise<Reply> {
  const getVerdict = async (endpoint: Endpoint) =>
    renderVerdict(await findAccessRefusal(endpoint, principal, tx))
  const [caller, root, organizations, ofEndpoints, ofTools] = await Promise.all([
    readCallerFacts(scope, tx, principal),
    readTenantRoot(scope, tx),
    readVisibleOrganizations(scope, tx),
    Promise.all(
      endpoints.map(async (endpoint) => {
        const { method, path } = endpoint
        return { method, path, ...(await getVerdict(endpoint)) }
      }),
    ),
    Promise.all(tools.map(async ({ name, endpoint }) => ({ name, ...(await getVerdict(endpoint)) }))),
  ])
  const { plan, subscriptionActive, admin, permissions } = principal
  return ok({
    ...caller,
    tenant_root: { ...root, plan, subscription_active: subscriptionActive },
    organizations,
    admin,
    permissions: allPermissions.filter((permission) => permissions.has(permission)),
    endpoints: ofEndpoints,
    tools: ofTools,
  })
}

/** A session is described as the key that it acts as. */
async function readCallerFacts(scope: Scope, tx: Tx, { credential, kind }: Principal) {
  if (credential.kind === 'key') {
    const key = await readKeyDetails(scope, tx, credential.id)
    if (key === null) throw new Error('The authenticated key was not found.')
    const { org_id: _, ...facts } = renderKeyFields(key)
    return facts
  }
  const session = await readSessionDetails(scope, tx, credential.id)
  if (session === null) throw new Error('The session of the request was not found.')
  const { owner_id, owner_name, ...times } = session
  const owner = { cr_user_id: owner_id, name: owner_name ?? '' }
  return { name: 'Session', kind, prefix: '', last_four: '', owner, ...times }
}

function renderVerdict(code: ErrorCode | null) {
  return { allowed: code === null, code }
}

import { findPlacement } from '../access/placement.ts'
import type { Principal } from '../access/principal.ts'
import { selectDefaultScope } from '../access/scope.ts'
import { FRESH_MINUTES } from '../access/session.ts'
import type { Tx } from '../db/transaction.ts'
import { type ErrorCode, Refusal, refuse } from '../errors.ts'
import type { Endpoint } from './endpoint.ts'

/** Runs before any part of the request is read. */
export function refuseUnacceptedKey(
  endpoint: Pick<Endpoint, 'keys' | 'session' | 'freshSignIn'>,
  principal: Principal,
): void {
  if (!isServedPerson(endpoint, principal)) refuseKeyKind(endpoint, principal)
  refuseTokenWithoutSso(principal)
  refuseDemotedOwner(principal)
  if (endpoint.freshSignIn) refuseOldSignIn(principal)
}

function isServedPerson({ session }: Pick<Endpoint, 'session'>, { credential }: Principal): boolean {
  return session === 'person' && credential.kind === 'session'
}

export function refuseOldSignIn({ credential }: Principal): void {
  if (credential.kind === 'key') return
  const at = credential.authenticatedAt?.getTime() ?? Number.NEGATIVE_INFINITY
  if (Date.now() - at <= FRESH_MINUTES * 60_000) return
  refuse(
    'REAUTHENTICATION_REQUIRED',
    `This needs a sign-in of the last ${FRESH_MINUTES} minutes. Sign in again at /auth/sign-in and retry.`,
  )
}

/** Runs after the organization is selected. */
export function refuseMissingRights(endpoint: Endpoint, principal: Principal): void {
  refuseInsufficientPlan(endpoint, principal)
  refuseInactiveSubscription(endpoint, principal)
  refuseNonAdmin(endpoint, principal)
  refuseMissingPermission(endpoint, principal)
}

/**
 * Returns the error code that a valid request of this key would get, or null if the key has access. The request names an
 * organization only if it must. Other parts of a request, such as a repository or an id, can still be refused.
 */
export async function findAccessRefusal(
  endpoint: Endpoint,
  principal: Principal,
  tx: Tx,
): Promise<ErrorCode | null> {
  try {
    refuseUnacceptedKey(endpoint, principal)
    const selected = selectDefaultScope(principal, endpoint.organization)
    if (selected && endpoint.readsMetrics) await findPlacement(selected.scope, tx)
    refuseMissingRights(endpoint, principal)
    if (selected) await endpoint.checkRequirements?.({ ...selected, principal, tx }, null)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

function refuseKeyKind({ keys }: Pick<Endpoint, 'keys'>, { kind }: Principal): void {
  if (kind === 'person') throw new Error('A session without an organization was admitted to this endpoint.')
  const keyPolicy = keys[kind]
  switch (keyPolicy) {
    case 'allowed':
      return
    case 'LEGACY_API_KEY':
      return refuse(
        keyPolicy,
        'Legacy API keys are no longer accepted here. Regenerate the key and retry with the new one.',
      )
    case 'KEY_KIND_NOT_ALLOWED':
      return refuse(keyPolicy, `This endpoint does not accept ${kind} keys. Use a key of another kind.`)
  }
}

/** The token works again if SSO is enabled again. */
function refuseTokenWithoutSso(principal: Principal): void {
  if (principal.kind !== 'workspace' || principal.sso) return
  const missing =
    principal.plan === 'enterprise' ? 'SSO, which is disabled for this workspace' : 'the Enterprise plan'
  refuse(
    'KEY_KIND_NOT_ALLOWED',
    principal.credential.kind === 'session'
      ? `Sessions with \`all\` require ${missing}. Name one of the organizations.`
      : `Workspace tokens require ${missing}. Use keys of its organizations.`,
  )
}

function refuseDemotedOwner(principal: Principal): void {
  if (principal.kind === 'workspace' && !principal.admin) {
    refuse(
      'OWNER_NOT_ADMIN',
      'The owner of this workspace token is no longer a workspace admin. Ask an admin for a new token.',
    )
  }
}

function refuseInsufficientPlan({ plan }: Endpoint, principal: Principal): void {
  if (plan === 'any' || principal.plan === 'enterprise') return
  refuse('ENTERPRISE_REQUIRED', 'This endpoint requires the Enterprise plan.')
}

function refuseInactiveSubscription({ plan, paymentRequired }: Endpoint, principal: Principal): void {
  if (plan === 'any' || principal.subscriptionActive) return
  refuse(
    paymentRequired ? 'NO_ACTIVE_SUBSCRIPTION' : 'ENTERPRISE_REQUIRED',
    'The Enterprise subscription of the organization is not active. Renew it and retry.',
  )
}

function refuseNonAdmin({ admin }: Endpoint, principal: Principal): void {
  if (!admin || principal.admin) return
  refuse('NOT_ADMIN', "The key's owner must have the Admin role to call this endpoint.")
}

function refuseMissingPermission({ permission }: Endpoint, principal: Principal): void {
  if (permission === null || principal.permissions.has(permission)) return
  refuse(
    'PERMISSION_DENIED',
    `This endpoint requires the permission ${permission}. Both the key and its owner's role must have it.`,
  )
}

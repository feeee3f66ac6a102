import type { IncomingHttpHeaders } from 'node:http'
import { findPlacement } from '../access/placement.ts'
import type { Principal } from '../access/principal.ts'
import { runAsCaller } from '../access/refusals.ts'
import { selectDefaultScope } from '../access/scope.ts'
import { FRESH_MINUTES, ORGANIZATION_HEADER, SESSION_COOKIE } from '../access/session.ts'
import type { Tx } from '../db/transaction.ts'
import { type ErrorCode, Refusal, refuse } from '../errors.ts'
import type { AppContext } from './app-context.ts'
import type { Endpoint } from './endpoint.ts'

/** Authenticates by the API key, or by the session cookie of a person who signed in. */
export async function authenticateRequest(
  app: Pick<AppContext, 'authenticate' | 'authenticateSession' | 'config'>,
  { method, keys }: Pick<Endpoint, 'method' | 'keys'>,
  headers: IncomingHttpHeaders,
): Promise<Principal> {
  const { keyHeaders, publicUrl } = app.config
  const key = readKeyHeader(keyHeaders, headers)
  const cookie = publicUrl === null ? undefined : readCookie(headers, SESSION_COOKIE)
  if (publicUrl === null || cookie === undefined) return app.authenticate(key)
  if (key !== undefined)
    refuse('INVALID_REQUEST', 'The request has both an API key and a session cookie. Send one of them.')
  const header = headers[ORGANIZATION_HEADER]
  const organization = keys.person === 'allowed' ? null : typeof header === 'string' ? header : undefined
  const principal = await app.authenticateSession(cookie, organization)
  if (method !== 'GET') await runAsCaller(principal, () => refuseCrossSite(headers, publicUrl))
  return principal
}

export function readKeyHeader(names: readonly string[], headers: IncomingHttpHeaders): string | undefined {
  for (const name of names) {
    const value = headers[name]
    if (typeof value === 'string') return value
  }
  return undefined
}

/** The value of a cookie as sent. Names are compared exactly: `__Host-` protects only that spelling. */
export function readCookie({ cookie = '' }: IncomingHttpHeaders, name: string): string | undefined {
  const start = `${name}=`
  return cookie
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(start))
    ?.slice(start.length)
}

/** Browsers send cookies with requests that another site started; only those of our own pages may change something. */
export function refuseCrossSite(headers: IncomingHttpHeaders, publicUrl: URL): void {
  const site = headers['sec-fetch-site']
  const isOwn = site === undefined ? headers.origin === publicUrl.origin : site === 'same-origin'
  if (isOwn) return
  refuse(
    'CROSS_SITE_REQUEST',
    `This request was not started by a page of ${publicUrl.origin}. Open the page there and retry.`,
  )
}

/** Runs before any part of the request is read. */
export function refuseUnacceptedKey(
  endpoint: Pick<Endpoint, 'keys' | 'freshSignIn'>,
  principal: Principal,
): void {
  refuseKeyKind(endpoint, principal)
  refuseTokenWithoutSso(principal)
  refuseDemotedOwner(principal)
  if (endpoint.freshSignIn) refuseOldSignIn(principal)
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
    if (selected) await endpoint.checks?.access?.({ ...selected, principal, tx }, null)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

function refuseKeyKind({ keys }: Pick<Endpoint, 'keys'>, { kind }: Principal): void {
  const keyPolicy = keys[kind]
  switch (keyPolicy) {
    case undefined:
      throw new Error('A session without an organization was admitted to this endpoint.')
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

function refuseInactiveSubscription({ plan, refusals }: Endpoint, principal: Principal): void {
  if (plan === 'any' || principal.subscriptionActive) return
  refuse(
    refusals.includes('NO_ACTIVE_SUBSCRIPTION') ? 'NO_ACTIVE_SUBSCRIPTION' : 'ENTERPRISE_REQUIRED',
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

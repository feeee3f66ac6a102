import { randomBytes, timingSafeEqual } from 'node:crypto'
import { rootScope } from '../../../access/scope.ts'
import { SESSION_COOKIE } from '../../../access/session.ts'
import type { KeyRing } from '../../../config.ts'
import type { Pool } from '../../../db/connect.ts'
import { readScoped } from '../../../db/transaction.ts'
import { refuse } from '../../../errors.ts'
import { html } from '../../../http/docs/html.ts'
import { ok, type Reply } from '../../../http/reply.ts'
import {
  refuseSignIn,
  runAsSignIn,
  type SignInAttempt,
  type SignInContext,
  type SignInEndpoint,
  type SignInRequest,
} from '../../../http/sign-in.ts'
import type { RootId } from '../../../ids.ts'
import { toPublicPath, toPublicUrl } from '../../../public-url.ts'
import { acceptInvitation, findInvitation } from '../links/invitation.ts'
import { confirmMatch, findAccountHolder, findPeople, type Match, recordIdentity } from './find-person.ts'
import { type Assertion, createOidcClient, type OidcClient, type SignInSecrets } from './oidc.ts'
import { continueReply, pageReply, renderPage, showRefusal } from './pages.ts'
import { type OwnPath, readReturnPath, withReturnPath } from './paths.ts'
import { type IdentityProvider, readIdentityProviders } from './providers.ts'
import {
  endCurrentSession,
  endSession,
  findCurrentSession,
  finishOnce,
  renderCookie,
  type SignedIn,
  startSession,
  takeOnce,
  USED_ALREADY,
  wasTaken,
} from './session.ts'
import { deriveSecret, signValue, verifyValue } from './signed-value.ts'
import { findPersonByEmail, findProviderSessionsUnscoped, readRootName, type SessionRef } from './sql.ts'

const TRANSACTION_COOKIE = '__Host-scholiast-sign-in'
const TRANSACTION_MINUTES = 10
const method = 'provider'

/** One sign-in, in a cookie of the browser that started it. */
interface SignInTransaction {
  readonly expiresAt: number
  readonly state: string
  readonly provider: string
  /** The tenant root, for people who belong to several. */
  readonly root: string | null
  readonly path: OwnPath
  /** Whether the provider was asked to have the person sign in again. */
  readonly fresh: boolean
  /** The session of the browser. Its cookie is Strict, so the request from the provider's site comes without it. */
  readonly session: SessionRef | null
}

const attempted = { method: 'GET', caller: 'browser', attempt: method, showRefusal } as const

/** Created with the server, because they remember the metadata of identity providers. */
export function createProviderRoutes(oidc: OidcClient = createOidcClient()): readonly SignInEndpoint[] {
  return [
    { method: 'GET', path: '/auth/providers', caller: 'browser', run: listProviders },
    { ...attempted, path: '/auth/login', run: (...args) => login(oidc, ...args) },
    { ...attempted, path: '/auth/callback/{provider}', run: (...args) => finishLogin(oidc, ...args) },
    { method: 'POST', path: '/auth/logout', caller: 'browser', run: logout },
    // Not limited: each token is signed, and a provider may send many at once, which must all count.
    {
      method: 'POST',
      path: '/auth/backchannel-logout/{provider}',
      caller: 'server',
      run: (...args) => logoutByProvider(oidc, ...args),
    },
  ]
}

async function listProviders({ app, publicUrl }: SignInContext): Promise<Reply> {
  const providers = await readIdentityProviders(app.config.identityProvidersFile)
  return ok({
    providers: providers.map(({ id, name }) => ({
      id,
      name,
      login_url: toPublicUrl(publicUrl, `/auth/login?provider=${id}`),
    })),
  })
}

async function login(
  oidc: OidcClient,
  { app, publicUrl, now }: SignInContext,
  request: SignInRequest,
): Promise<Reply> {
  const { query } = request
  const providers = await readIdentityProviders(app.config.identityProvidersFile)
  const provider = findProvider(providers, query.get('provider') ?? getOnlyProvider(providers))
  const transaction: SignInTransaction = {
    expiresAt: now().getTime() + TRANSACTION_MINUTES * 60_000,
    state: randomBytes(32).toString('base64url'),
    provider: provider.id,
    root: query.get('root')?.toLowerCase() ?? null,
    path: readReturnPath(query),
    fresh: query.get('fresh') === '1',
    session: await findCurrentSession({ app }, request),
  }
  const secrets = deriveSecrets(app.config.signingKeys, transaction.state)
  const callbackUrl = getCallbackUrl(publicUrl, provider)
  const url = await oidc.createLoginUrl(provider, callbackUrl, secrets, transaction.fresh)
  const cookie = renderCookie(
    TRANSACTION_COOKIE,
    signValue(app.config.signingKeys, 'sign-in', transaction),
    // Lax, because the provider sends the browser back from another site.
    { sameSite: 'Lax', maxAgeSeconds: TRANSACTION_MINUTES * 60 },
  )
  return { status: 302, headers: { location: url.href, 'set-cookie': cookie }, body: null }
}

async function finishLogin(oidc: OidcClient, context: SignInContext, request: SignInRequest): Promise<Reply> {
  const { app, publicUrl, now } = context
  const { signingKeys } = app.config
  const providers = await readIdentityProviders(app.config.identityProvidersFile)
  const provider = findProvider(providers, request.params['provider'] ?? '')
  const transaction = verifyValue<SignInTransaction>(
    signingKeys,
    'sign-in',
    request.readCookie(TRANSACTION_COOKIE),
    now(),
  )
  // Without the cookie, the sign-in was started in another browser: somebody may want this one signed in as themselves.
  if (transaction === null || !isSame(transaction.state, request.query.get('state') ?? ''))
    return refuseSignIn(
      { method, reason: 'state' },
      'INVALID_REQUEST',
      'This sign-in was not started in this browser, or it took too long. Start again.',
    )
  if (transaction.provider !== provider.id)
    return refuseSignIn(
      { method, reason: 'state' },
      'INVALID_REQUEST',
      'This sign-in was started with another provider. Start again.',
    )
  const assertion = await redeemOnce(oidc, context, request, provider, transaction)
  const invitation = await findInvitation(context, request, provider.roots)
  const [match, ...others] =
    invitation === null ? await findMatches(context, provider, transaction, assertion) : [invitation]
  if (match === undefined) throw new Error('A sign-in that finds nobody is refused.')
  if (others.length > 0) return renderRoots(context, provider, [match, ...others], transaction)
  const { root, person } = match
  const { issuer, subject, providerSession } = assertion
  const at = now()
  const who = { method, root, person, issuer } as const
  const freshness = await runAsSignIn({ ...who, reason: 'unproven' }, () =>
    judgeFreshness(provider, transaction, assertion, at),
  )
  const signedIn = { ...who, subject, providerSession, ...freshness, replaced: transaction.session }
  const cookie = await startSession(context, request, signedIn, async (scope, tx) => {
    const { address } = request
    const account = { provider, assertion, address }
    if (invitation === null) {
      const attempt = { ...who, reason: 'account_not_linked' } as const
      await runAsSignIn(attempt, () => confirmMatch(scope, tx, provider, assertion, person))
    }
    const accepted =
      invitation === null
        ? []
        : await runAsSignIn({ ...who, reason: 'invitation' }, () =>
            acceptInvitation(scope, tx, invitation, account, at),
          )
    return [...accepted, ...(await recordIdentity(scope, tx, assertion, person, address, at))]
  })
  return continueReply(publicUrl, transaction.path, cookie)
}

/**
 * Exchanges the code, and then uses the state up: a request with a code that the provider does not know writes nothing. A code
 * works once at the provider too.
 */
async function redeemOnce(
  oidc: OidcClient,
  { app, publicUrl }: SignInContext,
  { query }: SignInRequest,
  provider: IdentityProvider,
  { state, expiresAt }: SignInTransaction,
): Promise<Assertion> {
  const nonce = `sign-in ${state}`
  const refuseUsed = () => refuseSignIn({ method, reason: 'replayed' }, 'INVALID_REQUEST', USED_ALREADY)
  if (await wasTaken(app.apiPool, nonce)) return refuseUsed()
  const callback = new URL(getCallbackUrl(publicUrl, provider))
  callback.search = query.toString()
  const assertion = await runAsSignIn({ method, reason: 'not_confirmed' }, () =>
    oidc.redeem(provider, callback, deriveSecrets(app.config.signingKeys, state)),
  )
  return (await takeOnce(app.apiPool, nonce, new Date(expiresAt))) ? assertion : refuseUsed()
}

async function findMatches(
  { app }: SignInContext,
  provider: IdentityProvider,
  transaction: SignInTransaction,
  assertion: Assertion,
): Promise<readonly Match[]> {
  const { issuer } = assertion
  const roots = await runAsSignIn({ method, reason: 'unknown_account', issuer }, () =>
    selectRoots(provider, transaction),
  )
  try {
    return await findPeople(app.apiPool, provider, roots, assertion)
  } catch (error) {
    const refused = await findRefused(app.apiPool, provider, roots, assertion)
    return runAsSignIn({ method, issuer, ...refused }, () => Promise.reject(error))
  }
}

/** Whose sign-in was refused, for the audit log. */
async function findRefused(
  pool: Pool,
  provider: IdentityProvider,
  roots: readonly RootId[],
  assertion: Assertion,
): Promise<Pick<SignInAttempt, 'reason' | 'root' | 'person'>> {
  for (const root of roots) {
    const scope = rootScope(root)
    const found = await readScoped(pool, scope, async (tx) => {
      const holder = await findAccountHolder(scope, tx, provider, assertion)
      if (holder !== null || assertion.email === null) return holder
      return findPersonByEmail(scope, tx, assertion.email, assertion.issuer)
    })
    if (found === null) continue
    return { reason: found.active ? 'account_not_linked' : 'inactive', root, person: found.person_id }
  }
  // An account that nobody knows is reported to the tenant only if it can be meant for no other.
  const [only, ...others] = provider.roots
  return { reason: 'unknown_account', ...(only !== undefined && others.length === 0 && { root: only }) }
}

/** Without `auth_time`, a provider may have sent the browser back without asking anything. */
function judgeFreshness(
  { name, freshWithoutAuthTime }: IdentityProvider,
  { fresh }: SignInTransaction,
  { authTime }: Assertion,
  at: Date,
): Pick<SignedIn, 'authenticatedAt' | 'unproven'> {
  if (authTime !== null) return { authenticatedAt: new Date(Math.min(authTime * 1000, at.getTime())) }
  if (!fresh) return { authenticatedAt: null }
  if (freshWithoutAuthTime === 'accept') return { authenticatedAt: at, unproven: true }
  return refuse(
    'PERMISSION_DENIED',
    `${name} does not say when you signed in (auth_time), which this needs. Ask the operator to have ${name} send it.`,
  )
}

function selectRoots({ roots }: IdentityProvider, { root }: SignInTransaction): readonly RootId[] {
  if (root === null) return roots
  const named = roots.filter((one) => one === root)
  return named.length > 0 ? named : refuse('PERMISSION_DENIED', 'You do not belong to this workspace.')
}

/** A session belongs to one root, so a person of several starts again with one of them. */
async function renderRoots(
  { app, publicUrl }: SignInContext,
  { id }: IdentityProvider,
  matches: readonly Match[],
  { path, fresh }: SignInTransaction,
): Promise<Reply> {
  const links = await Promise.all(
    matches.map(async ({ root }) => {
      const scope = rootScope(root)
      const name = await readScoped(app.apiPool, scope, (tx) => readRootName(scope, tx))
      const next = withReturnPath(`/auth/login?provider=${id}&root=${root}${fresh ? '&fresh=1' : ''}`, path)
      return html`<li><a class="choice" href="${toPublicPath(publicUrl, next)}">${name}</a></li>\n`
    }),
  )
  const content = html`<p>You belong to several workspaces.</p>\n<ul>\n${links}</ul>\n`
  return pageReply(renderPage(publicUrl, 'Choose a workspace', content))
}

async function logout(context: SignInContext, request: SignInRequest): Promise<Reply> {
  await endCurrentSession(context, request)
  const cookie = renderCookie(SESSION_COOKIE, '', { sameSite: 'Strict', maxAgeSeconds: 0 })
  return { status: 204, headers: { 'set-cookie': cookie }, body: null }
}

/** OpenID Connect Back-Channel Logout: the provider ends the sessions that it signed in. */
async function logoutByProvider(
  oidc: OidcClient,
  { app, now }: SignInContext,
  request: SignInRequest,
): Promise<Reply> {
  const providers = await readIdentityProviders(app.config.identityProvidersFile)
  const provider = findProvider(providers, request.params['provider'] ?? '')
  const token = (await request.readForm()).get('logout_token') ?? ''
  const { issuer, subject, providerSession, tokenId } = await oidc.verifyLogoutToken(provider, token)
  const expiresAt = new Date(now().getTime() + 10 * 60_000)
  await finishOnce(app.apiPool, `logout ${issuer} ${tokenId}`, expiresAt, async () => {
    const sessions = await findProviderSessionsUnscoped(app.authPool, issuer, subject, providerSession)
    const service = { kind: 'service', id: null } as const
    for (const { root_id, id } of sessions.filter((session) => provider.roots.includes(session.root_id)))
      await endSession(app.apiPool, root_id, id, service, now())
  })
  return { status: 200, body: null }
}

function findProvider(providers: readonly IdentityProvider[], id: string): IdentityProvider {
  return (
    providers.find((provider) => provider.id === id) ??
    refuse('NOT_FOUND', 'This identity provider is not set up. Choose one at /auth/sign-in.')
  )
}

function getOnlyProvider(providers: readonly IdentityProvider[]): string {
  const [only, ...others] = providers
  return only !== undefined && others.length === 0
    ? only.id
    : refuse('INVALID_REQUEST', 'Choose an identity provider at /auth/sign-in.')
}

function getCallbackUrl(publicUrl: URL, { id }: IdentityProvider): string {
  return toPublicUrl(publicUrl, `/auth/callback/${id}`)
}

function deriveSecrets(ring: KeyRing, state: string): SignInSecrets {
  return { state, verifier: deriveSecret(ring, 'pkce', state), nonce: deriveSecret(ring, 'nonce', state) }
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  ResponseBodyError,
} from 'openid-client'
import { refuse } from '../../../errors.ts'
import { type IdentityProvider, isLoopback, vouchesFor } from './providers.ts'

/** What a provider asserts about somebody who signed in. */
export interface Assertion {
  readonly issuer: string
  readonly subject: string
  /** The id by which SCIM knows the person, where it differs from the subject. */
  readonly externalId: string
  /** Lower case; null unless the provider verified it and may vouch for its domain. */
  readonly email: string | null
  readonly providerSession: string | null
  /** `auth_time` in seconds; null if the provider does not send it. */
  readonly authTime: number | null
}

/** Secrets of one sign-in, derived from its state. */
export interface SignInSecrets {
  readonly state: string
  readonly verifier: string
  readonly nonce: string
}

export interface OidcClient {
  createLoginUrl(
    provider: IdentityProvider,
    redirectUri: string,
    secrets: SignInSecrets,
    fresh: boolean,
  ): Promise<URL>
  /** Exchanges the code in the address of the callback, and checks everything that the protocol requires. */
  redeem(provider: IdentityProvider, callbackUrl: URL, secrets: SignInSecrets): Promise<Assertion>
  /** Returns whom a logout token of the provider is about; refuses one that is not valid, or cannot be checked now. */
  verifyLogoutToken(provider: IdentityProvider, token: string): Promise<LogoutRequest>
}

export interface LogoutRequest {
  readonly issuer: string
  readonly subject: string | null
  readonly providerSession: string | null
  readonly tokenId: string
}

const REQUEST_TIMEOUT_SECONDS = 5
const METADATA_MAX_AGE_MS = 10 * 60_000
/** A logout token is used at once; an older one was kept. */
const LOGOUT_MAX_AGE_SECONDS = 300
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

interface KnownProvider {
  readonly config: Promise<Configuration>
  readonly keys: Promise<ReturnType<typeof createRemoteJWKSet>>
  readonly readAt: number
}

/** Remembers the metadata of providers for some minutes. */
export function createOidcClient(): OidcClient {
  const known = new Map<string, KnownProvider>()

  function find(provider: IdentityProvider): KnownProvider {
    const { id, issuer, clientId, clientSecret } = provider
    const name = JSON.stringify([id, issuer, clientId, clientSecret])
    const found = known.get(name)
    if (found !== undefined && performance.now() - found.readAt < METADATA_MAX_AGE_MS) return found
    const config = discover(provider)
    const keys = config.then((one) => createRemoteJWKSet(new URL(one.serverMetadata().jwks_uri ?? '')))
    const read = { config, keys, readAt: performance.now() }
    known.set(name, read)
    // A provider that was unavailable is tried again at the next sign-in.
    Promise.all([config, keys]).catch(() => known.delete(name))
    return read
  }

  function readMetadata(provider: IdentityProvider): Promise<Configuration> {
    return find(provider).config.catch(() => refuseUnavailable(provider))
  }

  return {
    async createLoginUrl(provider, redirectUri, { state, verifier, nonce }, fresh) {
      return buildAuthorizationUrl(await readMetadata(provider), {
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: provider.scope,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(fresh && { prompt: 'login', max_age: '0' }),
      })
    },
    async redeem(provider, callbackUrl, { state, verifier, nonce }) {
      const config = await readMetadata(provider)
      const tokens = await authorizationCodeGrant(config, callbackUrl, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      }).catch((error: unknown) => refuseProvider(provider, error))
      const claims = tokens.claims()
      if (claims === undefined) throw new Error('The provider returned no ID token.')
      const more =
        claims['email'] === undefined && config.serverMetadata().userinfo_endpoint !== undefined
          ? await fetchUserInfo(config, tokens.access_token, claims.sub).catch((error: unknown) =>
              refuseProvider(provider, error),
            )
          : {}
      // When the person signed in is what the ID token says: userinfo is of another moment.
      return toAssertion(provider, { ...more, auth_time: undefined, ...claims })
    },
    async verifyLogoutToken(provider, token) {
      const { issuer } = (await readMetadata(provider)).serverMetadata()
      const { payload } = await jwtVerify(token, await find(provider).keys, {
        issuer,
        audience: provider.clientId,
        maxTokenAge: LOGOUT_MAX_AGE_SECONDS,
        requiredClaims: ['jti', 'events'],
      }).catch((error: unknown) =>
        // The provider sends the token again after 503, and never after 400.
        isInvalidToken(error)
          ? refuse('INVALID_REQUEST', 'The logout token is not valid.')
          : refuseUnavailable(provider),
      )
      const { events, sub, sid, jti, nonce } = payload
      const isLogout = typeof events === 'object' && events !== null && LOGOUT_EVENT in events
      if (!isLogout || nonce !== undefined || (sub === undefined && typeof sid !== 'string'))
        return refuse('INVALID_REQUEST', 'The token is not a logout token.')
      return {
        issuer,
        subject: sub ?? null,
        providerSession: typeof sid === 'string' ? sid : null,
        tokenId: String(jti),
      }
    },
  }
}

async function discover({ issuer, clientId, clientSecret }: IdentityProvider): Promise<Configuration> {
  return discovery(issuer, clientId, clientSecret, undefined, {
    timeout: REQUEST_TIMEOUT_SECONDS,
    ...(isLoopback(issuer) && { execute: [allowInsecureRequests] }),
  })
}

/** A code or token that the provider or the library refuses is the caller's fault; an unavailable provider is not. */
function refuseProvider(provider: IdentityProvider, error: unknown): never {
  if (isUnavailable(error)) return refuseUnavailable(provider)
  return refuse(
    'INVALID_REQUEST',
    `${provider.name} did not confirm this sign-in. Start again at /auth/sign-in.`,
  )
}

function refuseUnavailable({ name }: IdentityProvider): never {
  return refuse('OVERLOADED', `${name} is unavailable. Try again in a minute.`)
}

/** `fetch` fails with a TypeError. A response with an unexpected status is the cause of the library's error. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof TypeError) return true
  if (error instanceof ResponseBodyError) return error.status >= 500
  if (!(error instanceof ClientError)) return false
  const { code, cause } = error
  return code === 'OAUTH_TIMEOUT' || (cause instanceof Response && cause.status >= 500)
}

/** The library reports keys that it cannot fetch or read as errors of its own too. */
function isInvalidToken(error: unknown): boolean {
  const fetchCodes = [errors.JOSEError.code, errors.JWKSTimeout.code, errors.JWKSInvalid.code]
  return error instanceof errors.JOSEError && !fetchCodes.includes(error.code)
}

type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string }

function toAssertion(provider: IdentityProvider, claims: Claims): Assertion {
  const { auth_time: authTime, sid } = claims
  return {
    issuer: claims.iss,
    ...toSubject(provider, claims),
    email: findVerifiedEmail(provider, claims),
    providerSession: typeof sid === 'string' ? sid : null,
    authTime: typeof authTime === 'number' ? authTime : null,
  }
}

/** The subject of Entra differs between applications, so its directory and object ids identify a person. */
function toSubject(
  { kind, name }: IdentityProvider,
  claims: Claims,
): Pick<Assertion, 'subject' | 'externalId'> {
  if (kind !== 'entra') return { subject: claims.sub, externalId: claims.sub }
  const { tid, oid } = claims
  if (typeof tid !== 'string' || typeof oid !== 'string')
    return refuse('INVALID_REQUEST', `${name} did not say who you are: the claims tid and oid are required.`)
  return { subject: `${tid}:${oid}`, externalId: oid }
}

function findVerifiedEmail(provider: IdentityProvider, claims: Claims): string | null {
  const { kind, domains, name } = provider
  // A Google account outside of a company can have an address of the company's domain.
  if (
    kind === 'google' &&
    (typeof claims['hd'] !== 'string' || !domains.includes(claims['hd'].toLowerCase()))
  )
    return refuse(
      'PERMISSION_DENIED',
      `Your ${name} account does not belong to this organization. Use your work account.`,
    )
  const { email, email_verified: verified } = claims
  if (typeof email !== 'string' || verified !== true) return null
  const address = email.toLowerCase()
  return vouchesFor(provider, address) ? address : null
}

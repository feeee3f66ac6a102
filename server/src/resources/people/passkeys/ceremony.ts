import { randomBytes } from 'node:crypto'
import { refuse } from '../../../errors.ts'
import type { SignInContext, SignInRequest } from '../../../http/sign-in.ts'
import type { RootId } from '../../../ids.ts'
import { hasBoundIssuer, readIdentityProviders } from '../sign-in/providers.ts'
import { renderCookie, takeOnce } from '../sign-in/session.ts'
import { signValue, verifyValue } from '../sign-in/signed-value.ts'

const CHALLENGE_COOKIE = '__Host-scholiast-challenge'
const CHALLENGE_SECONDS = 300
const CHALLENGE_BYTES = 32

/** What a challenge is for. `holder` is the session that started a registration; null if nobody is signed in. */
export interface ChallengeUse {
  readonly purpose: 'passkey-registration' | 'passkey-sign-in'
  readonly holder: string | null
}

interface Challenge {
  /** In base64url, as the browser returns it. */
  readonly value: string
  readonly holder: string | null
  readonly expiresAt: number
}

/** A challenge is not stored: a signed cookie carries it, so that every node can verify the response. */
export function issueChallenge({ app, now }: SignInContext, { purpose, holder }: ChallengeUse) {
  const value = randomBytes(CHALLENGE_BYTES).toString('base64url')
  const content: Challenge = { value, holder, expiresAt: now().getTime() + CHALLENGE_SECONDS * 1000 }
  const cookie = renderCookie(CHALLENGE_COOKIE, signValue(app.config.signingKeys, purpose, content), {
    sameSite: 'Strict',
    maxAgeSeconds: CHALLENGE_SECONDS,
  })
  return { bytes: new Uint8Array(Buffer.from(value, 'base64url')), headers: { 'set-cookie': cookie } }
}

/** The challenge of this browser. */
export function readChallenge(
  { app, now }: SignInContext,
  request: SignInRequest,
  { purpose, holder }: ChallengeUse,
): Challenge {
  const cookie = request.readCookie(CHALLENGE_COOKIE)
  const challenge = verifyValue<Challenge>(app.config.signingKeys, purpose, cookie, now())
  if (challenge === null || challenge.holder !== holder)
    return refuse('INVALID_REQUEST', 'The challenge is missing or has expired. Start again.')
  return challenge
}

/** Uses the challenge up, after its response is known to be right: anonymous requests write nothing. Returns false if it was used. */
export function takeChallenge({ app }: SignInContext, { value, expiresAt }: Challenge): Promise<boolean> {
  return takeOnce(app.apiPool, value, new Date(expiresAt))
}

/** Companies with a provider lock people out there, which a passkey would bypass. */
export async function refuseBoundRoot({ app }: SignInContext, root: RootId): Promise<void> {
  const providers = await readIdentityProviders(app.config.identityProvidersFile)
  if (!hasBoundIssuer(providers, root)) return
  refuse(
    'PERMISSION_DENIED',
    'Your company signs in by its identity provider, so passkeys are not allowed. Sign in there.',
  )
}

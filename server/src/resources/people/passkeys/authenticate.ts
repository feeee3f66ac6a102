import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server'
import { rootScope } from '../../../access/scope.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { ok, type Reply } from '../../../http/reply.ts'
import {
  refuseSignIn,
  runAsSignIn,
  type SignInAttempt,
  type SignInContext,
  type SignInRequest,
} from '../../../http/sign-in.ts'
import { toPublicPath } from '../../../public-url.ts'
import { readReturnPath } from '../sign-in/paths.ts'
import { startSession, USED_ALREADY } from '../sign-in/session.ts'
import { issueChallenge, readChallenge, refuseBoundRoot, takeChallenge } from './ceremony.ts'
import { createUserHandle, recordPasskeyChange } from './manage.ts'
import { AuthenticationBody } from './schema.ts'
import { findPasskeyUnscoped, type PresentedPasskey, usePasskey } from './sql.ts'

const challengeUse = { purpose: 'passkey-sign-in', holder: null } as const

/** Names no credential: the browser offers the passkeys that it has for this service. */
export async function startAuthentication(context: SignInContext): Promise<Reply> {
  const { bytes, headers } = issueChallenge(context, challengeUse)
  const options = await generateAuthenticationOptions({
    rpID: context.publicUrl.hostname,
    challenge: bytes,
    userVerification: 'required',
  })
  return { ...ok(options), headers }
}

export async function finishAuthentication(context: SignInContext, request: SignInRequest): Promise<Reply> {
  const { app, publicUrl, now } = context
  const location = toPublicPath(publicUrl, readReturnPath(request.query))
  const body = (await request.readJson(AuthenticationBody)) as AuthenticationBody
  const challenge = readChallenge(context, request, challengeUse)
  const passkey =
    (await findPasskeyUnscoped(app.authPool, Buffer.from(body.id, 'base64url'))) ??
    refusePasskey({ reason: 'unknown_passkey' })
  const { root_id: root, person_id: person } = passkey
  const who = { root, person, method: 'passkey' } as const
  const counter =
    (await verifyResponse(publicUrl, body, challenge.value, passkey)) ??
    refusePasskey({ ...who, reason: 'wrong_signature' })
  if (!passkey.active) refusePasskey({ ...who, reason: 'inactive' })
  await runAsSignIn({ ...who, reason: 'provider_required' }, () => refuseBoundRoot(context, root))
  if (!(await takeChallenge(context, challenge)))
    refuseSignIn({ ...who, reason: 'replayed' }, 'INVALID_REQUEST', USED_ALREADY)
  const at = now()
  let isCopy = false
  try {
    const signedIn = { ...who, passkey: passkey.id, authenticatedAt: at }
    const cookie = await startSession(context, request, signedIn, async (scope, tx) => {
      isCopy = !(await usePasskey(scope, tx, passkey, counter, at))
      return isCopy ? refusePasskey({ ...who, reason: 'copied_passkey' }) : []
    })
    return { status: 200, headers: { 'set-cookie': cookie }, body: { json: { location } } }
  } finally {
    if (isCopy) await recordCopy(context, request, passkey)
  }
}

/** Returns the authenticator's counter; null if the response does not prove possession of the passkey. */
async function verifyResponse(
  publicUrl: URL,
  { id, clientDataJSON, authenticatorData, signature, userHandle }: AuthenticationBody,
  challenge: string,
  { root_id, person_id, public_key }: PresentedPasskey,
): Promise<number | null> {
  if (!createUserHandle(root_id, person_id).equals(Buffer.from(userHandle, 'base64url'))) return null
  const result = await verifyAuthenticationResponse({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: publicUrl.origin,
    expectedRPID: publicUrl.hostname,
    // With 0 the library accepts every counter: the row decides, after the signature is known to be right.
    credential: { id, publicKey: new Uint8Array(public_key), counter: 0 },
    requireUserVerification: true,
    // The library throws for everything that is wrong with a response.
  }).catch(() => null)
  return result?.verified ? result.authenticationInfo.newCounter : null
}

/** A counter that did not rise: two authenticators have the same key, and one of them may be a thief's. */
async function recordCopy(
  { app, now }: SignInContext,
  { address }: SignInRequest,
  { root_id, id, person_id }: PresentedPasskey,
): Promise<void> {
  const scope = rootScope(root_id)
  const actor = { kind: 'service', id: null, address } as const
  await inTransaction(app.apiPool, scope, (tx) =>
    recordPasskeyChange({ tx, scope, actor, at: now() }, 'person_passkey_refused', person_id, {
      passkey_id: id,
    }),
  )
}

/** One message for unknown passkeys, wrong signatures, copies and deactivated people. */
function refusePasskey(attempt: Omit<SignInAttempt, 'method'>): never {
  return refuseSignIn(
    { ...attempt, method: 'passkey' },
    'UNAUTHORIZED',
    'This passkey does not sign in anybody. Use another one, or ask an admin for an invitation.',
  )
}

import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server'
import { getRequestActor } from '../../../access/audit.ts'
import { runAsCaller } from '../../../access/refusals.ts'
import { rootScope } from '../../../access/scope.ts'
import { inTransaction, readScoped } from '../../../db/transaction.ts'
import { refuse } from '../../../errors.ts'
import { refuseOldSignIn } from '../../../http/checks.ts'
import { ok, type Reply } from '../../../http/reply.ts'
import type { SignInContext, SignInRequest } from '../../../http/sign-in.ts'
import { findPerson } from '../manage.ts'
import { findSignedIn, USED_ALREADY } from '../sign-in/session.ts'
import { issueChallenge, readChallenge, refuseBoundRoot, takeChallenge } from './ceremony.ts'
import { addPasskey, createUserHandle, removePasskey } from './manage.ts'
import { RegistrationBody } from './schema.ts'
import { readPasskeys } from './sql.ts'

const RELYING_PARTY = 'Scholiast'
const DEFAULT_NAME = 'Passkey'
/** EdDSA, ES256 and RS256. Named here, because the library's default adds experimental ones of Node.js. */
const supportedAlgorithmIDs = [-8, -7, -257]

/** Needs a recent sign-in, so that a stolen cookie cannot add or remove a passkey. */
async function requireFreshSignIn(context: SignInContext, request: SignInRequest) {
  const principal = await findSignedIn(context, request)
  await runAsCaller(principal, () => refuseOldSignIn(principal))
  const { root, owner: person, credential } = principal
  return {
    principal,
    root,
    person,
    session: credential.id,
    actor: getRequestActor({ principal, address: request.address }),
  }
}

export async function startRegistration(context: SignInContext, request: SignInRequest): Promise<Reply> {
  const { principal, root, person, session } = await requireFreshSignIn(context, request)
  await runAsCaller(principal, () => refuseBoundRoot(context, root))
  const scope = rootScope(root)
  const [{ name, email }, passkeys] = await readScoped(context.app.apiPool, scope, (tx) =>
    Promise.all([findPerson(scope, tx, person), readPasskeys(scope, tx, person)]),
  )
  const { bytes, headers } = issueChallenge(context, { purpose: 'passkey-registration', holder: session })
  const options = await generateRegistrationOptions({
    rpName: RELYING_PARTY,
    rpID: context.publicUrl.hostname,
    userName: email ?? name,
    userDisplayName: name,
    userID: new Uint8Array(createUserHandle(root, person)),
    challenge: bytes,
    attestationType: 'none',
    supportedAlgorithmIDs,
    excludeCredentials: passkeys.map(({ credential_id, transports }) => ({
      id: credential_id.toString('base64url'),
      transports,
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return { ...ok(options), headers }
}

export async function finishRegistration(context: SignInContext, request: SignInRequest): Promise<Reply> {
  const { app, publicUrl, now } = context
  const { principal, root, person, session, actor } = await requireFreshSignIn(context, request)
  await runAsCaller(principal, () => refuseBoundRoot(context, root))
  const body = (await request.readJson(RegistrationBody)) as RegistrationBody
  const challenge = readChallenge(context, request, { purpose: 'passkey-registration', holder: session })
  const credential = await verifyCredential(publicUrl, body, challenge.value)
  if (!(await takeChallenge(context, challenge))) refuse('INVALID_REQUEST', USED_ALREADY)
  const { name = DEFAULT_NAME, transports } = body
  const scope = rootScope(root)
  const at = now()
  const id = await inTransaction(app.apiPool, scope, (tx) =>
    addPasskey({ tx, scope, actor, at }, { person, name, transports, ...credential }),
  )
  return { status: 201, body: { json: { id, name, created_at: at.toISOString(), last_used_at: null } } }
}

async function verifyCredential(publicUrl: URL, body: RegistrationBody, challenge: string) {
  const { id, clientDataJSON, attestationObject } = body
  const { registrationInfo } = await verifyRegistrationResponse({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      response: { clientDataJSON, attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: publicUrl.origin,
    expectedRPID: publicUrl.hostname,
    supportedAlgorithmIDs,
    requireUserVerification: true,
    // The library throws for everything that is wrong with a response.
  }).catch(() => ({ registrationInfo: undefined }))
  if (registrationInfo === undefined)
    return refuse('INVALID_REQUEST', 'The passkey could not be verified. Start the registration again.')
  const { credential } = registrationInfo
  return {
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
  }
}

export async function listOwnPasskeys(context: SignInContext, request: SignInRequest): Promise<Reply> {
  const { root, owner } = await findSignedIn(context, request)
  const scope = rootScope(root)
  const passkeys = await readScoped(context.app.apiPool, scope, (tx) => readPasskeys(scope, tx, owner))
  return ok({
    data: passkeys.map(({ id, name, created_at, last_used_at }) => ({ id, name, created_at, last_used_at })),
  })
}

export async function removeOwnPasskey(context: SignInContext, request: SignInRequest): Promise<Reply> {
  const { root, person, actor } = await requireFreshSignIn(context, request)
  const scope = rootScope(root)
  await inTransaction(context.app.apiPool, scope, (tx) =>
    removePasskey({ tx, scope, actor, at: context.now() }, person, request.params['id'] ?? ''),
  )
  return { status: 204, body: null }
}

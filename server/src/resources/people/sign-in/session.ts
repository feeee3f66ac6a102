import { hash } from 'node:crypto'
import type { Actor, AuditEntry } from '../../../access/audit.ts'
import { auditChange, auditChanges, type ChangeEntry } from '../../../access/change-context.ts'
import { hashKey } from '../../../access/key-format.ts'
import type { Principal } from '../../../access/principal.ts'
import { rootScope, type Scope } from '../../../access/scope.ts'
import { ABSOLUTE_HOURS, createSessionValue, SESSION_COOKIE } from '../../../access/session.ts'
import type { Pool } from '../../../db/connect.ts'
import { inTransaction, type Tx } from '../../../db/transaction.ts'
import { refuse } from '../../../errors.ts'
import { refuseSignIn, type SignInContext, type SignInRequest } from '../../../http/sign-in.ts'
import { newId, type PersonId, type RootId, type SessionId } from '../../../ids.ts'
import {
  findSessionByHashUnscoped,
  insertSession,
  isNonceUsed,
  type NewSessionRow,
  type SessionRef,
  updateEnded,
  useNonce,
} from './sql.ts'

export interface SignedIn {
  readonly root: RootId
  readonly person: PersonId
  readonly method: NewSessionRow['method']
  readonly issuer?: string
  readonly subject?: string
  readonly providerSession?: string | null
  /** The passkey that the person signed in with. The session ends with it. */
  readonly passkey?: string
  /** When the person proved who they are, from which a fresh sign-in counts; null if nothing says so. */
  readonly authenticatedAt: Date | null
  /** Whether that time is only the one at which the provider was asked for a new sign-in. */
  readonly unproven?: boolean
  /** The browser's session when the sign-in started, if the request that ends it may come without its cookie. */
  readonly replaced?: SessionRef | null
}

/**
 * Starts a session with a new value, so that nobody can plant one, and ends the session that the browser had. `before`
 * runs in the same transaction. Returns the header Set-Cookie.
 */
export async function startSession(
  { app, now }: SignInContext,
  request: SignInRequest,
  signedIn: SignedIn,
  before: (scope: Scope, tx: Tx) => Promise<readonly AuditEntry[]> = () => Promise.resolve([]),
): Promise<string> {
  const { root, person, method, issuer = null, subject = null, providerSession = null } = signedIn
  for (const session of [signedIn.replaced, await findCurrentSession({ app }, request)])
    if (session) await endSession(app.apiPool, session.root_id, session.id, toActor(session, request), now())
  const at = now()
  const value = createSessionValue()
  const id = newId<SessionId>()
  const scope = rootScope(root)
  await inTransaction(app.apiPool, scope, async (tx) => {
    const entries = await before(scope, tx)
    const created = await insertSession(scope, tx, {
      id,
      hash: hashKey(value),
      person,
      method,
      issuer,
      subject,
      providerSession,
      passkey: signedIn.passkey ?? null,
      userAgent: request.userAgent,
      authenticatedAt: signedIn.authenticatedAt,
      createdAt: at,
      expiresAt: new Date(at.getTime() + ABSOLUTE_HOURS * 3_600_000),
    })
    if (!created)
      refuseSignIn(
        { method, root, person, issuer, reason: 'inactive' },
        'PERMISSION_DENIED',
        'Your account is deactivated. Ask an admin of your organization.',
      )
    const metadata = { method, issuer, ...(signedIn.unproven && { fresh: 'unproven' }) }
    const actor = { kind: 'person', id: person, session: id, address: request.address } as const
    const entry = toSessionEntry('session_started', { id, person }, metadata)
    await auditChanges({ tx, scope, actor, at }, [...entries, entry])
  })
  return renderCookie(SESSION_COOKIE, value, { sameSite: 'Strict', maxAgeSeconds: ABSOLUTE_HOURS * 3600 })
}

/** The person of the request's session; refuses with 401 if nobody is signed in. */
export async function findSignedIn(
  { app }: Pick<SignInContext, 'app'>,
  request: SignInRequest,
): Promise<Principal & { readonly kind: 'person' }> {
  const principal = await app.authenticateSession(request.readCookie(SESSION_COOKIE) ?? '', null)
  if (principal.kind !== 'person') throw new Error('A session without an organization is a person.')
  return principal
}

/** The session of the browser; null if the request carries none. */
export async function findCurrentSession(
  { app }: Pick<SignInContext, 'app'>,
  request: SignInRequest,
): Promise<SessionRef | null> {
  const value = request.readCookie(SESSION_COOKIE)
  return value === undefined ? null : findSessionByHashUnscoped(app.authPool, hashKey(value))
}

/** Ends the session of the browser, if it has one. */
export async function endCurrentSession(
  { app, now }: Pick<SignInContext, 'app' | 'now'>,
  request: SignInRequest,
): Promise<void> {
  const found = await findCurrentSession({ app }, request)
  if (found !== null) await endSession(app.apiPool, found.root_id, found.id, toActor(found, request), now())
}

function toActor({ person_id: id }: SessionRef, { address }: SignInRequest): Actor {
  return { kind: 'person', id, address }
}

export async function endSession(
  pool: Pool,
  root: RootId,
  id: SessionId,
  actor: Actor,
  at: Date,
): Promise<void> {
  const scope = rootScope(root)
  await inTransaction(pool, scope, async (tx) => {
    const person = await updateEnded(scope, tx, id, at)
    if (person === null) return
    await auditChange({ tx, scope, actor, at }, toSessionEntry('session_ended', { id, person }, {}))
  })
}

export function toSessionEntry(
  action: 'session_started' | 'session_ended',
  { id, person }: { readonly id: SessionId; readonly person: PersonId },
  metadata: AuditEntry['metadata'],
): ChangeEntry {
  return {
    action,
    resourceId: id,
    organization: null,
    metadata: { ...metadata, person_id: person },
    person,
  }
}

/** Returns false if the value was used before. */
export function takeOnce(pool: Pool, value: string, expiresAt: Date): Promise<boolean> {
  return useNonce(pool, hash('sha256', value, 'buffer'), expiresAt)
}

export function wasTaken(pool: Pool, value: string): Promise<boolean> {
  return isNonceUsed(pool, hash('sha256', value, 'buffer'))
}

export const USED_ALREADY = 'This sign-in was used already. Start again at /auth/sign-in.'

/** Does work that can be repeated, and only then marks the value as used, so that work that failed can be tried again. */
export async function finishOnce(
  pool: Pool,
  value: string,
  expiresAt: Date,
  work: () => Promise<void>,
): Promise<void> {
  if (await wasTaken(pool, value)) refuse('INVALID_REQUEST', 'This token was used already.')
  await work()
  await takeOnce(pool, value, expiresAt)
}

export function renderCookie(
  name: `__Host-${string}`,
  value: string,
  { sameSite, maxAgeSeconds }: { readonly sameSite: 'Strict' | 'Lax'; readonly maxAgeSeconds: number },
): string {
  return `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=${sameSite}; Max-Age=${maxAgeSeconds}`
}

import type { AuditEntry } from '../../../access/audit.ts'
import type { Scope } from '../../../access/scope.ts'
import type { Tx } from '../../../db/transaction.ts'
import { refuse } from '../../../errors.ts'
import type { SignInContext, SignInRequest } from '../../../http/sign-in.ts'
import type { PersonId, RootId } from '../../../ids.ts'
import { findAccountHolder } from '../sign-in/find-person.ts'
import type { Assertion } from '../sign-in/oidc.ts'
import type { IdentityProvider } from '../sign-in/providers.ts'
import { renderCookie } from '../sign-in/session.ts'
import { signValue, verifyValue } from '../sign-in/signed-value.ts'
import { redeemLink } from './manage.ts'
import { findLinkUnscoped } from './sql.ts'

// Where the company signs in by its provider, an invitation is redeemed at the end of that sign-in. Until then a signed
// cookie carries it. It is Lax, because the provider sends the browser back from another site.

const INVITATION_COOKIE = '__Host-scholiast-invitation'
const INVITATION_SECONDS = 600

interface CarriedInvitation {
  readonly hash: string
  readonly expiresAt: number
}

/** Returns the header Set-Cookie. */
export function carryInvitation({ app, now }: SignInContext, hash: Buffer): string {
  const expiresAt = now().getTime() + INVITATION_SECONDS * 1000
  const content: CarriedInvitation = { hash: hash.toString('base64url'), expiresAt }
  return renderCookie(INVITATION_COOKIE, signValue(app.config.signingKeys, 'invitation', content), {
    sameSite: 'Lax',
    maxAgeSeconds: INVITATION_SECONDS,
  })
}

interface Invitation {
  readonly root: RootId
  readonly person: PersonId
  readonly hash: Buffer
}

/** An invitation to one of these roots that this browser accepted within the last minutes. */
export async function findInvitation(
  { app, now }: SignInContext,
  request: SignInRequest,
  roots: readonly RootId[],
): Promise<Invitation | null> {
  const cookie = request.readCookie(INVITATION_COOKIE)
  const content = verifyValue<CarriedInvitation>(app.config.signingKeys, 'invitation', cookie, now())
  if (content === null) return null
  const hash = Buffer.from(content.hash, 'base64url')
  const link = await findLinkUnscoped(app.authPool, hash, now())
  if (link?.purpose !== 'invitation' || !link.usable || !link.active) return null
  if (!roots.includes(link.root_id)) return null
  return { root: link.root_id, person: link.person_id, hash }
}

interface InvitedAccount {
  readonly provider: Pick<IdentityProvider, 'domains' | 'exclusiveRoots'>
  readonly assertion: Pick<Assertion, 'issuer' | 'subject' | 'externalId'>
  readonly address: string
}

/** Uses the invitation up and returns its audit rows. An account of somebody else stays theirs. */
export async function acceptInvitation(
  scope: Scope,
  tx: Tx,
  { hash, person }: Invitation,
  { provider, assertion, address }: InvitedAccount,
  at: Date,
): Promise<readonly AuditEntry[]> {
  const holder = await findAccountHolder(scope, tx, provider, assertion)
  if (holder !== null && holder.person_id !== person) {
    refuse(
      'PERMISSION_DENIED',
      'Your account is linked to somebody else than the invited person. Ask for an invitation of your own, or ask the operator to merge the two records.',
    )
  }
  const redeemed = await redeemLink(scope, tx, { hash, address, purpose: 'invitation' }, at)
  return redeemed === null
    ? refuse('PERMISSION_DENIED', 'The invitation was used already. Ask for a new one.')
    : [redeemed]
}

import type { AuditEntry } from '../../../access/audit.ts'
import { rootScope, type Scope } from '../../../access/scope.ts'
import type { Pool } from '../../../db/connect.ts'
import { readScoped, type Tx } from '../../../db/transaction.ts'
import { refuse } from '../../../errors.ts'
import type { PersonId, RootId } from '../../../ids.ts'
import { findPersonByExternalId } from '../scim/sql.ts'
import type { Assertion } from './oidc.ts'
import { type IdentityProvider, vouchesFor } from './providers.ts'
import { type FoundPerson, findIdentity, findPersonByEmail, linkIdentity, lockPerson } from './sql.ts'

export interface Match {
  readonly root: RootId
  readonly person: PersonId
}

/**
 * Finds the people whom an assertion is about, at most one in each of the roots: by the identity that was linked before, by
 * the id that SCIM sent, else by the verified e-mail address.
 */
export async function findPeople(
  pool: Pool,
  provider: IdentityProvider,
  roots: readonly RootId[],
  assertion: Assertion,
): Promise<readonly Match[]> {
  const matches: Match[] = []
  const refusals = new Set<'inactive' | 'taken'>()
  for (const root of roots) {
    const scope = rootScope(root)
    const found = await readScoped(pool, scope, (tx) => findInRoot(scope, tx, provider, assertion))
    if (found === null) continue
    // An address that was given to somebody else must not open the account of its former holder.
    if (found.linked) refusals.add('taken')
    else if (found.active) matches.push({ root, person: found.person_id })
    else refusals.add('inactive')
  }
  if (matches.length > 0) return matches
  if (refusals.has('inactive'))
    return refuse('PERMISSION_DENIED', 'Your account is deactivated. Ask an admin of your organization.')
  if (refusals.has('taken'))
    return refuse(
      'PERMISSION_DENIED',
      'Another account of your identity provider is linked to your e-mail address. Ask the operator to merge or unlink them.',
    )
  return refuse(
    'PERMISSION_DENIED',
    `Nobody here is linked to your ${provider.name} account. Ask an admin for an invitation, or sign in with your work account.`,
  )
}

/** `linked`: found by an e-mail address whose holder has another account of the issuer. */
async function findInRoot(
  scope: Scope,
  tx: Tx,
  provider: IdentityProvider,
  assertion: Assertion,
): Promise<(FoundPerson & { readonly linked: boolean }) | null> {
  const { issuer, email } = assertion
  const holder = await findAccountHolder(scope, tx, provider, assertion)
  if (holder !== null) return { ...holder, linked: false }
  return email === null ? null : findPersonByEmail(scope, tx, email, issuer)
}

/** The person of the provider's account: by the identity that was linked before, else by the id that SCIM sent. */
export async function findAccountHolder(
  scope: Scope,
  tx: Tx,
  provider: Pick<IdentityProvider, 'domains' | 'exclusiveRoots'>,
  { issuer, subject, externalId }: Pick<Assertion, 'issuer' | 'subject' | 'externalId'>,
): Promise<FoundPerson | null> {
  const linked = await findIdentity(scope, tx, issuer, subject)
  if (linked !== null) return linked
  const provisioned = await findPersonByExternalId(scope, tx, externalId)
  if (provisioned === null) return null
  // Ids of two issuers can be equal. Where a root has several, the person must belong to a domain of this one.
  const { email } = provisioned
  const isOwn =
    provider.exclusiveRoots.includes(scope.root) || (email !== null && vouchesFor(provider, email))
  return isOwn ? provisioned : null
}

/** Refuses if the account no longer leads to the person: SCIM may have changed it since it was found. */
export async function confirmMatch(
  scope: Scope,
  tx: Tx,
  provider: IdentityProvider,
  assertion: Assertion,
  person: PersonId,
): Promise<void> {
  await lockPerson(scope, tx, person)
  const found = await findInRoot(scope, tx, provider, assertion)
  if (found?.person_id !== person || found.linked)
    refuse('PERMISSION_DENIED', 'Your account was changed while you signed in. Sign in again.')
}

/** Remembers who the subject is. Returns the audit entry of a new link. */
export async function recordIdentity(
  scope: Scope,
  tx: Tx,
  { issuer, subject }: Assertion,
  person: PersonId,
  address: string,
  at: Date,
): Promise<readonly AuditEntry[]> {
  if (!(await linkIdentity(scope, tx, { issuer, subject, person }, at))) return []
  return [
    {
      action: 'person_identity_linked',
      resourceId: person,
      organization: null,
      actor: { kind: 'person', id: person, address },
      metadata: { issuer },
      personal: { subject },
      person,
    },
  ]
}

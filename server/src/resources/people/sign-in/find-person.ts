import type { AuditEntry } from '../../../access/audit.ts'
import { rootScope, type Scope } from '../../../access/scope.ts'
import type { Pool } from '../../../db/connect.ts'
import { readScoped, type Tx } from '../../../db/transaction.ts'
import { refuse } from '../../../errors.ts'
import type { PersonId, RootId } from '../../../ids.ts'
import { findPersonByExternalId } from '../scim/sql.ts'
import type { Assertion } from './oidc.ts'
import type { IdentityProvider } from './providers.ts'
import { type FoundPerson, findIdentity, findPersonByEmail, linkIdentity } from './sql.ts'

export interface Match {
  readonly root: RootId
  readonly person: PersonId
}

/**
 * Finds the people whom an assertion is about, at most one in each root that the issuer is bound to: by the identity that
 * was linked before, by the id that SCIM sent, else by the verified e-mail address.
 */
export async function findPeople(
  pool: Pool,
  { roots, name }: IdentityProvider,
  assertion: Assertion,
): Promise<readonly Match[]> {
  const matches: Match[] = []
  let isInactive = false
  for (const root of roots) {
    const scope = rootScope(root)
    const found = await readScoped(pool, scope, (tx) => findInRoot(scope, tx, assertion))
    if (found === null) continue
    if (found.active) matches.push({ root, person: found.person_id })
    else isInactive = true
  }
  if (matches.length > 0) return matches
  if (isInactive)
    return refuse('PERMISSION_DENIED', 'Your account is deactivated. Ask an admin of your organization.')
  return refuse(
    'PERMISSION_DENIED',
    `Nobody here is linked to your ${name} account. Ask an admin for an invitation, or sign in with your work account.`,
  )
}

async function findInRoot(
  scope: Scope,
  tx: Tx,
  { issuer, subject, externalId, email }: Assertion,
): Promise<FoundPerson | null> {
  const linked = await findIdentity(scope, tx, issuer, subject)
  if (linked !== null) return linked
  const provisioned = await findPersonByExternalId(scope, tx, externalId)
  if (provisioned !== null) return { person_id: provisioned.id, active: provisioned.active }
  if (email === null) return null
  const person = await findPersonByEmail(scope, tx, email, issuer)
  if (person?.linked) {
    // An address that was given to somebody else must not open the account of its former holder.
    return refuse(
      'PERMISSION_DENIED',
      'Another account of your identity provider is linked to your e-mail address. Ask the operator to merge or unlink them.',
    )
  }
  return person
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
      resourceType: 'person',
      resourceId: person,
      organization: null,
      actor: { kind: 'person', id: person, address },
      metadata: { issuer },
      personal: { subject },
      person,
    },
  ]
}

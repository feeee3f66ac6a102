import type { ActionOf } from '../../../access/audit/catalogue.ts'
import type { Actor, AuditEntry } from '../../../access/audit.ts'
import { auditChange, type ChangeContext, toPersonEntry } from '../../../access/change-context.ts'
import { createSecret, hashKey, isWellFormedSecret } from '../../../access/key-format.ts'
import type { Scope } from '../../../access/scope.ts'
import type { Tx } from '../../../db/transaction.ts'
import { refuseOperation } from '../../../errors.ts'
import { newId } from '../../../ids.ts'
import { findPerson } from '../manage.ts'
import type { Person } from '../sql.ts'
import { type LinkPurpose, replaceLink, useLink } from './sql.ts'

const PREFIX = 'sch_lnk_'

export interface NewLink {
  /** Shown once; only its hash is stored. */
  readonly value: string
  readonly person: Person
  readonly expiresAt: Date
}

const createdActions = {
  sign_in: 'person_sign_in_link_created',
  invitation: 'person_invited',
} as const satisfies Record<LinkPurpose, ActionOf<'person'>>

const usedActions = {
  sign_in: 'person_sign_in_link_used',
  invitation: 'person_invitation_accepted',
} as const satisfies Record<LinkPurpose, ActionOf<'person'>>

/** Creates a link that works once. The person's earlier link of this purpose no longer works. */
export async function createLink(
  change: ChangeContext,
  idOrEmail: string,
  { purpose, minutes }: { readonly purpose: LinkPurpose; readonly minutes: number },
): Promise<NewLink> {
  const { scope, tx, at } = change
  const person = await findPerson(scope, tx, idOrEmail)
  if (!person.active) {
    refuseOperation(
      `${person.name} is deactivated and cannot sign in. Reactivate the person first: person reactivate.`,
    )
  }
  const value = createSecret(PREFIX)
  const expiresAt = new Date(at.getTime() + minutes * 60_000)
  const link = { id: newId(), person: person.id, purpose, hash: hashKey(value), createdAt: at, expiresAt }
  await replaceLink(scope, tx, link)
  const metadata = { link_id: link.id, expires_at: expiresAt.toISOString() }
  await auditChange(change, toPersonEntry(createdActions[purpose], person, metadata))
  return { value, person, expiresAt }
}

/** Null if the text is not a link, so that a mistyped one costs no read. */
export function hashLink(value: string): Buffer | null {
  return isWellFormedSecret(PREFIX, value) ? hashKey(value) : null
}

/** Uses the link up and returns its audit row. Null if it is unknown, used, expired or replaced, or its person is deactivated. */
export async function redeemLink(
  scope: Scope,
  tx: Tx,
  link: { readonly hash: Buffer; readonly purpose: LinkPurpose; readonly address: string },
  at: Date,
): Promise<AuditEntry | null> {
  const used = await useLink(scope, tx, link, at)
  if (used === null) return null
  const person = await findPerson(scope, tx, used.person_id)
  const actor: Actor = { kind: 'person', id: person.id, address: link.address }
  return { ...toPersonEntry(usedActions[link.purpose], person, { link_id: used.id }), actor }
}

import {
  auditChanges,
  type ChangeContext,
  type ChangeEntry,
  toPersonEntry,
} from '../../../access/change-context.ts'
import { refuse } from '../../../errors.ts'
import { isUuid, newId, type PersonId, type RootId } from '../../../ids.ts'
import { findPerson } from '../manage.ts'
import { toSessionEntry } from '../sign-in/session.ts'
import { deletePasskey, endSessionsOfPasskey, insertPasskey, type NewPasskey } from './sql.ts'

const MAX_PASSKEYS = 20

/** Identifies the person to an authenticator: 32 bytes, nothing personal. */
export function createUserHandle(root: RootId, person: PersonId): Buffer {
  return Buffer.from(`${root}${person}`.replaceAll('-', ''), 'hex')
}

export async function addPasskey(
  change: ChangeContext,
  passkey: Omit<NewPasskey, 'id' | 'createdAt'>,
): Promise<string> {
  const stored = { ...passkey, id: newId(), createdAt: change.at }
  if (!(await insertPasskey(change.scope, change.tx, stored, MAX_PASSKEYS))) {
    refuse(
      'INVALID_REQUEST',
      `This passkey is registered already, or you have ${MAX_PASSKEYS} passkeys. Remove one that you no longer use.`,
    )
  }
  await recordPasskeyChange(change, 'person_passkey_added', passkey.person, { passkey_id: stored.id })
  return stored.id
}

/** Ends the sessions that it started too. Refuses an id that is not one of the person's own passkeys. */
export async function removePasskey(change: ChangeContext, person: PersonId, id: string): Promise<void> {
  const { scope, tx, at } = change
  if (!isUuid(id) || !(await deletePasskey(scope, tx, person, id)))
    refuse('NOT_FOUND', 'You have no passkey with this id. GET /auth/passkeys lists yours.')
  const sessions = await endSessionsOfPasskey(scope, tx, person, id, at)
  const ended = sessions.map((session) =>
    toSessionEntry('session_ended', { id: session, person }, { passkey_id: id }),
  )
  await recordPasskeyChange(change, 'person_passkey_removed', person, { passkey_id: id }, ended)
}

export async function recordPasskeyChange(
  change: ChangeContext,
  action: `person_passkey_${'added' | 'removed' | 'refused'}`,
  person: PersonId,
  metadata: { readonly passkey_id: string },
  more: readonly ChangeEntry[] = [],
): Promise<void> {
  const found = await findPerson(change.scope, change.tx, person)
  await auditChanges(change, [toPersonEntry(action, found, metadata), ...more])
}

import type { Scope } from '../../../access/scope.ts'
import { type Pool, statement } from '../../../db/connect.ts'
import { namedStatement } from '../../../db/named-statement.ts'
import { renderUtc } from '../../../db/sql-text.ts'
import { runUnscoped, type Tx } from '../../../db/transaction.ts'
import type { PersonId, RootId, SessionId } from '../../../ids.ts'

export interface Passkey {
  readonly id: string
  readonly name: string
  readonly created_at: string
  readonly last_used_at: string | null
}

export interface PresentedPasskey {
  readonly root_id: RootId
  readonly id: string
  readonly person_id: PersonId
  readonly public_key: Buffer
  readonly counter: number
  /** Whether the person may sign in. */
  readonly active: boolean
}

const create = namedStatement(
  'people.create-passkey',
  `insert into passkey (root_id, id, person_id, credential_id, public_key, counter, transports, name, created_at)
   select :root, :id, p.id, :credentialId, :publicKey, :counter, :transports::text[], :name, :createdAt from person p
   where p.root_id = :root and p.id = :person and p.active
     and (select count(*) from passkey k where k.root_id = :root and k.person_id = :person) < :maxPerPerson
   on conflict (credential_id) do nothing
   returning id`,
)

const list = statement(
  'people.list-passkeys',
  `select id, name, ${renderUtc('created_at')} as created_at, ${renderUtc('last_used_at')} as last_used_at,
     credential_id, transports
   from passkey where root_id = $1 and person_id = $2 order by id`,
)

const remove = statement(
  'people.delete-passkey',
  'delete from passkey where root_id = $1 and person_id = $2 and id = $3 returning id',
)

const endSessions = statement(
  'people.end-sessions-of-passkey',
  `update session set ended_at = $4 where root_id = $1 and person_id = $2 and passkey_id = $3 and ended_at is null
   returning id`,
)

// Unscoped, because the passkey determines the root; it runs as the role that can read only keys.
const find = statement(
  'people.find-passkey',
  `select k.root_id, k.id, k.person_id, k.public_key, k.counter, p.active
   from passkey k join person p on p.root_id = k.root_id and p.id = k.person_id
   where k.credential_id = $1`,
)

const use = statement(
  'people.use-passkey',
  `update passkey k set counter = $4, last_used_at = $5
   from person p
   where k.root_id = $1 and k.id = $2 and k.person_id = $3 and (k.counter < $4 or (k.counter = 0 and $4 = 0))
     and p.root_id = k.root_id and p.id = k.person_id and p.active
   returning k.id`,
)

export interface NewPasskey {
  readonly id: string
  readonly person: PersonId
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: readonly string[]
  readonly name: string
  readonly createdAt: Date
}

/** Returns false if the credential is registered already, the person is deactivated or has the maximum number. */
export async function insertPasskey(
  scope: Scope,
  tx: Tx,
  passkey: NewPasskey,
  maxPerPerson: number,
): Promise<boolean> {
  const values = create.bind(scope, { ...passkey, maxPerPerson })
  return (await tx.query(create, values)).length === 1
}

type PasskeyRow = Passkey & { readonly credential_id: Buffer; readonly transports: string[] }

export function readPasskeys(scope: Scope, tx: Tx, person: PersonId): Promise<PasskeyRow[]> {
  return tx.query<PasskeyRow>(list, [scope.root, person])
}

/** Returns false if the person has no such passkey. */
export async function deletePasskey(scope: Scope, tx: Tx, person: PersonId, id: string): Promise<boolean> {
  return (await tx.query(remove, [scope.root, person, id])).length === 1
}

/** Ends the sessions that the passkey started, and returns their ids. */
export async function endSessionsOfPasskey(
  scope: Scope,
  tx: Tx,
  person: PersonId,
  id: string,
  at: Date,
): Promise<SessionId[]> {
  const rows = await tx.query<{ id: SessionId }>(endSessions, [scope.root, person, id, at.toISOString()])
  return rows.map((row) => row.id)
}

/** Null if nobody registered the credential. */
export async function findPasskeyUnscoped(
  authPool: Pool,
  credentialId: Buffer,
): Promise<PresentedPasskey | null> {
  const [row] = await runUnscoped<PresentedPasskey>(authPool, find, [credentialId])
  return row ?? null
}

/** Stores the new counter. Returns false if it is not higher than the stored one, or the passkey is gone. */
export async function usePasskey(
  scope: Scope,
  tx: Tx,
  { id, person_id }: Pick<PresentedPasskey, 'id' | 'person_id'>,
  counter: number,
  at: Date,
): Promise<boolean> {
  return (await tx.query(use, [scope.root, id, person_id, counter, at.toISOString()])).length === 1
}

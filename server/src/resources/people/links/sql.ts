import type { Scope } from '../../../access/scope.ts'
import { type Pool, statement } from '../../../db/connect.ts'
import { runUnscoped, type Tx } from '../../../db/transaction.ts'
import type { PersonId, RootId } from '../../../ids.ts'

export type LinkPurpose = 'sign_in' | 'invitation'

export interface StoredLink {
  readonly root_id: RootId
  readonly person_id: PersonId
  readonly purpose: LinkPurpose
  /** Neither used nor expired. */
  readonly usable: boolean
  /** Whether the person may sign in. */
  readonly active: boolean
}

const replace = statement(
  'people.replace-sign-in-link',
  `insert into sign_in_link (root_id, id, person_id, purpose, hash, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (root_id, person_id, purpose) do update
     set id = excluded.id, hash = excluded.hash, created_at = excluded.created_at, expires_at = excluded.expires_at,
       used_at = null`,
)

// Unscoped, because the link determines the root; it runs as the role that can read only keys.
const find = statement(
  'people.find-sign-in-link',
  `select l.root_id, l.person_id, l.purpose, l.used_at is null and l.expires_at > $2 as usable, p.active
   from sign_in_link l join person p on p.root_id = l.root_id and p.id = l.person_id
   where l.hash = $1`,
)

// The row lock makes the link work once: a second request finds used_at set.
const use = statement(
  'people.use-sign-in-link',
  `update sign_in_link l set used_at = $4
   from person p
   where l.root_id = $1 and l.hash = $2 and l.purpose = $3 and l.used_at is null and l.expires_at > $4
     and p.root_id = l.root_id and p.id = l.person_id and p.active
   returning l.id, l.person_id`,
)

/** Stores a link in place of the person's earlier link of this purpose, which no longer works. */
export async function replaceLink(
  scope: Scope,
  tx: Tx,
  link: {
    readonly id: string
    readonly person: PersonId
    readonly purpose: LinkPurpose
    readonly hash: Buffer
    readonly createdAt: Date
    readonly expiresAt: Date
  },
): Promise<void> {
  const { id, person, purpose, hash, createdAt, expiresAt } = link
  await tx.query(replace, [
    scope.root,
    id,
    person,
    purpose,
    hash,
    createdAt.toISOString(),
    expiresAt.toISOString(),
  ])
}

/** Null if the link is unknown or replaced. */
export async function findLinkUnscoped(authPool: Pool, hash: Buffer, at: Date): Promise<StoredLink | null> {
  const [row] = await runUnscoped<StoredLink>(authPool, find, [hash, at.toISOString()])
  return row ?? null
}

/** Marks the link as used. Null if it does not work, or no longer. */
export function useLink(
  scope: Scope,
  tx: Tx,
  link: { readonly hash: Buffer; readonly purpose: LinkPurpose },
  at: Date,
): Promise<{ readonly id: string; readonly person_id: PersonId } | null> {
  return tx.first<{ id: string; person_id: PersonId }>(use, [
    scope.root,
    link.hash,
    link.purpose,
    at.toISOString(),
  ])
}

import type { Scope } from '../../../access/scope.ts'
import { type Pool, statement } from '../../../db/connect.ts'
import { namedStatement } from '../../../db/named-statement.ts'
import { renderUtc } from '../../../db/sql-text.ts'
import { runUnscoped, type Tx } from '../../../db/transaction.ts'
import type { PersonId, RootId, SessionId } from '../../../ids.ts'
import type { CurrentSession, SessionList } from './schema.ts'

export interface NewSessionRow {
  readonly id: SessionId
  readonly hash: Buffer
  readonly person: PersonId
  readonly method: 'provider' | 'passkey' | 'link'
  readonly issuer: string | null
  readonly subject: string | null
  readonly providerSession: string | null
  readonly passkey: string | null
  readonly userAgent: string
  readonly authenticatedAt: Date | null
  readonly createdAt: Date
  readonly expiresAt: Date
}

// The lock waits for a deactivation under way and sees its result, so that no session outlives it.
const create = namedStatement(
  'sign-in.create-session',
  `insert into session (root_id, id, hash, person_id, method, issuer, subject, provider_session, user_agent,
     authenticated_at, created_at, last_used_at, expires_at, passkey_id)
   select p.root_id, :id::uuid, :hash::bytea, p.id, :method::text, :issuer::text, :subject::text,
     :providerSession::text, :userAgent::text, :authenticatedAt::timestamptz, :createdAt::timestamptz,
     :createdAt::timestamptz, :expiresAt::timestamptz, :passkey::uuid
   from person p where p.root_id = :root and p.id = :person and p.active for share
   returning id`,
)

const end = statement(
  'sign-in.end-session',
  `update session set ended_at = $3 where root_id = $1 and id = $2 and ended_at is null returning person_id`,
)

const endOwn = statement(
  'sign-in.end-own-session',
  `update session set ended_at = $4 where root_id = $1 and id = $2 and person_id = $3 and ended_at is null returning id`,
)

// Unscoped, because a cookie names no root; as the role that authenticates.
const byHashUnscoped = statement(
  'sign-in.session-by-hash',
  `select root_id, id, person_id from session where hash = $1 and ended_at is null`,
)

// Unscoped, because a provider does not know our roots. A logout token names the subject, the session, or both.
const byProviderUnscoped = statement(
  'sign-in.sessions-of-subject',
  `select root_id, id, person_id from session
   where issuer = $1 and ended_at is null and ($2::text is null or subject = $2)
     and ($3::text is null or provider_session = $3)
   order by root_id, id limit 1000`,
)

const useNonceUnscoped = statement(
  'sign-in.use-nonce',
  `insert into used_nonce (hash, expires_at) values ($1, $2) on conflict do nothing returning hash`,
)

const findNonceUnscoped = statement('sign-in.find-nonce', `select hash from used_nonce where hash = $1`)

const rootName = statement('sign-in.root-name', `select name from root where id = $1`)

const identityOf = statement(
  'sign-in.identity',
  `select i.person_id, p.active from identity i join person p on p.root_id = i.root_id and p.id = i.person_id
   where i.root_id = $1 and i.issuer = $2 and i.subject = $3`,
)

const personByEmail = statement(
  'sign-in.person-by-email',
  `select p.id as person_id, p.active, exists (
     select from identity i where i.root_id = p.root_id and i.person_id = p.id and i.issuer = $3) as linked
   from person p where p.root_id = $1 and p.email = lower($2)`,
)

// Waits for a change of the person's account at the provider, whose result the next statement sees.
const lock = statement('sign-in.lock-person', `select from person where root_id = $1 and id = $2 for share`)

const upsertIdentity = statement(
  'sign-in.link-identity',
  `insert into identity (root_id, issuer, subject, person_id, linked_at, last_used_at) values ($1, $2, $3, $4, $5, $5)
   on conflict (root_id, issuer, subject) do update set last_used_at = excluded.last_used_at
   returning linked_at = last_used_at as linked_now`,
)

const sessionFacts = statement(
  'sign-in.session-facts',
  `select p.id as cr_user_id, p.name, p.email, p.workspace_admin,
     ${renderUtc(`(least(s.expires_at, s.last_used_at + interval '8 hours'))`)} as expires_at,
     ${renderUtc(`(s.authenticated_at + interval '10 minutes')`)} as fresh_until
   from session s join person p on p.root_id = s.root_id and p.id = s.person_id
   where s.root_id = $1 and s.id = $2`,
)

// A workspace admin acts in every organization of the root, member or not.
const organizationsOf = statement(
  'sign-in.organizations',
  `select o.id, o.name, o.provider, o.provider_organization_id,
     case when $3 then 'cr_admin' else coalesce(m.system_role, 'cr_member') end as role,
     coalesce(m.system_role, c.name, 'cr_admin') as role_name
   from organization o
   left join membership m on m.root_id = o.root_id and m.organization_id = o.id and m.person_id = $2
   left join custom_role c on c.root_id = m.root_id and c.organization_id = m.organization_id and c.id = m.custom_role_id
   where o.root_id = $1 and o.active and ($3 or m.person_id is not null)
   order by o.name, o.id limit $4`,
)

const sessionsOf = statement(
  'sign-in.sessions-of-person',
  `select id, method, issuer, user_agent, ${renderUtc('created_at')} as created_at, ${renderUtc('last_used_at')} as last_used_at,
     ${renderUtc(`(least(expires_at, last_used_at + interval '8 hours'))`)} as expires_at, id = $3 as current
   from session
   where root_id = $1 and person_id = $2 and ended_at is null and expires_at > now()
     and last_used_at > now() - interval '8 hours'
   order by last_used_at desc, id limit 100`,
)

/** Returns false if the person is deactivated. */
export async function insertSession(scope: Scope, tx: Tx, row: NewSessionRow): Promise<boolean> {
  return (await tx.query(create, create.bind(scope, row))).length === 1
}

/** Returns the person, or null if the session had ended. */
export async function updateEnded(scope: Scope, tx: Tx, id: SessionId, at: Date): Promise<PersonId | null> {
  const row = await tx.first<{ person_id: PersonId }>(end, [scope.root, id, at.toISOString()])
  return row?.person_id ?? null
}

/** Returns false if the person has no such session. */
export async function updateOwnEnded(
  scope: Scope,
  tx: Tx,
  id: string,
  person: PersonId,
  at: Date,
): Promise<boolean> {
  return (await tx.query(endOwn, [scope.root, id, person, at.toISOString()])).length === 1
}

export interface SessionRef {
  readonly root_id: RootId
  readonly id: SessionId
  readonly person_id: PersonId
}

export async function findSessionByHashUnscoped(authPool: Pool, hash: Buffer): Promise<SessionRef | null> {
  const [row] = await runUnscoped<SessionRef>(authPool, byHashUnscoped, [hash])
  return row ?? null
}

export function findProviderSessionsUnscoped(
  authPool: Pool,
  issuer: string,
  subject: string | null,
  providerSession: string | null,
): Promise<SessionRef[]> {
  return runUnscoped<SessionRef>(authPool, byProviderUnscoped, [issuer, subject, providerSession])
}

/** Returns false if the value was used before. */
export async function useNonce(pool: Pool, hash: Buffer, expiresAt: Date): Promise<boolean> {
  return (await runUnscoped(pool, useNonceUnscoped, [hash, expiresAt.toISOString()])).length === 1
}

export async function isNonceUsed(pool: Pool, hash: Buffer): Promise<boolean> {
  return (await runUnscoped(pool, findNonceUnscoped, [hash])).length === 1
}

export async function readRootName(scope: Scope, tx: Tx): Promise<string> {
  const row = await tx.first<{ name: string }>(rootName, [scope.root])
  return row?.name ?? scope.root
}

export interface FoundPerson {
  readonly person_id: PersonId
  readonly active: boolean
}

export function findIdentity(
  scope: Scope,
  tx: Tx,
  issuer: string,
  subject: string,
): Promise<FoundPerson | null> {
  return tx.first<FoundPerson>(identityOf, [scope.root, issuer, subject])
}

/** `linked`: the person has another identity of this issuer. */
export function findPersonByEmail(
  scope: Scope,
  tx: Tx,
  email: string,
  issuer: string,
): Promise<(FoundPerson & { readonly linked: boolean }) | null> {
  const values = [scope.root, email, issuer]
  return tx.first<FoundPerson & { readonly linked: boolean }>(personByEmail, values)
}

export async function lockPerson(scope: Scope, tx: Tx, person: PersonId): Promise<void> {
  await tx.query(lock, [scope.root, person])
}

/** Returns whether the identity is new. */
export async function linkIdentity(
  scope: Scope,
  tx: Tx,
  identity: { readonly issuer: string; readonly subject: string; readonly person: PersonId },
  at: Date,
): Promise<boolean> {
  const { issuer, subject, person } = identity
  const values = [scope.root, issuer, subject, person, at.toISOString()]
  const row = await tx.first<{ linked_now: boolean }>(upsertIdentity, values)
  return row?.linked_now ?? false
}

type SessionFacts = CurrentSession['person'] &
  Pick<CurrentSession, 'workspace_admin' | 'expires_at' | 'fresh_until'>

export function readSessionFacts(scope: Scope, tx: Tx, id: SessionId): Promise<SessionFacts> {
  return tx.one<SessionFacts>(sessionFacts, [scope.root, id])
}

export function readOrganizationsOfPerson(
  scope: Scope,
  tx: Tx,
  person: PersonId,
  workspaceAdmin: boolean,
  limit: number,
): Promise<CurrentSession['organizations']> {
  return tx.query<CurrentSession['organizations'][number]>(organizationsOf, [
    scope.root,
    person,
    workspaceAdmin,
    limit,
  ])
}

export function readSessionsOfPerson(
  scope: Scope,
  tx: Tx,
  person: PersonId,
  current: SessionId,
): Promise<SessionList['data']> {
  return tx.query<SessionList['data'][number]>(sessionsOf, [scope.root, person, current])
}

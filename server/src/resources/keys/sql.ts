import type { Permission } from '../../access/permissions.ts'
import type { RootKind } from '../../access/root.ts'
import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import { namedStatement } from '../../db/named-statement.ts'
import { renderUtc } from '../../db/sql-text.ts'
import type { Tx } from '../../db/transaction.ts'
import {
  type InstanceId,
  type KeyId,
  NIL_UUID,
  type OrganizationId,
  type PersonId,
  type SessionId,
} from '../../ids.ts'
import type { AnyKeyKind } from './request.ts'

export interface KeyRow {
  readonly id: KeyId
  readonly kind: AnyKeyKind
  readonly name: string
  readonly organization_id: OrganizationId | null
  readonly instance_id: InstanceId | null
  readonly organization_ids: readonly OrganizationId[] | null
  readonly owner_id: PersonId | null
  readonly permissions: readonly Permission[]
}

/** Without the value, which is not stored. */
export interface ListedKey extends KeyRow {
  readonly prefix: string
  readonly last_four: string
  readonly created_at: string
  readonly expires_at: string | null
  readonly revoked_at: string | null
  readonly last_used_at: string | null
  /** Only in lists. True for a key without an owner. */
  readonly owner_active?: boolean
}

/** With the name of the owner and the provider's id of the organization. */
export interface KeyDetailsRow extends ListedKey {
  readonly owner_name: string | null
  readonly org_id: string | null
}

export type NewKeyRow = KeyRow & {
  readonly hash: Buffer
  readonly prefix: string
  readonly lastFour: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
}

const iso = (column: string) => `${renderUtc(column)} as ${column}`

const columns = `id, kind, name, organization_id, instance_id, organization_ids, owner_id, permissions, prefix,
  last_four, ${['created_at', 'expires_at', 'revoked_at', 'last_used_at'].map(iso).join(', ')}`

// A key acts as its owner, so it works only while the owner is active.
const hasActiveOwner = `(owner_id is null or (
  select p.active from person p where p.root_id = api_key.root_id and p.id = api_key.owner_id))`

const detailColumns = `${columns},
  (select p.name from person p where p.root_id = api_key.root_id and p.id = api_key.owner_id) as owner_name,
  (select o.provider_organization_id from organization o
   where o.root_id = api_key.root_id and o.id = api_key.organization_id and api_key.kind <> 'instance') as org_id`

// A scope of some organizations includes only keys bound to one of them: instance keys and workspace tokens have a wider
// scope. Ingest credentials are visible to the operator only.
const visibleCondition = `root_id = $1 and kind <> 'ingest'
  and ($2::uuid[] is null or (kind <> 'instance' and organization_id = any ($2)))`

const rootFacts = statement(
  'keys.root-facts',
  `select r.kind, r.sso, s.plan from root r left join subscription s on s.root_id = r.id where r.id = $1`,
)

// Waits for a transaction that offboards the person, so that no key is created for somebody who has left.
const lockOwner = statement(
  'keys.lock-owner',
  'select id from person where root_id = $1 and id = $2 for share',
)

const ownerFacts = statement(
  'keys.owner-facts',
  `select p.active, p.workspace_admin, exists (
     select from membership m where m.root_id = p.root_id and m.organization_id = $3 and m.person_id = p.id) as member
   from person p where p.root_id = $1 and p.id = $2`,
)

const organizationFacts = statement(
  'keys.organization-facts',
  `select id, active, instance_id from organization where root_id = $1 and id = any ($2::uuid[])`,
)

const create = namedStatement(
  'keys.create',
  `insert into api_key (root_id, id, kind, name, organization_id, instance_id, organization_ids, owner_id,
     permissions, hash, prefix, last_four, created_at, expires_at)
   values (:root, :id, :kind, :name, :organization_id, :instance_id, :organization_ids, :owner_id,
     :permissions, :hash, :prefix, :lastFour, :createdAt, :expiresAt)`,
)

const lock = statement(
  'keys.lock',
  `select ${columns} from api_key where root_id = $1 and id = $2 for update`,
)

// Ordered by id, so that two requests that lock the same two keys do not deadlock.
const lockBoth = statement(
  'keys.lock-both',
  `select ${columns} from api_key
   where root_id = $1 and (id = $3 or (id = $4 and ${visibleCondition})) order by id for update`,
)

const holdSession = statement(
  'keys.lock-session',
  `select id from session where root_id = $1 and id = $2 and ended_at is null and expires_at > now() for share`,
)

const sessionDetails = statement(
  'keys.session-details',
  `select s.id, ${['created_at', 'expires_at', 'last_used_at'].map((column) => `${renderUtc(`s.${column}`)} as ${column}`).join(', ')},
     s.person_id as owner_id, (select p.name from person p where p.root_id = s.root_id and p.id = s.person_id) as owner_name
   from session s where s.root_id = $1 and s.id = $2`,
)

const keyDetails = statement(
  'keys.shown',
  `select ${detailColumns} from api_key where root_id = $1 and id = $2`,
)

const pageOfVisibleKeys = statement(
  'keys.page-in-sight',
  `select ${detailColumns} from api_key
   where ${visibleCondition} and id > $3 and revoked_at is null and (expires_at is null or expires_at > $4::timestamptz)
     and ${hasActiveOwner}
   order by id limit $5`,
)

const revoke = statement(
  'keys.revoke',
  `update api_key set revoked_at = $3 where root_id = $1 and id = $2 and revoked_at is null returning id`,
)

const expireBy = statement(
  'keys.expire-by',
  `update api_key set expires_at = least(expires_at, $3::timestamptz) where root_id = $1 and id = $2`,
)

const pageOfKeys = statement(
  'keys.page',
  `select ${columns}, ${hasActiveOwner} as owner_active from api_key
   where root_id = $1 and id > $2 and ($4::text is null or kind = $4)
     and ($5::uuid is null or organization_id = $5 or $5 = any (organization_ids))
     and ($6::uuid is null or owner_id = $6)
   order by id limit $3`,
)

/** `inactive`: the owner is deactivated. */
type KeyState = 'active' | 'inactive' | 'expired' | 'revoked'

/** A key of a list is inactive while its owner is; a key that was read alone has only its own state. */
export function getKeyState({ revoked_at, expires_at, owner_active }: ListedKey, at: Date): KeyState {
  if (revoked_at !== null) return 'revoked'
  if (expires_at !== null && new Date(expires_at) <= at) return 'expired'
  return owner_active === false ? 'inactive' : 'active'
}

export interface RootFacts {
  readonly kind: string
  readonly sso: boolean
  readonly plan: string | null
}

export interface OwnerFacts {
  readonly active: boolean
  readonly workspace_admin: boolean
  readonly member: boolean
}

export interface OrganizationFacts {
  readonly id: OrganizationId
  readonly active: boolean
  readonly instance_id: InstanceId | null
}

export function readRootFacts(scope: Scope, tx: Tx): Promise<RootFacts | null> {
  return tx.first<RootFacts>(rootFacts, [scope.root])
}

export async function readOwnerFacts(
  scope: Scope,
  tx: Tx,
  owner: PersonId,
  organization: OrganizationId | null,
): Promise<OwnerFacts | null> {
  // Both are sent at once and run in this order.
  const [, [facts]] = await Promise.all([
    tx.query(lockOwner, [scope.root, owner]),
    tx.query<OwnerFacts>(ownerFacts, [scope.root, owner, organization]),
  ])
  return facts ?? null
}

export function readOrganizationFacts(
  scope: Scope,
  tx: Tx,
  ids: readonly OrganizationId[],
): Promise<OrganizationFacts[]> {
  return tx.query<OrganizationFacts>(organizationFacts, [scope.root, ids])
}

export async function insertKey(scope: Scope, tx: Tx, row: NewKeyRow): Promise<void> {
  await tx.query(create, create.bind(scope, row))
}

/** Locks the key against rotation and revocation until the transaction ends. */
export function lockKey(scope: Scope, tx: Tx, id: KeyId): Promise<ListedKey | null> {
  return tx.first<ListedKey>(lock, [scope.root, id])
}

/** Locks the calling key, and another one if it is visible to the caller. */
export async function lockKeys(
  scope: Scope,
  tx: Tx,
  own: KeyId | null,
  other: KeyId | null,
): Promise<{ own: ListedKey | null; other: ListedKey | null }> {
  const values = [scope.root, scope.organizations, own, other]
  const rows = await tx.query<ListedKey>(lockBoth, values)
  const find = (id: KeyId | null) => rows.find((row) => row.id === id) ?? null
  return { own: find(own), other: find(other) }
}

/** Returns false if the session has ended. The person cannot sign out until the transaction ends. */
export async function lockSession(scope: Scope, tx: Tx, id: SessionId): Promise<boolean> {
  return (await tx.query(holdSession, [scope.root, id])).length === 1
}

type SessionDetails = Pick<
  KeyDetailsRow,
  'created_at' | 'expires_at' | 'last_used_at' | 'owner_id' | 'owner_name'
> & { readonly id: SessionId }

export function readSessionDetails(scope: Scope, tx: Tx, id: SessionId): Promise<SessionDetails | null> {
  return tx.first<SessionDetails>(sessionDetails, [scope.root, id])
}

export function readKeyDetails(scope: Scope, tx: Tx, id: KeyId): Promise<KeyDetailsRow | null> {
  return tx.first<KeyDetailsRow>(keyDetails, [scope.root, id])
}

/** Keys that are neither revoked nor expired, and whose owner is active. */
export function readVisibleKeys(
  scope: Scope,
  tx: Tx,
  after: string | null,
  at: Date,
  limit: number,
): Promise<KeyDetailsRow[]> {
  const values = [scope.root, scope.organizations, after ?? NIL_UUID, at.toISOString(), limit]
  return tx.query<KeyDetailsRow>(pageOfVisibleKeys, values)
}

/** Returns false if the key was already revoked. */
export async function markRevoked(scope: Scope, tx: Tx, id: KeyId, at: Date): Promise<boolean> {
  return (await tx.query(revoke, [scope.root, id, at.toISOString()])).length === 1
}

export async function limitExpiry(scope: Scope, tx: Tx, id: KeyId, expiresAt: Date): Promise<void> {
  await tx.query(expireBy, [scope.root, id, expiresAt.toISOString()])
}

export interface KeyPage {
  readonly after: string | null
  readonly limit: number
  readonly kind: AnyKeyKind | null
  readonly organization: OrganizationId | null
  readonly owner: PersonId | null
}

/** Keys of a root by id, including revoked and expired ones. */
export function readKeys(scope: Scope, tx: Tx, page: KeyPage): Promise<ListedKey[]> {
  const { after, limit, kind, organization, owner } = page
  const values = [scope.root, after ?? NIL_UUID, limit, kind, organization, owner]
  return tx.query<ListedKey>(pageOfKeys, values)
}

const organizationInScope = `root_id = $1 and active and ($2::uuid[] is null or id = any ($2))
  and ($3::uuid is null or instance_id = $3)`

const selectTenantRoot = statement('keys.self-root', `select id, kind, name from root where id = $1`)

const countOrganizations = statement(
  'keys.self-count',
  `select count(*)::int as count from organization where ${organizationInScope}`,
)

const selectOrganizations = statement(
  'keys.self-first',
  `select id, name, provider, provider_organization_id from organization where ${organizationInScope} order by id limit 100`,
)

export function readTenantRoot(scope: Scope, tx: Tx) {
  return tx.one<{ id: string; kind: RootKind; name: string }>(selectTenantRoot, [scope.root])
}

/** The number of active organizations in the scope, and the first of them. */
export async function readVisibleOrganizations(scope: Scope, tx: Tx) {
  const values = [scope.root, scope.organizations, scope.instance]
  const [[counted], rows] = await Promise.all([
    tx.query<{ count: number }>(countOrganizations, values),
    tx.query<Record<'id' | 'name' | 'provider' | 'provider_organization_id', string>>(
      selectOrganizations,
      values,
    ),
  ])
  return { count: counted?.count ?? 0, first: rows }
}

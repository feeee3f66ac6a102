import { auditChange, type ChangeContext, type ChangeEntry } from '../../access/change-context.ts'
import { signIngestCredential } from '../../access/ingest-credential.ts'
import { createKeyValue, describeKey, hashKey } from '../../access/key-format.ts'
import { allPermissions } from '../../access/permissions.ts'
import { type EventType, emit } from '../../bus/emit.ts'
import type { KeyRing } from '../../config.ts'
import { refuse } from '../../errors.ts'
import { type KeyId, newId } from '../../ids.ts'
import { MAX_TIME_MS } from '../../shape.ts'
import { DAY_MS } from '../../time.ts'
import type { AnyKeyKind, IssuedKey, KeyRequest } from './request.ts'
import { checkKeyRules } from './rules.ts'
import { insertKey, type KeyRow, type ListedKey, limitExpiry, lockKey, markRevoked } from './sql.ts'

const MAX_OVERLAP_DAYS = 7

export interface Rotation {
  /** How long the old key stays valid; 0 revokes it immediately. */
  readonly overlapDays: number
  /** Default: the lifetime of the old key, counted from now. */
  readonly expiresAt?: Date | undefined
  /** Upper bound of the default expiry. */
  readonly notAfter?: Date | null
  /** Required to sign the successor of an ingest credential. */
  readonly ring: KeyRing | null
}

/** Creates a successor with the same scope, owner and permissions. A legacy key is replaced by a user key. */
export async function rotateKey(change: ChangeContext, id: KeyId, rotation: Rotation): Promise<IssuedKey> {
  const { scope, tx, at } = change
  const { overlapDays } = rotation
  if (!Number.isInteger(overlapDays) || overlapDays < 0 || overlapDays > MAX_OVERLAP_DAYS) {
    refuse('INVALID_REQUEST', `The overlap must be a whole number of days from 0 to ${MAX_OVERLAP_DAYS}.`)
  }
  const old = await lockKey(scope, tx, id)
  if (old === null) return refuse('NOT_FOUND', `The tenant root has no key with the id ${id}.`)
  refuseInactiveKey(old, at)
  const { issued, row } = await storeKey(change, toSuccessorRequest(old, rotation, at))
  const overlapEnd = new Date(at.getTime() + overlapDays * DAY_MS)
  if (overlapDays === 0) await markRevoked(scope, tx, id, at)
  else await limitExpiry(scope, tx, id, overlapEnd)
  await recordKeyChange(
    change,
    'key.rotated',
    row,
    {
      replaced_key_id: id,
      replaced_ends_at: computeReplacedExpiry(old, overlapEnd).toISOString(),
      expires_at: issued.expiresAt?.toISOString() ?? null,
    },
    {
      before: { key_id: id, expires_at: old.expires_at },
      after: { key_id: row.id, expires_at: issued.expiresAt?.toISOString() ?? null },
    },
  )
  return issued
}

function refuseInactiveKey({ expires_at, revoked_at }: ListedKey, at: Date): void {
  if (revoked_at !== null) refuse('INVALID_REQUEST', 'This key is revoked. Create a new one.')
  if (expires_at !== null && new Date(expires_at) <= at) {
    refuse('INVALID_REQUEST', 'This key has expired. Create a new one.')
  }
}

function toSuccessorRequest(old: ListedKey, { expiresAt, notAfter, ring }: Rotation, at: Date): KeyRequest {
  const { name, permissions } = old
  const common = {
    name,
    permissions,
    expiresAt: expiresAt ?? pickEarlier(computeSameLifetimeExpiry(old, at), notAfter ?? null),
  }
  switch (old.kind) {
    case 'organization':
    case 'user':
    case 'agentic':
    case 'legacy': {
      const kind = old.kind === 'legacy' ? 'user' : old.kind
      return {
        ...common,
        kind,
        organization: requireValue(old.organization_id),
        owner: requireValue(old.owner_id),
      }
    }
    case 'workspace':
      return { ...common, kind: 'workspace', owner: requireValue(old.owner_id) }
    case 'instance':
      return {
        ...common,
        kind: 'instance',
        instance: requireValue(old.instance_id),
        home: requireValue(old.organization_id),
        organizations: old.organization_ids,
      }
    case 'ingest':
      if (ring === null)
        return refuse(
          'INVALID_REQUEST',
          'INGEST_KEYS is required to sign an ingest credential. Set it and retry.',
        )
      return { ...common, kind: 'ingest', organizations: old.organization_ids, ring }
  }
}

function computeSameLifetimeExpiry({ created_at, expires_at }: ListedKey, at: Date): Date | null {
  if (expires_at === null) return null
  return new Date(Math.min(at.getTime() + Date.parse(expires_at) - Date.parse(created_at), MAX_TIME_MS))
}

function pickEarlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}

function computeReplacedExpiry({ expires_at }: ListedKey, overlapEnd: Date): Date {
  return expires_at === null ? overlapEnd : new Date(Math.min(Date.parse(expires_at), overlapEnd.getTime()))
}

function requireValue<Value>(value: Value | null): Value {
  if (value === null) throw new Error('The key row lacks a column that its kind requires.')
  return value
}

export async function createKey(change: ChangeContext, request: KeyRequest): Promise<IssuedKey> {
  const { issued, row } = await storeKey(change, request)
  const expires_at = issued.expiresAt?.toISOString() ?? null
  const after = { permissions: row.permissions, expires_at }
  await recordKeyChange(change, 'key.created', row, { expires_at }, { after })
  return issued
}

/** Generates the value and stores its hash. The value is returned only here. */
async function storeKey(
  change: ChangeContext,
  request: KeyRequest,
): Promise<{ issued: IssuedKey; row: KeyRow }> {
  await checkKeyRules(change, request)
  const { scope, tx, at } = change
  const row = toKeyRow(request)
  const expiresAt = request.expiresAt ?? null
  const value = createCredentialValue(change, request, row.id)
  const stored = { ...row, ...describeKey(value), hash: hashKey(value), createdAt: at, expiresAt }
  await insertKey(scope, tx, stored)
  return { issued: { id: row.id, kind: row.kind, value, expiresAt }, row }
}

function createCredentialValue({ scope }: ChangeContext, request: KeyRequest, id: KeyId): string {
  if (request.kind !== 'ingest') return createKeyValue(request.kind)
  const { ring, organizations, expiresAt } = request
  if (!expiresAt) throw new Error('An ingest credential requires an expiry.')
  return signIngestCredential(ring, { id, root: scope.root, organizations, expiresAt })
}

function toKeyRow(request: KeyRequest): KeyRow {
  const { kind } = request
  return {
    id: request.id ?? newId<KeyId>(),
    kind,
    name: request.name?.trim() || `${kind} key`,
    organization_id:
      kind === 'instance' ? request.home : 'organization' in request ? request.organization : null,
    instance_id: kind === 'instance' ? request.instance : null,
    organization_ids: 'organizations' in request ? request.organizations : null,
    owner_id: 'owner' in request ? request.owner : null,
    permissions: kind === 'ingest' ? [] : (request.permissions ?? allPermissions),
  }
}

export interface Revocation {
  readonly kind: AnyKeyKind
  /** False if the key was already revoked. */
  readonly changed: boolean
}

/**
 * Takes effect on the next request on every node, except for an ingest credential: nodes verify it without the database,
 * so the caller publishes its revocation after the commit (resources/events/refresh-revoked-credentials.ts).
 */
export async function revokeKey(change: ChangeContext, id: KeyId): Promise<Revocation> {
  const { scope, tx, at } = change
  const key = await lockKey(scope, tx, id)
  if (key === null) return refuse('NOT_FOUND', `The tenant root has no key with the id ${id}.`)
  const changed = await markRevoked(scope, tx, id, at)
  const revoked_at = at.toISOString()
  if (changed) {
    const fields = { before: { revoked_at: null }, after: { revoked_at } }
    await recordKeyChange(change, 'key.revoked', key, { revoked_at }, fields)
  }
  return { kind: key.kind, changed }
}

const actions = {
  'key.created': 'api_key_created',
  'key.rotated': 'api_key_rotated',
  'key.revoked': 'api_key_revoked',
} as const

type KeyChangeFacts = Readonly<Record<string, string | number | boolean | null>>

/** Writes the event and the audit row of a change: ids and states, never the value of the key. */
async function recordKeyChange(
  change: ChangeContext,
  type: Extract<EventType, keyof typeof actions>,
  key: KeyRow,
  facts: KeyChangeFacts,
  changed: Pick<ChangeEntry, 'before' | 'after'>,
): Promise<void> {
  const payload = { key_id: key.id, kind: key.kind, organization_id: key.organization_id, ...facts }
  await emit(change.tx, change.scope, { type, payload })
  await auditChange(change, {
    action: actions[type],
    resourceId: key.id,
    organization: key.organization_id,
    metadata: {
      kind: key.kind,
      owner_id: key.owner_id,
      instance_id: key.instance_id,
      organization_ids: key.organization_ids,
      permissions: key.permissions,
      ...facts,
    },
    ...changed,
    personal: { name: key.name },
    person: key.owner_id,
  })
}

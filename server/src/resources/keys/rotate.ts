import type { ChangeContext } from '../../access/change-context.ts'
import type { KeyRing } from '../../config.ts'
import { refuse } from '../../errors.ts'
import type { KeyId } from '../../ids.ts'
import { DAY_MS } from '../../time.ts'
import { recordKeyChange } from './record-change.ts'
import type { IssuedKey, KeyRequest } from './request.ts'
import { type ListedKey, limitExpiry, lockKey, markRevoked } from './sql.ts'
import { storeKey } from './store.ts'

const MAX_OVERLAP_DAYS = 7

export interface Rotation {
  /** How long the old key stays valid; 0 revokes it immediately. */
  readonly overlapDays: number
  /** Default: the lifetime of the old key, counted from now. */
  readonly expiresAt?: Date
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
  await recordKeyChange(change, 'key.rotated', row, {
    replaced_key_id: id,
    replaced_ends_at: computeReplacedExpiry(old, overlapEnd).toISOString(),
    expires_at: issued.expiresAt?.toISOString() ?? null,
  })
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
  return new Date(at.getTime() + Date.parse(expires_at) - Date.parse(created_at))
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

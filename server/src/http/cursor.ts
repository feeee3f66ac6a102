import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto'
import { FIRST_EPOCH } from '../access/restore-point.ts'
import type { Scope } from '../access/scope.ts'
import type { KeyRing } from '../config.ts'
import { refuse } from '../errors.ts'

export type CursorPosition = readonly (string | number)[]

/** What a cursor says: a position, and the epoch in which it was written (access/restore-point.ts). */
export interface CursorContent {
  readonly position: CursorPosition
  readonly epoch: number
}

/** Cursors bound to the root, endpoint, scope and filters of a request, but not to the person or the key. */
interface BoundCursors {
  write(position: CursorPosition, epoch?: number): string
  read(text: string): CursorContent
}

// Version 1 has no epoch: it is written until the first restore, so that the previous version of the service reads it too.
const VERSION = 1
const VERSION_WITH_EPOCH = 2
const MAC_BYTES = 16
const BINDING_BYTES = 12
const cursorPattern = /^[A-Za-z0-9_-]{40,2000}$/

/**
 * A cursor is `version · signing key id · binding · position`, signed; in version 2, the epoch is the first element of the
 * position. It never expires: old signing keys still verify.
 */
export function bindCursors(
  ring: KeyRing,
  operationId: string,
  scope: Scope,
  filters: Readonly<Record<string, unknown>>,
): BoundCursors {
  const { root, organizations, instance } = scope
  const boundValues = [
    operationId,
    root,
    organizations?.toSorted() ?? null,
    instance,
    Object.entries(filters)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [name, Array.isArray(value) ? sortUnique(value as readonly string[]) : value]),
  ]
  const binding = () => hash('sha256', JSON.stringify(boundValues), 'buffer').subarray(0, BINDING_BYTES)
  return {
    write(position, epoch = FIRST_EPOCH) {
      const [newest] = ring
      if (newest === undefined) throw new Error('No key to sign cursors with: set SIGNING_KEYS.')
      const id = Buffer.from(newest.id)
      const payload = Buffer.concat([
        Buffer.of(epoch === FIRST_EPOCH ? VERSION : VERSION_WITH_EPOCH, id.length),
        id,
        binding(),
        Buffer.from(JSON.stringify(epoch === FIRST_EPOCH ? position : [epoch, ...position])),
      ])
      return Buffer.concat([payload, sign(newest.secret, payload)]).toString('base64url')
    },
    read(text) {
      return verifyCursor(ring, text, binding()) ?? refuseCursor()
    },
  }
}

export function refuseCursor(): never {
  return refuse(
    'INVALID_CURSOR',
    'The cursor does not belong to this request. Pass next_cursor unchanged, with the same filters and limit.',
  )
}

/** Order and duplicates of a list do not change what it selects. */
function sortUnique(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted()
}

function verifyCursor(ring: KeyRing, text: string, binding: Buffer): CursorContent | null {
  if (!cursorPattern.test(text)) return null
  const bytes = Buffer.from(text, 'base64url')
  // Base64 has several spellings of the last character for the same bytes; only the one we write is valid.
  if (bytes.toString('base64url') !== text) return null
  const payload = bytes.subarray(0, -MAC_BYTES)
  const idEnd = 2 + (payload[1] ?? 0)
  const key = ring.find(({ id }) => id === payload.subarray(2, idEnd).toString())
  const version = payload[0]
  if ((version !== VERSION && version !== VERSION_WITH_EPOCH) || key === undefined) return null
  if (!timingSafeEqual(sign(key.secret, payload), bytes.subarray(-MAC_BYTES))) return null
  if (!payload.subarray(idEnd, idEnd + BINDING_BYTES).equals(binding)) return null
  const content = JSON.parse(payload.subarray(idEnd + BINDING_BYTES).toString()) as CursorPosition
  if (version === VERSION) return { position: content, epoch: FIRST_EPOCH }
  const [epoch, ...position] = content
  return { position, epoch: Number(epoch) }
}

function sign(secret: KeyObject, payload: Buffer): Buffer {
  return createHmac('sha256', secret).update(payload).digest().subarray(0, MAC_BYTES)
}

import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto'
import { decodeBase64Url } from '../access/base64url.ts'
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

const VERSION = 1
const MAC_BYTES = 16
const BINDING_BYTES = 12
/** Short hashes are enough: the parts only explain a refusal, the binding decides. */
const PART_BYTES = 6
const cursorPattern = /^[A-Za-z0-9_-]{40,2000}$/

/** Hashes of what the cursor is bound to, one by one, to name what differs. */
interface CursorParts {
  readonly endpoint: string
  readonly organizations: string
  readonly filters: Readonly<Record<string, string>>
}

/**
 * A cursor is `version · signing key id · binding · [epoch, parts of the binding, ...position]`, signed. It never expires:
 * old signing keys still verify.
 */
export function bindCursors(
  ring: KeyRing,
  operationId: string,
  scope: Scope,
  filters: Readonly<Record<string, unknown>>,
): BoundCursors {
  const { root, organizations, instance } = scope
  const boundScope = [root, organizations?.toSorted() ?? null, instance]
  const boundFilters = Object.entries(filters)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [name, Array.isArray(value) ? sortUnique(value as readonly string[]) : value])
  const binding = () => hashOf([operationId, ...boundScope, boundFilters]).subarray(0, BINDING_BYTES)
  const parts = (): CursorParts => ({
    endpoint: hashPart(operationId),
    organizations: hashPart(boundScope),
    filters: Object.fromEntries(boundFilters.map((filter) => [filter[0], hashPart(filter)])),
  })
  return {
    write(position, epoch = FIRST_EPOCH) {
      const [newest] = ring
      if (newest === undefined) throw new Error('No key to sign cursors with: set SIGNING_KEYS.')
      const id = Buffer.from(newest.id)
      const payload = Buffer.concat([
        Buffer.of(VERSION, id.length),
        id,
        binding(),
        Buffer.from(JSON.stringify([epoch, parts(), ...position])),
      ])
      return Buffer.concat([payload, sign(newest.secret, payload)]).toString('base64url')
    },
    read(text) {
      const cursor = verifyCursor(ring, text)
      if (cursor === null) {
        return refuseCursor('it is not one that this service issued. Pass next_cursor unchanged')
      }
      if (!cursor.binding.equals(binding())) refuseOtherRequest(cursor.parts, parts())
      return { position: cursor.position, epoch: cursor.epoch }
    },
  }
}

export function refuseCursor(reason: string): never {
  return refuse('INVALID_CURSOR', `The cursor is not valid: ${reason}, or omit it to read from the start.`)
}

function refuseOtherRequest(issued: CursorParts, requested: CursorParts): never {
  if (issued.endpoint !== requested.endpoint)
    return refuseCursor('it belongs to another endpoint. Pass it to the endpoint that returned it')
  if (issued.organizations !== requested.organizations)
    return refuseCursor(
      'it belongs to another organization or set of organizations. Select those of its first page',
    )
  const names = Object.keys({ ...issued.filters, ...requested.filters })
  const different = names.filter((name) => issued.filters[name] !== requested.filters[name])
  return refuseCursor(
    `it belongs to other filters (different: ${different.join(', ')}). Pass the filters of its first page`,
  )
}

/** Order and duplicates of a list do not change what it selects. */
function sortUnique(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted()
}

interface VerifiedCursor extends CursorContent {
  readonly binding: Buffer
  readonly parts: CursorParts
}

function verifyCursor(ring: KeyRing, text: string): VerifiedCursor | null {
  if (!cursorPattern.test(text)) return null
  const bytes = decodeBase64Url(text)
  if (bytes === null) return null
  const payload = bytes.subarray(0, -MAC_BYTES)
  const idEnd = 2 + (payload[1] ?? 0)
  const key = ring.find(({ id }) => id === payload.subarray(2, idEnd).toString())
  if (payload[0] !== VERSION || key === undefined) return null
  if (!timingSafeEqual(sign(key.secret, payload), bytes.subarray(-MAC_BYTES))) return null
  const binding = payload.subarray(idEnd, idEnd + BINDING_BYTES)
  const [epoch, parts, ...position] = JSON.parse(payload.subarray(idEnd + BINDING_BYTES).toString()) as [
    number,
    CursorParts,
    ...CursorPosition,
  ]
  return { binding, parts, position, epoch }
}

function hashOf(value: unknown): Buffer {
  return hash('sha256', JSON.stringify(value), 'buffer')
}

function hashPart(value: unknown): string {
  return hashOf(value).subarray(0, PART_BYTES).toString('base64url')
}

function sign(secret: KeyObject, payload: Buffer): Buffer {
  return createHmac('sha256', secret).update(payload).digest().subarray(0, MAC_BYTES)
}

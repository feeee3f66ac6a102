import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { TSchema } from 'typebox'
import { decodeBase64Url } from '../access/base64url.ts'
import { FIRST_EPOCH, type PositionSequence, type RestorePoint } from '../access/restore-point.ts'
import type { Scope } from '../access/scope.ts'
import type { KeyRing } from '../config.ts'
import { refuse } from '../errors.ts'

/** How an endpoint pages. If the cursor carries the limit, later pages use that limit and need not repeat it. */
export interface Paging {
  readonly defaultLimit: number
  readonly limitInCursor: boolean
  /**
   * The query parameters that a cursor is valid for. Selectors of organizations are not among them: every cursor is bound
   * to the scope that they lead to.
   */
  readonly boundBy: readonly string[]
  /** A literal value accepted as the cursor of the first page. */
  readonly startCursor?: string
  /**
   * The sequence whose positions the cursors hold; none if they hold ids. Ids are never used again, but a restore to an
   * earlier point sets a sequence back, so these cursors carry an epoch.
   */
  readonly positions?: PositionSequence
  /** The largest limit of callers that accept `application/x-ndjson`; absent if the endpoint has no such response. */
  readonly maxNdjsonLimit?: number
}

/** The page that a request selects. */
export interface Page {
  readonly limit: number
  /** The position after which it starts; null = from the beginning. */
  readonly after: CursorPosition | null
  /** The epoch of the request's cursor, if a restore may have made its position invalid; else null. */
  readonly uncheckedEpoch: number | null
  /** Returns the cursor of the page that starts after `position`. */
  cursorAfter(...position: CursorPosition): string
}

/** The write position after which a page starts. */
export function getStartPosition({ after }: Page): number {
  return Number(after?.[0] ?? 0)
}

/** The parts of an endpoint that a cursor is bound to. */
interface PagedEndpoint {
  readonly operationId: string
  readonly query: TSchema
  readonly paging: Paging | null
}

/** The query of callers that accept NDJSON; null if the endpoint has no such response. */
export function getNdjsonQuery({ query, paging }: Pick<PagedEndpoint, 'query' | 'paging'>): TSchema | null {
  if (paging?.maxNdjsonLimit === undefined) return null
  const { properties } = query as unknown as { readonly properties: Readonly<Record<string, object>> }
  const limit = { ...properties['limit'], maximum: paging.maxNdjsonLimit }
  return { ...query, properties: { ...properties, limit } }
}

const noPaging: Paging = { defaultLimit: 0, limitInCursor: false, boundBy: [] }

export function createPage(
  ring: KeyRing,
  endpoint: PagedEndpoint,
  scope: Scope,
  query: Record<string, unknown>,
  restoreEpoch: number = FIRST_EPOCH,
): Page {
  const { cursor, limit: requestedLimit } = query
  const paging = endpoint.paging ?? noPaging
  const { limitInCursor, boundBy, startCursor, positions } = paging
  const given = Object.fromEntries(Object.entries(query).filter(([name]) => boundBy.includes(name)))
  const filters = withoutDefaults(endpoint.query, given)
  const cursors = bindCursors(ring, endpoint.operationId, scope, filters)
  const read = typeof cursor === 'string' && cursor !== startCursor ? cursors.read(cursor) : null
  const limit = chooseLimit(paging, requestedLimit, read?.position)
  const epoch = positions === undefined ? FIRST_EPOCH : restoreEpoch
  return {
    limit,
    after: read?.position.slice(limitInCursor ? 1 : 0) ?? null,
    uncheckedEpoch: read === null || read.epoch === epoch ? null : read.epoch,
    cursorAfter(...position) {
      requireSequence(endpoint, position)
      return cursors.write(limitInCursor ? [limit, ...position] : position, epoch)
    },
  }
}

function chooseLimit(
  { defaultLimit, limitInCursor }: Paging,
  requested: unknown,
  cursorPosition: CursorPosition | undefined,
): number {
  const limit = limitInCursor ? (cursorPosition?.[0] ?? requested) : requested
  if (limitInCursor && requested !== undefined && requested !== limit)
    refuseCursor(`it keeps the limit of its first page. Pass limit=${String(limit)} or no limit`)
  return typeof limit === 'number' ? limit : defaultLimit
}

/** A cursor with a position but without an epoch would skip rows after a restore. */
function requireSequence({ operationId, paging }: PagedEndpoint, [first]: CursorPosition): void {
  if (typeof first === 'number' && paging?.positions === undefined)
    throw new Error(`${operationId} pages by position: name the sequence in "positions" of its paging.`)
}

/**
 * Refuses a cursor beyond the positions that a later restore left: they belong to other rows now, and reading on would skip
 * rows. The message contains the cursor to continue with.
 */
export function refuseCursorBeyondRestore(
  { positions, startCursor }: Paging,
  page: Page,
  restorePoints: readonly RestorePoint[],
): void {
  const { uncheckedEpoch: epoch, after } = page
  if (epoch === null || after === null || positions === undefined) return
  if (epoch !== FIRST_EPOCH && !restorePoints.some((known) => known.epoch === epoch)) {
    refuse(
      'INVALID_CURSOR',
      `The database was restored to a point before the cursor was issued. Read again from the start, ${startCursor === undefined ? 'without a cursor' : `with cursor=${startCursor}`}.`,
    )
  }
  const [earliest] = restorePoints
    .filter((later) => later.epoch > epoch)
    .toSorted((a, b) => a[positions] - b[positions])
  const [position, ...rest] = after
  if (earliest === undefined || Number(position) <= earliest[positions]) return
  refuse(
    'INVALID_CURSOR',
    `The database was restored to its state of ${earliest.restored_to}, and the cursor is beyond that point. Read again from the restore point, with cursor=${page.cursorAfter(earliest[positions], ...rest)}; discard what you received after it.`,
  )
}

/** A filter with its default value is the same as no filter. */
function withoutDefaults(schema: TSchema, filters: Record<string, unknown>): Record<string, unknown> {
  const properties = ('properties' in schema ? schema.properties : {}) as Record<
    string,
    { default?: unknown }
  >
  return Object.fromEntries(
    Object.entries(filters).filter(([name, value]) => value !== properties[name]?.default),
  )
}

export type CursorPosition = readonly (string | number)[]

/** What a cursor says: a position, and the epoch in which it was written (access/restore-point.ts). */
interface CursorContent {
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

function refuseCursor(reason: string): never {
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

import type { TSchema } from 'typebox'
import { FIRST_EPOCH, type PositionSequence, type RestorePoint } from '../access/restore-point.ts'
import type { Scope } from '../access/scope.ts'
import type { KeyRing } from '../config.ts'
import { refuse } from '../errors.ts'
import { bindCursors, type CursorPosition, refuseCursor } from './cursor.ts'

/** How an endpoint pages. If the cursor carries the limit, later pages use that limit and need not repeat it. */
export interface Paging {
  readonly defaultLimit: number
  readonly limitInCursor: boolean
  /** A literal value accepted as the cursor of the first page. */
  readonly startCursor?: string
  /**
   * The sequence whose positions the cursors hold; none if they hold ids. Ids are never used again, but a restore to an
   * earlier point sets a sequence back, so these cursors carry an epoch.
   */
  readonly positions?: PositionSequence
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

const noPaging: Paging = { defaultLimit: 0, limitInCursor: false }

// The cursor is bound to the scope, which covers the selected organizations. How they were selected, the format and
// the page size may change from page to page.
const unboundFields = new Set([
  'cursor',
  'limit',
  'org_id',
  'organization_ids',
  'format',
  'page',
  'page_size',
])

export function createPage(
  ring: KeyRing,
  endpoint: PagedEndpoint,
  scope: Scope,
  query: Record<string, unknown>,
  restoreEpoch: number = FIRST_EPOCH,
): Page {
  const { cursor, limit: requestedLimit } = query
  const given = Object.fromEntries(Object.entries(query).filter(([name]) => !unboundFields.has(name)))
  const filters = withoutDefaults(endpoint.query, given)
  const paging = endpoint.paging ?? noPaging
  const { limitInCursor, startCursor, positions } = paging
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

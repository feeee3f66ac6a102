import type { TSchema } from 'typebox'
import type { Scope } from '../access/scope.ts'
import type { KeyRing } from '../config.ts'
import { bindCursors, type CursorPosition, refuseCursor } from './cursor.ts'

/** How an endpoint pages. If the cursor carries the limit, later pages use that limit and need not repeat it. */
export interface Paging {
  readonly defaultLimit: number
  readonly limitInCursor: boolean
  /** A literal value accepted as the cursor of the first page. */
  readonly startCursor?: string
}

/** The page that a request selects. */
export interface Page {
  readonly limit: number
  /** The position after which it starts; null = from the beginning. */
  readonly after: CursorPosition | null
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

export function createPage(
  ring: KeyRing,
  endpoint: PagedEndpoint,
  scope: Scope,
  query: Record<string, unknown>,
): Page {
  // The cursor is bound to the scope, which covers the selected organizations. How they were selected, the format and
  // the page size may change from page to page.
  const {
    cursor,
    limit: requestedLimit,
    org_id: _,
    organization_ids: __,
    format: ___,
    page: ____,
    page_size: _____,
    ...given
  } = query
  const filters = withoutDefaults(endpoint.query, given)
  const { defaultLimit, limitInCursor, startCursor } = endpoint.paging ?? noPaging
  const cursors = bindCursors(ring, endpoint.operationId, scope, filters)
  const cursorPosition = typeof cursor === 'string' && cursor !== startCursor ? cursors.read(cursor) : null
  const effectiveLimit = limitInCursor ? (cursorPosition?.[0] ?? requestedLimit) : requestedLimit
  if (limitInCursor && requestedLimit !== undefined && requestedLimit !== effectiveLimit) refuseCursor()
  const limit = typeof effectiveLimit === 'number' ? effectiveLimit : defaultLimit
  return {
    limit,
    after: limitInCursor ? (cursorPosition?.slice(1) ?? null) : cursorPosition,
    cursorAfter: (...position) => cursors.write(limitInCursor ? [limit, ...position] : position),
  }
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

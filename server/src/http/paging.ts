import type { TSchema } from 'typebox'
import type { Scope } from '../access/scope.ts'
import type { KeyRing } from '../config.ts'
import { bindCursors, type CursorPosition, refuseCursor } from './cursor.ts'

/** How an endpoint hands out pages. A cursor that keeps the limit makes it optional, and fixed, on later pages. */
export interface Paging {
  readonly defaultLimit: number
  readonly limitInCursor: boolean
  /** A word that may stand for the cursor before the first row. */
  readonly startCursor?: string
}

/** The page a request asks for. */
export interface Page {
  readonly limit: number
  /** The place after which it starts; null = from the beginning. */
  readonly after: CursorPosition | null
  /** The cursor of the page that starts after `place`. */
  cursorAfter(...position: CursorPosition): string
}

/** The position after which a page of a write order starts. */
export function getStartPosition({ after }: Page): number {
  return Number(after?.[0] ?? 0)
}

/** What a cursor is bound to of its endpoint. */
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
  // Which organizations are meant is part of the scope; how they were selected is not, nor in what form and in what size
  // of page they are told.
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

/** To ask for what holds anyway is to ask for nothing more. */
function withoutDefaults(schema: TSchema, filters: Record<string, unknown>): Record<string, unknown> {
  const properties = ('properties' in schema ? schema.properties : {}) as Record<
    string,
    { default?: unknown }
  >
  return Object.fromEntries(
    Object.entries(filters).filter(([name, value]) => value !== properties[name]?.default),
  )
}

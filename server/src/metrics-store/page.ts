import { type Placement, refuseWhilePreparing } from '../access/placement.ts'
import type { Scope } from '../access/scope.ts'
import type { Pool } from '../db/connect.ts'
import { JoinedRows } from '../db/joined-rows.ts'
import type { MetricsStores } from '../db/stores.ts'
import { readScoped, type Tx } from '../db/transaction.ts'
import { isDatabaseUnavailable } from '../db/unavailable.ts'
import { refuse } from '../errors.ts'
import { checkResponseSize } from '../response-size.ts'
import {
  buildPageStatement,
  buildSizeStatement,
  type MetricsWindow,
  type PageHead,
  type PageRequest,
  readPageHead,
} from './page-sql.ts'
import type { MetricsSource } from './source-sql.ts'

const SIZE_ADVICE = 'Reduce limit, narrow the window or add filters; a pull request is never split.'

// More than is ever written around the entries of a page: names of fields, and the cursor.
const ENVELOPE_BYTES = 1024

/** Where metrics are read, and what of them. */
export interface MetricsReadTarget {
  readonly source: MetricsSource
  readonly stores: MetricsStores
  readonly placement: Placement
  readonly scope: Scope
  readonly window: MetricsWindow
}

/** Entries of a page as the bytes they are stored in. */
export interface PageBytes {
  readonly chunks: readonly Buffer[]
  readonly more: boolean
  /** The position of its last entry; null of an empty page. */
  readonly last: number | null
  /** To be called when the chunks are sent and nobody looks at them any more. */
  readonly release: () => void
}

export interface PageSlice {
  readonly after: number
  readonly rows: number
  readonly separator: ',' | '\n'
}

/**
 * Reads at most so many entries after a position, or refuses a page of more bytes. The size is known before a byte is
 * read: a page that could not be too large even if each entry were the root's largest is read at once, another one is
 * measured first.
 */
export function readMetricsPage(
  target: MetricsReadTarget,
  slice: PageSlice,
  maxBytes: number,
): Promise<PageBytes> {
  const request = toPageRequest(target, slice, Math.floor((maxBytes - ENVELOPE_BYTES) / slice.rows) - 1)
  return copyFromStore(target, async (tx) => {
    const read = await readGuarded(tx, request, slice)
    if (read.head === null || read.head[request.source.largestColumn] <= request.largestEntry)
      return read.page
    checkResponseSize(await measurePage(tx, withoutSizeGuard(request)), maxBytes, SIZE_ADVICE)
    return (await readGuarded(tx, withoutSizeGuard(request), slice)).page
  })
}

/** Reads on and on, as many entries at a time as are sure to fit into `mostBytes`. */
export async function* readAllPages(
  target: MetricsReadTarget,
  slice: PageSlice,
  maxBytes: number,
): AsyncGenerator<PageBytes, void> {
  let { after, rows: remaining } = slice
  while (remaining > 0) {
    const { page, rows } = await readFitting(target, { ...slice, after, rows: remaining }, maxBytes)
    yield page
    if (!page.more || page.last === null) return
    after = page.last
    remaining -= rows
  }
}

/** As many of the rows as are sure to fit; `rows` says how many were asked for. */
function readFitting(
  target: MetricsReadTarget,
  slice: PageSlice,
  maxBytes: number,
): Promise<{ page: PageBytes; rows: number }> {
  return copyFromStore(target, async (tx) => {
    const largest = (await readPageHead(target.scope, tx))?.[target.source.largestColumn] ?? 0
    const rows = Math.max(1, Math.min(slice.rows, Math.floor(maxBytes / (largest + 1))))
    const { page } = await readGuarded(tx, withoutSizeGuard(toPageRequest(target, { ...slice, rows }, 0)), {
      ...slice,
      rows,
    })
    return { page, rows }
  })
}

function toPageRequest(
  { source, scope, window, placement }: MetricsReadTarget,
  { after, rows }: PageSlice,
  largestEntry: number,
): PageRequest {
  return { source, scope, window, hidden: placement.inactive, after, rows, largestEntry }
}

function withoutSizeGuard(request: PageRequest): PageRequest {
  return { ...request, largestEntry: 2 ** 31 - 1 }
}

async function measurePage(tx: Tx, request: PageRequest): Promise<number> {
  const { statement, values } = buildSizeStatement(request)
  const [size] = await tx.query<{ bytes: number }>(statement, values)
  return size?.bytes ?? 0
}

async function readGuarded(
  tx: Tx,
  request: PageRequest,
  { rows, separator }: PageSlice,
): Promise<{ head: PageHead | null; page: PageBytes }> {
  const sink = new JoinedRows(rows, separator)
  const { statement, values } = buildPageStatement(request)
  const head = await readUnlessMoved(request.scope, tx, () => tx.streamRows(statement, values, sink))
  const last = sink.lastKey === null ? null : Number(sink.lastKey)
  return {
    head,
    page: { chunks: sink.chunks(), more: sink.rowCount > rows, last, release: () => sink.release() },
  }
}

/** Reads between two looks at the head, in one round trip: what was read is whole when the root was here all the time. */
export async function readUnlessMoved(
  scope: Scope,
  tx: Tx,
  read: () => Promise<void>,
): Promise<PageHead | null> {
  const [before, , after] = await Promise.all([readPageHead(scope, tx), read(), readPageHead(scope, tx)])
  // A root that was never moved has no head before its first write.
  const hasStayed =
    after === null || (after.here && before?.here !== false && (before?.move ?? 0) === after.move)
  refuseWhilePreparing({ preparing: !hasStayed })
  return after
}

type StoreAccess = Pick<MetricsReadTarget, 'stores' | 'placement' | 'scope'>

export function readInStore<Result>(access: StoreAccess, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return readInPool(access, (store) => access.stores.pool(store), work)
}

/** For work that copies what it reads. */
function copyFromStore<Result>(access: StoreAccess, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return readInPool(access, (store) => access.stores.copyingPool(store), work)
}

/** A store that is out of reach is not the service: the answer says that the metrics alone are away. */
async function readInPool<Result>(
  { placement, scope }: StoreAccess,
  getPool: (store: string) => Pool,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  refuseWhilePreparing(placement)
  try {
    return await readScoped(getPool(placement.store), scope, work)
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
    return refuse(
      'METRICS_TEMPORARILY_UNAVAILABLE',
      'The store of these metrics cannot be reached right now. Retry the same request in a few seconds.',
      { 'retry-after': '2' },
    )
  }
}

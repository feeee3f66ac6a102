import { type Placement, refuseWhilePreparing } from '../access/placement.ts'
import type { Scope } from '../access/scope.ts'
import type { Pool } from '../db/connect.ts'
import { JoinedRows, type RowSink } from '../db/raw-rows.ts'
import type { MetricsStores } from '../db/stores.ts'
import { inTransaction, readScoped, type Tx } from '../db/transaction.ts'
import { isDatabaseUnavailable } from '../db/unavailable.ts'
import { Refusal, refuse } from '../errors.ts'
import { checkResponseSize } from '../response-size.ts'
import {
  createPageStatement,
  createSizeStatement,
  type MetricsWindow,
  type PageHead,
  type PageRequest,
  type PositionBounds,
  planPage,
  readBounds,
  readPageHead,
} from './page-sql.ts'
import type { MetricsSource } from './source-sql.ts'

const SIZE_ADVICE = 'Reduce limit, narrow the window or add filters; a pull request is never split.'

// An upper bound for everything around the entries of a page: field names and the cursor.
const ENVELOPE_BYTES = 1024

/** The store, scope and window of a read. */
export interface MetricsReadTarget {
  readonly source: MetricsSource
  readonly stores: MetricsStores
  readonly placement: Placement
  readonly scope: Scope
  readonly window: MetricsWindow
}

/** The entries of a page, as stored bytes. */
export interface PageBytes {
  readonly chunks: readonly Buffer[]
  readonly more: boolean
  /** The position of its last entry; null for an empty page. */
  readonly last: number | null
  /** Call it once the chunks are sent: their buffers are reused. */
  readonly release: () => void
}

export interface PageSlice {
  readonly after: number
  readonly rows: number
  readonly separator: ',' | '\n'
}

/**
 * Reads a page, or refuses it when it has more than `maxBytes`. A page that fits even if every entry were as large as the
 * root's largest is read at once; any other page is measured first, so that no byte of a refused page is read.
 */
export function readMetricsPage(
  target: MetricsReadTarget,
  slice: PageSlice,
  maxBytes: number,
): Promise<PageBytes> {
  const request = toPageRequest(target, slice)
  const certainBytes = Math.floor((maxBytes - ENVELOPE_BYTES) / slice.rows) - 1
  return copyFromStore(target, async (tx) => {
    const extent = await readExtent(request, tx)
    if (extent.largest > certainBytes) await measurePage(request, tx, extent, maxBytes)
    const { page, largest } = await readRows(request, tx, extent, slice.separator)
    // A larger entry was written meanwhile.
    if (largest > Math.max(certainBytes, extent.largest)) await measurePage(request, tx, extent, maxBytes)
    return page
  })
}

/** Passes (position, entry) of the rows after a position to the sink, at most `rows`. Their size is not limited. */
export function readRowsAfter(
  target: MetricsReadTarget,
  after: number,
  rows: number,
  sink: RowSink,
): Promise<void> {
  // The statement reads one row more than a page has.
  const request = toPageRequest(target, { after, rows: rows - 1 })
  return readInStore(target, async (tx) => {
    await streamPage(request, tx, await readExtent(request, tx), sink)
  })
}

/** Reads page after page, each with as many entries as are certain to fit into `maxBytes`. */
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

/** Reads the rows that are certain to fit; `rows` is the number that was requested from the store. */
function readFitting(
  target: MetricsReadTarget,
  slice: PageSlice,
  maxBytes: number,
): Promise<{ page: PageBytes; rows: number }> {
  return copyFromStore(target, async (tx) => {
    const extent = await readExtent(toPageRequest(target, slice), tx)
    const rows = Math.max(1, Math.min(slice.rows, Math.floor(maxBytes / (extent.largest + 1))))
    const { page } = await readRows(toPageRequest(target, { ...slice, rows }), tx, extent, slice.separator)
    return { page, rows }
  })
}

function toPageRequest(
  { source, scope, window, placement }: MetricsReadTarget,
  { after, rows }: Pick<PageSlice, 'after' | 'rows'>,
): PageRequest {
  return { source, scope, window, hidden: placement.inactive, after, rows }
}

/** What is read before the rows of a window. */
interface Extent {
  readonly head: PageHead | null
  /** The bytes of the largest entry of the root. */
  readonly largest: number
  readonly bounds: PositionBounds
}

async function readExtent(request: PageRequest, tx: Tx): Promise<Extent> {
  const [head, bounds] = await Promise.all([readPageHead(request.scope, tx), readBounds(request, tx)])
  return { head, largest: getLargest(request, head), bounds }
}

function getLargest({ source }: PageRequest, head: PageHead | null): number {
  return (head?.[source.largestColumn] ?? 0) + source.addedBytes
}

async function measurePage(
  request: PageRequest,
  tx: Tx,
  { bounds }: Extent,
  maxBytes: number,
): Promise<void> {
  const { statement, values } = createSizeStatement(request, bounds)
  const [, { bytes }] = await Promise.all([
    tx.query(planPage, []),
    tx.one<{ bytes: number }>(statement, values),
  ])
  checkResponseSize(bytes, maxBytes, SIZE_ADVICE)
}

async function readRows(
  request: PageRequest,
  tx: Tx,
  extent: Extent,
  separator: PageSlice['separator'],
): Promise<{ readonly largest: number; readonly page: PageBytes }> {
  const sink = new JoinedRows(request.rows, separator)
  const head = await streamPage(request, tx, extent, sink)
  return { largest: getLargest(request, head), page: toPageBytes(sink, request.rows) }
}

/** Returns the head after the page. */
async function streamPage(
  request: PageRequest,
  tx: Tx,
  { head, bounds }: Extent,
  sink: RowSink,
): Promise<PageHead | null> {
  const { statement, values } = createPageStatement(request, bounds)
  const [, , after] = await Promise.all([
    tx.query(planPage, []),
    tx.streamRows(statement, values, sink),
    readPageHead(request.scope, tx),
  ])
  refuseIfMoved(head, after)
  return after
}

/** The page of a sink that was given up to one row more than `rows`. */
export function toPageBytes(sink: JoinedRows, rows: number): PageBytes {
  const last = sink.lastKey === null ? null : Number(sink.lastKey)
  return { chunks: sink.chunks(), more: sink.rowCount > rows, last, release: () => sink.release() }
}

/** Reads the head before and after, in one round trip: the result is complete only if the root did not move meanwhile. */
export async function readUnlessMoved<Result>(
  scope: Scope,
  tx: Tx,
  read: () => Promise<Result>,
): Promise<Result> {
  const [before, result, after] = await Promise.all([
    readPageHead(scope, tx),
    read(),
    readPageHead(scope, tx),
  ])
  refuseIfMoved(before, after)
  return result
}

function refuseIfMoved(before: PageHead | null, after: PageHead | null): void {
  // A root that never moved has no head before its first write.
  const hasStayed =
    after === null || (after.is_active && before?.is_active !== false && (before?.move ?? 0) === after.move)
  refuseWhilePreparing({ preparing: !hasStayed })
}

type StoreAccess = Pick<MetricsReadTarget, 'stores' | 'placement' | 'scope'>

export function readInStore<Result>(access: StoreAccess, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return readInPool(access, (store) => access.stores.pool(store), work)
}

/** For what can do without metrics: null while they are being moved or their store is unavailable. */
export async function readIfAvailable<Result>(read: () => Promise<Result>): Promise<Result | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Refusal && unavailableMetrics.has(error.code)) return null
    throw error
  }
}

const unavailableMetrics: ReadonlySet<string> = new Set([
  'METRICS_PREPARING',
  'METRICS_TEMPORARILY_UNAVAILABLE',
])

/** For work that copies raw rows. */
function copyFromStore<Result>(access: StoreAccess, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return readInPool(access, (store) => access.stores.copyingPool(store), work)
}

/** For a cursor: all round trips of the work are in one transaction. */
export function readInStoreTransaction<Result>(
  access: StoreAccess,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return readInPool(access, (store) => access.stores.pool(store), work, inTransaction)
}

/** An unreachable store makes only the metrics unavailable, so the error says so. */
async function readInPool<Result>(
  { placement, scope }: StoreAccess,
  getPool: (store: string) => Pool,
  work: (tx: Tx) => Promise<Result>,
  read: typeof readScoped = readScoped,
): Promise<Result> {
  refuseWhilePreparing(placement)
  try {
    return await read(getPool(placement.store), scope, work)
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
    return refuse(
      'METRICS_TEMPORARILY_UNAVAILABLE',
      'The metrics store is temporarily unavailable. Retry the same request in a few seconds.',
      { 'retry-after': '2' },
    )
  }
}

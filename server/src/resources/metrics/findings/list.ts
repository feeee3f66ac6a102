import type { RequestContext } from '../../../http/endpoint.ts'
import { ok, type Reply } from '../../../http/reply.ts'
import { type MetricsReadTarget, readRowsAfter } from '../../../metrics-store/page.ts'
import { toReadTarget } from '../request.ts'
import { FindingsSink } from './findings-sink.ts'
import type { FindingsQuery } from './schema.ts'
import { findingsSource } from './sql.ts'

// Most pull requests have several findings, and a filter may match few of them.
const ROWS_PER_READ = 250
/** A page that finds too little in so many pull requests ends early: the next one continues. */
const MAX_ROWS_PER_PAGE = 20_000

export async function listFindings(
  context: RequestContext,
  { query }: { readonly query: FindingsQuery },
): Promise<Reply> {
  const { page } = context
  const target = { source: findingsSource, ...toReadTarget(context, query) }
  const filter = { reviewer: query.reviewer ?? null, outcome: query.outcome ?? null }
  const [position = 0, index = -1] = page.after ?? []
  const sink = new FindingsSink(filter, page.limit, [Number(position), Number(index)])
  const isAtEnd = await readFindings(target, sink)
  return ok({ data: sink.records, next_cursor: isAtEnd ? null : page.cursorAfter(...sink.last) })
}

/** Returns whether all findings were read. */
async function readFindings(target: MetricsReadTarget, sink: FindingsSink): Promise<boolean> {
  while (!sink.isFull && sink.rowCount < MAX_ROWS_PER_PAGE) {
    const before = sink.rowCount
    // The pull request of the last finding is read again, because some of its findings may follow.
    const first = Math.max(0, sink.last[0] - 1)
    await readRowsAfter(target, first, ROWS_PER_READ, sink)
    if (sink.rowCount - before < ROWS_PER_READ) return !sink.isFull
  }
  return false
}

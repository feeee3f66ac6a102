import type { Pool } from '../db/connect.ts'
import { inTransaction, type Tx } from '../db/transaction.ts'
import type { RootId } from '../ids.ts'
import { pluralize } from '../plural.ts'
import {
  advanceBackfill,
  type BackfillProgress,
  findNextRootUnscoped,
  finishBackfillUnscoped,
  lockBackfill,
  readBackfillUnscoped,
  startBackfillUnscoped,
} from './backfill-sql.ts'
import { rootScope, type Scope } from './scope.ts'

/**
 * Brings rows of version N−1 into the form that version N writes, while both serve. It looks for rows in the old
 * form, so it can be run again: version N−1 may write more of them until it is replaced.
 */
export interface Backfill {
  /** Named in the contract file that waits for it. */
  readonly name: string
  /** Changes a bounded number of rows of one tenant root, in one short transaction. */
  runBatch(scope: Scope, tx: Tx, after: string | null): Promise<BackfillBatch>
}

interface BackfillBatch {
  /** Rows. */
  readonly changed: number
  /** The `after` of the next batch; null = the tenant root is finished. */
  readonly next: string | null
}

interface BackfillOptions {
  /** Called after each batch; false stops. The next run continues there. */
  readonly shouldContinue: (progress: BackfillProgress) => boolean
}

/** Runs batches until all tenant roots are finished. Returns whether they are. Only one process works at a time. */
export async function runBackfill(
  pool: Pool,
  backfill: Backfill,
  { shouldContinue }: BackfillOptions,
): Promise<boolean> {
  await startBackfillUnscoped(pool, backfill.name)
  for (;;) {
    const progress = await readBackfillUnscoped(pool, backfill.name)
    if (progress === undefined) return false
    if (progress.finished_at !== null) return true
    if (!shouldContinue(progress)) return false
    const root = await getRoot(pool, progress)
    if (root === null) await finishBackfillUnscoped(pool, progress)
    else if (!(await runNextBatch(pool, backfill, progress, root))) return false
  }
}

function getRoot(pool: Pool, { current_root, next_after }: BackfillProgress): Promise<RootId | null> {
  return next_after === null ? findNextRootUnscoped(pool, current_root) : Promise.resolve(current_root)
}

/** Returns false if another process is working on this backfill. */
function runNextBatch(
  pool: Pool,
  backfill: Backfill,
  progress: BackfillProgress,
  root: RootId,
): Promise<boolean> {
  const scope = rootScope(root)
  return inTransaction(pool, scope, async (tx) => {
    if (!(await lockBackfill(scope, tx, progress))) return false
    const batch = await backfill.runBatch(scope, tx, progress.next_after)
    await advanceBackfill(scope, tx, backfill.name, batch)
    return true
  })
}

const MAX_SECONDS_PER_RUN = 20

/** The worker's timer: a while of each unfinished backfill. */
export async function runBackfills(pool: Pool, backfills: readonly Backfill[]): Promise<void> {
  for (const backfill of backfills) {
    const end = Date.now() + MAX_SECONDS_PER_RUN * 1000
    await runBackfill(pool, backfill, { shouldContinue: () => Date.now() < end })
  }
}

/** `fill-notes: 12 of 40 tenant roots, 3400 rows, about 2 min left`. */
export function renderProgress(progress: BackfillProgress, now: number): string {
  const { name, done, total, changed, started_at, finished_at } = progress
  const work = `${name}: ${done} of ${pluralize(Math.max(done, total), 'tenant root')}, ${pluralize(changed, 'row')}`
  if (finished_at !== null) return `${work}, finished`
  if (done === 0) return work
  const minutes = (((now - started_at.getTime()) / done) * Math.max(total - done, 0)) / 60_000
  return `${work}, about ${Math.ceil(minutes)} min left`
}

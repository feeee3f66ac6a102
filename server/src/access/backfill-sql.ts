import { type Pool, statement } from '../db/connect.ts'
import { runUnscoped, type Tx } from '../db/transaction.ts'
import { NIL_UUID, type RootId } from '../ids.ts'
import type { Scope } from './scope.ts'

export interface BackfillProgress {
  readonly name: string
  readonly current_root: RootId | null
  readonly next_after: string | null
  /** Finished tenant roots. */
  readonly done: number
  readonly total: number
  /** Rows. */
  readonly changed: number
  readonly started_at: Date
  readonly finished_at: Date | null
}

const columns = 'name, current_root, next_after, done, total, changed, started_at, finished_at'

const start = statement(
  'access.start-backfill',
  'insert into backfill (name, total) select $1, count(*) from root on conflict do nothing',
)
const restart = statement(
  'access.restart-backfill',
  `update backfill set current_root = null, next_after = null, done = 0, total = (select count(*) from root), started_at = now(),
     finished_at = null where name = $1`,
)
const readAll = statement('access.read-backfills', `select ${columns} from backfill order by name`)
const read = statement('access.read-backfill', `select ${columns} from backfill where name = $1`)
const findNextRoot = statement(
  'access.find-next-root',
  'select id from root where id > $1 order by id limit 1',
)
// Another process may have run this batch meanwhile, or may be running it now.
const lock = statement(
  'access.lock-backfill',
  `select name from backfill where name = $1 and current_root is not distinct from $2::uuid
     and next_after is not distinct from $3::text and finished_at is null for update skip locked`,
)
const advance = statement(
  'access.advance-backfill',
  `update backfill set current_root = $2, next_after = $3, done = done + ($3::text is null)::int, changed = changed + $4
   where name = $1`,
)
const finish = statement(
  'access.finish-backfill',
  `update backfill set finished_at = now() where name = $1 and current_root is not distinct from $2::uuid
     and next_after is null and finished_at is null`,
)

export async function startBackfillUnscoped(pool: Pool, name: string): Promise<void> {
  await runUnscoped(pool, start, [name])
}

/** From the first tenant root again, for rows that version N−1 has written since. */
export async function restartBackfillUnscoped(pool: Pool, name: string): Promise<void> {
  await runUnscoped(pool, restart, [name])
}

export function readBackfillsUnscoped(pool: Pool): Promise<BackfillProgress[]> {
  return runUnscoped<BackfillProgress>(pool, readAll, [])
}

export async function readBackfillUnscoped(pool: Pool, name: string): Promise<BackfillProgress | undefined> {
  const [row] = await runUnscoped<BackfillProgress>(pool, read, [name])
  return row
}

export async function findNextRootUnscoped(pool: Pool, after: RootId | null): Promise<RootId | null> {
  const [row] = await runUnscoped<{ id: RootId }>(pool, findNextRoot, [after ?? NIL_UUID])
  return row?.id ?? null
}

export async function lockBackfill(_scope: Scope, tx: Tx, progress: BackfillProgress): Promise<boolean> {
  const rows = await tx.query(lock, [progress.name, progress.current_root, progress.next_after])
  return rows.length === 1
}

export async function advanceBackfill(
  scope: Scope,
  tx: Tx,
  name: string,
  batch: { readonly changed: number; readonly next: string | null },
): Promise<void> {
  await tx.query(advance, [name, scope.root, batch.next, batch.changed])
}

export async function finishBackfillUnscoped(pool: Pool, progress: BackfillProgress): Promise<void> {
  await runUnscoped(pool, finish, [progress.name, progress.current_root])
}

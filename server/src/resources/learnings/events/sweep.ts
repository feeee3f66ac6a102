import { rootScope } from '../../../access/scope.ts'
import type { WorkerContext } from '../../../bus/context.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { DAY_MS } from '../../../time.ts'
import { deleteClosingsBefore, deleteEventsBefore, findLearningRootsUnscoped } from './sql.ts'

const RETENTION_DAYS = 30
const BATCH_SIZE = 5000
const ANY_VERSION = 2 ** 31 - 1

/** Deletes deduplication keys and close events that are too old to be redelivered. */
export async function sweepLearningEvents(
  { database, now }: WorkerContext,
  batchSize = BATCH_SIZE,
): Promise<void> {
  const oldest = new Date(now().getTime() - RETENTION_DAYS * DAY_MS)
  for await (const root of findLearningRootsUnscoped(database, ANY_VERSION)) {
    const scope = rootScope(root)
    await inTransaction(database, scope, (tx) => deleteClosingsBefore(scope, tx, oldest))
    while (await inTransaction(database, scope, (tx) => deleteEventsBefore(scope, tx, oldest, batchSize)));
  }
}

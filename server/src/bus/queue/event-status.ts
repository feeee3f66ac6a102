import { rootScope } from '../../access/scope.ts'
import type { Pool } from '../../db/connect.ts'
import { readScoped } from '../../db/transaction.ts'
import { DAY_MS } from '../../time.ts'
import type { WorkerContext } from '../context.ts'
import type { EventBatch, IngestEvent } from '../ingest-event.ts'
import { deleteStatusesBeforeUnscoped, type EventStatus, writeEventStatuses } from './event-status-sql.ts'

/**
 * Records what became of events, for their sender. A failure is only logged: the sender is told that the event is unknown,
 * and sends it again.
 */
export async function recordEventStatuses(
  { database, now, log }: Pick<WorkerContext, 'database' | 'now' | 'log'>,
  sender: Pick<EventBatch, 'root' | 'credential'>,
  statuses: ReadonlyMap<string, EventStatus>,
): Promise<void> {
  if (statuses.size === 0) return
  await readScoped(database, rootScope(sender.root), (tx) =>
    writeEventStatuses(tx, sender, statuses, now()),
  ).catch((err: unknown) =>
    log.warn({ err, credential: sender.credential }, 'could not record the status of events'),
  )
}

/** The same status for several events. */
export function toStatuses(events: readonly IngestEvent[], status: EventStatus): [string, EventStatus][] {
  return events.map(({ id }) => [id, status])
}

/** Longer than a sender waits before it sends an event again. */
const RETENTION_MS = 7 * DAY_MS
const BATCH_SIZE = 5000

/** Deletes statuses that nobody asks for any more. Returns their number. */
export function sweepEventStatuses(pool: Pool, now: Date): Promise<number> {
  return deleteStatusesBeforeUnscoped(pool, new Date(now.getTime() - RETENTION_MS), BATCH_SIZE)
}

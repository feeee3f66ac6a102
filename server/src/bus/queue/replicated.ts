import { awaitReplication } from '../../db/replication.ts'
import type { EventFamily } from '../ingest-event.ts'

/**
 * For families that write nothing when they find their events stored: a message of such events is acknowledged only when
 * the standby has them. Reviews need it not, because they write the head of their root with every message.
 */
export function replicated(family: EventFamily): EventFamily {
  return {
    ...family,
    async handle(context, batch) {
      const deferred = await family.handle(context, batch)
      await awaitReplication(context.database)
      return deferred
    },
  }
}

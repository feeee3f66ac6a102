import { gatherRefusals } from './access/upkeep/gather-refusals.ts'
import { makeAuditMonths, sweepIdempotency, sweepLimitWindows } from './access/upkeep/sweep.ts'
import type { Consumer } from './bus/consumer.ts'
import type { Timer } from './bus/timers.ts'

// The table of contents of the worker, written by hand: what it does when a message comes, and when the clock says so.

/** A resource that acts on events adds the consumer of its `event.ts` here. */
export const consumers: readonly Consumer[] = []

const HOUR = 3600

export const timers: readonly Timer[] = [
  { name: 'gather-refusals', everySeconds: 30, run: ({ database, now }) => gatherRefusals(database, now()) },
  {
    name: 'sweep-idempotency',
    everySeconds: HOUR,
    run: ({ database }) => sweepIdempotency(database).then(() => {}),
  },
  { name: 'sweep-limit-windows', everySeconds: HOUR, run: ({ database }) => sweepLimitWindows(database) },
  { name: 'make-audit-months', everySeconds: 6 * HOUR, run: ({ database }) => makeAuditMonths(database) },
]

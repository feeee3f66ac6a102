import type { Tx } from '../db/transaction.ts'
import type { Bus } from './connect.ts'
import { type RunningTask, startRepeating, type WorkerContext } from './context.ts'
import type { EventBody } from './emit.ts'
import { withLock } from './lock.ts'
import { publishHeartbeat, relayRestrictions } from './restrictions.ts'
import { deleteEventsUnscoped, readOldestEventsUnscoped } from './sql.ts'

interface OutboxRow {
  readonly id: number
  readonly event_id: string
  readonly root_id: string
  readonly type: EventBody['type']
  readonly payload: EventBody['payload']
  readonly occurred_at: string
}

export interface RelayResult {
  readonly published: number
  readonly failures: readonly unknown[]
}

export const relayDefaults = { batch: 200, idleMs: 250, retryDelayMs: 1000 }

const HEARTBEAT_MS = 10_000

/** Publishes committed events and restrictions until it is stopped. Only one worker's relay runs at a time. */
export function startRelay(context: WorkerContext, options = relayDefaults): RunningTask {
  const heart = { beatAt: Number.NEGATIVE_INFINITY }
  return startRepeating(() => relayOnce(context, options, heart))
}

/** Returns for how long to pause. */
async function relayOnce(
  { database, bus, log }: WorkerContext,
  options: typeof relayDefaults,
  heart: { beatAt: number },
): Promise<number> {
  try {
    const relayed = await withLock(database, 'relay', 60, async (tx) => {
      // First, so that a flood of events does not delay them.
      const readAt = new Date()
      const restrictions = await relayRestrictions(tx, bus, options.batch)
      const isDue = restrictions > 0 || performance.now() - heart.beatAt > HEARTBEAT_MS
      if (restrictions < options.batch && isDue) {
        await publishHeartbeat(bus, readAt)
        heart.beatAt = performance.now()
      }
      return { restrictions, ...(await relayBatch(tx, bus, options.batch)) }
    })
    if (relayed === null) return options.idleMs
    const [err] = relayed.failures
    const isFull = Math.max(relayed.published, relayed.restrictions) === options.batch
    if (err === undefined) return isFull ? 0 : options.idleMs
    log.error({ err, failed: relayed.failures.length }, 'could not publish events; they stay in the outbox')
  } catch (err) {
    log.error({ err }, 'the relay failed')
  }
  return options.retryDelayMs
}

/**
 * Publishes the oldest events and deletes those that the bus has stored. If the transaction does not commit, they are
 * published again with the same message id and the bus drops the duplicates.
 */
export async function relayBatch(tx: Tx, bus: Bus, size: number): Promise<RelayResult> {
  const rows = await tx.query<OutboxRow>(readOldestEventsUnscoped, [size])
  const acks = await Promise.allSettled(rows.map((row) => publish(bus, row)))
  const stored = rows.filter((_, index) => acks[index]?.status === 'fulfilled').map(({ id }) => id)
  if (stored.length > 0) await tx.query(deleteEventsUnscoped, [stored])
  const failures = acks.filter((ack) => ack.status === 'rejected').map(({ reason }) => reason as unknown)
  return { published: stored.length, failures }
}

async function publish(bus: Bus, row: OutboxRow): Promise<void> {
  const { event_id: id, type, root_id: root, occurred_at, payload } = row
  const body: EventBody = { id, type, version: 1, root, occurred_at, payload }
  await bus.jetstream.publish(bus.subject(`events.${type}`), JSON.stringify(body), {
    msgID: id,
    expect: { streamName: bus.streamName('EVENTS') },
    timeout: 5000,
  })
}

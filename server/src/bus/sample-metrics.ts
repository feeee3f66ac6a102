import { JetStreamApiCodes } from '@nats-io/jetstream'
import { runUnscoped } from '../db/transaction.ts'
import type { Consumer } from './consumer.ts'
import { type RunningTask, startRepeating, type WorkerContext } from './context.ts'
import { isApiError } from './declare.ts'
import { readOutboxAgeUnscoped } from './sql.ts'
import { streams } from './streams.ts'

const SAMPLE_MS = 15_000

/** Reads what only the engines know, on each worker, so that the metrics do not depend on who holds a lock. */
export function startSampling(context: WorkerContext, consumers: readonly Consumer[]): RunningTask {
  return startRepeating(async () => {
    await sampleEngines(context, consumers)
    return SAMPLE_MS
  })
}

/** A figure that cannot be read disappears, so that an alert sees that it is missing and not an old value. */
async function sampleEngines(context: WorkerContext, consumers: readonly Consumer[]): Promise<void> {
  const { bus, database, metrics } = context
  await Promise.all([
    runUnscoped<{ seconds: number }>(database, readOutboxAgeUnscoped, []).then(
      ([oldest]) => metrics.outboxAge.set(oldest?.seconds ?? 0),
      () => metrics.outboxAge.remove(),
    ),
    ...streams.map(async ({ name }) => {
      try {
        const info = await bus.rejectOnDisconnect(bus.manager.streams.info(bus.streamName(name)))
        bus.noteAnswer(true)
        metrics.streamMessages.set({ stream: name }, info.state.messages)
      } catch (error) {
        // An installation may have no archive.
        bus.noteAnswer(isApiError(error, JetStreamApiCodes.StreamNotFound))
        metrics.streamMessages.remove({ stream: name })
      }
    }),
    ...consumers.map(({ name, stream }) =>
      bus.rejectOnDisconnect(bus.manager.consumers.info(bus.streamName(stream), name)).then(
        ({ num_pending, num_ack_pending }) =>
          metrics.consumerPending.set({ consumer: name }, num_pending + num_ack_pending),
        () => metrics.consumerPending.remove({ consumer: name }),
      ),
    ),
  ])
}

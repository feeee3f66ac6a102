import { JetStreamApiCodes } from '@nats-io/jetstream'
import { runUnscoped } from '../db/transaction.ts'
import type { Consumer } from './consumer.ts'
import { type RunningTask, startRepeating, type WorkerContext } from './context.ts'
import { isApiError } from './declare.ts'
import { readOutboxAgeUnscoped } from './sql.ts'
import { type StreamName, streams } from './streams.ts'

const SAMPLE_MS = 15_000

/** A gauge of `Metrics`, and where its values come from. */
export interface Sample {
  readonly gauge: (metrics: WorkerContext['metrics']) => SampledGauge
  readonly read: (context: WorkerContext) => Promise<readonly SampledValue[]>
}

interface SampledGauge {
  reset(): void
  set(labels: Record<string, string>, value: number): void
}

interface SampledValue {
  readonly labels?: Record<string, string>
  readonly value: number
}

interface SampledWork {
  readonly consumers: readonly Consumer[]
  readonly samples: readonly Sample[]
}

/**
 * Reads what only the engines know, on each worker, so that the metrics do not depend on who holds a lock. A figure that cannot
 * be read disappears, so that an alert sees that it is missing and not an old value. None waits for another one.
 */
export function startSampling(context: WorkerContext, { consumers, samples }: SampledWork): RunningTask {
  const tasks = [
    () => sampleOutbox(context),
    ...streams.map(
      ({ name }) =>
        () =>
          sampleStream(context, name),
    ),
    ...consumers.map((consumer) => () => sampleConsumer(context, consumer)),
    ...samples.map((sample) => () => sampleDatabase(context, sample)),
  ].map((sample) =>
    startRepeating(async () => {
      await sample()
      return SAMPLE_MS
    }),
  )
  return {
    async stop() {
      await Promise.all(tasks.map((task) => task.stop()))
    },
  }
}

async function sampleDatabase(context: WorkerContext, { gauge, read }: Sample): Promise<void> {
  const values = await read(context).catch(() => [])
  gauge(context.metrics).reset()
  for (const { labels = {}, value } of values) gauge(context.metrics).set(labels, value)
}

async function sampleOutbox({ database, metrics: { eventAge } }: WorkerContext): Promise<void> {
  try {
    const [oldest] = await runUnscoped<{ seconds: number }>(database, readOutboxAgeUnscoped, [])
    eventAge.set({ stage: 'outbox' }, oldest?.seconds ?? 0)
  } catch {
    eventAge.remove({ stage: 'outbox' })
  }
}

async function sampleConsumer(
  { bus, metrics: { consumerPending } }: WorkerContext,
  { name, stream }: Consumer,
): Promise<void> {
  try {
    const info = await bus.rejectOnDisconnect(bus.manager.consumers.info(bus.streamName(stream), name))
    consumerPending.set({ consumer: name }, info.num_pending + info.num_ack_pending)
  } catch {
    consumerPending.remove({ consumer: name })
  }
}

async function sampleStream({ bus, metrics }: WorkerContext, stream: StreamName): Promise<void> {
  const { streamMessages, streamBytes, streamMaxBytes, eventAge } = metrics
  try {
    const info = await bus.rejectOnDisconnect(bus.manager.streams.info(bus.streamName(stream)))
    bus.noteAnswer(true)
    const { messages, bytes, first_ts } = info.state
    streamMessages.set({ stream }, messages)
    streamBytes.set({ stream }, bytes)
    streamMaxBytes.set({ stream }, info.config.max_bytes)
    const age = messages === 0 ? 0 : (Date.now() - Date.parse(first_ts)) / 1000
    if (stream === 'QUEUE') eventAge.set({ stage: 'queue' }, Math.max(0, age))
  } catch (error) {
    // An installation may have no archive.
    bus.noteAnswer(isApiError(error, JetStreamApiCodes.StreamNotFound))
    for (const gauge of [streamMessages, streamBytes, streamMaxBytes]) gauge.remove({ stream })
    if (stream === 'QUEUE') eventAge.remove({ stage: 'queue' })
  }
}

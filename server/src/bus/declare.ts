import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  ReplayPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import type { Bus } from './connect.ts'
import { type Consumer, getConsumerSettings } from './consumer.ts'
import type { StreamDefinition, StreamName } from './streams.ts'

export interface Declaration {
  readonly streams: readonly (StreamDefinition & { readonly name: StreamName })[]
  readonly consumers: readonly Consumer[]
  readonly replicas: number
}

/** Creates missing streams and consumers and updates changed ones. Idempotent. */
export async function declareBus(bus: Bus, { streams, consumers, replicas }: Declaration): Promise<void> {
  for (const stream of streams) await declareStream(bus, toStreamConfig(bus, stream, replicas))
  for (const consumer of consumers) await declareConsumer(bus, consumer)
}

type NamedStreamConfig = Partial<StreamConfig> & { name: string }

/**
 * Never reduces the number of replicas: a worker that was started without BUS_REPLICAS would delete copies that protect
 * acknowledged events.
 */
async function declareStream({ manager, log }: Bus, config: NamedStreamConfig): Promise<void> {
  const { name, num_replicas: wanted = 1, ...changes } = config
  try {
    const { config: current } = await manager.streams.info(name)
    const replicas = Math.max(current.num_replicas, wanted)
    if (replicas > wanted) {
      log.warn(
        { stream: name, replicas, BUS_REPLICAS: wanted },
        'kept the replicas of a stream; to reduce them, use the NATS command line',
      )
    }
    await manager.streams.update(name, { ...changes, num_replicas: replicas })
  } catch (error) {
    if (!isApiError(error, JetStreamApiCodes.StreamNotFound)) throw error
    await manager.streams.add(config)
  }
}

async function declareConsumer(bus: Bus, consumer: Consumer): Promise<void> {
  const stream = bus.streamName(consumer.stream)
  const { maxAckPending, ackWaitMs } = getConsumerSettings(consumer)
  const changes = {
    filter_subject: bus.subject(consumer.subject),
    ack_wait: nanos(ackWaitMs),
    max_ack_pending: maxAckPending,
    // bus/process-message.ts counts attempts, because the bus would drop a message without a dead letter.
    max_deliver: -1,
  }
  try {
    await bus.manager.consumers.update(stream, consumer.name, changes)
  } catch (error) {
    if (!isApiError(error, JetStreamApiCodes.ConsumerNotFound)) throw error
    await bus.manager.consumers.add(stream, {
      ...changes,
      durable_name: consumer.name,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      replay_policy: ReplayPolicy.Instant,
    })
  }
}

function toStreamConfig(
  bus: Bus,
  stream: Declaration['streams'][number],
  replicas: number,
): NamedStreamConfig {
  return {
    name: bus.streamName(stream.name),
    subjects: stream.subjects.map((path) => bus.subject(path)),
    storage: StorageType.File,
    retention: stream.retention,
    discard: stream.discard,
    max_age: nanos(stream.maxAgeSeconds * 1000),
    max_bytes: stream.maxBytes,
    max_msgs_per_subject: stream.maxMessagesPerSubject ?? -1,
    max_msg_size: stream.maxMessageBytes,
    duplicate_window: nanos(stream.duplicateWindowSeconds * 1000),
    num_replicas: replicas,
    ...(stream.hasMessageLifetimes === undefined ? {} : { allow_msg_ttl: stream.hasMessageLifetimes }),
    ...(stream.allowsRollup === undefined ? {} : { allow_rollup_hdrs: stream.allowsRollup }),
    ...(stream.maxConsumers === undefined ? {} : { max_consumers: stream.maxConsumers }),
  }
}

export function isApiError(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code
}

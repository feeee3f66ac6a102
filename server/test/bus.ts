import { randomBytes } from 'node:crypto'
import type { StoredMsg } from '@nats-io/jetstream'
import { type Bus, connectBus } from '../src/bus/connect.ts'
import type { Consumer } from '../src/bus/consumer.ts'
import type { WorkerContext } from '../src/bus/context.ts'
import { declareBus } from '../src/bus/declare.ts'
import { type StreamName, streams } from '../src/bus/streams.ts'
import { connect, type Pool } from '../src/db/connect.ts'
import { connectMetricsStores, type MetricsStores } from '../src/db/stores.ts'
import { createLog } from '../src/observe/log.ts'
import { createMetrics } from '../src/observe/metrics.ts'
import { createTraces } from '../src/observe/traces.ts'
import { createEmbedderSet } from '../src/text/embed/embedder.ts'
import { localEmbedder } from './local-embedder.ts'

export const busUrl = process.env['TEST_NATS_URL'] ?? 'nats://127.0.0.1:42217'

export interface TestBus {
  readonly bus: Bus
  readonly prefix: string
  readonly declare: (consumers?: readonly Consumer[]) => Promise<void>
  messages(stream: StreamName): Promise<StoredMsg[]>
  drop(): Promise<void>
}

/** Streams for one test, under a unique prefix. */
export async function createBus(): Promise<TestBus> {
  const prefix = `test_${randomBytes(8).toString('hex')}`
  const bus = await connectBus({ url: busUrl, prefix, name: 'test', log: createLog('test', 'silent') })
  // NATS reserves the size of a stream: many concurrent tests would need more than the disk has.
  const small = streams.map((stream) => ({ ...stream, maxBytes: 16 * 1024 ** 2 }))
  const declare = (consumers: readonly Consumer[] = []) =>
    declareBus(bus, { streams: small, consumers, replicas: 1 })
  await declare()
  return {
    bus,
    prefix,
    declare,
    messages: (stream) => readMessages(bus, stream),
    async drop() {
      try {
        for (const { name } of streams) await bus.manager.streams.delete(bus.streamName(name))
      } finally {
        await bus.close()
      }
    },
  }
}

/** Deletes every stream with the prefix, also those that only another revision declares. */
export async function deleteStreams(prefix: string): Promise<void> {
  const bus = await connectBus({ url: busUrl, prefix, name: 'test', log: createLog('test', 'silent') })
  try {
    const names: string[] = []
    for await (const { config } of bus.manager.streams.list()) names.push(config.name)
    for (const name of names.filter((one) => one.startsWith(`${prefix}_`)))
      await bus.manager.streams.delete(name)
  } finally {
    await bus.close()
  }
}

async function readMessages(bus: Bus, name: StreamName): Promise<StoredMsg[]> {
  const stream = bus.streamName(name)
  const { state } = await bus.manager.streams.info(stream)
  const messages: StoredMsg[] = []
  for (let seq = Math.max(state.first_seq, 1); seq <= state.last_seq; seq++) {
    const message = await bus.manager.streams.getMessage(stream, { seq })
    if (message !== null) messages.push(message)
  }
  return messages
}

/** A pool without a database, for consumers that need none. */
export function createUnusedPool(): Pool {
  return connect({ url: 'postgres://nobody@127.0.0.1:1/none', name: 'worker', connections: 1 })
}

/** Without `stores`, no metrics store is configured, and using one throws. */
export function createWorkerContext(
  database: Pool,
  bus: Bus,
  stores: MetricsStores = connectMetricsStores(new Map(), 'test', 1),
): WorkerContext {
  return {
    database,
    stores,
    embedders: createEmbedderSet([localEmbedder]),
    bus,
    log: createLog('test', 'silent'),
    metrics: createMetrics(),
    traces: createTraces(null),
    audit: { signer: null, headsFile: null, headsSeconds: 300, retentionMonths: null },
    connectorKeys: [],
    organizationCache: new Map(),
    maxPendingLearnings: 1000,
    archives: false,
    metricsRetentionMonths: null,
    now: () => new Date(),
  }
}

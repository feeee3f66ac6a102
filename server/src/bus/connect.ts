import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { Log } from '../observe/log.ts'
import type { StreamName } from './streams.ts'

export interface Bus {
  readonly connection: NatsConnection
  readonly jetstream: JetStreamClient
  readonly manager: JetStreamManager
  /** Stream and subject names begin with the installation's prefix, so that two installations can share a server. */
  streamName(name: StreamName): string
  subject(path: string): string
  /** False while reconnecting. */
  isConnected(): boolean
  /** Awaits a response of the bus, and rejects at once if the connection is lost. */
  rejectOnDisconnect<Answer>(pending: Promise<Answer>): Promise<Answer>
  /** Sends pending messages and acknowledgements, then closes. */
  close(): Promise<void>
}

export interface BusOptions {
  /** One or more comma-separated server URLs; the first one carries the user and password, if any. */
  readonly url: string
  readonly prefix: string
  readonly name: string
  readonly log: Log
}

/** The first connection must succeed, so that a wrong address fails at startup. Later it reconnects without limit. */
export async function connectBus(options: BusOptions): Promise<Bus> {
  const { prefix, name, log } = options
  const connection = await connect({
    ...parseBusAddress(options),
    name: `scholiast-${name}`,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    // Detects a half-open connection within 30 s.
    pingInterval: 15_000,
  })
  const state: ConnectionState = { connected: true, listeners: new Set() }
  const isConnected = () => state.connected && !connection.isClosed()
  void watchConnection(connection, log, state)
  return {
    connection,
    jetstream: jetstream(connection),
    manager: await createManager(connection),
    streamName: (stream) => `${prefix}_${stream}`,
    subject: (path) => `${prefix}.${path}`,
    isConnected,
    rejectOnDisconnect: (pending) => raceDisconnect(state, pending),
    // Draining a lost connection would wait until it is restored.
    close: () => (isConnected() ? connection.drain() : connection.close()),
  }
}

async function createManager(connection: NatsConnection): Promise<JetStreamManager> {
  try {
    return await jetstreamManager(connection)
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** Rejects settings that can never work, before the first connection attempt. */
export function parseBusAddress({ url, prefix }: Pick<BusOptions, 'url' | 'prefix'>) {
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(prefix)) {
    throw new Error('BUS_PREFIX must be 1 to 40 letters, digits, "-" or "_".')
  }
  const urls = url.split(',').map((text) => new URL(text.trim()))
  const servers = urls.map(({ host }) => host)
  const { username, password } = urls[0] ?? { username: '', password: '' }
  if (username === '') return { servers }
  return { servers, user: decodeURIComponent(username), pass: decodeURIComponent(password) }
}

interface ConnectionState {
  connected: boolean
  readonly listeners: Set<() => void>
}

async function raceDisconnect<Answer>(
  { listeners }: ConnectionState,
  pending: Promise<Answer>,
): Promise<Answer> {
  const { promise: lost, reject } = Promise.withResolvers<never>()
  const listener = () => reject(new Error('The bus connection was lost.'))
  listeners.add(listener)
  try {
    return await Promise.race([pending, lost])
  } finally {
    listeners.delete(listener)
  }
}

async function watchConnection(connection: NatsConnection, log: Log, state: ConnectionState): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') {
      state.connected = false
      for (const listener of state.listeners) listener()
      log.warn({ server: status.server }, 'lost the bus connection')
    }
    if (status.type === 'reconnect') {
      state.connected = true
      log.info({ server: status.server }, 'restored the bus connection')
    }
    if (status.type === 'error') log.warn({ err: status.error }, 'bus reported an error')
  }
}

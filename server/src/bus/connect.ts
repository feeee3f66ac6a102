import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { Log } from '../observe/log.ts'
import type { StreamName } from './streams.ts'

export interface Bus {
  readonly connection: NatsConnection
  readonly jetstream: JetStreamClient
  readonly manager: JetStreamManager
  /** Stream and subject names begin with the installation's prefix, so that two on one server never mix. */
  streamName(name: StreamName): string
  subject(path: string): string
  /** Sends what is still to be sent, acknowledgements among it, then closes. */
  close(): Promise<void>
}

export interface BusOptions {
  /** One or more server URLs, separated by commas; user and password, if any, in the first. */
  readonly url: string
  readonly prefix: string
  readonly name: string
  readonly log: Log
}

/** The first connection must succeed, so that a wrong address shows at the start; a lost one is sought for ever. */
export async function connectBus({ url, prefix, name, log }: BusOptions): Promise<Bus> {
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(prefix)) {
    throw new Error('BUS_PREFIX must be 1 to 40 letters, digits, "-" or "_".')
  }
  const connection = await connect({
    ...serversAndCredentials(url),
    name: `scholiast-${name}`,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    // A connection that a cut network left half open is noticed within half a minute.
    pingInterval: 15_000,
  })
  void logChanges(connection, log)
  return {
    connection,
    jetstream: jetstream(connection),
    manager: await jetstreamManager(connection),
    streamName: (stream) => `${prefix}_${stream}`,
    subject: (path) => `${prefix}.${path}`,
    close: () => (connection.isClosed() ? Promise.resolve() : connection.drain()),
  }
}

function serversAndCredentials(url: string) {
  const urls = url.split(',').map((text) => new URL(text.trim()))
  const servers = urls.map(({ host }) => host)
  const { username, password } = urls[0] ?? { username: '', password: '' }
  if (username === '') return { servers }
  return { servers, user: decodeURIComponent(username), pass: decodeURIComponent(password) }
}

async function logChanges(connection: NatsConnection, log: Log): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') log.warn({ server: status.server }, 'bus connection lost')
    if (status.type === 'reconnect') log.info({ server: status.server }, 'bus connection back')
    if (status.type === 'error') log.warn({ err: status.error }, 'bus reported an error')
  }
}

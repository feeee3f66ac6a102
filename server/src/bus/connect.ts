import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { type ConnectionOptions, connect, createInbox, type NatsConnection } from '@nats-io/transport-node'
import type { KeyRing } from '../config.ts'
import type { Log } from '../observe/log.ts'
import { createSignatures, type MessageSignatures } from './signature.ts'
import type { StreamName } from './streams.ts'

export interface Bus {
  readonly connection: NatsConnection
  readonly jetstream: JetStreamClient
  readonly manager: JetStreamManager
  /** Stream and subject names begin with the installation's prefix, so that two installations can share a server. */
  streamName(name: StreamName): string
  subject(path: string): string
  readonly log: Log
  /** Signatures of messages in the event queue. */
  readonly signatures: MessageSignatures
  /** A new subject for responses. */
  createInbox(): string
  /** False while reconnecting. */
  isConnected(): boolean
  /** Awaits a response of the bus, and rejects at once if the connection is lost. */
  rejectOnDisconnect<Answer>(pending: Promise<Answer>): Promise<Answer>
  /** Called with whether a stream answered. Its server is left when it has not for a while. */
  noteAnswer(answered: boolean): void
  /** Sends pending messages and acknowledgements, then closes. */
  close(): Promise<void>
}

export interface BusAddress {
  /** One or more comma-separated server URLs; the first one carries the user and password, if any. */
  readonly url: string
  readonly prefix: string
  /** File of the certificates that sign those of the servers; null = those that Node trusts. */
  readonly caFile?: string | null
}

export interface BusOptions extends BusAddress {
  /** Sign and verify the messages of the event queue. Default: none, so they are neither signed nor verified. */
  readonly ingestKeys?: KeyRing
  readonly name: string
  readonly log: Log
}

/** The first connection must succeed, so that a wrong address fails at startup. Later it reconnects without limit. */
export async function connectBus(options: BusOptions): Promise<Bus> {
  const { prefix, name, log, ingestKeys = [] } = options
  const inboxPrefix = `_INBOX_${name}`
  const state: ConnectionState = { connected: true, leftServer: '', listeners: new Set() }
  const connection = await connect({
    ...parseBusAddress(options),
    name: `scholiast-${name}`,
    // deploy/nats.conf lets each process subscribe to its own responses only.
    inboxPrefix,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    // A server that is frozen or cut off is left after 4 to 6 s.
    pingInterval: 2_000,
    maxPingOut: 2,
    reconnectToServer: (pool) => pool.find(({ listen }) => listen !== state.leftServer) ?? null,
  })
  const outdated = describeOutdatedServer(connection.info?.version)
  if (outdated !== null) {
    await connection.close()
    throw new Error(outdated)
  }
  const isConnected = () => state.connected && !connection.isClosed()
  void watchConnection(connection, log, state)
  return {
    connection,
    jetstream: jetstream(connection),
    manager: await createManager(connection),
    streamName: (stream) => `${prefix}_${stream}`,
    subject: (path) => `${prefix}.${path}`,
    log,
    signatures: createSignatures(prefix, ingestKeys),
    createInbox: () => createInbox(inboxPrefix),
    isConnected,
    rejectOnDisconnect: (pending) => raceDisconnect(state, pending),
    noteAnswer: createLeaver(connection, state),
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

/** Earlier versions of JetStream can lose acknowledged messages (Jepsen's analysis of 2.12.1). */
const MIN_SERVER_VERSION = [2, 12, 3] as const

/** Returns null if the server is recent enough. */
export function describeOutdatedServer(version = 'unknown'): string | null {
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? []
  const differing = MIN_SERVER_VERSION.findIndex((minimum, index) => parts[index] !== minimum)
  const isRecent = differing === -1 || (parts[differing] ?? -1) > (MIN_SERVER_VERSION[differing] ?? 0)
  if (isRecent) return null
  return `The NATS server has version ${version}, but at least ${MIN_SERVER_VERSION.join('.')} is required: earlier versions can lose acknowledged messages. Upgrade the server.`
}

type ServerOptions = Pick<ConnectionOptions, 'servers' | 'tls' | 'user' | 'pass'>

/** Rejects settings that can never work, before the first connection attempt. */
export function parseBusAddress({ url, prefix, caFile = null }: BusAddress): ServerOptions {
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(prefix)) {
    throw new Error('BUS_PREFIX must be 1 to 40 letters, digits, "-" or "_".')
  }
  const urls = url.split(',').map((text) => URL.parse(text.trim()))
  const protocols = new Set(urls.map((parsed) => parsed?.protocol))
  const [first] = urls
  if (!first || urls.includes(null) || [...protocols].some((name) => name !== 'nats:' && name !== 'tls:')) {
    throw new Error('NATS_URL must be comma-separated URLs such as nats://host:4222 or tls://host:4222.')
  }
  if (protocols.size > 1) {
    throw new Error(
      'NATS_URL mixes tls:// and nats://. Use one of them, because a server may be any of the list.',
    )
  }
  const { username, password } = first
  const credentials = `${username}:${password}`
  if (urls.some((other) => other?.username && `${other.username}:${other.password}` !== credentials)) {
    throw new Error('NATS_URL has different users or passwords. Write them into the first URL only.')
  }
  return {
    servers: urls.flatMap((parsed) => parsed?.host ?? []),
    ...parseTls(
      first.protocol,
      urls.map((parsed) => parsed?.hostname ?? ''),
      caFile,
    ),
    ...(username !== '' && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
  }
}

/** With `tls`, the client refuses a server that does not offer TLS, and a certificate that it cannot verify. */
function parseTls(
  protocol: string,
  hosts: readonly string[],
  caFile: string | null,
): Pick<ConnectionOptions, 'tls'> {
  if (protocol !== 'tls:') {
    if (caFile === null) return {}
    throw new Error(
      'NATS_CA_FILE is set, but NATS_URL does not begin with tls://, so no certificate is checked.',
    )
  }
  const address = hosts.find((host) => isIP(host.replaceAll(/^\[|\]$/g, '')) !== 0)
  if (address !== undefined) {
    throw new Error(
      `NATS_URL must name the host of a tls:// URL, not its address ${address}: the certificate is checked against the name.`,
    )
  }
  return { tls: caFile === null ? {} : { ca: readFileSync(caFile, 'utf8') } }
}

interface ConnectionState {
  connected: boolean
  leftServer: string
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

/** Longer than the streams need to elect a leader. */
const LEAVE_MS = 7_000

/** A server that is cut off from the others answers pings but stores nothing, so that its clients must leave it. */
function createLeaver(connection: NatsConnection, state: ConnectionState): (answered: boolean) => void {
  let silentSince: number | null = null
  return (answered) => {
    const now = performance.now()
    const isSilent = !answered && now - (silentSince ?? now) > LEAVE_MS
    silentSince = answered || isSilent ? null : (silentSince ?? now)
    if (!isSilent) return
    state.leftServer = connection.getServer()
    connection.reconnect().catch(() => {})
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
      const outdated = describeOutdatedServer(connection.info?.version)
      if (outdated !== null) log.error({ server: status.server }, outdated)
    }
    if (status.type === 'error') log.warn({ err: status.error }, 'bus reported an error')
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { IngestCredential } from '../../access/ingest-credential.ts'
import { refuse } from '../../errors.ts'
import type { KeyId } from '../../ids.ts'
import type { Log } from '../../observe/log.ts'
import { type Bus, type BusOptions, connectBus, parseBusAddress } from '../connect.ts'
import { coalesceSends, type SendEvents } from './coalesce-sends.ts'
import { packMessages } from './pack.ts'
import { type RevokedCredentials, watchRevokedCredentials } from './revoked-credentials.ts'

/** Publishes events to the bus, for a process that keeps running while the bus is unavailable. */
export interface IngestQueue {
  /** Whether the bus is connected. */
  isOpen(): boolean
  /** Null = unknown; the caller must then refuse. */
  isRevoked(id: KeyId): boolean | null
  /** Resolves when the bus has stored every event durably; refuses with 503 if that is not certain. */
  store(credential: IngestCredential, events: readonly string[]): Promise<void>
  close(): Promise<void>
}

/** The queue of a process without ingest keys. */
export const disabledQueue: IngestQueue = {
  isOpen: () => false,
  isRevoked: () => null,
  store: () => refuseUnavailable(),
  close: () => Promise.resolve(),
}

const CONNECT_RETRY_MS = 1000
const STORE_TIMEOUT_MS = 5000

/** Connects in the background and retries without limit. */
export function createIngestQueue(options: Omit<BusOptions, 'name'>): IngestQueue {
  parseBusAddress(options)
  const stopping = new AbortController()
  let connected: {
    readonly bus: Bus
    readonly revoked: RevokedCredentials
    readonly send: SendEvents
  } | null = null
  void connectUntilAborted({ ...options, name: 'api' }, stopping.signal).then((bus) => {
    if (bus === null) return
    const revoked = watchRevokedCredentials(bus, options.log, stopping.signal)
    connected = {
      bus,
      revoked,
      send: coalesceSends((credential, events) => publishEvents(bus, options.log, credential, events)),
    }
  })
  return {
    isOpen: () => connected?.bus.isConnected() ?? false,
    isRevoked: (id) => connected?.revoked.has(id) ?? null,
    async store(credential, events) {
      await (connected?.send(credential, events) ?? refuseUnavailable())
    },
    async close() {
      stopping.abort()
      await connected?.bus.close()
    },
  }
}

async function connectUntilAborted(options: BusOptions, signal: AbortSignal): Promise<Bus | null> {
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      const bus = await connectBus(options)
      if (!signal.aborted) return bus
      await bus.close()
    } catch (err) {
      if (attempt === 1)
        options.log.warn({ err }, 'the bus is unavailable: rejecting events until it connects')
      await sleep(CONNECT_RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }
  return null
}

async function publishEvents(
  bus: Bus,
  log: Log,
  credential: IngestCredential,
  events: readonly string[],
): Promise<void> {
  if (!bus.isConnected()) refuseUnavailable()
  const options = { expect: { streamName: bus.streamName('INGEST') }, timeout: STORE_TIMEOUT_MS }
  const subject = bus.subject(`ingest.${credential.root}`)
  const acks = packMessages(credential, events).map((message) =>
    bus.jetstream.publish(subject, message, options),
  )
  try {
    await bus.rejectOnDisconnect(Promise.all(acks))
  } catch (err) {
    log.warn({ err }, 'could not store events')
    refuseUnavailable()
  }
}

function refuseUnavailable(): never {
  return refuse(
    'OVERLOADED',
    'The event queue is full or unavailable. Send the same events again later.',
    {
      'retry-after': '5',
    },
  )
}

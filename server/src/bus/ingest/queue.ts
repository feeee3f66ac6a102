import { setTimeout as sleep } from 'node:timers/promises'
import type { IngestCredential } from '../../access/ingest-credential.ts'
import { refuse } from '../../errors.ts'
import type { KeyId } from '../../ids.ts'
import type { Log } from '../../observe/log.ts'
import { type Bus, type BusOptions, connectBus, parseBusAddress } from '../connect.ts'
import { coalesceSends, type SendEvents } from './coalesce-sends.ts'
import { packMessages } from './pack.ts'
import { type RevokedCredentials, watchRevokedCredentials } from './revoked-credentials.ts'

/** The way of events into the bus, for a process that goes on when the bus is away. */
export interface IngestQueue {
  /** Whether events can be stored, as far as is known. */
  isOpen(): boolean
  /** Null = not known, and then nobody is let in. */
  isRevoked(id: KeyId): boolean | null
  /** Resolves when the bus holds every event for good; refuses with 503 when that is not certain. */
  store(credential: IngestCredential, events: readonly string[]): Promise<void>
  close(): Promise<void>
}

/** Of a process that nobody may send events to. */
export const disabledQueue: IngestQueue = {
  isOpen: () => false,
  isRevoked: () => null,
  store: () => refuseUnavailable(),
  close: () => Promise.resolve(),
}

const CONNECT_RETRY_MS = 1000
const STORE_TIMEOUT_MS = 5000

/** Connects in the background, for as long as it takes. */
export function createIngestQueue(options: Omit<BusOptions, 'name'>): IngestQueue {
  parseBusAddress(options)
  const stopping = new AbortController()
  let connected: {
    readonly bus: Bus
    readonly ended: RevokedCredentials
    readonly gather: SendEvents
  } | null = null
  void connectUntilAborted({ ...options, name: 'api' }, stopping.signal).then((bus) => {
    if (bus === null) return
    const revoked = watchRevokedCredentials(bus, options.log, stopping.signal)
    connected = {
      bus,
      ended: revoked,
      gather: coalesceSends((credential, events) => publishEvents(bus, options.log, credential, events)),
    }
  })
  return {
    isOpen: () => connected?.bus.isConnected() ?? false,
    isRevoked: (id) => connected?.ended.has(id) ?? null,
    async store(credential, events) {
      await (connected?.gather(credential, events) ?? refuseUnavailable())
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
        options.log.warn({ err }, 'the bus cannot be reached: no events are taken until it can')
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
    log.warn({ err }, 'events were not stored')
    refuseUnavailable()
  }
}

function refuseUnavailable(): never {
  return refuse(
    'OVERLOADED',
    'The queue of events is full or cannot be reached. Send the same events again later.',
    {
      'retry-after': '5',
    },
  )
}

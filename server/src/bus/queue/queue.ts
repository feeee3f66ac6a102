import { setTimeout as sleep, setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { JetStreamApiError } from '@nats-io/jetstream'
import type { MsgHdrs } from '@nats-io/transport-node'
import type { IngestCredential } from '../../access/ingest-credential.ts'
import { refuse } from '../../errors.ts'
import type { KeyId, RootId } from '../../ids.ts'
import type { Log } from '../../observe/log.ts'
import { type Bus, type BusOptions, connectBus, parseBusAddress } from '../connect.ts'
import { checkStream } from '../readiness.ts'
import { createRequestRate } from './request-rate.ts'
import { type RevokedCredentials, watchRevokedCredentials } from './revoked-credentials.ts'
import { type SenderLimits, watchSenderLimits } from './sender-limits.ts'
import type { OrganizationRef } from './shapes.ts'
import { createIngestStatus, type IngestStatus, type IngestStatusReader } from './status.ts'
import { toMaxBytes, toQueueSubject, toSizeClass } from './subjects.ts'
import { readTenantStatus, type TenantIngestStatus } from './tenant-status.ts'

/** Publishes events to the bus, for a process that keeps running while the bus is unavailable. */
export interface IngestQueue {
  /** Returns why no event can be stored now, or null. */
  checkReady(): Promise<string | null>
  /** Null = unknown; the caller must then refuse. */
  isRevoked(id: KeyId): boolean | null
  /** Refuses with 429 if the credential sends too many requests, or its tenant root has filled a share. */
  admit(credential: IngestCredential): void
  /** Resolves when the bus has stored every event durably; refuses with 503 if that is not certain. */
  store(credential: IngestCredential, events: readonly string[]): Promise<void>
  /** Refuses with 429 if the credential sends too many requests, and with 503 if the bus does not respond. */
  readStatus(credential: IngestCredential): Promise<IngestStatus>
  /** Status of a tenant root, or of one of its organizations. Refuses with 503 if the bus does not respond. */
  readonly readTenantStatus: (
    root: RootId,
    organization: OrganizationRef | null,
  ) => Promise<TenantIngestStatus>
  close(): Promise<void>
}

/** The queue of a process without ingest keys. */
export const disabledQueue: IngestQueue = {
  checkReady: () => Promise.resolve('events are not accepted'),
  isRevoked: () => null,
  admit: () => {},
  store: () => refuseUnavailable(),
  readStatus: () => refuseUnavailable(),
  readTenantStatus: async () => refuseStatus(),
  close: () => Promise.resolve(),
}

const CONNECT_RETRY_MS = 1000
// No request waits more than 5 s.
const STORE_TIMEOUT_MS = 4500
const MIN_STORE_TIMEOUT_MS = 250

export interface IngestQueueOptions extends Omit<BusOptions, 'name'> {
  /** Default: `api`. NATS gives each kind of process a user of its own. */
  readonly name?: BusOptions['name']
  /** Limit per credential, in any second. */
  readonly requestsPerSecond: number
  /** Limit per tenant root. */
  readonly maxParkedMessages: number
}

/** Connects in the background and retries without limit. */
export function createIngestQueue(options: IngestQueueOptions): IngestQueue {
  parseBusAddress(options)
  const countRequest = createRequestRate(options.requestsPerSecond)
  const stopping = new AbortController()
  let connected: {
    readonly bus: Bus
    readonly revoked: RevokedCredentials
    readonly limits: SenderLimits
    readonly status: IngestStatusReader
    readonly send: SendEvents
  } | null = null
  void connectUntilAborted({ name: 'api', ...options }, stopping.signal).then(async (bus) => {
    if (bus === null) return
    const { log, maxParkedMessages } = options
    const revoked = watchRevokedCredentials(bus, log, stopping.signal)
    const limits = await watchSenderLimits(bus, log, stopping.signal, maxParkedMessages)
    const status = createIngestStatus(bus)
    connected = {
      bus,
      revoked,
      limits,
      status,
      send: coalesceSends((credential, events, limitMs) =>
        publishEvents({ bus, limits, log, status }, credential, events, limitMs),
      ),
    }
    if (stopping.signal.aborted) await bus.close()
  })

  function checkRate({ id }: IngestCredential): void {
    const waitMs = countRequest(id)
    if (waitMs !== null) refuseRate(options.requestsPerSecond, waitMs)
  }

  return {
    async checkReady() {
      if (connected === null) return 'bus unreachable'
      return checkStream(connected.bus, 'QUEUE')
    },
    isRevoked: (id) => connected?.revoked.has(id) ?? null,
    admit(credential) {
      checkRate(credential)
      connected?.limits.checkShares(credential.root)
    },
    async store(credential, events) {
      await (connected?.send(credential, events) ?? refuseUnavailable())
    },
    async readStatus(credential) {
      checkRate(credential)
      if (connected === null) return refuseStatus()
      return connected.status.read(credential).catch((err: unknown) => {
        options.log.warn({ err }, 'could not read the status of a credential')
        return refuseStatus()
      })
    },
    async readTenantStatus(root, organization) {
      if (connected === null) return refuseStatus()
      return readTenantStatus(connected.bus, root, organization).catch((err: unknown) => {
        options.log.warn({ err }, 'could not read the status of a tenant root')
        return refuseStatus()
      })
    },
    async close() {
      stopping.abort()
      connected?.status.stop()
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

interface Publishing {
  readonly bus: Bus
  readonly limits: SenderLimits
  readonly status: IngestStatusReader
  readonly log: Log
}

async function publishEvents(
  { bus, limits, status, log }: Publishing,
  credential: IngestCredential,
  events: readonly string[],
  limitMs: number,
): Promise<void> {
  if (!bus.isConnected()) refuseUnavailable()
  const { root } = credential
  const streamName = bus.streamName('QUEUE')
  const messages: { readonly subject: string; readonly data: Buffer; readonly headers: MsgHdrs }[] = []
  for (const message of packMessages(credential, events)) {
    // Signing a large message takes milliseconds: requests of others run in between.
    if (messages.length > 0) await yieldToEventLoop()
    const data = Buffer.from(message)
    const subject = toQueueSubject(bus, root, data.length)
    messages.push({ subject, data, headers: bus.signatures.sign(subject, data) })
  }
  const acks = messages.map(async ({ subject, data, headers }) => {
    const publishOptions = { expect: { streamName }, timeout: limitMs, headers }
    const { seq } = await bus.jetstream.publish(subject, data, publishOptions)
    limits.queue.add(root, toMaxBytes(toSizeClass(data.length)))
    status.noteSent(credential, seq)
  })
  try {
    await bus.rejectOnDisconnect(Promise.all(acks))
    bus.noteAnswer(true)
  } catch (err) {
    bus.noteAnswer(err instanceof JetStreamApiError)
    log.warn({ err }, 'could not store events')
    refuseUnavailable()
  }
}

function refuseRate(requestsPerSecond: number, waitMs: number): never {
  return refuse(
    'RATE_LIMIT_EXCEEDED',
    `A credential may send ${requestsPerSecond} requests per second to a node. Send more events in each request.`,
    { 'retry-after': String(Math.ceil(waitMs / 1000)) },
  )
}

function refuseStatus(): never {
  return refuse('OVERLOADED', 'The event queue is unavailable, so its status is unknown. Try again later.', {
    'retry-after': '5',
  })
}

function refuseUnavailable(): never {
  return refuse('OVERLOADED', 'The event queue is full or unavailable. Send the same events again later.', {
    'retry-after': '5',
  })
}

/** Resolves when the events are stored. */
export type SendEvents = (credential: IngestCredential, events: readonly string[]) => Promise<void>
type SendWithin = (...parameters: [...Parameters<SendEvents>, limitMs: number]) => Promise<void>

interface PendingSend {
  readonly events: string[]
  readonly stored: Promise<void>
}

/**
 * While events of a credential are being sent, later ones wait and are then sent together: under load one message carries
 * the events of many requests, and the bus syncs its disk once for all of them.
 */
function coalesceSends(send: SendWithin): SendEvents {
  const inFlight = new Map<KeyId, Promise<unknown>>()
  const waiting = new Map<KeyId, PendingSend>()

  function startSend(
    credential: IngestCredential,
    events: readonly string[],
    limitMs = STORE_TIMEOUT_MS,
  ): Promise<void> {
    const sending = send(credential, events, limitMs)
    const finished = sending
      .catch(() => {})
      .finally(() => {
        if (inFlight.get(credential.id) === finished) inFlight.delete(credential.id)
      })
    inFlight.set(credential.id, finished)
    return sending
  }

  return (credential, events) => {
    const previous = inFlight.get(credential.id)
    if (previous === undefined) return startSend(credential, events)
    const pending = waiting.get(credential.id)
    if (pending !== undefined) {
      for (const event of events) pending.events.push(event)
      return pending.stored
    }
    const pendingEvents = [...events]
    const arrivedAt = performance.now()
    const stored = previous.then(() => {
      waiting.delete(credential.id)
      // The wait counts, so that nobody waits for a silent bus twice.
      const limitMs = Math.max(STORE_TIMEOUT_MS - (performance.now() - arrivedAt), MIN_STORE_TIMEOUT_MS)
      return startSend(credential, pendingEvents, limitMs)
    })
    waiting.set(credential.id, { events: pendingEvents, stored })
    return stored
  }
}

const MAX_MESSAGE_BYTES = 512 * 1024

/** Packs events into messages of at most 512 KiB; a larger event gets its own message. */
function packMessages(credential: IngestCredential, events: readonly string[]): string[] {
  const { root, id, organizations } = credential
  const head = `{"root":"${root}","credential":"${id}","organizations":${JSON.stringify(organizations)},"events":[`
  const messages: string[] = []
  let from = 0
  let bytes = 0
  for (const [index, event] of events.entries()) {
    const size = Buffer.byteLength(event) + 1
    if (bytes + size > MAX_MESSAGE_BYTES && index > from) {
      messages.push(`${head}${events.slice(from, index).join(',')}]}`)
      from = index
      bytes = 0
    }
    bytes += size
  }
  if (from < events.length) messages.push(`${head}${events.slice(from).join(',')}]}`)
  return messages
}

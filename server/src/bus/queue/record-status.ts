import { randomUUID } from 'node:crypto'
import { headers } from '@nats-io/transport-node'
import type { Bus } from '../connect.ts'
import type { EventBatch, IngestEvent } from '../ingest-event.ts'
import type { BusMessage } from '../pull-message.ts'
import { createLatestPublisher } from './latest-publisher.ts'
import {
  groupWaiting,
  type HandledMark,
  listNamedOrganizations,
  type Sender,
  type StoredMark,
  toStatusSubject,
  toStoredSubject,
  type WaitingMessage,
} from './status-messages.ts'

/** What a worker publishes about its messages, for their senders. Nothing is decided by it, so nothing waits for the bus. */
export interface StatusRecorder {
  /** The message is done: stored, or a dead letter. */
  finish(message: BusMessage, sender: Sender): void
  /** Events of the message wait for the next attempt. */
  wait(message: BusMessage, unstored: EventBatch, delayMs: number): void
  /** These events of the message are stored. */
  noteStored(message: BusMessage, sender: Sender, events: readonly IngestEvent[]): void
  /** Publishes what still waits to be published. */
  stop(): void
}

const TTL_HEADER = 'Nats-TTL'
// The message may wait for a slot after its delay.
const GRACE_SECONDS = 15 * 60
const MAX_SENDERS = 10_000
// A message of the stream has at most 64 KiB, and the groups need half of it.
const MAX_ORGANIZATIONS = 500

export function createStatusRecorder(bus: Bus): StatusRecorder {
  const worker = randomUUID().slice(0, 8)
  const latest = createLatestPublisher(bus)
  const handledUpTo = new Map<string, number>()
  const storedAt = new Map<string, string>()

  function markHandled({ info }: BusMessage, sender: Sender): void {
    if (handledUpTo.size > MAX_SENDERS) handledUpTo.clear()
    const sequence = Math.max(info.streamSequence, handledUpTo.get(sender.credential) ?? 0)
    handledUpTo.set(sender.credential, sequence)
    const mark: HandledMark = { sequence }
    latest.publish(toStatusSubject(bus, 'handled', sender, worker), JSON.stringify(mark))
  }

  function publishWaiting({ info }: BusMessage, sender: Sender, text: string, seconds: number): void {
    const messageHeaders = headers()
    messageHeaders.set(TTL_HEADER, `${seconds}s`)
    const subject = toStatusSubject(bus, 'waiting', sender, String(info.streamSequence))
    if (!bus.connection.isClosed()) bus.connection.publish(subject, text, { headers: messageHeaders })
  }

  return {
    finish(message, sender) {
      markHandled(message, sender)
      // Replaces what earlier attempts wrote, and vanishes.
      if (message.info.deliveryCount > 1) publishWaiting(message, sender, '', 1)
    },
    wait(message, unstored, delayMs) {
      markHandled(message, unstored)
      const waiting: WaitingMessage = {
        since: message.timestamp,
        events: groupWaiting(unstored.events),
        organizations: listNamedOrganizations(unstored.events).slice(0, MAX_ORGANIZATIONS),
      }
      const seconds = Math.ceil(delayMs / 1000) + GRACE_SECONDS
      publishWaiting(message, unstored, JSON.stringify(waiting), seconds)
    },
    noteStored({ timestamp }, { root }, events) {
      if (storedAt.size > MAX_SENDERS) storedAt.clear()
      for (const organization of listNamedOrganizations(events)) {
        const subject = toStoredSubject(bus, root, organization, worker)
        const before = storedAt.get(subject)
        // A message that waited can be older than the last one.
        if (before !== undefined && before >= timestamp) continue
        storedAt.set(subject, timestamp)
        const mark: StoredMark = { at: timestamp }
        latest.publish(subject, JSON.stringify(mark))
      }
    },
    stop: () => latest.stop(),
  }
}

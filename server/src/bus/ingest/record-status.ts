import { randomUUID } from 'node:crypto'
import { headers } from '@nats-io/transport-node'
import type { Bus } from '../connect.ts'
import type { EventBatch } from '../ingest-event.ts'
import type { BusMessage } from '../pull-message.ts'
import { createLatestPublisher } from './latest-publisher.ts'
import {
  groupWaiting,
  type HandledMark,
  type Sender,
  toStatusSubject,
  type WaitingMessage,
} from './status-messages.ts'

/** What a worker publishes about its messages, for their senders. Nothing is decided by it, so nothing waits for the bus. */
export interface StatusRecorder {
  /** The message is done: stored, or a dead letter. */
  finish(message: BusMessage, sender: Sender): void
  /** Events of the message wait for the next attempt. */
  wait(message: BusMessage, unstored: EventBatch, delayMs: number): void
  /** Publishes what still waits to be published. */
  stop(): void
}

const TTL_HEADER = 'Nats-TTL'
// The message may wait for a slot after its delay.
const GRACE_SECONDS = 15 * 60
const MAX_SENDERS = 10_000

export function createStatusRecorder(bus: Bus): StatusRecorder {
  const worker = randomUUID().slice(0, 8)
  const latest = createLatestPublisher(bus)
  const handledUpTo = new Map<string, number>()

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
      const waiting: WaitingMessage = { since: message.timestamp, events: groupWaiting(unstored.events) }
      const seconds = Math.ceil(delayMs / 1000) + GRACE_SECONDS
      publishWaiting(message, unstored, JSON.stringify(waiting), seconds)
    },
    stop: () => latest.stop(),
  }
}

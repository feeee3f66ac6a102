import type { JsMsg, NextMsgRequest, SeqMsgRequest, StoredMsg } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import type { Bus } from './connect.ts'
import type { Consumer } from './consumer.ts'

/** Why a message is a dead letter: not JSON, invalid, failed at every attempt, never acknowledged, or not signed by us. */
export type DeadLetterReason = 'unparsable' | 'invalid' | 'failed' | 'unsettled' | 'unsigned' | 'forged'

export interface Failure {
  readonly reason: DeadLetterReason
  /** Describes the error without quoting the message. */
  readonly error: string
  /** The unhandled part of a message; undefined = all of it. */
  readonly rest?: string
}

export interface DeadLetter {
  readonly sequence: number
  readonly time: Date
  readonly consumer: string
  readonly reason: string
  readonly error: string
  readonly attempts: number
  /** The original subject, with the prefix. */
  readonly subject: string
  readonly size: number
}

export interface DeadLetterQuery {
  /** Only dead letters of this consumer. */
  readonly consumer?: string | undefined
  /** Only dead letters after this sequence, the last one of the previous page. */
  readonly after?: number | undefined
  readonly limit?: number | undefined
}

/** One dead letter, or all of a consumer; `*` selects every consumer. */
export type DeadLetterSelector = { readonly sequence: number } | { readonly consumer: string }

const headerNames = {
  reason: 'Dead-Reason',
  error: 'Dead-Error',
  subject: 'Dead-Subject',
  consumer: 'Dead-Consumer',
  attempts: 'Dead-Attempts',
} as const

/** Resolves when the bus has stored the dead letter; only then may the original be acknowledged. */
export async function storeDeadLetter(
  bus: Bus,
  consumer: Consumer,
  message: JsMsg,
  failure: Failure,
): Promise<void> {
  const { stream, deliveryCount, streamSequence } = message.info
  const letterHeaders = headers()
  letterHeaders.set(headerNames.reason, failure.reason)
  letterHeaders.set(headerNames.error, failure.error)
  letterHeaders.set(headerNames.subject, message.subject)
  letterHeaders.set(headerNames.consumer, consumer.name)
  letterHeaders.set(headerNames.attempts, String(deliveryCount))
  bus.signatures.copy(letterHeaders, message, failure.rest ?? message.data)
  await bus.jetstream.publish(bus.subject(`dead.${consumer.name}`), failure.rest ?? message.data, {
    headers: letterHeaders,
    msgID: `${consumer.name} ${stream} ${streamSequence} ${message.timestamp}`,
    expect: { streamName: bus.streamName('DEAD') },
    timeout: 5000,
  })
}

/** Lists dead letters in the order in which they were stored. */
export async function listDeadLetters(bus: Bus, page: DeadLetterQuery = {}): Promise<DeadLetter[]> {
  const { consumer, after = 0, limit = 100 } = page
  const letters: DeadLetter[] = []
  let stored = await findNextDeadLetter(bus, after, consumer)
  while (stored !== null && letters.length < limit) {
    letters.push(toDeadLetter(stored))
    stored = await findNextDeadLetter(bus, stored.seq, consumer)
  }
  return letters
}

/**
 * Publishes messages to their original subject, where every consumer of that subject gets them again, and deletes the
 * dead letters. Returns their number.
 */
export async function replayDeadLetters(bus: Bus, selector: DeadLetterSelector): Promise<number> {
  if ('sequence' in selector) {
    const stored = await bus.manager.streams.getMessage(bus.streamName('DEAD'), { seq: selector.sequence })
    if (stored === null) return 0
    await replayDeadLetter(bus, stored)
    return 1
  }
  // A message that fails again is stored after this sequence, so the loop ends.
  const { state } = await bus.manager.streams.info(bus.streamName('DEAD'))
  let replayed = 0
  let stored = await findNextDeadLetter(bus, 0, selector.consumer)
  while (stored !== null && stored.seq <= state.last_seq) {
    await replayDeadLetter(bus, stored)
    replayed += 1
    stored = await findNextDeadLetter(bus, stored.seq, selector.consumer)
  }
  return replayed
}

/**
 * Replaces the dead letters of a tenant root by the result of `rewrite`: '' deletes the dead letter, null leaves it
 * unchanged. Returns how many are changed, or would be in a dry run.
 */
export async function rewriteDeadLetters(
  bus: Bus,
  root: string,
  rewrite: (text: string) => string | null,
  dryRun: boolean,
): Promise<number> {
  const { state } = await bus.manager.streams.info(bus.streamName('DEAD'))
  let changed = 0
  let stored = await findNextDeadLetter(bus, 0)
  while (stored !== null && stored.seq <= state.last_seq) {
    const text = belongsToRoot(stored, root) ? rewrite(stored.string()) : null
    if (text !== null) {
      changed += 1
      if (!dryRun) await replaceDeadLetter(bus, stored, text)
    }
    stored = await findNextDeadLetter(bus, stored.seq)
  }
  return changed
}

/** Checks the subject first, then the body. */
function belongsToRoot(stored: StoredMsg, root: string): boolean {
  if (toDeadLetter(stored).subject.endsWith(`.${root}`)) return true
  try {
    return stored.json<{ root?: unknown } | null>()?.root === root
  } catch {
    return false
  }
}

async function replaceDeadLetter(bus: Bus, stored: StoredMsg, text: string): Promise<void> {
  if (text !== '') {
    const { subject } = toDeadLetter(stored)
    bus.signatures.copy(stored.header, { subject, data: stored.data, headers: stored.header }, text)
    await bus.jetstream.publish(stored.subject, text, {
      headers: stored.header,
      msgID: `rewrite ${stored.seq} ${stored.timestamp}`,
      expect: { streamName: bus.streamName('DEAD') },
      timeout: 5000,
    })
  }
  await bus.manager.streams.deleteMessage(bus.streamName('DEAD'), stored.seq)
}

async function replayDeadLetter(bus: Bus, stored: StoredMsg): Promise<void> {
  const { subject } = toDeadLetter(stored)
  if (!subject.startsWith(bus.subject('')) || subject.startsWith(bus.subject('dead.'))) {
    throw new Error(`Dead letter ${stored.seq} has no valid original subject, so it cannot be replayed.`)
  }
  const replayHeaders = headers()
  bus.signatures.copy(replayHeaders, { subject, data: stored.data, headers: stored.header }, stored.data)
  // If the delete below fails, a repeated replay has the same id and the bus drops it.
  await bus.jetstream.publish(subject, stored.data, {
    headers: replayHeaders,
    msgID: `replay ${stored.seq} ${stored.timestamp}`,
    timeout: 5000,
  })
  await bus.manager.streams.deleteMessage(bus.streamName('DEAD'), stored.seq)
}

/** Reads from the stream's leader, the only replica that has every delete. */
function findNextDeadLetter(bus: Bus, after: number, consumer = '*'): Promise<StoredMsg | null> {
  const request: NextMsgRequest & SeqMsgRequest = {
    seq: after + 1,
    next_by_subj: bus.subject(`dead.${consumer}`),
  }
  return bus.manager.streams.getMessage(bus.streamName('DEAD'), request)
}

function toDeadLetter({ seq, time, header: letterHeaders, data }: StoredMsg): DeadLetter {
  return {
    sequence: seq,
    time,
    consumer: letterHeaders.get(headerNames.consumer),
    reason: letterHeaders.get(headerNames.reason),
    error: letterHeaders.get(headerNames.error),
    attempts: Number(letterHeaders.get(headerNames.attempts)),
    subject: letterHeaders.get(headerNames.subject),
    size: data.length,
  }
}

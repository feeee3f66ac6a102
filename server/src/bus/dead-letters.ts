import type { StoredMsg } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import type { Bus } from './connect.ts'
import type { Consumer } from './consumer.ts'
import type { BusMessage } from './pull-message.ts'
import {
  findQueueRoot,
  parseRootAndClass,
  toMaxBytes,
  toQueueSubject,
  toSizeClass,
} from './queue/subjects.ts'
import { findNextMessage, forEachMessage, replaceMessage } from './stored-messages.ts'

/** Why a message is a dead letter: not JSON, invalid, failed at every attempt, never acknowledged, or not signed by us. */
export type DeadLetterReason = 'unparsable' | 'invalid' | 'failed' | 'unsettled' | 'unsigned' | 'forged'

export interface Failure {
  readonly reason: DeadLetterReason
  /** Describes the error without quoting the message. */
  readonly error: string
  /** The ingest credential that a message of the queue was sent with, if the message is ours. */
  readonly credential?: string
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

/** One dead letter, or all of a consumer or of a tenant root; the consumer `*` selects every dead letter. */
export type DeadLetterSelector =
  | { readonly sequence: number }
  | { readonly consumer: string }
  | { readonly root: string }

const headerNames = {
  reason: 'Dead-Reason',
  error: 'Dead-Error',
  subject: 'Dead-Subject',
  consumer: 'Dead-Consumer',
  attempts: 'Dead-Attempts',
} as const
const LETTER_HEADER_BYTES = 500

/**
 * Resolves when the bus has stored the dead letter; only then may the original be acknowledged. Returns the bytes that it
 * counts for in its tenant root's share.
 */
export async function storeDeadLetter(
  bus: Bus,
  consumer: Consumer,
  message: BusMessage,
  failure: Failure,
): Promise<number> {
  const { stream, deliveryCount, streamSequence } = message.info
  const letterHeaders = headers()
  letterHeaders.set(headerNames.reason, failure.reason)
  letterHeaders.set(headerNames.error, failure.error)
  letterHeaders.set(headerNames.subject, message.subject)
  letterHeaders.set(headerNames.consumer, consumer.name)
  letterHeaders.set(headerNames.attempts, String(deliveryCount))
  const data = failure.rest ?? message.data
  bus.signatures.copy(letterHeaders, message, data)
  const sizeClass = toSizeClass(Buffer.byteLength(data) + LETTER_HEADER_BYTES)
  await bus.jetstream.publish(toDeadLetterSubject(bus, consumer, message, failure, sizeClass), data, {
    headers: letterHeaders,
    msgID: `${consumer.name} ${stream} ${streamSequence} ${message.timestamp}`,
    expect: { streamName: bus.streamName('DEAD') },
    timeout: 5000,
  })
  return toMaxBytes(sizeClass)
}

/**
 * A message of the queue names its tenant root, which has a share of the dead letters. The credential lets its holder
 * count them.
 */
function toDeadLetterSubject(
  bus: Bus,
  { name }: Consumer,
  { subject }: BusMessage,
  { credential }: Failure,
  sizeClass: number,
): string {
  const root = findQueueRoot(bus, subject)
  if (root === null) return bus.subject(`dead.${name}`)
  return credential === undefined
    ? bus.subject(`dead.${name}.${root}.${sizeClass}`)
    : bus.subject(`dead.${name}.${credential}.${root}.${sizeClass}`)
}

/** Matches the dead letters of the events that a credential sent. */
export function toCredentialFilter(bus: Bus, root: string, credential: string): string {
  return bus.subject(`dead.*.${credential}.${root}.*`)
}

/** Matches the dead letters of every event of a tenant root. */
export function toRootFilters(bus: Bus, root: string): readonly string[] {
  return toSubjectFilters(bus, { root })
}

/** The credential that a subject of a dead letter names; null = none. */
export function findCredential(bus: Bus, subject: string): string | null {
  const parts = subject.slice(bus.subject('').length).split('.')
  return parts.length === DEAD_PARTS_WITH_CREDENTIAL ? (parts[2] ?? null) : null
}

// dead.<consumer>.<credential>.<root>.<size class>
const DEAD_PARTS_WITH_CREDENTIAL = 5

/** Lists dead letters in the order in which they were stored. */
export async function listDeadLetters(bus: Bus, page: DeadLetterQuery = {}): Promise<DeadLetter[]> {
  const { consumer, after = 0, limit = 100 } = page
  const letters: DeadLetter[] = []
  const subjects = toSubjectFilters(bus, { consumer: consumer ?? EVERY_CONSUMER })
  let stored = await findNextMessage(bus, 'DEAD', subjects, after)
  while (stored !== null && letters.length < limit) {
    letters.push(toDeadLetter(stored))
    stored = await findNextMessage(bus, 'DEAD', subjects, stored.seq)
  }
  return letters
}

/**
 * Publishes messages to their original subject, where every consumer of that subject gets them again, and deletes the
 * dead letters. Returns their number.
 */
export function replayDeadLetters(bus: Bus, selector: DeadLetterSelector): Promise<number> {
  return forEachDeadLetter(bus, selector, (stored) => replayDeadLetter(bus, stored))
}

/** Returns their number. */
export function deleteDeadLetters(bus: Bus, selector: DeadLetterSelector): Promise<number> {
  return forEachDeadLetter(bus, selector, (stored) => deleteDeadLetter(bus, stored))
}

export function countDeadLetters(bus: Bus, selector: DeadLetterSelector): Promise<number> {
  return forEachDeadLetter(bus, selector, () => Promise.resolve())
}

/** Covers the dead letters that are stored now. Returns their number. */
async function forEachDeadLetter(
  bus: Bus,
  selector: DeadLetterSelector,
  work: (stored: StoredMsg) => Promise<void>,
): Promise<number> {
  if (!('sequence' in selector)) return forEachMessage(bus, 'DEAD', toSubjectFilters(bus, selector), work)
  const stored = await bus.manager.streams.getMessage(bus.streamName('DEAD'), { seq: selector.sequence })
  if (stored === null) return 0
  await work(stored)
  return 1
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
  let changed = 0
  await forEachDeadLetter(bus, { consumer: EVERY_CONSUMER }, async (stored) => {
    const text = belongsToRoot(stored, root) ? rewrite(stored.string()) : null
    if (text === null) return
    changed += 1
    if (!dryRun) await replaceMessage(bus, 'DEAD', stored, toDeadLetter(stored).subject, text)
  })
  return changed
}

/** Checks the subject first, then the body. */
function belongsToRoot(stored: StoredMsg, root: string): boolean {
  if (parseRootAndClass(stored.subject)?.root === root) return true
  if (toDeadLetter(stored).subject.endsWith(`.${root}`)) return true
  try {
    return stored.json<{ root?: unknown } | null>()?.root === root
  } catch {
    return false
  }
}

async function deleteDeadLetter(bus: Bus, { seq }: StoredMsg): Promise<void> {
  await bus.manager.streams.deleteMessage(bus.streamName('DEAD'), seq)
}

async function replayDeadLetter(bus: Bus, stored: StoredMsg): Promise<void> {
  const { subject } = toDeadLetter(stored)
  if (!subject.startsWith(bus.subject('')) || subject.startsWith(bus.subject('dead.'))) {
    throw new Error(`Dead letter ${stored.seq} has no valid original subject, so it cannot be replayed.`)
  }
  const replayHeaders = headers()
  bus.signatures.copy(replayHeaders, { subject, data: stored.data, headers: stored.header }, stored.data)
  const root = findQueueRoot(bus, subject)
  // If the delete below fails, a repeated replay has the same id and the bus drops it.
  await bus.jetstream.publish(
    // A dead letter may be the rest of a message, which is in a smaller size class.
    root === null ? subject : toQueueSubject(bus, root, stored.data.length),
    stored.data,
    { headers: replayHeaders, msgID: `replay ${stored.seq} ${stored.timestamp}`, timeout: 5000 },
  )
  await deleteDeadLetter(bus, stored)
}

const EVERY_CONSUMER = '*'

/** Dead letters of streams whose subjects name no root have no root in their subject. */
function toSubjectFilters(
  bus: Bus,
  selector: { readonly consumer: string } | { readonly root: string },
): readonly string[] {
  if ('root' in selector)
    return [bus.subject(`dead.*.${selector.root}.*`), bus.subject(`dead.*.*.${selector.root}.*`)]
  const { consumer } = selector
  if (consumer === EVERY_CONSUMER) return [bus.subject('dead.>')]
  return [bus.subject(`dead.${consumer}`), bus.subject(`dead.${consumer}.>`)]
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

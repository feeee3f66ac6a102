import type { JsMsg, NextMsgRequest, SeqMsgRequest, StoredMsg } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import type { Bus } from './connect.ts'
import type { Consumer } from './consumer.ts'

/** Why a message was given up: not JSON, not of the consumer's shape, handled in vain, or never settled at all. */
export type DeadLetterReason = 'unparsable' | 'invalid' | 'failed' | 'unsettled'

export interface Failure {
  readonly reason: DeadLetterReason
  /** Says what was wrong without a value of the message. */
  readonly error: string
  /** What is buried of a message whose other part was handled; nothing said: all of it. */
  readonly rest?: string
}

export interface DeadLetter {
  readonly sequence: number
  readonly time: Date
  readonly consumer: string
  readonly reason: string
  readonly error: string
  readonly attempts: number
  /** The subject that the message had, prefix included. */
  readonly subject: string
  readonly size: number
}

export interface DeadLetterQuery {
  /** Only those of this consumer. */
  readonly consumer?: string | undefined
  /** Only those behind this sequence: the last one of the page before. */
  readonly after?: number | undefined
  readonly limit?: number | undefined
}

/** One letter, or all of a consumer; `*` stands for every consumer. */
export type DeadLetterSelector = { readonly sequence: number } | { readonly consumer: string }

const headerNames = {
  reason: 'Dead-Reason',
  error: 'Dead-Error',
  subject: 'Dead-Subject',
  consumer: 'Dead-Consumer',
  attempts: 'Dead-Attempts',
} as const

/** Resolves when the bus has stored the letter; only then may the original be settled. */
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
  await bus.jetstream.publish(bus.subject(`dead.${consumer.name}`), failure.rest ?? message.data, {
    headers: letterHeaders,
    msgID: `${consumer.name} ${stream} ${streamSequence} ${message.timestamp}`,
    expect: { streamName: bus.streamName('DEAD') },
    timeout: 5000,
  })
}

/** The dead letters in the order of their death, a page at a time. */
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
 * Gives messages back to the subject they came from, where every consumer of that subject sees them again, and
 * takes them off the dead letters. Returns how many: 0 when there was none.
 */
export async function replayDeadLetters(bus: Bus, selector: DeadLetterSelector): Promise<number> {
  if ('sequence' in selector) {
    const stored = await bus.manager.streams.getMessage(bus.streamName('DEAD'), { seq: selector.sequence })
    if (stored === null) return 0
    await replayDeadLetter(bus, stored)
    return 1
  }
  // What dies again meanwhile lies behind this end, so that a message that cannot live does not go round for ever.
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
 * Looks through the dead letters of a tenant root and puts what `rewrite` makes of them in their place: '' = nothing,
 * null = the letter stays as it is. Returns how many are changed, or would be.
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

/** By its subject where that says it, else by its body. */
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
    throw new Error(`Dead letter ${stored.seq} does not say where it came from.`)
  }
  // The same replay twice, because it was cut off before the delete, is one message for the bus.
  await bus.jetstream.publish(subject, stored.data, {
    msgID: `replay ${stored.seq} ${stored.timestamp}`,
    timeout: 5000,
  })
  await bus.manager.streams.deleteMessage(bus.streamName('DEAD'), stored.seq)
}

/** Asks the stream's leader, which alone has seen every delete. */
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

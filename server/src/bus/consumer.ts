import type { Static, TSchema } from 'typebox'
import type { WorkerContext } from './context.ts'
import type { StreamName } from './streams.ts'

/** What is done with the messages of a subject. It is pure data but for its verb; bus/consume.ts runs every one. */
export interface Consumer<Schema extends TSchema = TSchema> {
  /** Its durable name: the bus remembers under it what was settled. Letters, digits and "-". */
  readonly name: string
  readonly stream: StreamName
  /** Below the prefix; wildcards allowed, as in `events.key.*`. */
  readonly subject: string
  /** Of the whole message. A message that differs is a dead letter at once. */
  readonly schema: Schema
  readonly settings?: Partial<ConsumerSettings>
  /**
   * Resolves when its transaction has been committed, and not before. It may be given the same event again. What it
   * throws must not quote the event: the message of the error is kept with a dead letter. Throwing that the database is
   * away, or RetryLaterError, is no attempt: the message waits for as long as it takes.
   */
  handle(context: WorkerContext, event: Static<Schema>): Promise<void>
}

export interface ConsumerSettings {
  /** How many messages one worker handles at a time. */
  readonly concurrency: number
  /** How many may be delivered and not yet settled over all workers. Those that wait for a retry count too. */
  readonly maxAckPending: number
  /** How long a worker may be silent about a message before another worker is given it. */
  readonly ackWaitMs: number
  /** Delay before each further attempt; after one attempt more than there are delays the message is a dead letter. */
  readonly retryDelaysMs: readonly number[]
  /** Delay before a message that can only wait is looked at again: of the first time, doubled each time, and the longest. */
  readonly retryLaterDelaysMs: readonly [first: number, longest: number]
}

/**
 * Thrown by a handler that has done what it could of its message. The whole is tried again; at the last attempt only
 * the rest, a message of the same shape, becomes the dead letter.
 */
export class PartiallyHandledError extends Error {
  override readonly name = 'PartlyHandled'
  readonly rest: unknown

  constructor(reason: string, rest: unknown) {
    super(reason)
    this.rest = rest
  }
}

const SECOND = 1000
const MINUTE = 60 * SECOND

const defaultSettings: ConsumerSettings = {
  concurrency: 8,
  maxAckPending: 1000,
  ackWaitMs: 30 * SECOND,
  retryDelaysMs: [SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE],
  retryLaterDelaysMs: [SECOND, 30 * SECOND],
}

export function getConsumerSettings({ settings }: Consumer): ConsumerSettings {
  return { ...defaultSettings, ...settings }
}

/** Keeps the type of a consumer's own event while it is written, and forgets it for the table of contents. */
export function defineConsumer<Schema extends TSchema>(definition: Consumer<Schema>): Consumer {
  return definition
}

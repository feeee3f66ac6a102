import type { Static, TSchema } from 'typebox'
import type { WorkerContext } from './context.ts'
import type { StreamName } from './streams.ts'

/** A consumer of one subject: data and a handler. bus/consume.ts runs it. */
export interface Consumer<Schema extends TSchema = TSchema> {
  /** The durable name, under which the bus stores what was acknowledged. Letters, digits and "-". */
  readonly name: string
  readonly stream: StreamName
  /** Without the prefix; may have wildcards, such as `events.key.*`. */
  readonly subject: string
  /** Schema of the whole message. An invalid message becomes a dead letter at once. */
  readonly schema: Schema
  readonly settings?: Partial<ConsumerSettings>
  /**
   * Must resolve only after its transaction commits. It can get the same event more than once. Its errors must not quote
   * the event, because a dead letter stores the error message. An unavailable database or RetryLaterError does not count
   * as an attempt: the message is retried without limit, except that statement timeouts count after an hour.
   */
  handle(context: WorkerContext, event: Static<Schema>): Promise<void>
}

export interface ConsumerSettings {
  /** Messages that one worker handles concurrently. */
  readonly concurrency: number
  /** Delivered but unacknowledged messages across all workers, including those that wait for a retry. */
  readonly maxAckPending: number
  /** Time without a sign of life after which the bus redelivers a message to another worker. */
  readonly ackWaitMs: number
  /** Delay before each retry. After the last retry fails, the message becomes a dead letter. */
  readonly retryDelaysMs: readonly number[]
  /** Delay of retries that do not count as attempts: it starts with the first and doubles up to the longest. */
  readonly retryLaterDelaysMs: readonly [first: number, longest: number]
  /** Age of a message from which a statement timeout counts as an attempt: the message itself may be the cause. */
  readonly timeoutPatienceMs: number
}

/**
 * Thrown by a handler that has handled part of its message. Retries get the whole message; after the last attempt only
 * the rest, a message of the same schema, becomes the dead letter.
 */
export class PartiallyHandledError extends Error {
  override readonly name = 'PartiallyHandledError'
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
  timeoutPatienceMs: 60 * MINUTE,
}

export function getConsumerSettings({ settings }: Consumer): ConsumerSettings {
  return { ...defaultSettings, ...settings }
}

/** Types a consumer by its own event where it is defined, and erases it for the list of consumers. */
export function defineConsumer<Schema extends TSchema>(definition: Consumer<Schema>): Consumer {
  return definition
}

import { setTimeout as sleep } from 'node:timers/promises'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { TSchema } from 'typebox'
import { isDatabaseUnavailable, isStatementTimeout } from '../db/unavailable.ts'
import { compileShape, type ShapeError } from '../shape.ts'
import type { Bus } from './connect.ts'
import { type Consumer, getConsumerSettings, PartiallyHandledError } from './consumer.ts'
import type { WorkerContext } from './context.ts'
import { type Failure, storeDeadLetter } from './dead-letters.ts'
import { type EventBatch, RetryLaterError } from './ingest-event.ts'
import type { BusMessage } from './pull-message.ts'
import { archiveMessage } from './queue/archive.ts'
import { recordEventStatuses, toStatuses } from './queue/event-status.ts'
import { createStatusRecorder, type StatusRecorder } from './queue/record-status.ts'
import type { Shares } from './queue/shares.ts'
import { findQueueRoot } from './queue/subjects.ts'
import { createMessageVerifier, RejectedMessageError, type VerifyMessage } from './verify-message.ts'

export type MessageOutcome = 'done' | 'retried' | 'postponed' | 'dead' | 'unsettled'

export const RETRY_DELAY_MS = 1000
// While the database is unavailable, slows down loops that return one message and pull the next.
const DATABASE_UNAVAILABLE_DELAY_MS = 100

/** A consumer, and the shares of tenant roots in the dead letters; null = not watched. */
interface Processing {
  readonly context: WorkerContext
  readonly consumer: Consumer
  /** Null = its messages are not events of senders. */
  readonly status: StatusRecorder | null
  readonly deadLetterShares: Shares | null
}

export interface MessageProcessor {
  (message: BusMessage): Promise<MessageOutcome>
  /** Call it after the last message. */
  stop(): void
}

/** Handles a message and acknowledges it, retries it, or stores it as a dead letter. Never throws. */
export function createMessageProcessor(
  context: WorkerContext,
  consumer: Consumer,
  deadLetterShares: Shares | null = null,
): MessageProcessor {
  const { bus, log, metrics } = context
  const { ackWaitMs } = getConsumerSettings(consumer)
  const status = consumer.stream === 'QUEUE' ? createStatusRecorder(bus) : null
  const processing = { context, consumer, status, deadLetterShares }
  const read = createMessageReader(consumer.schema)
  const verify = createMessageVerifier(context)
  const processMessage = async (message: BusMessage): Promise<MessageOutcome> => {
    const stopClock = metrics.events.startTimer({ consumer: consumer.name })
    const heartbeat = setInterval(() => sendHeartbeat(bus, message), ackWaitMs / 3)
    let outcome: MessageOutcome = 'unsettled'
    try {
      const waited = await readWaited(bus, consumer, message)
      const content = waited.failure === null ? read(message.data) : { failure: waited.failure }
      outcome = await ('failure' in content
        ? deadLetter(processing, message, content.failure)
        : handleEvent(processing, message, content.value, verify, waited.retryLaterCount))
    } catch (err) {
      // Only the bus can fail here; it redelivers the message.
      log.error({ err, consumer: consumer.name }, 'could not acknowledge an event')
    } finally {
      clearInterval(heartbeat)
    }
    stopClock({ outcome })
    return outcome
  }
  return Object.assign(processMessage, { stop: () => status?.stop() })
}

async function handleEvent(
  processing: Processing,
  message: BusMessage,
  event: unknown,
  verify: VerifyMessage,
  retryLaterCount: number,
): Promise<MessageOutcome> {
  const { context, consumer, status } = processing
  const { bus, log } = context
  const { retryDelaysMs } = getConsumerSettings(consumer)
  const attempt = message.info.deliveryCount - retryLaterCount
  if (attempt > retryDelaysMs.length + 1) {
    const failure = {
      reason: 'unsettled',
      error: 'Every worker stopped before it acknowledged the message.',
    } as const
    return deadLetter(processing, message, { ...failure, ...toSender(processing, event) })
  }
  try {
    verify(message)
    await handleTraced(context, consumer, event)
    await archive(processing, message)
  } catch (err) {
    if (err instanceof RejectedMessageError) return deadLetter(processing, message, err)
    if (shouldRetryLater(err) && !hasTimedOutTooLong(consumer, message, err)) {
      if (retryLaterCount === 0) log.warn({ err, consumer: consumer.name }, 'retrying an event later')
      await retryLater(bus, consumer, message, retryLaterCount)
      if (isDatabaseUnavailable(err)) await sleep(DATABASE_UNAVAILABLE_DELAY_MS)
      return 'postponed'
    }
    log.warn({ err, consumer: consumer.name, attempt }, 'could not handle an event')
    if (err instanceof PartiallyHandledError) noteStoredPart(processing, message, event, err)
    const delay = retryDelaysMs[attempt - 1]
    if (delay === undefined)
      return deadLetter(processing, message, { ...toFailure(err), ...toSender(processing, event) })
    message.nak(delay)
    status?.wait(message, toUnstored(err, event), delay)
    return 'retried'
  }
  message.ack()
  const batch = event as EventBatch
  status?.finish(message, batch)
  status?.noteStored(message, batch, batch.events)
  return 'done'
}

/** A copy that cannot be stored is no fault of the message, which is handled again later. */
async function archive({ context, status }: Processing, message: BusMessage): Promise<void> {
  if (status === null || !context.archives) return
  await archiveMessage(context.bus, message).catch((err: unknown) => {
    context.log.warn({ err }, 'could not archive a message')
    throw new RetryLaterError('The archive of events does not answer.')
  })
}

function noteStoredPart(
  { status }: Processing,
  message: BusMessage,
  event: unknown,
  { rest }: PartiallyHandledError,
): void {
  if (status === null) return
  const batch = event as EventBatch
  const unstored = new Set((rest as EventBatch).events)
  status.noteStored(
    message,
    batch,
    batch.events.filter((one) => !unstored.has(one)),
  )
}

/** The credential of a verified message of the queue. */
function toSender({ status }: Processing, event: unknown): Pick<Failure, 'credential'> {
  return status === null ? {} : { credential: (event as EventBatch).credential }
}

function toUnstored(error: unknown, event: unknown): EventBatch {
  return (error instanceof PartiallyHandledError ? error.rest : event) as EventBatch
}

async function deadLetter(
  processing: Processing,
  message: BusMessage,
  failure: Failure,
): Promise<MessageOutcome> {
  const { context, consumer, status, deadLetterShares } = processing
  const { bus, log } = context
  const { reason, error, credential } = failure
  const rest = () => JSON.parse(failure.rest ?? Buffer.from(message.data).toString()) as EventBatch
  const root = findQueueRoot(bus, message.subject)
  try {
    // Another part of the message is stored.
    if (failure.rest !== undefined) await archive(processing, message)
    if (root !== null && deadLetterShares?.isFull(root)) throw new ShareFullError()
    const bytes = await storeDeadLetter(bus, consumer, message, failure)
    if (root !== null) deadLetterShares?.add(root, bytes)
  } catch (err) {
    log.error(
      { err, consumer: consumer.name, reason, error },
      'could not store a dead letter; its message stays in the stream',
    )
    await writeWaited(bus, consumer, message, JSON.stringify({ reason, error, credential }))
    const delay = getConsumerSettings(consumer).retryDelaysMs.at(-1) ?? RETRY_DELAY_MS
    message.nak(delay)
    if (credential !== undefined) status?.wait(message, rest(), delay)
    return 'unsettled'
  }
  message.term(reason)
  if (root !== null && credential !== undefined) {
    const batch = rest()
    status?.finish(message, batch)
    await recordEventStatuses(context, batch, new Map(toStatuses(batch.events, 'refused')))
  }
  log.error({ consumer: consumer.name, reason, error }, 'an event became a dead letter')
  return 'dead'
}

class ShareFullError extends Error {
  override readonly name = 'ShareFullError'

  constructor() {
    super('The dead letters of the tenant root fill their share. Replay or delete them.')
  }
}

function toFailure(error: unknown): Failure {
  const rest = error instanceof PartiallyHandledError ? { rest: JSON.stringify(error.rest) } : {}
  return { reason: 'failed', error: describeFailure(error), ...rest }
}

/** Tells the bus that a slow handler is still working. */
function sendHeartbeat(bus: Bus, message: BusMessage): void {
  if (!bus.connection.isClosed()) message.working()
}

async function handleTraced(context: WorkerContext, consumer: Consumer, event: unknown): Promise<void> {
  const span = context.traces.tracer.startSpan(`consume ${consumer.name}`, { kind: SpanKind.CONSUMER })
  try {
    await consumer.handle(context, event)
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}

/** Whether a delivery does not count as an attempt: the message is fine, but something else is not ready. */
export function shouldRetryLater(error: unknown): boolean {
  return error instanceof RetryLaterError || isDatabaseUnavailable(error)
}

/** A statement that always times out must not be retried for ever. */
function hasTimedOutTooLong(consumer: Consumer, { timestamp }: BusMessage, error: unknown): boolean {
  const { timeoutPatienceMs } = getConsumerSettings(consumer)
  return isStatementTimeout(error) && Date.now() - Date.parse(timestamp) > timeoutPatienceMs
}

interface Waited {
  /** Deliveries that did not count as attempts. */
  readonly retryLaterCount: number
  /** Why the message becomes a dead letter as soon as there is room; null = it was not given up. */
  readonly failure: Failure | null
}

/** Reads what earlier deliveries stored. The bus counts only deliveries, so it is in a stream of its own. */
async function readWaited(bus: Bus, consumer: Consumer, message: BusMessage): Promise<Waited> {
  const { deliveryCount } = message.info
  const nothing = { retryLaterCount: 0, failure: null }
  if (deliveryCount === 1) return nothing
  const found = await bus.manager.streams.getMessage(bus.streamName('WAITS'), {
    last_by_subj: toWaitsSubject(bus, consumer, message),
  })
  const text = found?.string() ?? '0'
  if (text.startsWith('{')) return { ...nothing, failure: JSON.parse(text) as Failure }
  // The bus forgets deliveries if it restarts. The stored count is then too high, and attempts count from the start.
  const retryLaterCount = Number(text)
  return retryLaterCount < deliveryCount ? { ...nothing, retryLaterCount } : nothing
}

async function retryLater(
  bus: Bus,
  consumer: Consumer,
  message: BusMessage,
  retryLaterCount: number,
): Promise<void> {
  await writeWaited(bus, consumer, message, String(retryLaterCount + 1))
  const [first, longest] = getConsumerSettings(consumer).retryLaterDelaysMs
  message.nak(Math.min(first * 2 ** retryLaterCount, longest))
}

async function writeWaited(bus: Bus, consumer: Consumer, message: BusMessage, text: string): Promise<void> {
  await bus.jetstream.publish(toWaitsSubject(bus, consumer, message), text, {
    expect: { streamName: bus.streamName('WAITS') },
    timeout: 5000,
  })
}

function toWaitsSubject(bus: Bus, { name }: Consumer, { info }: BusMessage): string {
  return bus.subject(`waits.${name}.${info.streamSequence}`)
}

export type ParsedMessage = { readonly value: unknown } | { readonly failure: Failure }

/** Compiles a schema once. The reader returns the value of a message, or why it can never be handled. */
function createMessageReader(schema: TSchema): (data: Uint8Array) => ParsedMessage {
  const validate = compileShape(schema)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return (data) => {
    let value: unknown
    try {
      value = JSON.parse(decoder.decode(data))
    } catch {
      return { failure: { reason: 'unparsable', error: 'The message is not JSON in UTF-8.' } }
    }
    try {
      if (validate(value)) return { value }
      return { failure: { reason: 'invalid', error: describeShapeError(validate.errors?.[0]) } }
    } catch (error) {
      return { failure: { reason: 'invalid', error: describeFailure(error) } }
    }
  }
}

/** Names the path in our schema, because the path in the message can contain the sender's keys. */
function describeShapeError(error: ShapeError | undefined): string {
  return error === undefined
    ? 'The message does not match its schema.'
    : `${error.schemaPath} ${error.message ?? 'does not match'}`
}

/** One line without quoted values: errors of the database and of parsers quote their input. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'The handler threw a value that is not an Error.'
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) {
    return `Database error ${code}${typeof constraint === 'string' ? ` of ${constraint}` : ''}`
  }
  const firstLine = error.message.split('\n', 1)[0] ?? ''
  const unquoted = firstLine.replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, '…')
  return `${error.name}: ${unquoted}`.replaceAll(/\p{Cc}/gu, ' ').slice(0, 200)
}

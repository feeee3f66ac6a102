import { setTimeout as sleep } from 'node:timers/promises'
import type { JsMsg } from '@nats-io/jetstream'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { TSchema } from 'typebox'
import { isDatabaseUnavailable } from '../db/unavailable.ts'
import { compileShape, type ShapeError } from '../shape.ts'
import type { Bus } from './connect.ts'
import { type Consumer, getConsumerSettings, PartiallyHandledError } from './consumer.ts'
import type { WorkerContext } from './context.ts'
import { type Failure, storeDeadLetter } from './dead-letters.ts'
import { RetryLaterError } from './ingest-event.ts'
import { createMessageVerifier, RejectedMessageError, type VerifyMessage } from './verify-message.ts'

type MessageOutcome = 'done' | 'retried' | 'put off' | 'dead' | 'unsettled'

export const RETRY_DELAY_MS = 1000
// While the database is unavailable, slows down loops that return one message and pull the next.
const DATABASE_UNAVAILABLE_DELAY_MS = 100

/** Handles a message and acknowledges it, retries it, or stores it as a dead letter. Never throws. */
export function createMessageProcessor(
  context: WorkerContext,
  consumer: Consumer,
): (message: JsMsg) => Promise<void> {
  const { bus, log, metrics } = context
  const { ackWaitMs } = getConsumerSettings(consumer)
  const read = createMessageReader(consumer.schema)
  const verify = createMessageVerifier(context)
  return async (message) => {
    const stopClock = metrics.events.startTimer({ consumer: consumer.name })
    const heartbeat = setInterval(() => sendHeartbeat(bus, message), ackWaitMs / 3)
    try {
      const content = read(message.data)
      const outcome =
        'failure' in content
          ? deadLetter(context, consumer, message, content.failure)
          : handleEvent(context, consumer, message, content.value, verify)
      stopClock({ outcome: await outcome })
    } catch (err) {
      // Only the bus can fail here; it redelivers the message.
      log.error({ err, consumer: consumer.name }, 'could not acknowledge an event')
      stopClock({ outcome: 'unsettled' })
    } finally {
      clearInterval(heartbeat)
    }
  }
}

async function handleEvent(
  context: WorkerContext,
  consumer: Consumer,
  message: JsMsg,
  event: unknown,
  verify: VerifyMessage,
): Promise<MessageOutcome> {
  const { bus, log } = context
  const { retryDelaysMs } = getConsumerSettings(consumer)
  const retryLaterCount = await readRetryLaterCount(bus, consumer, message)
  const attempt = message.info.deliveryCount - retryLaterCount
  if (attempt > retryDelaysMs.length + 1) {
    const failure = {
      reason: 'unsettled',
      error: 'Every worker stopped before it acknowledged the message.',
    } as const
    return deadLetter(context, consumer, message, failure)
  }
  try {
    verify(message)
    await handleTraced(context, consumer, event)
  } catch (err) {
    if (err instanceof RejectedMessageError) return deadLetter(context, consumer, message, err)
    if (shouldRetryLater(err)) {
      if (retryLaterCount === 0) log.warn({ err, consumer: consumer.name }, 'retrying an event later')
      await retryLater(bus, consumer, message, retryLaterCount)
      if (isDatabaseUnavailable(err)) await sleep(DATABASE_UNAVAILABLE_DELAY_MS)
      return 'put off'
    }
    log.warn({ err, consumer: consumer.name, attempt }, 'could not handle an event')
    const delay = retryDelaysMs[attempt - 1]
    if (delay === undefined) return deadLetter(context, consumer, message, toFailure(err))
    message.nak(delay)
    return 'retried'
  }
  message.ack()
  return 'done'
}

async function deadLetter(
  { bus, log }: WorkerContext,
  consumer: Consumer,
  message: JsMsg,
  failure: Failure,
): Promise<MessageOutcome> {
  try {
    await storeDeadLetter(bus, consumer, message, failure)
  } catch (err) {
    log.error(
      { err, consumer: consumer.name },
      'could not store a dead letter; its message stays in the stream',
    )
    message.nak(getConsumerSettings(consumer).retryDelaysMs.at(-1) ?? RETRY_DELAY_MS)
    return 'unsettled'
  }
  message.term(failure.reason)
  const { reason, error } = failure
  log.error({ consumer: consumer.name, reason, error }, 'an event became a dead letter')
  return 'dead'
}

function toFailure(error: unknown): Failure {
  const rest = error instanceof PartiallyHandledError ? { rest: JSON.stringify(error.rest) } : {}
  return { reason: 'failed', error: describeFailure(error), ...rest }
}

/** Tells the bus that a slow handler is still working. */
function sendHeartbeat(bus: Bus, message: JsMsg): void {
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

/** How often a message was retried later. The bus counts only deliveries, so the count is stored in a stream of its own. */
async function readRetryLaterCount(bus: Bus, consumer: Consumer, message: JsMsg): Promise<number> {
  if (message.info.deliveryCount === 1) return 0
  const found = await bus.manager.streams.getMessage(bus.streamName('WAITS'), {
    last_by_subj: toWaitsSubject(bus, consumer, message),
  })
  return found === null ? 0 : Number(found.string())
}

async function retryLater(
  bus: Bus,
  consumer: Consumer,
  message: JsMsg,
  retryLaterCount: number,
): Promise<void> {
  await bus.jetstream.publish(toWaitsSubject(bus, consumer, message), String(retryLaterCount + 1), {
    expect: { streamName: bus.streamName('WAITS') },
    timeout: 5000,
  })
  const [first, longest] = getConsumerSettings(consumer).retryLaterDelaysMs
  message.nak(Math.min(first * 2 ** retryLaterCount, longest))
}

function toWaitsSubject(bus: Bus, { name }: Consumer, { info }: JsMsg): string {
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
    if (validate(value)) return { value }
    return { failure: { reason: 'invalid', error: describeShapeError(validate.errors?.[0]) } }
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

import { setTimeout as sleep } from 'node:timers/promises'
import type { JsMsg } from '@nats-io/jetstream'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { isDatabaseUnavailable } from '../../db/unavailable.ts'
import type { Bus } from '../connect.ts'
import { type Consumer, PartlyHandled, settingsOf } from '../consumer.ts'
import type { WorkerContext } from '../context.ts'
import { buryMessage, type Death } from '../dead-letters.ts'
import { describeFailure, messageReader } from '../read-message.ts'
import { mustWait, putOff, readWaits } from './waits.ts'

type Outcome = 'done' | 'retried' | 'put off' | 'dead' | 'unsettled'

export const TROUBLED_MS = 1000
// While the database is away a lane hands a message back and takes the next one: that must not become a race.
const DATABASE_UNAVAILABLE_DELAY_MS = 100

/** Settles messages of a consumer: done, to be tried again, to wait, or dead. It never throws. */
export function settler(context: WorkerContext, consumer: Consumer): (message: JsMsg) => Promise<void> {
  const { bus, log, metrics } = context
  const { ackWaitMs } = settingsOf(consumer)
  const read = messageReader(consumer.schema)
  return async (message) => {
    const stopClock = metrics.events.startTimer({ consumer: consumer.name })
    const heartbeat = setInterval(() => keepInHand(bus, message), ackWaitMs / 3)
    try {
      const content = read(message.data)
      const outcome =
        'death' in content
          ? bury(context, consumer, message, content.death)
          : handle(context, consumer, message, content.value)
      stopClock({ outcome: await outcome })
    } catch (err) {
      // Only the bus can fail here. It gives the message to a worker again.
      log.error({ err, consumer: consumer.name }, 'an event could not be settled')
      stopClock({ outcome: 'unsettled' })
    } finally {
      clearInterval(heartbeat)
    }
  }
}

async function handle(
  context: WorkerContext,
  consumer: Consumer,
  message: JsMsg,
  event: unknown,
): Promise<Outcome> {
  const { bus, log } = context
  const { retryDelaysMs } = settingsOf(consumer)
  const waits = await readWaits(bus, consumer, message)
  const attempt = message.info.deliveryCount - waits
  if (attempt > retryDelaysMs.length + 1) {
    const death = { reason: 'unsettled', error: 'No worker has lived to settle it.' } as const
    return bury(context, consumer, message, death)
  }
  try {
    await handleTraced(context, consumer, event)
  } catch (err) {
    if (mustWait(err)) {
      if (waits === 0) log.warn({ err, consumer: consumer.name }, 'an event has to wait')
      await putOff(bus, consumer, message, waits)
      if (isDatabaseUnavailable(err)) await sleep(DATABASE_UNAVAILABLE_DELAY_MS)
      return 'put off'
    }
    log.warn({ err, consumer: consumer.name, attempt }, 'an event was not handled')
    const delay = retryDelaysMs[attempt - 1]
    if (delay === undefined) return bury(context, consumer, message, deathOf(err))
    message.nak(delay)
    return 'retried'
  }
  message.ack()
  return 'done'
}

async function bury(
  { bus, log }: WorkerContext,
  consumer: Consumer,
  message: JsMsg,
  death: Death,
): Promise<Outcome> {
  try {
    await buryMessage(bus, consumer, message, death)
  } catch (err) {
    log.error({ err, consumer: consumer.name }, 'a dead letter was not stored; its message stays')
    message.nak(settingsOf(consumer).retryDelaysMs.at(-1) ?? TROUBLED_MS)
    return 'unsettled'
  }
  message.term(death.reason)
  const { reason, error } = death
  log.error({ consumer: consumer.name, reason, error }, 'an event became a dead letter')
  return 'dead'
}

function deathOf(error: unknown): Death {
  const rest = error instanceof PartlyHandled ? { rest: JSON.stringify(error.rest) } : {}
  return { reason: 'failed', error: describeFailure(error), ...rest }
}

/** A handler may take longer than the bus would wait in silence. */
function keepInHand(bus: Bus, message: JsMsg): void {
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

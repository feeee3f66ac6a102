import { setTimeout as sleep } from 'node:timers/promises'
import type { JsMsg, Consumer as Puller } from '@nats-io/jetstream'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { Bus } from './connect.ts'
import { type Consumer, settingsOf } from './consumer.ts'
import type { Running, WorkerContext } from './context.ts'
import { buryMessage, type Death } from './dead-letters.ts'
import { describeFailure, messageReader } from './read-message.ts'

type Outcome = 'done' | 'retried' | 'dead' | 'unsettled'

// A pull is not withdrawn, lest a message that is on its way waits for its time-out: so it is short.
const PULL_MS = 2000
const TROUBLED_MS = 1000

/** Runs a declared consumer until it is stopped. Each lane holds one message at a time, from its pull to its settling. */
export async function startConsumer(context: WorkerContext, consumer: Consumer): Promise<Running> {
  const { bus, log } = context
  const settle = settler(context, consumer)
  const puller = await bus.jetstream.consumers.get(bus.streamName(consumer.stream), consumer.name)
  const stopping = new AbortController()
  const underWay = new Set<Promise<void>>()

  async function runLane(): Promise<void> {
    while (!stopping.signal.aborted) {
      const message = await pull(puller).catch((err: unknown) => {
        log.warn({ err, consumer: consumer.name }, 'no message could be pulled')
        return sleep(TROUBLED_MS, null, { signal: stopping.signal }).catch(() => null)
      })
      if (message === null) continue
      const settled = settle(message)
      underWay.add(settled)
      await settled
      underWay.delete(settled)
    }
  }

  const lanes = Promise.all(Array.from({ length: settingsOf(consumer).concurrency }, runLane))
  return {
    async stop() {
      stopping.abort()
      // While the bus is away a pull lasts until it is back: that is not waited for, a message in hand is.
      await Promise.race([lanes, sleep(PULL_MS + 1000, undefined, { ref: false })])
      await Promise.all(underWay)
    },
  }
}

function pull(puller: Puller): Promise<JsMsg | null> {
  return puller.next({ expires: PULL_MS })
}

function settler(context: WorkerContext, consumer: Consumer): (message: JsMsg) => Promise<void> {
  const { bus, log, metrics } = context
  const { retryDelaysMs, ackWaitMs } = settingsOf(consumer)
  const read = messageReader(consumer.schema)

  async function decide(message: JsMsg): Promise<Outcome> {
    const attempt = message.info.deliveryCount
    const content = read(message.data)
    if ('death' in content) return bury(message, content.death)
    if (attempt > retryDelaysMs.length + 1) {
      return bury(message, { reason: 'unsettled', error: 'No worker has lived to settle it.' })
    }
    try {
      await handleTraced(context, consumer, content.value)
    } catch (err) {
      log.warn({ err, consumer: consumer.name, attempt }, 'an event was not handled')
      const delay = retryDelaysMs[attempt - 1]
      if (delay === undefined) return bury(message, { reason: 'failed', error: describeFailure(err) })
      message.nak(delay)
      return 'retried'
    }
    message.ack()
    return 'done'
  }

  async function bury(message: JsMsg, death: Death): Promise<Outcome> {
    try {
      await buryMessage(bus, consumer, message, death)
    } catch (err) {
      log.error({ err, consumer: consumer.name }, 'a dead letter was not stored; its message stays')
      message.nak(retryDelaysMs.at(-1) ?? TROUBLED_MS)
      return 'unsettled'
    }
    message.term(death.reason)
    log.error({ consumer: consumer.name, ...death }, 'an event became a dead letter')
    return 'dead'
  }

  return async (message) => {
    const stopClock = metrics.events.startTimer({ consumer: consumer.name })
    const heartbeat = setInterval(() => keepInHand(bus, message), ackWaitMs / 3)
    try {
      stopClock({ outcome: await decide(message) })
    } catch (err) {
      // Only the bus can fail here. It gives the message to a worker again.
      log.error({ err, consumer: consumer.name }, 'an event could not be settled')
      stopClock({ outcome: 'unsettled' })
    } finally {
      clearInterval(heartbeat)
    }
  }
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

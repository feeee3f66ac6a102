import { setTimeout as sleep } from 'node:timers/promises'
import type { JsMsg, Consumer as Puller } from '@nats-io/jetstream'
import { type Consumer, getConsumerSettings } from './consumer.ts'
import type { RunningTask, WorkerContext } from './context.ts'
import { createMessageProcessor, RETRY_DELAY_MS } from './process-message.ts'

// A pull is not withdrawn, lest a message that is on its way waits for its time-out: so it is short.
const PULL_MS = 2000

/** Runs a declared consumer until it is stopped. Each lane holds one message at a time, from its pull to its settling. */
export async function startConsumer(context: WorkerContext, consumer: Consumer): Promise<RunningTask> {
  const { bus, log } = context
  const processMessage = createMessageProcessor(context, consumer)
  const puller = await bus.jetstream.consumers.get(bus.streamName(consumer.stream), consumer.name)
  const stopping = new AbortController()
  const inFlight = new Set<Promise<void>>()

  async function runLoop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const message = await pullMessage(puller).catch((err: unknown) => {
        log.warn({ err, consumer: consumer.name }, 'no message could be pulled')
        return sleep(RETRY_DELAY_MS, null, { signal: stopping.signal }).catch(() => null)
      })
      if (message === null) continue
      const processing = processMessage(message)
      inFlight.add(processing)
      await processing
      inFlight.delete(processing)
    }
  }

  const loops = Promise.all(Array.from({ length: getConsumerSettings(consumer).concurrency }, runLoop))
  return {
    async stop() {
      stopping.abort()
      // While the bus is away a pull lasts until it is back: that is not waited for, a message in hand is.
      await Promise.race([loops, sleep(PULL_MS + 1000, undefined, { ref: false })])
      await Promise.all(inFlight)
    },
  }
}

function pullMessage(puller: Puller): Promise<JsMsg | null> {
  return puller.next({ expires: PULL_MS })
}

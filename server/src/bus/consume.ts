import { setTimeout as sleep } from 'node:timers/promises'
import { type Consumer, getConsumerSettings } from './consumer.ts'
import type { RunningTask, WorkerContext } from './context.ts'
import { createMessageProcessor, RETRY_DELAY_MS } from './process-message.ts'
import type { Shares } from './queue/shares.ts'

// A pull cannot be cancelled without delaying a message in transit until its ack timeout, so it is short.
const PULL_MS = 2000

/** Runs a declared consumer until it is stopped. Each loop holds one message at a time, from pull to acknowledgement. */
export async function startConsumer(
  context: WorkerContext,
  consumer: Consumer,
  deadLetterShares: Shares | null = null,
): Promise<RunningTask> {
  const { bus, log } = context
  const processMessage = createMessageProcessor(context, consumer, deadLetterShares)
  const puller = await bus.jetstream.consumers.get(bus.streamName(consumer.stream), consumer.name)
  const stopping = new AbortController()
  const inFlight = new Set<Promise<unknown>>()

  async function runLoop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const message = await puller.next({ expires: PULL_MS }).catch((err: unknown) => {
        log.warn({ err, consumer: consumer.name }, 'could not pull a message')
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
      // While the bus is unavailable a pull does not return. Wait for messages in progress, not for pulls.
      await Promise.race([loops, sleep(PULL_MS + 1000, undefined, { ref: false })])
      await Promise.all(inFlight)
    },
  }
}

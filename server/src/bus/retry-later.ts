import type { JsMsg } from '@nats-io/jetstream'
import { isDatabaseUnavailable } from '../db/unavailable.ts'
import type { Bus } from './connect.ts'
import { type Consumer, getConsumerSettings } from './consumer.ts'
import { RetryLaterError } from './ingest-event.ts'

/** Whether a delivery does not count as an attempt: the message is fine, but something else is not ready. */
export function shouldRetryLater(error: unknown): boolean {
  return error instanceof RetryLaterError || isDatabaseUnavailable(error)
}

/** How often a message was retried later. The bus counts only deliveries, so the count is stored in a stream of its own. */
export async function readRetryLaterCount(bus: Bus, consumer: Consumer, message: JsMsg): Promise<number> {
  if (message.info.deliveryCount === 1) return 0
  const found = await bus.manager.streams.getMessage(bus.streamName('WAITS'), {
    last_by_subj: toWaitsSubject(bus, consumer, message),
  })
  return found === null ? 0 : Number(found.string())
}

export async function retryLater(
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

import type { JsMsg } from '@nats-io/jetstream'
import { isDatabaseUnavailable } from '../../db/unavailable.ts'
import type { Bus } from '../connect.ts'
import { type Consumer, settingsOf } from '../consumer.ts'
import { NotNow } from '../ingest-event.ts'

/** A message that can only wait is neither failing nor at fault: such deliveries are no attempts. */
export function mustWait(error: unknown): boolean {
  return error instanceof NotNow || isDatabaseUnavailable(error)
}

/** How often a message was put off. The bus counts deliveries only, and workers take turns: so the bus keeps this too. */
export async function readWaits(bus: Bus, consumer: Consumer, message: JsMsg): Promise<number> {
  if (message.info.deliveryCount === 1) return 0
  const found = await bus.manager.streams.getMessage(bus.streamName('WAITS'), {
    last_by_subj: waitsSubject(bus, consumer, message),
  })
  return found === null ? 0 : Number(found.string())
}

export async function putOff(bus: Bus, consumer: Consumer, message: JsMsg, waits: number): Promise<void> {
  await bus.jetstream.publish(waitsSubject(bus, consumer, message), String(waits + 1), {
    expect: { streamName: bus.streamName('WAITS') },
    timeout: 5000,
  })
  const [first, longest] = settingsOf(consumer).waitDelaysMs
  message.nak(Math.min(first * 2 ** waits, longest))
}

function waitsSubject(bus: Bus, { name }: Consumer, { info }: JsMsg): string {
  return bus.subject(`waits.${name}.${info.streamSequence}`)
}

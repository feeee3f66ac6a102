import type { JsMsg } from '@nats-io/jetstream'
import type { Msg } from '@nats-io/transport-node'
import type { Bus } from './connect.ts'

/** The part of a JetStream message that consumers use. */
export type BusMessage = Pick<
  JsMsg,
  'subject' | 'data' | 'headers' | 'timestamp' | 'ack' | 'nak' | 'term' | 'working'
> & { readonly info: Pick<JsMsg['info'], 'stream' | 'deliveryCount' | 'streamSequence'> }

const PULL_TIMEOUT_MS = 5000
const NANOSECONDS_PER_MS = 1e6
const NO_RESPONDERS = 503
// A pull that does not wait gets no response if too many messages are unacknowledged.
const pullRequest = JSON.stringify({ batch: 1, expires: 5 * NANOSECONDS_PER_MS })

/**
 * Pulls one message; null = none can be delivered now. The client's own pulls wait at least a second, which is too long for
 * a caller that serves many consumers. Throws ConsumerGoneError if the consumer does not exist.
 */
export async function pullMessage(bus: Bus, stream: string, consumer: string): Promise<BusMessage | null> {
  const { connection } = bus
  const { promise: response, resolve, reject } = Promise.withResolvers<Msg>()
  const inbox = bus.createInbox()
  // A delivered message has the subject of the stream, so that `connection.request` would not recognize it.
  const subscription = connection.subscribe(inbox, {
    max: 1,
    callback: (error, message) => (error === null ? resolve(message) : reject(error)),
  })
  // Not the subscription's own limit, which a closed connection never reaches.
  const timer = setTimeout(() => reject(new Error('The bus did not respond to a pull.')), PULL_TIMEOUT_MS)
  try {
    connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, pullRequest, { reply: inbox })
    const message = await bus.rejectOnDisconnect(response)
    if (message.headers?.code === NO_RESPONDERS) throw new ConsumerGoneError(consumer)
    // A message without a reply subject is a status: the pull has expired.
    return message.reply === undefined || message.reply === ''
      ? null
      : toBusMessage(bus, message, message.reply)
  } finally {
    clearTimeout(timer)
    if (!connection.isClosed()) subscription.unsubscribe()
  }
}

export class ConsumerGoneError extends Error {
  override readonly name = 'ConsumerGoneError'
}

/** The reply subject carries the delivery: `$JS.ACK.<domain>.<account>.<stream>.<consumer>.<deliveries>.<sequence>. …`. */
function toBusMessage({ connection }: Bus, { subject, data, headers }: Msg, reply: string): BusMessage {
  const tokens = reply.split('.')
  const [stream = '', , deliveries, sequence, , nanoseconds] = tokens.slice(tokens.length === 9 ? 2 : 4)
  let responded = false
  function respondOnce(text: string): void {
    if (!responded) connection.publish(reply, text)
    responded = true
  }
  return {
    subject,
    data,
    headers,
    timestamp: new Date(Number(nanoseconds) / NANOSECONDS_PER_MS).toISOString(),
    info: { stream, deliveryCount: Number(deliveries), streamSequence: Number(sequence) },
    ack: () => respondOnce('+ACK'),
    nak: (delayMs) =>
      respondOnce(
        delayMs === undefined ? '-NAK' : `-NAK ${JSON.stringify({ delay: delayMs * NANOSECONDS_PER_MS })}`,
      ),
    term: (reason = '') => respondOnce(`+TERM ${reason}`.trimEnd()),
    working() {
      if (!responded) connection.publish(reply, '+WPI')
    },
  }
}

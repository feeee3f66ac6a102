import { type Bus, connectBus } from '../../src/bus/connect.ts'
import { readUsage } from '../../src/bus/ingest/shares.ts'
import { toQueueSubject } from '../../src/bus/ingest/subjects.ts'
import { makeLog } from '../../src/observe/log.ts'

/** The streams of an installation, for a proof that publishes to them as an API node does. */
export interface QueueProbe {
  readonly bus: Bus
  publish(root: string, text: string): Promise<void>
  countMessages(stream: 'QUEUE' | 'DEAD', root: string): Promise<number>
}

export async function connectQueueProbe(url: string, prefix: string): Promise<QueueProbe> {
  const bus = await connectBus({ url, prefix, name: 'proof', log: makeLog('proof', 'silent') })
  return {
    bus,
    async publish(root, text) {
      await bus.jetstream.publish(toQueueSubject(bus, root, text.length), text, { timeout: 30_000 })
    },
    async countMessages(stream, root) {
      return (await readUsage(bus, stream))?.roots.get(root)?.messages ?? 0
    },
  }
}

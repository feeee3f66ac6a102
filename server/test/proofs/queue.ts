import { type Bus, connectBus } from '../../src/bus/connect.ts'
import { readUsage } from '../../src/bus/queue/shares.ts'
import { toQueueSubject } from '../../src/bus/queue/subjects.ts'
import { createLog } from '../../src/observe/log.ts'
import { testRing } from '../tenant.ts'

/** The streams of an installation, for a proof that publishes to them as an API node does. */
export interface QueueProbe {
  readonly bus: Bus
  publish(root: string, text: string): Promise<void>
  countMessages(stream: 'QUEUE' | 'DEAD', root: string): Promise<number>
}

export async function connectQueueProbe(url: string, prefix: string): Promise<QueueProbe> {
  const log = createLog('proof', 'silent')
  const bus = await connectBus({ url, prefix, name: 'proof', log, ingestKeys: testRing })
  return {
    bus,
    async publish(root, text) {
      const subject = toQueueSubject(bus, root, text.length)
      const headers = bus.signatures.sign(subject, text)
      await bus.jetstream.publish(subject, text, { timeout: 30_000, headers })
    },
    async countMessages(stream, root) {
      return (await readUsage(bus, stream))?.roots.get(root)?.messages ?? 0
    },
  }
}

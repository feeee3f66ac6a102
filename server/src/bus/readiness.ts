import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from './connect.ts'
import type { StreamName } from './streams.ts'

const CHECK_MS = 2000

/** Returns why the stream cannot store a message, or null: it needs a leader that responds. Never takes longer than 2 s. */
export async function checkStream(bus: Bus, stream: StreamName): Promise<string | null> {
  if (!bus.isConnected()) return 'bus unreachable'
  const late = new AbortController()
  try {
    const info = await Promise.race([
      bus.manager.streams.info(bus.streamName(stream)),
      sleep(CHECK_MS, null, { signal: late.signal }),
    ])
    // A single server reports no cluster.
    if (info !== null && (info.cluster === undefined || info.cluster.leader)) return null
    bus.noteAnswer(false)
    return 'stream without a leader'
  } catch {
    bus.noteAnswer(false)
    return 'stream unavailable'
  } finally {
    late.abort()
  }
}

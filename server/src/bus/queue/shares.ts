import { JetStreamApiCodes } from '@nats-io/jetstream'
import type { Log } from '../../observe/log.ts'
import { repeatUntilAborted } from '../../time.ts'
import type { Bus } from '../connect.ts'
import { isApiError } from '../declare.ts'
import { parseRootAndClass } from './subjects.ts'

type SharedStream = 'QUEUE' | 'DEAD'

/** Messages and bytes of a stream and of each tenant root in it. The bytes of a root are up to 25 % too high. */
export interface StreamUsage {
  readonly maxBytes: number
  readonly bytes: number
  readonly messages: number
  readonly roots: ReadonlyMap<string, RootUsage>
}

export interface RootUsage {
  readonly messages: number
  readonly bytes: number
}

/** Returns null if the stream does not exist. */
export async function readUsage(bus: Bus, stream: SharedStream): Promise<StreamUsage | null> {
  // A request to a lost connection would wait until its time limit, even if the bus returns before.
  if (!bus.isConnected()) throw new Error('The bus is not connected.')
  try {
    const { config, state } = await bus.rejectOnDisconnect(
      bus.manager.streams.info(bus.streamName(stream), { subjects_filter: '>' }),
    )
    return {
      maxBytes: config.max_bytes,
      bytes: state.bytes,
      messages: state.messages,
      roots: sumByRoot(state.subjects ?? {}),
    }
  } catch (error) {
    if (isApiError(error, JetStreamApiCodes.StreamNotFound)) return null
    throw error
  }
}

function sumByRoot(subjects: Readonly<Record<string, number>>): Map<string, RootUsage> {
  const roots = new Map<string, RootUsage>()
  for (const [subject, messages] of Object.entries(subjects)) {
    const parsed = parseRootAndClass(subject)
    if (parsed === null) continue
    const before = roots.get(parsed.root) ?? { messages: 0, bytes: 0 }
    roots.set(parsed.root, {
      messages: before.messages + messages,
      bytes: before.bytes + messages * parsed.maxBytes,
    })
  }
  return roots
}

/** The shares of tenant roots in a stream, as this process knows them. */
export interface Shares {
  /**
   * Whether a root's messages take more bytes than are free: then one root can fill half of the stream, and n roots leave
   * 1/(n+1) of it to the others. False if the figures are too old: a failed poll must not refuse anyone.
   */
  isFull(root: string): boolean
  /** Counts a message that this process has stored since the last poll. */
  add(root: string, bytes: number): void
  /** Null = the stream does not exist, or the figures are too old. */
  latest(): StreamUsage | null
  /** Resolves after the first poll, whether it fails or not. */
  readonly ready: Promise<void>
}

const MAX_STALENESS_MS = 5000
const MAX_PAUSE_MS = 1000

export interface WatchOptions {
  readonly everyMs: number
  readonly signal: AbortSignal
  readonly log: Log
  readonly onRead?: (usage: StreamUsage | null) => void | Promise<void>
}

/** Polls until the signal aborts. */
export function watchShares(bus: Bus, stream: SharedStream, options: WatchOptions): Shares {
  const { signal, log, everyMs, onRead } = options
  let usage: StreamUsage | null = null
  let readAt = Number.NEGATIVE_INFINITY
  let failed = false
  /** Bytes by root that the figures may not contain yet. */
  let added = new Map<string, number>()

  function add(root: string, bytes: number): void {
    added.set(root, (added.get(root) ?? 0) + bytes)
  }

  const latest = () => (performance.now() - readAt > MAX_STALENESS_MS ? null : usage)

  async function poll(): Promise<void> {
    const addedBefore = added
    const startedAt = performance.now()
    added = new Map()
    try {
      usage = await readUsage(bus, stream)
      readAt = startedAt
      await onRead?.(usage)
    } catch (err) {
      if (readAt !== startedAt) for (const [root, bytes] of addedBefore) add(root, bytes)
      if (!signal.aborted && !failed) log.warn({ err, stream }, 'could not read the size of a stream')
      failed = true
      return
    }
    failed = false
  }

  const ready = Promise.withResolvers<void>()

  void repeatUntilAborted(signal, async () => {
    const startedAt = performance.now()
    await poll()
    ready.resolve()
    // A stream with many subjects must not keep the bus busy, but one that returns is noticed soon.
    return Math.max(everyMs, Math.min(4 * (performance.now() - startedAt), MAX_PAUSE_MS))
  })
  return {
    isFull(root) {
      const known = latest()
      if (known === null) return false
      const used = (known.roots.get(root)?.bytes ?? 0) + (added.get(root) ?? 0)
      const free = known.maxBytes - known.bytes - added.values().reduce((sum, bytes) => sum + bytes, 0)
      return used > 0 && used > free
    },
    add,
    latest,
    ready: ready.promise,
  }
}

import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { readChunks } from '../body.ts'
import { FairSlots } from './slots.ts'

// Each chunk takes memory that only a full garbage collection returns, which pauses the requests of all tenants. Unlimited,
// refused bodies of one tenant caused four collections a second.
const DISCARD_BYTES_PER_SECOND = 2 * 1024 * 1024
const PARALLEL_DISCARDS = 4
const WAIT_MS = 3_000
const MAX_DISCARD_MS = 5_000
/** Less than this is in the buffers of the connection anyway. */
const SMALL_BODY_BYTES = 64 * 1024

/**
 * Reads the rest of refused bodies, because many clients read the response only after they have sent the whole body. One
 * caller's bodies are read one after the other, at a limited rate.
 */
export class BodyDiscarder {
  readonly #slots = new FairSlots({ slots: PARALLEL_DISCARDS, perOwner: 1 })
  readonly #minBytesPerSecond: number

  constructor(minBytesPerSecond: number) {
    // Also where requests may arrive at any rate: a caller that stops to send would hold its slot.
    this.#minBytesPerSecond = Math.max(minBytesPerSecond, 1)
  }

  /** Returns at once: the response is sent meanwhile. A body that is not read in time ends with its connection. */
  discard(request: IncomingMessage, owner: string): void {
    if (isRead(request)) return
    // Otherwise Node reads the rest as fast as it arrives, once the response is sent.
    request.read(0)
    // No slot in time, a body that drips or takes too long, or a caller that is gone.
    this.#readWithSlot(request, owner).catch(() => request.destroy())
  }

  async #readWithSlot(request: IncomingMessage, owner: string): Promise<void> {
    const release = await this.#slots.takeWhenFree(owner, WAIT_MS)
    try {
      await readToEnd(request, this.#minBytesPerSecond)
    } finally {
      release()
    }
  }
}

function isRead({ readableEnded, destroyed, headers }: IncomingMessage): boolean {
  if (readableEnded || destroyed) return true
  return (
    headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= SMALL_BODY_BYTES
  )
}

async function readToEnd(request: IncomingMessage, minBytesPerSecond: number): Promise<void> {
  const started = performance.now()
  let bytes = 0
  for await (const chunk of readChunks(request, minBytesPerSecond)) {
    bytes += chunk.length
    const elapsed = performance.now() - started
    if (elapsed > MAX_DISCARD_MS) throw new Error('The body takes too long.')
    const early = (bytes / DISCARD_BYTES_PER_SECOND) * 1000 - elapsed
    if (early > 0) await sleep(early)
  }
}

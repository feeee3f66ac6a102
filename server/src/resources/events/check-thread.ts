import { Worker } from 'node:worker_threads'
import type { BodyText } from '../../http/body.ts'
import { FairSlots, overloaded } from '../../http/connections/slots.ts'
import { decodeOutcome, type ThreadResponse } from '../../thread-response.ts'
import type { CheckedBatch, CheckLargeBatch } from './accept.ts'

/** What is posted to the thread. */
export interface ThreadBatch {
  readonly id: number
  readonly body: BodyText
  readonly at: Date
}

/** What the thread posts for a batch. */
export interface ThreadResult {
  readonly id: number
  readonly response: ThreadResponse<CheckedBatch>
}

// A batch may wait for threads of its own, and the others continue meanwhile.
const MAX_PARALLEL_BATCHES = 4
/** As for uploads: the largest batch is checked in less than half of this time. */
const WAIT_MS = 30_000
const MAX_CHECK_MS = 60_000
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 }

/**
 * Checks large batches in one thread, so that they do not block the requests of other tenants. The thread starts with the
 * first of them. A tenant root has one batch in it at a time.
 */
export function createThreadChecker(entry: URL, retentionMonths: number | null = null): CheckLargeBatch {
  const slots = new FairSlots({ slots: MAX_PARALLEL_BATCHES, perOwner: 1 })
  let thread: CheckThread | null = null

  return async (root, body, at) => {
    const release = await slots.takeWhenFree(root, WAIT_MS)
    try {
      if (thread === null || thread.hasEnded) thread = new CheckThread(entry, retentionMonths)
      return decodeOutcome(await thread.check(body, at))
    } finally {
      release()
    }
  }
}

class CheckThread {
  readonly #worker: Worker
  readonly #pending = new Map<number, PromiseWithResolvers<ThreadResponse<CheckedBatch>>>()
  #lastId = 0
  hasEnded = false

  constructor(entry: URL, workerData: number | null) {
    // The thread needs no credentials of the process.
    this.#worker = new Worker(entry, { env: {}, execArgv: [], resourceLimits, workerData })
    this.#worker.on('message', ({ id, response }: ThreadResult) => this.#pending.get(id)?.resolve(response))
    // Without a listener an error would end the process. A thread that runs out of memory exits.
    this.#worker.on('error', () => {})
    this.#worker.once('exit', () => {
      this.hasEnded = true
      for (const { reject } of this.#pending.values()) reject(overloaded())
    })
    // It must not keep the process from ending. After the listeners, which would undo it.
    this.#worker.unref()
  }

  async check(body: BodyText, at: Date): Promise<ThreadResponse<CheckedBatch>> {
    const id = ++this.#lastId
    const pending = Promise.withResolvers<ThreadResponse<CheckedBatch>>()
    this.#pending.set(id, pending)
    const timer = setTimeout(() => void this.#worker.terminate(), MAX_CHECK_MS)
    try {
      this.#worker.postMessage({ id, body, at } satisfies ThreadBatch)
      return await pending.promise
    } finally {
      clearTimeout(timer)
      this.#pending.delete(id)
    }
  }
}

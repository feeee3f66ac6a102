import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { BodyText } from '../../http/body.ts'
import { FairSlots, overloaded } from '../../http/connections/slots.ts'
import { decodeOutcome, type ThreadResponse } from '../../thread-response.ts'
import type { CheckedBatch, CheckLargeBatch } from './accept.ts'

/** What is posted to the thread. */
export interface ThreadBatch {
  readonly body: BodyText
  readonly at: Date
}

const WAIT_MS = 5_000
// The largest body takes less than a second on an idle machine.
const MAX_CHECK_MS = 20_000
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 }

/**
 * Checks large batches in one thread, so that they do not block the requests of other tenants. The thread starts with the
 * first of them. It serves the tenant roots that wait for it alternately.
 */
export function createThreadChecker(entry: URL): CheckLargeBatch {
  const slot = new FairSlots({ slots: 1, perOwner: 1 })
  let thread: Worker | null = null

  function startThread(): Worker {
    // The thread needs no credentials of the process.
    const started = new Worker(entry, { env: {}, execArgv: [], resourceLimits })
    // It must not keep the process from ending, and without a listener an error would end the process.
    started.unref()
    started.on('error', () => {})
    started.once('exit', () => {
      if (thread === started) thread = null
    })
    return started
  }

  async function check(batch: ThreadBatch): Promise<CheckedBatch> {
    thread ??= startThread()
    const used = thread
    const ended = new AbortController()
    const end = () => ended.abort()
    used.once('exit', end)
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(MAX_CHECK_MS), ended.signal])
      used.postMessage(batch)
      const [response] = (await once(used, 'message', { signal })) as [ThreadResponse<CheckedBatch>]
      return decodeOutcome(response)
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ABORT_ERR' && !isOutOfMemory(error)) throw error
      thread = null
      await used.terminate()
      throw overloaded()
    } finally {
      used.off('exit', end)
    }
  }

  return async (root, body, at) => {
    const release = await slot.takeWhenFree(root, WAIT_MS)
    try {
      return await check({ body, at })
    } finally {
      release()
    }
  }
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY'
}

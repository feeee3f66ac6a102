// The thread of the API that checks large batches of events.
import { parentPort, workerData } from 'node:worker_threads'
import { eventKinds } from './consumers.ts'
import { createBatchChecker } from './resources/events/accept.ts'
import type { ThreadBatch, ThreadResult } from './resources/events/check-thread.ts'
import { encodeError } from './thread-response.ts'

const check = createBatchChecker(eventKinds, workerData as number | null)
parentPort?.on('message', ({ id, body, at }: ThreadBatch) => {
  void check(body, at)
    .then((result) => ({ result }), encodeError)
    .then((response) => parentPort?.postMessage({ id, response } satisfies ThreadResult))
})

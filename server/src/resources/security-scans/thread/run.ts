import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { decodeOutcome, type ThreadResponse } from '../../../thread-response.ts'
import { getTask, type TaskInput, type TaskName, type TaskOutput, type TaskRequest } from './tasks.ts'

const entry = new URL('entry.ts', import.meta.url)

export interface TaskLimits {
  readonly milliseconds: number
  readonly mebibytes: number
}

/**
 * On a busy machine the largest file takes less than half of this time. The worst file that passes the limits of
 * sarif/read.ts takes two thirds of this memory while it is parsed. It must stay below the limit: V8 stops only the thread
 * when a loop exceeds it, but aborts the whole process inside of JSON.parse.
 */
const defaultLimits: TaskLimits = { milliseconds: 60_000, mebibytes: 2048 }
const YOUNG_MEBIBYTES = 32

/** A task exceeded its time or memory limit. The message does not quote the input. */
export class TaskLimitError extends Error {
  override readonly name = 'TaskLimitError'
}

/** Runs a task here or, if it is large, in a thread of its own, so that it does not block the event loop. */
export async function runTask<Name extends TaskName>(
  name: Name,
  input: TaskInput<Name>,
  limits = defaultLimits,
): Promise<TaskOutput<Name>> {
  const task = getTask(name)
  return task.isLarge(input) ? runInThread({ name, input }, limits) : task.run(input)
}

async function runInThread<Name extends TaskName>(
  request: TaskRequest<Name>,
  { milliseconds, mebibytes }: TaskLimits,
): Promise<TaskOutput<Name>> {
  const thread = new Worker(entry, {
    workerData: request,
    // The thread needs no credentials of the process.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: mebibytes, maxYoungGenerationSizeMb: YOUNG_MEBIBYTES },
  })
  // Without a listener, an error during termination would crash the process.
  thread.on('error', () => {})
  try {
    const [response] = (await once(thread, 'message', { signal: AbortSignal.timeout(milliseconds) })) as [
      ThreadResponse<TaskOutput<Name>>,
    ]
    return decodeOutcome(response)
  } catch (error) {
    throw toLimitError(error) ?? error
  } finally {
    await thread.terminate()
  }
}

function toLimitError(error: unknown): TaskLimitError | null {
  switch ((error as { readonly code?: unknown }).code) {
    case 'ABORT_ERR':
      return new TaskLimitError('A task exceeded its time limit.')
    case 'ERR_WORKER_OUT_OF_MEMORY':
      return new TaskLimitError('A task exceeded its memory limit.')
    default:
      return null
  }
}

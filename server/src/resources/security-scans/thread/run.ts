import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type TaskRequest, type TaskResponse, unwrapResponse } from './messages.ts'
import { getTask, type TaskInput, type TaskName, type TaskOutput } from './tasks.ts'

const entry = new URL('entry.ts', import.meta.url)

export interface TaskLimits {
  readonly milliseconds: number
  readonly mebibytes: number
}

/**
 * The largest file, on a busy machine, takes less than half of the time. Of the memory the worst that sarif/bounds.ts lets
 * through takes two thirds while it is parsed, and it must be less than all: a thread that reaches its bound in a loop is
 * ended alone, but inside of JSON.parse V8 would end the whole process.
 */
const defaultLimits: TaskLimits = { milliseconds: 60_000, mebibytes: 2048 }
const YOUNG_MEBIBYTES = 32

/** A task took more than it may. What was read is not quoted. */
export class TaskLimitExceeded extends Error {
  override readonly name = 'TooMuch'
}

/** Runs a task here or, when it is large, in a thread of its own, so that nobody else waits for it. */
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
    // It needs none of what the process was given to open doors with.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: mebibytes, maxYoungGenerationSizeMb: YOUNG_MEBIBYTES },
  })
  // What goes wrong while it is being ended is of no interest, and would end the process if nobody listened.
  thread.on('error', () => {})
  try {
    const [response] = (await once(thread, 'message', { signal: AbortSignal.timeout(milliseconds) })) as [
      TaskResponse<TaskOutput<Name>>,
    ]
    return unwrapResponse(response)
  } catch (error) {
    throw toLimitError(error) ?? error
  } finally {
    await thread.terminate()
  }
}

function toLimitError(error: unknown): TaskLimitExceeded | null {
  switch ((error as { readonly code?: unknown }).code) {
    case 'ABORT_ERR':
      return new TaskLimitExceeded('A task took longer than it may.')
    case 'ERR_WORKER_OUT_OF_MEMORY':
      return new TaskLimitExceeded('A task needed more memory than it may have.')
    default:
      return null
  }
}

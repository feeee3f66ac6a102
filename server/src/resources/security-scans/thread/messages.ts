import { type ErrorCode, Refusal } from '../../../errors.ts'
import { getTask, type TaskInput, type TaskName, type TaskOutput } from './tasks.ts'

export interface TaskRequest<Name extends TaskName = TaskName> {
  readonly name: Name
  readonly input: TaskInput<Name>
}

/** Errors lose their class when they are posted between threads, so a response encodes them. */
export type TaskResponse<Result> =
  | { readonly result: Result }
  | { readonly refusal: Pick<Refusal, 'message' | 'headers'> & { readonly code: ErrorCode } }
  | { readonly defect: string }

export function runTaskRequest({ name, input }: TaskRequest): TaskResponse<TaskOutput<TaskName>> {
  try {
    return { result: getTask(name).run(input) }
  } catch (error) {
    if (error instanceof Refusal) {
      const { code, message, headers } = error
      return { refusal: { code, message, headers } }
    }
    return { defect: describeError(error) }
  }
}

/** Returns the result of the thread, or throws its error. */
export function unwrapResponse<Result>(response: TaskResponse<Result>): Result {
  if ('result' in response) return response.result
  if ('defect' in response) throw new Error(`A task failed in its thread: ${response.defect}`)
  const { code, message, headers } = response.refusal
  throw new Refusal(code, message, headers)
}

/** Name and stack frames only: this is logged, and the message may quote the input. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'The thrown value is not an Error.'
  const frames = error.stack?.split('\n').filter((line) => /^ {4}at /.test(line)) ?? []
  return [error.name, ...frames].join('\n')
}

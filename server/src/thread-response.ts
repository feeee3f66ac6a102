import { type ErrorCode, Refusal } from './errors.ts'

/** What a thread posts to its caller. Errors lose their class when they are posted, so a response encodes them. */
export type ThreadResponse<Result> =
  | { readonly result: Result }
  | { readonly refusal: Pick<Refusal, 'message' | 'headers'> & { readonly code: ErrorCode } }
  | { readonly defect: string }

/** Runs the work of a thread and encodes how it ended. */
export function encodeOutcome<Result>(work: () => Result): ThreadResponse<Result> {
  try {
    return { result: work() }
  } catch (error) {
    return encodeError(error)
  }
}

export function encodeError(error: unknown): ThreadResponse<never> {
  if (error instanceof Refusal) {
    const { code, message, headers } = error
    return { refusal: { code, message, headers } }
  }
  return { defect: describeError(error) }
}

/** Returns the result of the thread, or throws its error. */
export function decodeOutcome<Result>(response: ThreadResponse<Result>): Result {
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

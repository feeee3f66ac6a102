import type { Static } from 'typebox'
import { type ErrorCode, Refusal } from '../../../errors.ts'
import { type FindingColumns, type MatchedPairs, toTraits } from '../columns.ts'
import { matchFindings } from '../identity/match.ts'
import { normalizeScan, type Scan, type ScanPayload } from '../payload.ts'
import { type PackedScan, packScan, readSarif } from '../sarif/read.ts'

// Above these sizes a task would block the event loop for about 100 ms or more, which justifies a thread.
const LARGE_TEXT = 128 * 1024
const LARGE_COMPARISON = 2000

interface ThreadTask<Input, Output> {
  /** Must be pure: it can run in this thread or in another. */
  run(input: Input): Output
  isLarge(input: Input): boolean
}

interface Comparison {
  readonly known: FindingColumns
  readonly found: FindingColumns
}

const readFile: ThreadTask<string, readonly PackedScan[]> = {
  run: (text) => readSarif(text).map(packScan),
  isLarge: (text) => text.length > LARGE_TEXT,
}

/** Normalizes the payload of an event; redaction takes most of the time. */
const normalize: ThreadTask<Static<typeof ScanPayload>, Scan> = {
  run: normalizeScan,
  isLarge: ({ findings }) => JSON.stringify(findings).length > LARGE_TEXT,
}

const compare: ThreadTask<Comparison, MatchedPairs> = {
  run: ({ known, found }) => Int32Array.from(matchFindings(toTraits(known), toTraits(found)).flat()),
  isLarge: ({ known, found }) => known.path.length + found.path.length > LARGE_COMPARISON,
}

const tasks = { readFile, normalize, compare } as const

export type TaskName = keyof typeof tasks
export type TaskInput<Name extends TaskName> = Parameters<(typeof tasks)[Name]['run']>[0]
export type TaskOutput<Name extends TaskName> = ReturnType<(typeof tasks)[Name]['run']>

export function getTask<Name extends TaskName>(name: Name): ThreadTask<TaskInput<Name>, TaskOutput<Name>> {
  return tasks[name] as ThreadTask<unknown, unknown> as ThreadTask<TaskInput<Name>, TaskOutput<Name>>
}

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

import type { Static } from 'typebox'
import { encodeOutcome, type ThreadResponse } from '../../../thread-response.ts'
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

export function runTaskRequest({ name, input }: TaskRequest): ThreadResponse<TaskOutput<TaskName>> {
  return encodeOutcome(() => getTask(name).run(input))
}

import type { SourceEdit } from '../tools/copy.ts'
import { type RecordReader, readJsonLines } from '../tools/json-lines.ts'

const areas = ['authorization', 'scope', 'cursor', 'limiter'] as const

/** One check of the server that is broken on purpose; paths are relative to server/. */
export type Mutant = SourceEdit & {
  readonly area: (typeof areas)[number]
  /** What is wrong with the mutant, as a sentence. */
  readonly breaks: string
  /** The test files of which at least one must fail. */
  readonly tests: readonly string[]
}

export function readMutants(): Mutant[] {
  return readJsonLines(new URL('mutants.jsonl', import.meta.url), (record) => ({
    area: record.oneOf('area', areas),
    breaks: record.string('breaks'),
    ...readEdit(record),
    tests: record.strings('tests'),
  }))
}

function readEdit(record: RecordReader): SourceEdit {
  const [file, name, by] = [record.string('file'), record.string('name'), record.optionalString('by')]
  if (by !== undefined) return { file, name, by }
  return { file, name, find: record.string('find'), replace: record.optionalString('replace') ?? '' }
}

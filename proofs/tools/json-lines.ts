import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Reads the fields of one record. Every method fails with the file, the line and the name of a bad field. */
export interface RecordReader {
  string(field: string): string
  optionalString(field: string): string | undefined
  strings(field: string): readonly string[]
  oneOf<Value extends string>(field: string, values: readonly Value[]): Value
  optionalOneOf<Value extends string>(field: string, values: readonly Value[]): Value | undefined
  /** An array of at least one of the values. */
  someOf<Value extends string>(field: string, values: readonly Value[]): readonly Value[]
}

/** One JSON object per line. A field that `parse` does not read is an error. */
export function readJsonLines<Item>(file: URL, parse: (record: RecordReader) => Item): Item[] {
  const text = readFileSync(file, 'utf8').replace(/\n$/, '')
  return text.split('\n').map((line, index) =>
    atLine(file, index + 1, () => {
      const fields = parseObject(line)
      const unread = new Set(Object.keys(fields))
      const item = parse(createReader(fields, unread))
      for (const field of unread) throw new Error(`unknown field "${field}"`)
      return item
    }),
  )
}

/** Prefixes errors of `work` with the position in the file. */
export function atLine<Result>(file: URL, line: number, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const path = relative(process.cwd(), fileURLToPath(file))
    const message = error instanceof Error ? error.message : String(error)
    throw new Error(`${path}:${line}: ${message}`, { cause: error })
  }
}

function parseObject(line: string): Record<string, unknown> {
  const value: unknown = JSON.parse(line)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw new Error('the line must be a JSON object')
}

function createReader(fields: Readonly<Record<string, unknown>>, unread: Set<string>): RecordReader {
  const read = (field: string): unknown => {
    unread.delete(field)
    return fields[field]
  }
  const string = (field: string): string => {
    const value = read(field)
    if (isText(value)) return value
    throw new Error(`"${field}" must be a non-empty string`)
  }
  const strings = (field: string): readonly string[] => {
    const value = read(field)
    if (Array.isArray(value) && value.length > 0 && value.every(isText)) return value
    throw new Error(`"${field}" must be a non-empty array of non-empty strings`)
  }
  return {
    string,
    optionalString: (field) => (read(field) === undefined ? undefined : string(field)),
    strings,
    oneOf: (field, values) => findValue(field, string(field), values),
    optionalOneOf: (field, values) =>
      read(field) === undefined ? undefined : findValue(field, string(field), values),
    someOf: (field, values) => strings(field).map((value) => findValue(field, value, values)),
  }
}

function findValue<Value extends string>(field: string, value: string, values: readonly Value[]): Value {
  const found = values.find((known) => known === value)
  if (found !== undefined) return found
  throw new Error(`"${field}" must be one of ${values.join(', ')}, not "${value}"`)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

import { refuse } from '../../errors.ts'
import type { BodyText } from '../body.ts'

export const JSON_ARRAY = 'application/json'
export const JSON_LINES = 'application/x-ndjson'

/** Returns the entries of a body as sent. A truncated body is rejected as a whole. */
export function readBatch({ type, text }: BodyText, maxItems: number): readonly unknown[] {
  const items = type === JSON_LINES ? readLines(text, maxItems) : readArray(text)
  if (items.length === 0) refuse('INVALID_REQUEST', 'The body has no entries. Send at least one.')
  if (items.length > maxItems) refuseCount(maxItems)
  return items
}

function readArray(text: string): readonly unknown[] {
  const value = parse(text, 'The body is not valid JSON.')
  return Array.isArray(value) ? value : refuse('INVALID_REQUEST', 'The body must be an array of entries.')
}

function readLines(text: string, maxItems: number): readonly unknown[] {
  const items: unknown[] = []
  for (const [index, line] of text.split('\n').entries()) {
    // A trailing line end or an empty line is not an entry.
    if (line.trim() === '') continue
    if (items.length === maxItems) refuseCount(maxItems)
    items.push(parse(line, `Line ${index + 1} of the body is not valid JSON.`))
  }
  return items
}

function parse(text: string, message: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return refuse('INVALID_REQUEST', message)
  }
}

function refuseCount(maxItems: number): never {
  return refuse(
    'BATCH_SIZE_EXCEEDED',
    `The body has more than ${maxItems} entries. Send them in several requests.`,
  )
}

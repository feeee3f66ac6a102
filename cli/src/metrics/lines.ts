import { createReadStream } from 'node:fs'

const NEWLINE = 10

/** What the last line of a response says; `has_more` only in the change feed. */
export interface StreamEnd {
  readonly next_cursor: string | null
  readonly has_more?: boolean
}

/** The response ended before its last line: the server or the network ended it. */
export class CutOffError extends Error {
  override readonly name = 'CutOffError'
}

/**
 * Passes on the lines of an NDJSON response, some at a time and without parsing them, except the last one, which it returns.
 */
export async function copyLines(
  body: AsyncIterable<Uint8Array>,
  write: (lines: Uint8Array) => Promise<void>,
): Promise<StreamEnd> {
  // From the start of the last line that has begun: it may be the end of the response.
  let held: Buffer[] = []
  try {
    for await (const bytes of body) {
      const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const start = chunk.length < 2 ? 0 : chunk.lastIndexOf(NEWLINE, chunk.length - 2) + 1
      if (start > 0) {
        // Only the line that began in an earlier chunk is copied.
        const first = chunk.indexOf(NEWLINE) + 1
        await write(Buffer.concat([...held, chunk.subarray(0, first)]))
        if (first < start) await write(chunk.subarray(first, start))
        held = []
      }
      held.push(chunk.subarray(start))
    }
  } catch (error) {
    if (error instanceof TypeError) throw new CutOffError('The connection was closed.', { cause: error })
    throw error
  }
  const rest = Buffer.concat(held)
  if (rest.at(-1) !== NEWLINE) throw new CutOffError('The response has no last line.')
  const start = rest.length < 2 ? 0 : rest.lastIndexOf(NEWLINE, rest.length - 2) + 1
  const end = parseEnd(rest.subarray(start).toString())
  if (start > 0) await write(rest.subarray(0, start))
  return end
}

function parseEnd(line: string): StreamEnd {
  const end = JSON.parse(line) as Partial<StreamEnd>
  if (end.next_cursor === undefined) throw new CutOffError('The response has no last line.')
  return { ...end, next_cursor: end.next_cursor }
}

export function countLines(bytes: Uint8Array): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let count = 0
  for (let at = buffer.indexOf(NEWLINE); at !== -1; at = buffer.indexOf(NEWLINE, at + 1)) count += 1
  return count
}

/** The lines of a file, in groups. Unlike node:readline, only \n ends a line: JSON texts may contain U+2028. */
export async function* readLines(file: string): AsyncGenerator<string[], void> {
  let rest = ''
  const stream = createReadStream(file, { encoding: 'utf8', highWaterMark: 1024 * 1024 })
  for await (const chunk of stream as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield lines
  }
  if (rest !== '') yield [rest]
}

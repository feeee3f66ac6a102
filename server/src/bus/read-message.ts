import type { TSchema } from 'typebox'
import { compileShape, type ShapeError } from '../shape.ts'
import type { Failure } from './dead-letters.ts'

export type ParsedMessage = { readonly value: unknown } | { readonly failure: Failure }

/** Compiles a schema once. The reader returns the value of a message, or why it can never be handled. */
export function createMessageReader(schema: TSchema): (data: Uint8Array) => ParsedMessage {
  const validate = compileShape(schema)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return (data) => {
    let value: unknown
    try {
      value = JSON.parse(decoder.decode(data))
    } catch {
      return { failure: { reason: 'unparsable', error: 'The message is not JSON in UTF-8.' } }
    }
    if (validate(value)) return { value }
    return { failure: { reason: 'invalid', error: describeShapeError(validate.errors?.[0]) } }
  }
}

/** Names the path in our schema, because the path in the message can contain the sender's keys. */
function describeShapeError(error: ShapeError | undefined): string {
  return error === undefined ? 'The message does not match its schema.' : `${error.schemaPath} ${error.message ?? 'does not match'}`
}

/** One line without quoted values: errors of the database and of parsers quote their input. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'The handler threw a value that is not an Error.'
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) {
    return `Database error ${code}${typeof constraint === 'string' ? ` of ${constraint}` : ''}`
  }
  const firstLine = error.message.split('\n', 1)[0] ?? ''
  const unquoted = firstLine.replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, '…')
  return `${error.name}: ${unquoted}`.replaceAll(/\p{Cc}/gu, ' ').slice(0, 200)
}

import type { TSchema } from 'typebox'
import { refuse } from '../errors.ts'
import { ESCAPED_LIST } from '../shape.ts'

const digits = /^(?:0|[1-9][0-9]{0,14})$/

/**
 * Parses a query string by the endpoint's schema: integers are plain digits, lists are comma-separated, and a parameter
 * occurs once. A value that does not fit its type stays a string and fails validation.
 */
export function parseQuery(search: string, schema: TSchema): Record<string, unknown> {
  const query: Record<string, unknown> = Object.create(null)
  const properties = getProperties(schema)
  for (const pair of search.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals === -1 ? pair : pair.slice(0, equals))
    const text = decode(equals === -1 ? '' : pair.slice(equals + 1))
    if (name in query)
      refuse('INVALID_REQUEST', `Query parameter ${name} occurs more than once. Send it once.`)
    query[name] = readValue(name, text, properties.get(name) ?? {})
  }
  return query
}

interface ParameterSchema {
  readonly type?: string
  readonly [ESCAPED_LIST]?: true
}

function getProperties(schema: TSchema): ReadonlyMap<string, ParameterSchema> {
  return new Map(Object.entries('properties' in schema ? (schema.properties as object) : {}))
}

function readValue(name: string, text: string, schema: ParameterSchema): unknown {
  const { type } = schema
  if (type === 'integer' && digits.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if (type === 'array')
    return readList(name, schema[ESCAPED_LIST] ? splitEscaped(name, text) : text.split(','))
  return text
}

function readList(name: string, values: string[]): string[] {
  if (values.includes(''))
    refuse('INVALID_REQUEST', `Query parameter ${name} has an empty value. Remove it: a,b instead of a,,b.`)
  if (values.some((value) => value.trim() !== value))
    refuse(
      'INVALID_REQUEST',
      `Query parameter ${name} has spaces around a value. Remove them: a,b instead of a, b.`,
    )
  return values
}

/** Splits at commas. In a value, a comma is written `\,` and a backslash `\\`. */
function splitEscaped(name: string, text: string): string[] {
  const parts = text.match(/\\.?|,|[^\\,]+/gsu) ?? []
  const values = ['']
  for (const part of parts) {
    if (part === ',') values.push('')
    else values.push((values.pop() ?? '') + (part.startsWith('\\') ? unescapePart(name, part) : part))
  }
  return values
}

function unescapePart(name: string, part: string): string {
  if (part === '\\,' || part === '\\\\') return part.slice(1)
  return refuse(
    'INVALID_REQUEST',
    `Query parameter ${name} has a backslash that escapes nothing. Write a comma of a value as \\, and a backslash as \\\\.`,
  )
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return refuse('INVALID_REQUEST', 'The query string is not valid percent-encoded UTF-8.')
  }
}

import type { TSchema } from 'typebox'
import { refuse } from '../errors.ts'

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
    query[name] = readValue(name, text, properties.get(name)?.type)
  }
  return query
}

function getProperties(schema: TSchema): ReadonlyMap<string, { type?: string }> {
  return new Map(Object.entries('properties' in schema ? (schema.properties as object) : {}))
}

function readValue(name: string, text: string, type: string | undefined): unknown {
  if (type === 'integer' && digits.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if (type === 'array') return readList(name, text)
  return text
}

function readList(name: string, text: string): string[] {
  const elements = text.split(',')
  if (elements.includes(''))
    refuse('INVALID_REQUEST', `Query parameter ${name} has an empty element. Remove it.`)
  return elements
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return refuse('INVALID_REQUEST', 'The query string is not valid percent-encoded UTF-8.')
  }
}

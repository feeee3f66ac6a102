import type { TSchema } from 'typebox'
import { refuse } from '../errors.ts'
import { compileShape, ESCAPED_LIST, ITEMS_VALIDATED_BY_HANDLER } from '../shape.ts'
import { explainShapeErrors } from './explain-shape.ts'

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

const MAX_DEPTH = 64

export type Check = (value: unknown) => void

/**
 * Compiles a schema once. The check rejects an invalid value with 400 and names the field and the rule, with values of the
 * example.
 */
export function createShapeCheck(part: string, schema: TSchema, example?: unknown): Check {
  const validate = compileShape(schema)
  return (value) => {
    refuseUnstorable(value, part, 0)
    if (!validate(value)) refuse('INVALID_REQUEST', explainShapeErrors(part, validate.errors, example))
  }
}

/** Checks a body except for items that the handler validates. Such an item that is nested too deeply becomes null. */
export function createBodyCheck(schema: TSchema, example?: unknown): Check {
  const { properties = {} } = schema as { properties?: Readonly<Record<string, BodyField>> }
  const [name, list] = Object.entries(properties).find(([, field]) => field[ITEMS_VALIDATED_BY_HANDLER]) ?? []
  if (name === undefined) return createShapeCheck('body', schema, example)
  const envelope = { ...schema, properties: { ...properties, [name]: { ...list, items: {} } } }
  const checkEnvelope = createShapeCheck('body', envelope, example)
  return (value) => {
    const items = getItems(value, name)
    checkEnvelope(items === null ? value : { ...(value as object), [name]: items.map(() => null) })
    items?.forEach((item, index) => {
      if (isTooDeep(item, 2)) items[index] = null
    })
  }
}

interface BodyField {
  readonly [ITEMS_VALIDATED_BY_HANDLER]?: true
}

function getItems(value: unknown, field: string): unknown[] | null {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, field)) return null
  const items: unknown = (value as Record<string, unknown>)[field]
  return Array.isArray(items) ? items : null
}

function isTooDeep(value: unknown, depth: number): boolean {
  if (value === null || typeof value !== 'object') return false
  return depth >= MAX_DEPTH || Object.values(value).some((field) => isTooDeep(field, depth + 1))
}

/** PostgreSQL cannot store NUL or a lone surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** Refuses what PostgreSQL cannot store. A deeply nested value could exhaust the stack. */
export function refuseUnstorable(value: unknown, part: string, depth: number): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) {
      refuse('INVALID_REQUEST', `The ${part} contains a NUL character or half a surrogate pair. Remove it.`)
    }
  } else if (value !== null && typeof value === 'object') {
    if (depth >= MAX_DEPTH)
      refuse('INVALID_REQUEST', `The ${part} is nested deeper than ${MAX_DEPTH} levels. Send fewer levels.`)
    for (const [key, field] of Object.entries(value)) {
      refuseUnstorable(key, part, depth)
      refuseUnstorable(field, part, depth + 1)
    }
  }
}

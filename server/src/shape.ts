import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import {
  type TObject,
  type TObjectOptions,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  Type,
} from 'typebox'
import { UUID } from './ids.ts'

export type ShapeError = ErrorObject

/** Options of an object schema that rejects unknown fields. */
export const closed = { additionalProperties: false } as const

/** An object schema that rejects unknown fields. */
export function closedObject<Properties extends TProperties>(
  properties: Properties,
  options: TObjectOptions = {},
): TObject<Properties> {
  return Type.Object(properties, { ...closed, ...options })
}

/** A schema that also accepts null. */
export const nullable = <Schema extends TSchema>(schema: Schema, options: TSchemaOptions = {}) =>
  Type.Union([schema, Type.Null()], options)

/** A schema of these values. */
export const literals = <Value extends string>(values: readonly Value[], options: TSchemaOptions = {}) =>
  Type.Unsafe<Value>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      options,
    ),
  )

/** A schema of a string that is one of these values. */
export const choice = <Value extends string>(values: readonly Value[], options: TSchemaOptions = {}) =>
  Type.Unsafe<Value>({ type: 'string', enum: [...values], ...options })

/** The schemas of an endpoint without path parameters, and of one without query parameters. */
export const NoPath = closedObject({})
export const NoQuery = closedObject({})

/**
 * An `org_id` of every endpoint: an id of the Git provider, or `provider:id`. It has no length, because keys that ignore it
 * may send any; access/scope.ts checks the length where it is read.
 */
export const optionalOrgId = (description: string) => Type.Optional(Type.String({ description }))

/** Part of every response that ranks Learnings. */
export const rankedBy = choice(['meaning', 'words'], {
  description:
    'meaning: by the embedding model and by words. words: by words and files only, because the query has no word, or the ' +
    'model did not answer in time, is overloaded, not calibrated or not installed. Learnings that use other words are then ' +
    'missing; repeat the request if they matter.',
  examples: ['meaning'],
})

// Strict on purpose: no value is coerced, removed or filled in.
const ajv = new Ajv2020({
  strict: true,
  // Errors carry their schema, from which http/explain-shape.ts says what is allowed.
  verbose: true,
  allErrors: false,
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
})
ajv.addFormat('uuid', UUID)
ajv.addFormat('date', isCalendarDate)
ajv.addFormat('date-time', isDateTime)

/**
 * Marks a list in a query whose values may contain commas and backslashes, written `\,` and `\\`. A symbol, because it is
 * no keyword of JSON Schema.
 */
export const ESCAPED_LIST: unique symbol = Symbol('escaped list')

/** Marks a list in a body whose items the handler validates one by one: an invalid item does not fail the request. */
export const ITEMS_VALIDATED_BY_HANDLER: unique symbol = Symbol('items validated by the handler')

/** Keyword of a list whose maximum has an error code of its own: only the OpenAPI document shows it, as `maxItems`. */
export const DOCUMENTED_MAX_ITEMS = 'x-max-items'
ajv.addKeyword({ keyword: DOCUMENTED_MAX_ITEMS, schemaType: 'number' })

/** Compiles a schema of a request or an event. The same schema types and documents it. */
export function compileShape(schema: TSchema): ValidateFunction {
  return ajv.compile(schema)
}

// PostgreSQL has no year 0, and later years do not fit the contract's format.
const MIN_TIME_MS = Date.parse('0001-01-01T00:00:00.000Z')
export const MAX_TIME_MS = Date.parse('9999-12-31T23:59:59.999Z')

const calendarDate = /^\d{4}-\d{2}-\d{2}$/
const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/
const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isCalendarDate(text: string): boolean {
  return calendarDate.test(text) && startsWithValidDate(text)
}

/** An offset can move the last or the first day of these years out of them, so the time in UTC counts too. */
function isDateTime(text: string): boolean {
  if (!dateTime.test(text) || !startsWithValidDate(text)) return false
  const ms = Date.parse(text)
  return ms >= MIN_TIME_MS && ms <= MAX_TIME_MS
}

/** Uses arithmetic, because an event has seven times and a Date for each would cost more than the rest of its validation. */
function startsWithValidDate(text: string): boolean {
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10))]
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 && isLeap ? 29 : (daysOfMonths[month - 1] ?? 0)
  return year >= 1 && day >= 1 && day <= days
}

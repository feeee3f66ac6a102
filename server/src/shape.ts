import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { type TSchema, Type } from 'typebox'

export type ShapeError = ErrorObject

/** Options of an object schema that rejects unknown fields. */
export const closed = { additionalProperties: false } as const

/** The schemas of an endpoint without path parameters, and of one without query parameters. */
export const NoPath = Type.Object({}, closed)
export const NoQuery = Type.Object({}, closed)

// Strict on purpose: no value is coerced, removed or filled in.
const ajv = new Ajv2020({
  strict: true,
  allErrors: false,
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
})
ajv.addFormat('uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i)
ajv.addFormat('date', isCalendarDate)
ajv.addFormat('date-time', isDateTime)

/** Compiles a schema of a request or an event. The same schema types and documents it. */
export function compileShape(schema: TSchema): ValidateFunction {
  return ajv.compile(schema)
}

const calendarDate = /^\d{4}-\d{2}-\d{2}$/
const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/
const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isCalendarDate(text: string): boolean {
  return calendarDate.test(text) && startsWithValidDate(text)
}

function isDateTime(text: string): boolean {
  return dateTime.test(text) && startsWithValidDate(text) && !Number.isNaN(Date.parse(text))
}

/** Uses arithmetic, because an event has seven times and a Date for each would cost more than the rest of its validation. */
function startsWithValidDate(text: string): boolean {
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10))]
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 && isLeap ? 29 : (daysOfMonths[month - 1] ?? 0)
  return day >= 1 && day <= days
}

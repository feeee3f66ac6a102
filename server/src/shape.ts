import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'

export type ShapeError = ErrorObject

// Strict and unforgiving on purpose: nothing is coerced, stripped or filled in.
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

/** Compiles the one definition of a shape, of a request or of an event, that also types and documents it. */
export function compileShape(schema: TSchema): ValidateFunction {
  return ajv.compile(schema)
}

const calendarDate = /^\d{4}-\d{2}-\d{2}$/
const dateTime = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/

function isCalendarDate(text: string): boolean {
  if (!calendarDate.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

function isDateTime(text: string): boolean {
  const day = dateTime.exec(text)?.[1]
  return day !== undefined && isCalendarDate(day) && !Number.isNaN(Date.parse(text))
}

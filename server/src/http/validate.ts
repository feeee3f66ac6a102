import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import { refuse } from '../errors.ts'

const MAX_DEPTH = 64

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

export type Check = (value: unknown) => void

/** Compiles a shape once; the check refuses with 400 and says where and why. */
export function shapeCheck(part: string, schema: TSchema): Check {
  const validate = compile(schema)
  return (value) => {
    refuseUnstorable(value, part, 0)
    if (!validate(value)) refuse('INVALID_REQUEST', explain(part, validate.errors?.[0]))
  }
}

export function compile(schema: TSchema): ValidateFunction {
  return ajv.compile(schema)
}

function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

const dateTime = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/

function isDateTime(text: string): boolean {
  const day = dateTime.exec(text)?.[1]
  return day !== undefined && isCalendarDate(day) && !Number.isNaN(Date.parse(text))
}

/** PostgreSQL stores no NUL and no lone surrogate, and a deep value could exhaust the stack. */
function refuseUnstorable(value: unknown, part: string, depth: number): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      refuse('INVALID_REQUEST', `The ${part} contains a NUL character or half a surrogate pair.`)
    }
  } else if (value !== null && typeof value === 'object') {
    if (depth >= MAX_DEPTH)
      refuse('INVALID_REQUEST', `The ${part} is nested deeper than ${MAX_DEPTH} levels.`)
    for (const [key, field] of Object.entries(value)) {
      refuseUnstorable(key, part, depth)
      refuseUnstorable(field, part, depth + 1)
    }
  }
}

function explain(part: string, error: ErrorObject | undefined): string {
  if (error === undefined) return `The ${part} is not valid.`
  const place = error.instancePath.slice(1).replaceAll('/', '.')
  if (error.keyword === 'additionalProperties') {
    const name = String(error.params['additionalProperty']).slice(0, 80)
    return `The ${part} has an unknown field "${place ? `${place}.` : ''}${name}".`
  }
  return `The ${part} is not valid: ${place ? `${place} ` : ''}${error.message ?? 'is wrong'}.`
}

import type { TSchema } from 'typebox'
import { refuse } from '../errors.ts'
import { compileShape } from '../shape.ts'
import { explainShapeErrors } from './explain-shape.ts'

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

/** Checks a body except for the items of one field, which the handler validates. An item that is nested too deeply becomes null. */
export function createBodyCheck(
  schema: TSchema,
  individuallyValidatedField: string | undefined,
  example?: unknown,
): Check {
  if (individuallyValidatedField === undefined) return createShapeCheck('body', schema, example)
  const { properties } = schema as unknown as { properties: Record<string, TSchema> }
  const field = { ...properties[individuallyValidatedField], items: {} }
  const envelope = { ...schema, properties: { ...properties, [individuallyValidatedField]: field } }
  const checkEnvelope = createShapeCheck('body', envelope, example)
  return (value) => {
    const items = getItems(value, individuallyValidatedField)
    checkEnvelope(
      items === null ? value : { ...(value as object), [individuallyValidatedField]: items.map(() => null) },
    )
    items?.forEach((item, index) => {
      if (isTooDeep(item, 2)) items[index] = null
    })
  }
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

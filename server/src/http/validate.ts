import type { TSchema } from 'typebox'
import { refuse } from '../errors.ts'
import { compileShape, type ShapeError } from '../shape.ts'

const MAX_DEPTH = 64

export type Check = (value: unknown) => void

/** Compiles a shape once; the check refuses with 400 and says where and why. */
export function shapeCheck(part: string, schema: TSchema): Check {
  const validate = compileShape(schema)
  return (value) => {
    refuseUnstorable(value, part, 0)
    if (!validate(value)) refuse('INVALID_REQUEST', explainShape(part, validate.errors?.[0]))
  }
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

/** Names the place and the rule, never a value. */
export function explainShape(part: string, error: ShapeError | undefined): string {
  if (error === undefined) return `The ${part} is not valid.`
  const place = error.instancePath.slice(1).replaceAll('/', '.')
  if (error.keyword === 'additionalProperties') {
    const name = String(error.params['additionalProperty']).slice(0, 80)
    return `The ${part} has an unknown field "${place ? `${place}.` : ''}${name}".`
  }
  return `The ${part} is not valid: ${place ? `${place} ` : ''}${error.message ?? 'is wrong'}.`
}

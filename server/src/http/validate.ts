import type { TSchema } from 'typebox'
import { refuse } from '../errors.ts'
import { compileShape, type ShapeError } from '../shape.ts'

const MAX_DEPTH = 64

export type Check = (value: unknown) => void

/** Compiles a shape once; the check refuses with 400 and says where and why. */
export function createShapeCheck(part: string, schema: TSchema): Check {
  const validate = compileShape(schema)
  return (value) => {
    refuseUnstorable(value, part, 0)
    if (!validate(value)) refuse('INVALID_REQUEST', explainShapeErrors(part, validate.errors))
  }
}

/** The shape of a body. Items that are judged later may be anything; one that is nested too deep for anybody is null then. */
export function createBodyCheck(schema: TSchema, individuallyValidatedField: string | undefined): Check {
  if (individuallyValidatedField === undefined) return createShapeCheck('body', schema)
  const { properties } = schema as unknown as { properties: Record<string, TSchema> }
  const checkEnvelope = createShapeCheck('body', {
    ...schema,
    properties: {
      ...properties,
      [individuallyValidatedField]: { ...properties[individuallyValidatedField], items: {} },
    },
  })
  return (value) => {
    const items = getItems(value, individuallyValidatedField)
    checkEnvelope(
      items === null ? value : { ...(value as object), [individuallyValidatedField]: items.map(() => null) },
    )
    items?.forEach((item, place) => {
      if (isTooDeep(item, 2)) items[place] = null
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
export function explainShapeErrors(part: string, errors: readonly ShapeError[] | null | undefined): string {
  const error = errors?.[0]
  if (error === undefined) return `The ${part} is not valid.`
  const place = error.instancePath.slice(1).replaceAll('/', '.')
  if (error.keyword === 'additionalProperties') {
    const name = String(error.params['additionalProperty']).slice(0, 80)
    return `The ${part} has an unknown field "${place ? `${place}.` : ''}${name}".`
  }
  const rule = isChoice(error)
    ? `must be one of ${listAllowedValues(error.instancePath, errors ?? []).join(', ')}`
    : (error.message ?? 'is wrong')
  return `The ${part} is not valid: ${place ? `${place} ` : ''}${rule}.`
}

const isChoice = ({ keyword }: ShapeError) => keyword === 'enum' || keyword === 'const'

/** The values that a field may have, whose shape lists them: as one list, or as one choice after the other. */
function listAllowedValues(path: string, errors: readonly ShapeError[]): readonly unknown[] {
  return errors
    .filter((error) => error.instancePath === path && isChoice(error))
    .flatMap(({ params }): readonly unknown[] => params['allowedValues'] ?? [params['allowedValue']])
}

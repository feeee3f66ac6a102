import type { Schema, StringMap } from './openapi-types.ts'

/** One row of a schema table. Nested fields follow their parent. */
export interface Field {
  readonly name: string
  readonly depth: number
  readonly type: string
  readonly rules: readonly string[]
  readonly required: boolean
  readonly description: string
}

export function listFields(schema: Schema, schemas: StringMap<Schema>, depth = 0): Field[] {
  const { properties = {}, required = [] } = findObjectSchema(schema, schemas)
  return Object.entries(properties).flatMap(([name, value]) => {
    const field = resolveReference(value, schemas)
    const { description = '' } = field
    return [
      {
        name,
        depth,
        type: describeType(field, schemas),
        rules: describeConstraints(field),
        required: required.includes(name),
        description,
      },
      ...listFields(field, schemas, depth + 1),
    ]
  })
}

function resolveReference(schema: Schema, schemas: StringMap<Schema>): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '')
  return name === undefined ? schema : (schemas[name] ?? {})
}

export function describeType(schema: Schema, schemas: StringMap<Schema>): string {
  const { type, anyOf, items, format, const: only } = resolveReference(schema, schemas)
  if (anyOf !== undefined) return anyOf.map((choice) => describeType(choice, schemas)).join(' or ')
  if (only !== undefined) return JSON.stringify(only)
  if (typeof type === 'object') return type.join(' or ')
  if (type === 'array') return items === undefined ? 'array' : `array of ${describeType(items, schemas)}`
  return format ?? type ?? 'any'
}

/** Constraints on a value besides its type. */
export function describeConstraints(schema: Schema): string[] {
  const choices = (schema.enum ?? schema.items?.enum)?.map((value) => `\`${formatValue(value)}\``).join(' ')
  return [
    ...(choices === undefined ? [] : [choices]),
    ...describeRange(schema['minimum'], schema['maximum'], ''),
    ...describeRange(schema['minLength'], schema['maxLength'], ' characters'),
    ...describeRange(schema['minItems'], schema['maxItems'], ' values'),
    ...(schema.default === undefined ? [] : [`default \`${formatValue(schema.default)}\``]),
  ]
}

function describeRange(min: unknown, max: unknown, unit: string): string[] {
  if (min === undefined && max === undefined) return []
  if (max === undefined) return [`at least ${formatValue(min)}${unit}`]
  return [`${min === undefined ? 'at most' : `${formatValue(min)} to`} ${formatValue(max)}${unit}`]
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The object schema of a value, of its items or of one of its alternatives. */
function findObjectSchema(schema: Schema, schemas: StringMap<Schema>): Schema {
  const value = resolveReference(schema, schemas)
  if (value.items !== undefined) return findObjectSchema(value.items, schemas)
  const choice = value.anyOf?.find((one) => describeType(one, schemas) !== 'null')
  return choice === undefined ? value : findObjectSchema(choice, schemas)
}

import type { Schema, StringMap } from './document.ts'

/** One line of a table that shows a schema: nested fields follow the field that holds them. */
export interface Field {
  readonly name: string
  readonly depth: number
  readonly type: string
  readonly rules: readonly string[]
  readonly required: boolean
  readonly description: string
}

export function listFields(schema: Schema, schemas: StringMap<Schema>, depth = 0): Field[] {
  const { properties = {}, required = [] } = objectIn(schema, schemas)
  return Object.entries(properties).flatMap(([name, value]) => {
    const field = resolve(value, schemas)
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

export function resolve(schema: Schema, schemas: StringMap<Schema>): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '')
  return name === undefined ? schema : (schemas[name] ?? {})
}

export function describeType(schema: Schema, schemas: StringMap<Schema>): string {
  const { type, anyOf, items, format, const: only } = resolve(schema, schemas)
  if (anyOf !== undefined) return anyOf.map((choice) => describeType(choice, schemas)).join(' or ')
  if (only !== undefined) return JSON.stringify(only)
  if (typeof type === 'object') return type.join(' or ')
  if (type === 'array') return items === undefined ? 'array' : `array of ${describeType(items, schemas)}`
  return format ?? type ?? 'any'
}

/** What a value must be beyond its type. */
export function describeConstraints(schema: Schema): string[] {
  const choices = (schema.enum ?? schema.items?.enum)?.map((value) => `\`${shown(value)}\``).join(' ')
  return [
    ...(choices === undefined ? [] : [choices]),
    ...range(schema['minimum'], schema['maximum'], ''),
    ...range(schema['minLength'], schema['maxLength'], ' characters'),
    ...range(schema['minItems'], schema['maxItems'], ' values'),
    ...(schema.default === undefined ? [] : [`default \`${shown(schema.default)}\``]),
  ]
}

function range(min: unknown, max: unknown, unit: string): string[] {
  if (min === undefined && max === undefined) return []
  if (max === undefined) return [`at least ${shown(min)}${unit}`]
  return [`${min === undefined ? 'at most' : `${shown(min)} to`} ${shown(max)}${unit}`]
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The object that a value is, or holds as its elements or as one of its choices. */
function objectIn(schema: Schema, schemas: StringMap<Schema>): Schema {
  const value = resolve(schema, schemas)
  if (value.items !== undefined) return objectIn(value.items, schemas)
  const choice = value.anyOf?.find((one) => describeType(one, schemas) !== 'null')
  return choice === undefined ? value : objectIn(choice, schemas)
}

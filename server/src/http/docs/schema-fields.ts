import type { Named, Schema } from './document.ts'

/** One line of a table that shows a schema: nested fields follow the field that holds them. */
export interface Field {
  readonly name: string
  readonly depth: number
  readonly type: string
  readonly rules: readonly string[]
  readonly required: boolean
  readonly description: string
}

export function fieldsOf(schema: Schema, named: Named<Schema>, depth = 0): Field[] {
  const { properties = {}, required = [] } = objectIn(schema, named)
  return Object.entries(properties).flatMap(([name, value]) => {
    const field = resolve(value, named)
    const { description = '' } = field
    return [
      {
        name,
        depth,
        type: typeOf(field, named),
        rules: rulesOf(field),
        required: required.includes(name),
        description,
      },
      ...fieldsOf(field, named, depth + 1),
    ]
  })
}

export function resolve(schema: Schema, named: Named<Schema>): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '')
  return name === undefined ? schema : (named[name] ?? {})
}

export function typeOf(schema: Schema, named: Named<Schema>): string {
  const { type, anyOf, items, format, const: only } = resolve(schema, named)
  if (anyOf !== undefined) return anyOf.map((choice) => typeOf(choice, named)).join(' or ')
  if (only !== undefined) return JSON.stringify(only)
  if (typeof type === 'object') return type.join(' or ')
  if (type === 'array') return items === undefined ? 'array' : `array of ${typeOf(items, named)}`
  return format ?? type ?? 'any'
}

/** What a value must be beyond its type. */
export function rulesOf(schema: Schema): string[] {
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
function objectIn(schema: Schema, named: Named<Schema>): Schema {
  const value = resolve(schema, named)
  if (value.items !== undefined) return objectIn(value.items, named)
  const choice = value.anyOf?.find((one) => typeOf(one, named) !== 'null')
  return choice === undefined ? value : objectIn(choice, named)
}

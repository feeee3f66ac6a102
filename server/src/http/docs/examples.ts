import type { Operation, Parameter, Schema, StringMap } from './openapi-types.ts'
import { resolveReference } from './schema-fields.ts'

const examplesByFormat: ReadonlyMap<string, string> = new Map([
  ['uuid', '0b9e5a3c-6f0d-4c1e-9a57-2b1d0c9e8a41'],
  ['date', '2026-01-31'],
  ['date-time', '2026-01-31T09:30:00.000Z'],
  ['uri', 'https://example.com'],
])

/** Returns the example, constant, default or first choice of a schema, else a plain value of its type. */
export function buildExample(
  schema: Schema,
  schemas: StringMap<Schema>,
  fields: 'all' | 'required' = 'all',
): unknown {
  const shape = resolveReference(schema, schemas)
  const offered = [shape.examples?.[0], shape.const, shape.default, shape.enum?.[0]].find(
    (value) => value !== undefined,
  )
  if (offered !== undefined) return offered
  const choice = shape.anyOf?.[0]
  return choice === undefined
    ? buildDefaultExample(shape, schemas, fields)
    : buildExample(choice, schemas, fields)
}

function buildDefaultExample(shape: Schema, schemas: StringMap<Schema>, fields: 'all' | 'required'): unknown {
  switch (typeof shape.type === 'object' ? shape.type[0] : shape.type) {
    case 'object':
      return buildObjectExample(shape, schemas, fields)
    case 'array':
      return shape.items === undefined ? [] : [buildExample(shape.items, schemas, fields)]
    case 'integer':
    case 'number':
      return shape['minimum'] ?? 1
    case 'boolean':
      return true
    case 'null':
      return null
    case 'string':
    case undefined:
    default:
      return examplesByFormat.get(shape.format ?? '') ?? 'string'
  }
}

/** Renders a curl command. Ids that only the caller knows are shell variables. */
export function renderCurl(
  method: string,
  path: string,
  operation: Operation,
  schemas: StringMap<Schema>,
): string {
  const parameters = operation.parameters.filter((parameter) => 'name' in parameter)
  const body = operation.requestBody?.content['application/json']?.schema
  const target = renderPath(path) + renderQuery(parameters, schemas)
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$SCHOLIAST_URL${target}"`,
    '-H "x-service-api-key: $SCHOLIAST_KEY"',
    ...(operation.parameters.some((parameter) => '$ref' in parameter)
      ? ['-H "idempotency-key: $(uuidgen)"']
      : []),
    ...(body === undefined
      ? []
      : ["-H 'content-type: application/json'", `-d ${quoteForShell(renderBody(body, schemas))}`]),
  ]
  return lines.join(' \\\n  ')
}

function buildObjectExample(
  shape: Schema,
  schemas: StringMap<Schema>,
  fields: 'all' | 'required',
): Record<string, unknown> {
  const { properties = {}, required = [] } = shape
  const shown = Object.entries(properties).filter(([name]) => fields === 'all' || required.includes(name))
  return Object.fromEntries(shown.map(([name, value]) => [name, buildExample(value, schemas, fields)]))
}

function renderPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => `$${name.toUpperCase()}`)
}

function renderQuery(parameters: readonly Parameter[], schemas: StringMap<Schema>): string {
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  const pairs = required.map(
    ({ name, schema }) => `${name}=${encodeURIComponent(String(buildExample(schema, schemas)))}`,
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function renderBody(schema: Schema, schemas: StringMap<Schema>): string {
  return JSON.stringify(buildExample(schema, schemas, 'required'), null, 2)
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

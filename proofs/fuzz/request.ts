import { gzipSync } from 'node:zlib'
import type { Random } from '../tools/random.ts'
import type { Operation, Parameter, Schema } from './document.ts'
import {
  createValue,
  fillExample,
  pickOddText,
  pickOddValue,
  unstorableTexts,
  type ValueSource,
} from './values.ts'

export interface FuzzRequest {
  readonly operation: Operation
  /** What was changed about a request that matches the schema; empty if nothing was. */
  readonly changes: readonly string[]
  readonly method: string
  /** With the query string. */
  readonly path: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer | null
}

/** The parts of a request before it is written as bytes. */
interface Parts {
  method: string
  readonly path: Map<string, string>
  readonly query: [name: string, value: string][]
  readonly headers: [name: string, value: string][]
  mediaType: string | null
  body: unknown
  /** Replaces the JSON of the body. */
  bytes: Buffer | null
}

const NDJSON = 'application/x-ndjson'
const otherMethods = ['PUT', 'OPTIONS', 'GET', 'POST', 'PATCH', 'DELETE', 'HEAD']

/** A request that matches the schemas of the operation. */
export function createValidRequest(source: ValueSource): FuzzRequest {
  return render(source.operation, createParts(source), [])
}

/** A request that matches the schemas, with one to three changes. */
export function createChangedRequest(source: ValueSource): FuzzRequest {
  const parts = createParts(source)
  const names: string[] = []
  for (let count = source.random.pick([1, 1, 1, 2, 3]); count > 0; count--) {
    const possible = Object.entries(changes).flatMap((entry) => {
      const { weight = 1, applies } = entry[1]
      return (applies?.(parts, source) ?? true) ? Array.from({ length: weight }, () => entry) : []
    })
    const [name, change] = source.random.pick(possible)
    change.apply(parts, source)
    names.push(name)
  }
  return render(source.operation, parts, names)
}

function createParts(source: ValueSource): Parts {
  const { operation, random } = source
  const parts: Parts = {
    method: operation.method,
    path: new Map(),
    query: [],
    headers: [],
    mediaType: null,
    body: undefined,
    bytes: null,
  }
  const make: MakeValue =
    random.below(4) === 0
      ? ({ schema, example }, name) =>
          example === undefined
            ? createValue(source, schema, '', name)
            : fillExample(source, example, '', name)
      : ({ schema }, name) => createValue(source, schema, '', name)
  for (const parameter of operation.parameters) {
    const { name, in: location, required } = parameter
    if (!required && random.below(10) >= getShare(name)) continue
    const value = make(parameter, name)
    const text = Array.isArray(value) ? value.map(String).join(',') : String(value)
    if (location === 'path') parts.path.set(name, text)
    else if (location === 'query') parts.query.push([name, text])
    else parts.headers.push([name, random.base62(12)])
  }
  orderDates(parts.query)
  if (operation.method === 'GET' && random.below(4) === 0)
    parts.headers.push(['accept', random.pick([NDJSON, 'text/csv', '*/*', 'application/json'])])
  addBody(parts, source, make)
  return parts
}

/** Makes a value from a schema, or from its example. */
type MakeValue = (place: { readonly schema: Schema; readonly example?: unknown }, name: string) => unknown

function addBody(parts: Parts, { operation, random }: ValueSource, make: MakeValue): void {
  const types = Object.keys(operation.bodies)
  if (types.length === 0) return
  parts.mediaType = random.pick(types)
  // Lines have no schema of their own: each is an item of the JSON array.
  const described = parts.mediaType === NDJSON ? types[0] : parts.mediaType
  parts.body = make(operation.bodies[described ?? ''] ?? { schema: {} }, '')
}

/** How many of ten requests have an optional parameter. */
function getShare(name: string): number {
  if (name === 'org_id') return 6
  return name === 'organization_ids' || name === 'Idempotency-Key' ? 1 : 3
}

/** A window that ends before it starts is refused: mostly it must not. */
function orderDates(query: Parts['query']): void {
  const [start, end] = ['start_date', 'end_date'].map((name) => query.find(([other]) => other === name))
  if (start && end && start[1] > end[1]) [start[1], end[1]] = [end[1], start[1]]
}

interface Change {
  /** How often it is chosen, compared to others. */
  readonly weight?: number
  readonly applies?: (parts: Parts, source: ValueSource) => boolean
  apply(parts: Parts, source: ValueSource): void
}

const hasBody = ({ mediaType }: Parts) => mediaType !== null
const isStoredText = ({ in: location, name, schema }: Parameter) =>
  location === 'query' &&
  name !== 'org_id' &&
  name !== 'cursor' &&
  (schema.items ?? schema).type === 'string' &&
  (schema.items ?? schema).enum === undefined
const isScim = ({ kinds }: Operation) => kinds?.includes('scim') ?? false
const isPatch = (body: unknown): body is { Operations: unknown[] } =>
  body !== null && typeof body === 'object' && 'Operations' in body && Array.isArray(body.Operations)
const renderOddText = (random: Random) =>
  JSON.stringify(random.below(2) === 0 ? random.pick(unstorableTexts) : pickOddText(random, ''))
const hasQuery = ({ query }: Parts) => query.length > 0

const changes: Readonly<Record<string, Change>> = {
  'odd parameter': {
    applies: (_, { operation }) => operation.parameters.some(({ in: location }) => location === 'query'),
    apply({ query }, { operation, random }) {
      const parameters = operation.parameters.filter(({ in: location }) => location === 'query')
      const { name } = random.pick(parameters)
      const value = pickOddText(random, name)
      const found = query.find(([other]) => other === name)
      if (found) found[1] = value
      else query.push([name, value])
    },
  },
  // A separate case, because few parameters reach the database as they are sent.
  'parameter that PostgreSQL cannot store': {
    applies: (_, { operation }) => operation.parameters.some(isStoredText),
    apply({ query }, { operation, random }) {
      const { name, schema } = random.pick(operation.parameters.filter(isStoredText))
      const value = schema.format === 'date' ? '0000-01-01' : random.pick(unstorableTexts)
      const found = query.find(([other]) => other === name)
      if (found) found[1] = value
      else query.push([name, value])
    },
  },
  // SCIM's filters and paths are expressions, in which a text is written as JSON.
  'odd text in a filter': {
    weight: 4,
    applies: (_, { operation }) => operation.parameters.some(({ name }) => name === 'filter'),
    apply({ query }, { operation, random }) {
      const filter = operation.parameters.find(({ name }) => name === 'filter')
      const valid = String(random.pick(filter?.schema.enum ?? []))
      const value = valid.replace(/"x"$/, () => renderOddText(random))
      const found = query.find(([name]) => name === 'filter')
      if (found) found[1] = value
      else query.push(['filter', value])
    },
  },
  'odd text in a path': {
    weight: 4,
    applies: ({ method, body }, { operation }) => method === 'PATCH' && isPatch(body) && isScim(operation),
    apply({ body }, { random }) {
      const attribute = random.pick(['emails[type', 'emails[display', 'members[value'])
      const path = `${attribute} eq ${renderOddText(random)}].value`
      if (isPatch(body)) body.Operations = [{ op: 'add', path, value: `${random.lower(8)}@example.com` }]
    },
  },
  'repeated parameter': {
    applies: hasQuery,
    apply({ query }, { random }) {
      const [name, value] = random.pick(query)
      query.push([name, random.pick([value, '', 'other'])])
    },
  },
  'missing parameter': {
    applies: hasQuery,
    apply({ query }, { random }) {
      query.splice(random.below(query.length), 1)
    },
  },
  'unknown parameter': {
    apply({ query }, { random }) {
      query.push([random.pick(['unknown', '', 'ORG_ID', 'limit[]', '__proto__', 'limit ']), '1'])
    },
  },
  'odd id in the path': {
    applies: ({ path }) => path.size > 0,
    apply({ path }, { random }) {
      for (const name of path.keys()) path.set(name, pickOddText(random, name))
    },
  },
  'other method': {
    apply(parts, { random }) {
      parts.method = random.pick(otherMethods.filter((method) => method !== parts.method))
    },
  },
  HEAD: {
    applies: ({ method }) => method === 'GET',
    apply(parts) {
      parts.method = 'HEAD'
    },
  },
  'odd field': {
    applies: ({ body }) => body !== null && typeof body === 'object',
    apply(parts, { random }) {
      const owner = pickObject(parts.body, random)
      const names = Object.keys(owner)
      if (names.length > 0) setField(owner, random.pick(names), pickOddValue(random))
    },
  },
  'missing field': {
    applies: ({ body }) => body !== null && typeof body === 'object',
    apply(parts, { random }) {
      const owner = pickObject(parts.body, random)
      const names = Object.keys(owner)
      if (names.length > 0) delete owner[random.pick(names)]
    },
  },
  'unknown field': {
    applies: ({ body }) => body !== null && typeof body === 'object',
    apply(parts, { random }) {
      const owner = pickObject(parts.body, random)
      const name = random.pick(['unknown', '', 'mergedAt', '__proto__', 'constructor', 'a\0b', '\ud800'])
      setField(owner, name, pickOddValue(random))
    },
  },
  'odd body': {
    applies: hasBody,
    apply(parts, { random }) {
      parts.body = pickOddValue(random)
    },
  },
  'bytes that are no JSON': {
    applies: hasBody,
    apply(parts, { random }) {
      parts.bytes = random.pick(oddBodies)
    },
  },
  'cut body': {
    applies: hasBody,
    apply(parts, { random }) {
      const bytes = renderBody(parts)
      parts.bytes = bytes.subarray(0, random.below(bytes.length))
    },
  },
  'large body': {
    applies: (parts, { random }) => hasBody(parts) && random.below(20) === 0,
    apply(parts, { random }) {
      parts.bytes = random.pick(largeBodies)
    },
  },
  'body without need': {
    applies: (parts) => !hasBody(parts),
    apply(parts, { random }) {
      parts.mediaType = 'application/json'
      parts.bytes = Buffer.from(random.pick(['', '{}', '{"a":1}', 'null', '[]', ' ', 'x']))
    },
  },
  'other content type': {
    applies: hasBody,
    apply(parts, { random }) {
      parts.mediaType = random.pick(mediaTypes)
    },
  },
  'content encoding': {
    applies: hasBody,
    apply(parts, { random }) {
      const encoding = random.pick(['gzip', 'GZIP', 'deflate', 'br', 'identity', 'gzip, gzip', ''])
      parts.headers.push(['content-encoding', encoding])
      if (random.below(2) === 0) parts.bytes = gzipSync(renderBody(parts))
    },
  },
  'odd header': {
    apply({ headers }, { random }) {
      headers.push(random.pick(oddHeaders))
    },
  },
}

const mediaTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'application/json; charset="utf-8"',
  'APPLICATION/JSON',
  'application/jsonx',
  'multipart/form-data; boundary=x',
  ';',
  '',
  NDJSON,
]

const oddBodies = [
  '',
  ' ',
  '\ufeff{}',
  '\0',
  '{',
  '{"a":1,}',
  '{"a":1}{"a":2}',
  '{"a":NaN}',
  '"\\ud800"',
  '["\\u0000"]',
  '{"__proto__":{"admin":true}}',
  '{"a":1,"a":2}',
  '1e999',
  '[1e999]',
  'true',
  '\n\n\n',
  '{}\n{}\n',
  `[${'['.repeat(10_000)}${']'.repeat(10_000)}]`,
  `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
]
  .map((text) => Buffer.from(text))
  .concat([Buffer.from([0x22, 0xff, 0xfe, 0x22]), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from([0xc0, 0x80])])

const largeBodies = [
  Buffer.from(`{"a":"${'a'.repeat(1024 ** 2)}"}`),
  Buffer.from(`[${'0,'.repeat(200_000)}0]`),
  Buffer.from(`{"a":"${'a'.repeat(4 * 1024 ** 2)}"}`),
]

const oddHeaders: readonly [string, string][] = [
  ['idempotency-key', ''],
  ['idempotency-key', 'a'.repeat(256)],
  ['idempotency-key', '\u00ff'],
  ['x-request-id', 'with blanks'],
  ['x-request-id', 'a'.repeat(129)],
  ['x-request-id', '\u00ff'],
  ['accept', 'text/html'],
  ['accept', '*/*;q=0'],
  ['accept', 'application/x-ndjson;q=0, application/json'],
  ['accept', ','.repeat(100)],
  ['accept-encoding', 'gzip'],
  ['accept-encoding', 'gzip;q=0, *;q=0'],
  ['accept-encoding', 'br, deflate'],
  ['accept-language', '*'],
  ['if-none-match', '*'],
  ['if-modified-since', '0000-01-01'],
  ['range', 'bytes=0-1'],
  ['origin', 'null'],
  ['cookie', 'a=b; __Host-scholiast=x'],
  ['authorization', 'Bearer x'],
  ['x-http-method-override', 'DELETE'],
  ['x-forwarded-for', "' or 1=1 --"],
  ['forwarded', 'for="_x"'],
  ['traceparent', '00-zz-zz-01'],
  ['traceparent', '00-00000000000000000000000000000000-0000000000000000-01'],
  ['x-service-api-key', 'second'],
  ['x-api-key', 'second'],
  ['expect', '100-continue'],
  ['user-agent', ''],
  ['x-long', 'a'.repeat(8_000)],
]

/** Sets a field of any name: assigning to `__proto__` would set none. */
function setField(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, enumerable: true, writable: true, configurable: true })
}

/** The body, or an object in it. */
function pickObject(body: unknown, random: Random): Record<string, unknown> {
  const objects: Record<string, unknown>[] = []
  const visit = (value: unknown) => {
    if (value === null || typeof value !== 'object' || objects.length > 50) return
    if (!Array.isArray(value)) objects.push(value as Record<string, unknown>)
    Object.values(value).forEach(visit)
  }
  visit(body)
  return objects.length === 0 ? {} : random.pick(objects)
}

function render(operation: Operation, parts: Parts, names: readonly string[]): FuzzRequest {
  const { method, path, query, headers, mediaType } = parts
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(path.get(name) ?? ''))
  const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  return {
    operation,
    changes: names,
    method,
    path: search === '' ? filled : `${filled}?${search}`,
    headers: mediaType === null ? headers : [...headers, ['content-type', mediaType]],
    body: mediaType === null ? null : renderBody(parts),
  }
}

function renderBody({ mediaType, body, bytes }: Parts): Buffer {
  if (bytes !== null) return bytes
  if (mediaType === NDJSON && Array.isArray(body))
    return Buffer.from(body.map((item) => JSON.stringify(item)).join('\n'))
  return Buffer.from(JSON.stringify(body) ?? '')
}

/** Half a surrogate pair becomes the bytes that careless encoders write. */
function encode(text: string): string {
  return text
    .split(/([\ud800-\udfff](?![\udc00-\udfff]))/)
    .map((part) => (part.isWellFormed() ? encodeURIComponent(part) : '%ED%A0%80'))
    .join('')
}

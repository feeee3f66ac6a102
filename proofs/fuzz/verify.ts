import { compileShape } from '../../server/test/proofs/fuzz.ts'
import type { Operation, Schema } from './document.ts'
import type { FuzzRequest } from './request.ts'
import type { FuzzResponse } from './send.ts'

/** Returns what is wrong with a response, or null. */
export type Verify = (request: FuzzRequest, response: FuzzResponse) => string | null

type Validate = (value: unknown) => string | null

const requestIdPattern = /^[A-Za-z0-9._-]{1,128}$/
const MAX_HEADER_BYTES = 16_384
const NDJSON = 'application/x-ndjson'

/** Checks responses against the documented statuses, media types, schemas and error codes. */
export function createVerifier(operations: readonly Operation[]): Verify {
  const validators = new Map<Schema, Validate>()
  const validate = (schema: Schema, value: unknown): string | null => {
    const known = validators.get(schema) ?? createValidator(schema)
    validators.set(schema, known)
    return known(value)
  }
  const methodsByPath = Map.groupBy(operations, ({ path }) => path)

  function verifyBody(operation: Operation, status: number, type: string, text: string): string | null {
    const documented = operation.responses[status]
    if (documented === undefined) return `status ${status} is not documented`
    if (documented.content === undefined) return text === '' ? null : `a ${status} has a body`
    const media = documented.content[type]
    if (media === undefined) return `media type "${type}" is not documented for ${status}`
    if (type === NDJSON) return verifyLines(documented.content['application/json']?.schema, text)
    if (!type.endsWith('json')) return null
    const value = parse(text)
    const fault = value === undefined ? 'the body is not JSON' : validate(media.schema, value)
    if (fault !== null) return fault
    const code = status < 400 ? null : getErrorCode(value)
    return code === null || Object.hasOwn(media.examples ?? {}, code)
      ? null
      : `code ${code} is not documented for ${status}`
  }

  function verifyLines(page: Schema | undefined, text: string): string | null {
    const lines = text.trimEnd().split('\n').map(parse)
    const items = page?.properties?.['data']?.items ?? {}
    for (const line of lines.slice(0, -1)) {
      const fault = validate(items, line)
      if (fault !== null) return fault
    }
    const last = lines.at(-1)
    const hasCursor = last !== null && typeof last === 'object' && 'next_cursor' in last
    return hasCursor ? null : 'the last line has no next_cursor'
  }

  return (request, { status, headers, text }) => {
    const { operation, method } = request
    if (status >= 500) return `status ${status}`
    if (!requestIdPattern.test(String(headers['x-request-id']))) return 'there is no x-request-id'
    const type = String(headers['content-type'] ?? '').split(';')[0] ?? ''
    const reached = isPathOf(operation, request.path) ? findOperation(methodsByPath, operation, method) : null
    // Refused before any operation is found.
    if (status === 431) return isTooLarge(request) ? null : 'status 431 of headers that are not too large'
    if (method === 'HEAD') return verifyHead(reached, status, text)
    // A path that is no path of the operation, and a method that it does not have, are answered for no operation.
    if (reached === null) {
      if (status !== 404 && status !== 405 && status !== 400)
        return `status ${status} of a path or method that is not documented`
      return hasErrorBody(operation, parse(text)) ? null : `the ${status} has no error body`
    }
    return verifyBody(reached, status, type, text)
  }

  function hasErrorBody({ responses }: Operation, value: unknown): boolean {
    const [media] = Object.values(responses['400']?.content ?? {})
    return getErrorCode(value) !== null || (media !== undefined && validate(media.schema, value) === null)
  }
}

/** HEAD is answered like GET, without a body. */
function verifyHead(reached: Operation | null, status: number, text: string): string | null {
  if (text !== '') return 'the response to HEAD has a body'
  if (reached === null)
    return status === 400 || status === 404 || status === 405 ? null : `HEAD is answered with ${status}`
  return status === 404 || reached.responses[status] !== undefined
    ? null
    : `status ${status} is not documented for HEAD`
}

/** Node's limit counts the path and the headers. */
function isTooLarge({ path, headers }: FuzzRequest): boolean {
  return path.length + headers.flat().join('').length > MAX_HEADER_BYTES / 2
}

function findOperation(
  operationsByPath: ReadonlyMap<string, readonly Operation[]>,
  { path }: Operation,
  method: string,
): Operation | null {
  const documented = method === 'HEAD' ? 'GET' : method
  return operationsByPath.get(path)?.find((operation) => operation.method === documented) ?? null
}

/** Whether the router finds the operation: an id is a segment of at most 1,000 characters of valid UTF-8, empty only within. */
function isPathOf({ path }: Operation, requested: string): boolean {
  const [target = ''] = requested.split('?')
  const expected = path.split('/')
  const segments = target.split('/')
  if (segments.length !== expected.length) return false
  return segments.every((segment, index) => {
    if (!expected[index]?.startsWith('{')) return true
    try {
      const value = decodeURIComponent(segment)
      return (value !== '' || index < segments.length - 1) && value.length <= 1000
    } catch {
      return false
    }
  })
}

function createValidator(schema: Schema): Validate {
  const check = compileShape(schema)
  return (value) => {
    if (check(value)) return null
    const [error] = check.errors ?? []
    return `${error?.instancePath ?? ''} ${error?.message ?? 'does not match the schema'}`.trim()
  }
}

function getErrorCode(value: unknown): string | null {
  const body = value as
    | { error?: { code?: string }; errors?: readonly { code?: string }[] }
    | null
    | undefined
  return body?.error?.code ?? body?.errors?.[0]?.code ?? null
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

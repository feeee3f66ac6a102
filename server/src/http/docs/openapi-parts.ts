import type { TSchema } from 'typebox'
import { type ErrorCode, errorCodes, getHttpStatus, Refusal } from '../../errors.ts'
import { DOCUMENTED_MAX_ITEMS } from '../../shape.ts'
import type { Endpoint } from '../endpoint.ts'
import { errorReply } from '../reply.ts'
import type {
  Header,
  MediaType,
  OpenApiResponse,
  Parameter,
  Reference,
  Schema,
  StringMap,
} from './openapi-types.ts'
import { errorDescriptions } from './texts.ts'

export const JSON_TYPE = 'application/json'

export function describeParameters(
  location: 'path' | 'query',
  schema: TSchema,
  examples: Readonly<Record<string, unknown>> = {},
): Parameter[] {
  const { required = [] } = toPlainSchema(schema)
  return Object.entries(getProperties(schema)).map(([name, { description, ...shape }]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    ...(shape.type === 'array' && { style: 'form' as const, explode: false as const }),
    schema: shape,
    ...(Object.hasOwn(examples, name) && { example: examples[name] }),
  }))
}

/** Error responses by status, each with the codes, their meaning and their body. */
export function describeRefusals(
  codes: readonly ErrorCode[],
  errorBody: Endpoint['errorBody'],
  countedStatuses: ReadonlySet<number> = new Set([429]),
): Record<string, OpenApiResponse> {
  const schema = { $ref: `#/components/schemas/${errorBody === 'error' ? 'Error' : 'Errors'}` }
  const codesByStatus = Map.groupBy(codes, getHttpStatus)
  return Object.fromEntries(
    [...codesByStatus].map(([status, statusCodes]) => [
      status,
      {
        description: statusCodes.map((code) => `\`${code}\``).join(', '),
        headers: toHeaderReferences([
          'x-request-id',
          ...(countedStatuses.has(status) ? (['RateLimit-Policy', 'RateLimit'] as const) : []),
          ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
        ]),
        content: { [JSON_TYPE]: { schema, examples: createErrorExamples(statusCodes, errorBody) } },
      },
    ]),
  )
}

/** 408 has no code of its own: the body was not received. */
export function describeSlowBody(errorBody: Endpoint['errorBody']): Record<string, OpenApiResponse> {
  const { 400: described } = describeRefusals(['INVALID_REQUEST'], errorBody)
  return described === undefined
    ? {}
    : { 408: { ...described, description: '`INVALID_REQUEST`: the body arrives too slowly. Send it again.' } }
}

function createErrorExamples(
  codes: readonly ErrorCode[],
  shape: Endpoint['errorBody'],
): NonNullable<MediaType['examples']> {
  return Object.fromEntries(
    codes.map((code) => {
      const { body } = errorReply(shape, new Refusal(code, errorDescriptions[code].replaceAll('`', '')))
      return [code, { summary: errorDescriptions[code], value: body && 'json' in body ? body.json : null }]
    }),
  )
}

/** A body with its example, if there is one. */
export function toMediaType(schema: TSchema, example: unknown): MediaType {
  return { schema: toPlainSchema(schema), ...(example !== undefined && { example }) }
}

export function getProperties(schema: TSchema): StringMap<Schema> {
  return toPlainSchema(schema).properties ?? {}
}

/** Strips the symbols that TypeBox adds to a schema. */
export function toPlainSchema(schema: TSchema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll(`"${DOCUMENTED_MAX_ITEMS}":`, '"maxItems":')) as Schema
}

// The components of the document.

const errorSchema: Schema = {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: { type: 'string', enum: errorCodes, description: 'Stable error code, for programs.' },
    message: { type: 'string', description: 'Explanation for people. The wording can change.' },
  },
  additionalProperties: false,
}

export const schemas = {
  Error: {
    type: 'object',
    description: 'The error body of most endpoints.',
    required: ['error'],
    properties: { error: errorSchema },
    additionalProperties: false,
  },
  Errors: {
    type: 'object',
    description: 'The error body of the endpoints under `/v1/learnings`.',
    required: ['errors'],
    properties: { errors: { type: 'array', minItems: 1, items: errorSchema } },
    additionalProperties: false,
  },
} as const satisfies StringMap<Schema>

export const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
} as const satisfies StringMap<Parameter>

export const headers = {
  'x-request-id': {
    description: 'The id of the request in the logs: the one that the caller sent, or a new one.',
    schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9._-]+$' },
  },
  'RateLimit-Policy': {
    description:
      'The rate limit: its name, the quota `q` and the length `w` of the window in seconds. Absent if the request was refused ' +
      'before it was counted.',
    schema: { type: 'string', examples: ['"organizations";q=10;w=60'] },
  },
  RateLimit: {
    description: 'The remaining quota: `r` requests now, and more after `t` seconds.',
    schema: { type: 'string', examples: ['"organizations";r=9;t=60'] },
  },
  'Retry-After': {
    description: 'Seconds to wait before retrying the request.',
    schema: { type: 'integer', minimum: 1 },
  },
  'x-next-cursor': {
    description: 'The cursor of the next page of a CSV response. Absent on the last page.',
    schema: { type: 'string' },
  },
  'content-disposition': {
    description: 'Only in a CSV response: the name of the file.',
    schema: { type: 'string', examples: ['attachment; filename="learnings.csv"'] },
  },
  'x-ranked-by': {
    description: 'Only in the CSV response to a search: what `ranked_by` of a JSON response says.',
    schema: { type: 'string', enum: ['meaning', 'words'] },
  },
  'Idempotency-Replayed': {
    description: 'Present if the response is a stored one.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const satisfies StringMap<Header>

export function toHeaderReferences(names: readonly (keyof typeof headers)[]): StringMap<Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

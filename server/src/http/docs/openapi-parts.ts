import type { TSchema } from 'typebox'
import { type ErrorCode, getHttpStatus, Refusal } from '../../errors.ts'
import { DOCUMENTED_MAX_ITEMS } from '../../shape.ts'
import type { Endpoint } from '../endpoint.ts'
import { errorReply } from '../reply.ts'
import { toHeaderReferences } from './components.ts'
import type { MediaType, OpenApiResponse, Parameter, Schema, StringMap } from './openapi-types.ts'
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

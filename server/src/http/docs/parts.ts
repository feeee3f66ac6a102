import type { TSchema } from 'typebox'
import { type ErrorCode, getHttpStatus, Refusal } from '../../errors.ts'
import type { Endpoint } from '../endpoint.ts'
import { errorReply } from '../reply.ts'
import { referToHeaders } from './components.ts'
import type { MediaType, Parameter, Response, Schema, StringMap } from './document.ts'
import { meanings } from './texts.ts'

export function parametersIn(location: 'path' | 'query', schema: TSchema): Parameter[] {
  const { required = [] } = plain(schema)
  return Object.entries(getProperties(schema)).map(([name, { description, ...shape }]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    ...(shape.type === 'array' && { style: 'form' as const, explode: false as const }),
    schema: shape,
  }))
}

/** Codes by their status, each with its meaning and its body. */
export function describeRefusals(
  codes: readonly ErrorCode[],
  errorBody: Endpoint['errorBody'],
): Record<string, Response> {
  const schema = { $ref: `#/components/schemas/${errorBody === 'error' ? 'Error' : 'Errors'}` }
  const codesByStatus = Map.groupBy(codes, getHttpStatus)
  return Object.fromEntries(
    [...codesByStatus].map(([status, together]) => [
      status,
      {
        description: together.map((code) => `\`${code}\``).join(', '),
        headers: referToHeaders(listErrorHeaders(status)),
        content: toJsonContent(schema, buildErrorExamples(together, errorBody)),
      },
    ]),
  )
}

function listErrorHeaders(status: number) {
  switch (status) {
    case 429:
      return ['x-request-id', 'RateLimit-Policy', 'RateLimit', 'Retry-After'] as const
    case 503:
      return ['x-request-id', 'Retry-After'] as const
    default:
      return ['x-request-id'] as const
  }
}

function buildErrorExamples(
  codes: readonly ErrorCode[],
  shape: Endpoint['errorBody'],
): MediaType['examples'] {
  return Object.fromEntries(
    codes.map((code) => {
      const { body } = errorReply(shape, new Refusal(code, meanings[code].replaceAll('`', '')))
      return [code, { summary: meanings[code], value: body && 'json' in body ? body.json : null }]
    }),
  )
}

export function toJsonContent(schema: Schema, examples?: MediaType['examples']): StringMap<MediaType> {
  return { 'application/json': { schema, ...(examples && { examples }) } }
}

export function getProperties(schema: TSchema): StringMap<Schema> {
  return plain(schema).properties ?? {}
}

/** What a document may carry: the marks that TypeBox leaves on a schema are not part of it. */
export function plain(schema: TSchema): Schema {
  return JSON.parse(JSON.stringify(schema)) as Schema
}

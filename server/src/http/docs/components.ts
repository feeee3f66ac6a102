import { errorCodes } from '../../errors.ts'
import type { Header, Parameter, Reference, Schema, StringMap } from './openapi-types.ts'

const errorSchema: Schema = {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: { type: 'string', enum: errorCodes, description: 'For programs: stays as it is.' },
    message: { type: 'string', description: 'For people: may be reworded.' },
  },
  additionalProperties: false,
}

export const schemas = {
  Error: {
    type: 'object',
    required: ['error'],
    properties: { error: errorSchema },
    additionalProperties: false,
  },
  Errors: {
    type: 'object',
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
      'The same request with the same key returns the first answer for 24 hours and changes nothing again.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
} as const satisfies StringMap<Parameter>

export const headers = {
  'x-request-id': {
    description: 'The id under which the request was logged: that of the caller, or a new one.',
    schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9._-]+$' },
  },
  'RateLimit-Policy': {
    description: 'The limit: the name of the window, its quota `q` and its length `w` in seconds.',
    schema: { type: 'string', examples: ['"organizations";q=10;w=60'] },
  },
  RateLimit: {
    description: 'Where you stand: `r` requests remain, and in `t` seconds there is room for more.',
    schema: { type: 'string', examples: ['"organizations";r=9;t=60'] },
  },
  'Retry-After': {
    description: 'Seconds to wait before the request is sent again.',
    schema: { type: 'integer', minimum: 1 },
  },
  'x-next-cursor': {
    description: 'Of a table: the cursor of the next page. Absent on the last page.',
    schema: { type: 'string' },
  },
  'Idempotency-Replayed': {
    description: 'Present when the answer is a kept one.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const satisfies StringMap<Header>

export function toHeaderReferences(names: readonly (keyof typeof headers)[]): StringMap<Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

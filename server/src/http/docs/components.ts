import { errorCodes } from '../../errors.ts'
import type { Header, Parameter, Reference, Schema, StringMap } from './openapi-types.ts'

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

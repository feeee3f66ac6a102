import { defaultLimits } from '../../config.ts'
import { type ErrorCode, errorCodes } from '../../errors.ts'
import { JSON_ARRAY, JSON_LINES } from '../ingest/batch.ts'
import type {
  IngestEndpoint,
  SenderEndpoint,
  SenderQueryEndpoint,
  UploadEndpoint,
} from '../ingest/endpoint.ts'
import {
  describeParameters,
  describeRefusals,
  describeSlowBody,
  JSON_TYPE,
  toHeaderReferences,
  toMediaType,
  toPlainSchema,
} from './openapi-parts.ts'
import type { Operation, Schema, StringMap } from './openapi-types.ts'

const commonErrorCodes: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'UNAUTHORIZED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'OVERLOADED',
]

const bodyErrorCodes: ReadonlySet<ErrorCode> = new Set(['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'])

const accessDescription =
  'Accepts ingest credentials; every kind of API key gets 401 `UNAUTHORIZED`. A credential that sends more than 50 requests ' +
  'per second to a node, and a tenant root that has filled its share of the queue, get 429 `RATE_LIMIT_EXCEEDED`. The ' +
  'endpoint returns 503 `OVERLOADED` while the queue is full or unavailable.'

const statusAccessDescription =
  'Accepts ingest credentials; every kind of API key gets 401 `UNAUTHORIZED`. It counts in the 50 requests per second of the ' +
  'credential, and works while a share of the tenant root is full.'

const describeQueryAccess = ({ limit }: SenderQueryEndpoint) =>
  'Accepts ingest credentials; every kind of API key gets 401 `UNAUTHORIZED`. Rate limit of the credential: ' +
  `${defaultLimits[limit].requests} requests per ${defaultLimits[limit].seconds} seconds.`

function describeAccess(endpoint: SenderEndpoint): string {
  if ('request' in endpoint) return describeQueryAccess(endpoint)
  return endpoint.method === 'POST' ? accessDescription : statusAccessDescription
}

/** Describes an endpoint for senders. */
export function describeIngestOperation(endpoint: SenderEndpoint): Operation {
  const { tag, summary, description, operationId, query, replies, refusals } = endpoint
  const possible = new Set([
    ...commonErrorCodes.filter((code) => endpoint.method === 'POST' || !bodyErrorCodes.has(code)),
    ...refusals,
  ])
  return {
    tags: [tag],
    summary,
    description: `${description}\n\n${describeAccess(endpoint)}`,
    operationId,
    parameters: describeParameters('query', query, endpoint.example?.query),
    ...(endpoint.method === 'POST' && {
      requestBody: {
        required: true,
        content: describeContent(endpoint),
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(replies).map(([status, reply]) => [
          status,
          {
            description: reply.description,
            headers: toHeaderReferences([
              'x-request-id',
              ...('request' in endpoint ? (['RateLimit-Policy', 'RateLimit'] as const) : []),
            ]),
            content: { [JSON_TYPE]: toMediaType(reply.body, endpoint.example?.response) },
          },
        ]),
      ),
      ...describeRefusals(
        errorCodes.filter((code) => possible.has(code)),
        endpoint.errorBody,
      ),
      ...(endpoint.method === 'POST' && describeSlowBody(endpoint.errorBody)),
    },
    security: [{ ingestCredential: [] }],
  }
}

/** The schemas of the entries of event endpoints; operations refer to them. */
export function listItemSchemas(endpoints: readonly SenderEndpoint[]): StringMap<Schema> {
  const schemas = endpoints.flatMap((endpoint) =>
    'itemSchemas' in endpoint ? Object.entries(endpoint.itemSchemas) : [],
  )
  return Object.fromEntries(schemas.map(([name, schema]) => [name, toPlainSchema(schema)]))
}

function describeContent(endpoint: IngestEndpoint | UploadEndpoint | SenderQueryEndpoint) {
  if ('maxBytes' in endpoint) return describeFileContent(endpoint)
  if ('request' in endpoint) return { [JSON_TYPE]: toMediaType(endpoint.request, endpoint.example?.body) }
  return describeEventsContent(endpoint)
}

function describeEventsContent({ itemSchemas, maxItems, example }: IngestEndpoint) {
  const oneOf = Object.keys(itemSchemas).map((name) => ({ $ref: `#/components/schemas/${name}` }))
  const lines = Array.isArray(example?.body) ? example.body.map((item) => `${JSON.stringify(item)}\n`) : []
  return {
    [JSON_ARRAY]: {
      schema: { type: 'array', minItems: 1, maxItems, items: { oneOf } },
      ...(example && { example: example.body }),
    },
    [JSON_LINES]: {
      schema: { type: 'string', description: `One event per line, at most ${maxItems}.` },
      ...(example && { example: lines.join('') }),
    },
  }
}

function describeFileContent({ mediaTypes, file, example }: UploadEndpoint) {
  return Object.fromEntries(mediaTypes.map((type) => [type, toMediaType(file, example?.body)]))
}

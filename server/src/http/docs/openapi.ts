import { type TSchema, Type } from 'typebox'
import { keyKinds } from '../../access/key-format.ts'
import { SESSION_COOKIE } from '../../access/session.ts'
import { defaultLimits, type LimitPolicy } from '../../config.ts'
import { type ErrorCode, errorCodes, getHttpStatus } from '../../errors.ts'
import { isOptionalBody } from '../body.ts'
import type { Endpoint } from '../endpoint.ts'
import type { SenderEndpoint } from '../ingest/endpoint.ts'
import { getNdjsonQuery } from '../paging.ts'
import { describeIngestOperation, listItemSchemas } from './ingest.ts'
import {
  describeParameters,
  describeRefusals,
  describeSlowBody,
  getProperties,
  headers,
  JSON_TYPE,
  parameters,
  schemas,
  toHeaderReferences,
  toMediaType,
} from './openapi-parts.ts'
import type { Access, MediaType, OpenApiDocument, OpenApiResponse, Operation } from './openapi-types.ts'
import { introduction } from './texts.ts'

/** Builds the OpenAPI document from the endpoint objects that the server runs. */
export function createOpenApiDocument(
  endpoints: readonly Endpoint[],
  senderEndpoints: readonly SenderEndpoint[] = [],
): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const endpoint of endpoints) {
    const operations = (paths[endpoint.path] ??= {})
    operations[endpoint.method.toLowerCase()] = describeOperation(endpoint, endpoints)
  }
  for (const senderEndpoint of senderEndpoints)
    paths[senderEndpoint.path] = {
      [senderEndpoint.method.toLowerCase()]: describeIngestOperation(senderEndpoint),
    }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Scholiast',
      version: '1.0.0',
      summary: 'Review metrics, Learnings and administration for an automated code reviewer.',
      description: introduction,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }, { session: [] }],
    tags: [...new Set([...endpoints, ...senderEndpoints].map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-service-api-key' },
        session: sessionScheme,
        ...(senderEndpoints.length > 0 && { ingestCredential }),
      },
      schemas: { ...schemas, ...listItemSchemas(senderEndpoints) },
      parameters,
      headers,
    },
  }
}

const sessionScheme = {
  type: 'apiKey',
  in: 'cookie',
  name: SESSION_COOKIE,
  description: 'The session of a person who signed in at /auth/sign-in, for browsers.',
}

const ingestCredential = {
  type: 'apiKey',
  in: 'header',
  name: 'x-service-api-key',
  description: 'A signed ingest credential, for sending events.',
}

const commonErrorCodes = [
  'INVALID_REQUEST',
  'UNAUTHORIZED',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'OVERLOADED',
] as const

/** Every error code of an endpoint, in the order of errors.ts. */
export function listErrorCodes(endpoint: Endpoint): ErrorCode[] {
  const { keys, organization, plan, permission, admin, body, method, maxReplyBytes, paging, refusals } =
    endpoint
  const takesOrgId = keys.workspace === 'allowed' && organization !== 'whole' && organization !== 'path'
  const takesFilter =
    keys.instance === 'allowed' &&
    organization !== 'filtered' &&
    'organization_ids' in getProperties(endpoint.query)
  const possible = new Set<string>([
    ...commonErrorCodes,
    ...Object.values(keys),
    ...codesIf(keys.workspace === 'allowed', 'KEY_KIND_NOT_ALLOWED', 'OWNER_NOT_ADMIN'),
    ...codesIf(takesOrgId, 'ORG_ID_AMBIGUOUS'),
    ...codesIf(takesOrgId && organization.startsWith('required'), 'ORG_ID_REQUIRED'),
    ...codesIf(organization !== 'whole' || takesFilter, 'ORGANIZATION_NOT_FOUND'),
    ...codesIf(takesFilter, 'ORGANIZATION_OUT_OF_SCOPE'),
    ...codesIf(plan === 'enterprise', 'ENTERPRISE_REQUIRED'),
    ...codesIf(permission !== null, 'PERMISSION_DENIED'),
    ...codesIf(admin, 'NOT_ADMIN'),
    ...codesIf(endpoint.freshSignIn === true, 'REAUTHENTICATION_REQUIRED'),
    ...codesIf(method !== 'GET', 'CROSS_SITE_REQUEST'),
    ...codesIf(body !== null, 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'),
    ...codesIf(method !== 'GET', 'IDEMPOTENCY_KEY_REUSED'),
    ...codesIf(maxReplyBytes !== undefined, 'RESPONSE_TOO_LARGE'),
    ...codesIf(paging !== null, 'INVALID_CURSOR'),
    ...refusals,
  ])
  return errorCodes.filter((code) => possible.has(code))
}

function codesIf(condition: boolean, ...codes: ErrorCode[]): ErrorCode[] {
  return condition ? codes : []
}

/** Errors that a handler can return too: the request was counted then, and the response has the headers of the rate limit. */
const countedStatuses: ReadonlySet<number> = new Set([400, 403, 404, 409, 413, 429, 503])

function describeOperation(endpoint: Endpoint, endpoints: readonly Endpoint[]): Operation {
  const { tag, summary, operationId, body, example = {} } = endpoint
  return {
    tags: [tag],
    summary,
    description: `${endpoint.description}\n\n${describeAccess(endpoint, endpoints)}`,
    operationId,
    parameters: [
      ...describeParameters('path', endpoint.params, example.params),
      // The larger limits of NDJSON are valid requests too.
      ...describeParameters('query', getNdjsonQuery(endpoint) ?? endpoint.query, example.query),
      ...(endpoint.method === 'GET' ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }]),
    ],
    ...(body && {
      requestBody: {
        required: !isOptionalBody(body),
        content: { [JSON_TYPE]: toMediaType(body, example.body) },
      },
    }),
    responses: {
      ...describeReplies(endpoint),
      ...describeRefusals(listErrorCodes(endpoint), endpoint.errorBody, countedStatuses),
      ...(body !== null && describeSlowBody(endpoint.errorBody)),
    },
    ...(endpoint.keys.person === 'allowed' && { security: [{ session: [] }] }),
    'x-access': toAccess(endpoint),
  }
}

function toAccess({ keys, plan, permission, admin, limit, concurrency }: Endpoint): Access {
  return {
    keys: Object.fromEntries(keyKinds.map((kind) => [kind, keys[kind]])) as Access['keys'],
    plan,
    permission,
    admin,
    limit: {
      policy: limit,
      ...defaultLimits[limit],
      ...(typeof concurrency === 'number' && { concurrent: concurrency }),
    },
  }
}

function describeAccess(endpoint: Endpoint, endpoints: readonly Endpoint[]): string {
  const { plan, permission, admin, limit, concurrency, readOnly } = endpoint
  const needs = [
    ...(plan === 'enterprise' ? ['the Enterprise plan with an active subscription'] : []),
    ...(admin ? ['the Admin role'] : []),
    ...(permission === null ? [] : [`the permission \`${permission}\``]),
  ]
  const { requests, seconds } = defaultLimits[limit]
  const sharing = endpoints.filter((other) => other.limit === limit && other !== endpoint)
  const shared = sharing.map(({ method, path }) => `\`${method} ${path}\``)
  const parallel = typeof concurrency === 'number' ? `, at most ${concurrency} concurrent` : ''
  const together = shared.length === 0 ? '' : `, shared with ${joinWithAnd(shared)}`
  return [
    ...describeKeyKinds(endpoint),
    needs.length === 0 ? 'Available on every plan.' : `Requires ${joinWithAnd(needs)}.`,
    `Rate limit: ${requests} requests per ${seconds} seconds${parallel}${together}.`,
    ...(typeof readOnly === 'object' ? [describeDryRunLimit(readOnly.limit)] : []),
  ].join(' ')
}

function describeDryRunLimit(limit: LimitPolicy): string {
  const { requests, seconds } = defaultLimits[limit]
  return `With \`dry_run\`: ${requests} requests per ${seconds} seconds, counted apart.`
}

function describeKeyKinds({ keys }: Endpoint): string[] {
  const kindsWith = (verdict: string) => keyKinds.filter((kind) => keys[kind] === verdict)
  const refused = (['LEGACY_API_KEY', 'KEY_KIND_NOT_ALLOWED'] as const).flatMap((code) => {
    const kinds = kindsWith(code)
    const names = kinds.length === keyKinds.length ? 'all' : joinWithAnd(kinds)
    return kinds.length === 0 ? [] : [`Rejects ${names} keys with ${getHttpStatus(code)} \`${code}\`.`]
  })
  const allowed = kindsWith('allowed')
  return allowed.length === 0 ? refused : [`Accepts ${joinWithAnd(allowed)} keys.`, ...refused]
}

function joinWithAnd(items: readonly string[]): string {
  const last = items.at(-1) ?? ''
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`
}

/** One entry of `data` per line; the last line has the other fields of the response. */
function describeLines(response: unknown): MediaType {
  const { data = [], ...rest } = (response ?? {}) as { readonly data?: readonly unknown[] }
  const description =
    'One entry of `data` per line. The last line is an object with the other fields of the response.'
  return {
    schema: { type: 'string', description },
    ...(response !== undefined && {
      example: [...data, rest].map((line) => `${JSON.stringify(line)}\n`).join(''),
    }),
  }
}

function describeCsv(columns: readonly string[]): TSchema {
  const description = `With \`format=csv\`: a header line and one line per entry of \`data\`, as in RFC 4180. Columns: ${columns.join(', ')}.`
  return Type.String({ description })
}

function describeReplies(endpoint: Endpoint): Record<string, OpenApiResponse> {
  const { method, replies, paging, example = {} } = endpoint
  return Object.fromEntries(
    Object.entries(replies).map(([status, { description, body, csv, csvHeaders = [], files = {} }]) => {
      const others = { ...(csv && { 'text/csv': describeCsv(csv) }), ...files }
      return [
        status,
        {
          description,
          headers: toHeaderReferences([
            ...(['x-request-id', 'RateLimit-Policy', 'RateLimit'] as const),
            ...(method === 'GET' ? [] : (['Idempotency-Replayed'] as const)),
            ...(csv ? (['x-next-cursor', 'content-disposition', ...csvHeaders] as const) : []),
          ]),
          ...(body && {
            content: {
              [JSON_TYPE]: toMediaType(body, example.response),
              ...(paging?.maxNdjsonLimit !== undefined && {
                'application/x-ndjson': describeLines(example.response),
              }),
              ...Object.fromEntries(
                Object.entries(others).map(([type, schema]) => [
                  type,
                  toMediaType(schema, example.files?.[type]),
                ]),
              ),
            },
          }),
        },
      ]
    }),
  )
}

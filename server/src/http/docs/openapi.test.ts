import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Type } from 'typebox'
import { eventKinds } from '../../consumers.ts'
import { type ErrorCode, errorCodes, getHttpStatus } from '../../errors.ts'
import { organizations } from '../../resources/organizations/route.ts'
import { ingestEndpoints, endpoints as keyEndpoints, sessionEndpoints } from '../../routes.ts'
import { closed } from '../../shape.ts'
import type { Endpoint } from '../endpoint.ts'
import { findExampleFaults } from './check-examples.ts'
import { createOpenApiDocument, listErrorCodes } from './openapi.ts'
import type { MediaType, OpenApiDocument, Operation, Parameter, Schema } from './openapi-types.ts'

const emptySchema = Type.Object({}, closed)

/** An endpoint that promises as little as one can; a case adds what it is about. */
const plainest: Endpoint = {
  ...organizations,
  keys: { ...organizations.keys, workspace: 'KEY_KIND_NOT_ALLOWED', legacy: 'allowed' },
  organization: 'whole',
  plan: 'any',
  permission: null,
  admin: false,
  params: emptySchema,
  query: emptySchema,
  body: null,
  paging: null,
  refusals: [],
}
const write: Endpoint = {
  ...plainest,
  method: 'POST',
  path: '/v1/things/{thing_id}',
  operationId: 'changeThing',
  errorBody: 'errors',
  params: Type.Object({ thing_id: Type.String() }, closed),
  query: Type.Object(
    { ids: Type.Optional(Type.Array(Type.String(), { maxItems: 10, description: 'Some.' })) },
    closed,
  ),
  body: Type.Object({ name: Type.String() }, closed),
  replies: { 201: { description: 'Made.', body: Type.Object({ id: Type.String() }, closed) } },
  refusals: errorCodes,
}
const endpoints = [...keyEndpoints, ...sessionEndpoints]
const both = createOpenApiDocument([...endpoints, write])

describe('the document of the service', () => {
  const senderEndpoints = ingestEndpoints(eventKinds)
  const document = createOpenApiDocument(endpoints, senderEndpoints)

  test('is the committed openapi.json', () => {
    const committed = readFileSync(new URL('../../../../openapi.json', import.meta.url), 'utf8')
    assert.equal(committed, `${JSON.stringify(document, null, 2)}\n`, 'stale: run `npm run generate`')
  })

  test('has an example of every request and successful response, which matches its schema [B-2a]', () => {
    assert.deepEqual(findExampleFaults(document), [])
  })

  test('names the endpoint whose example is missing or does not match', () => {
    const { example: _, ...without } = organizations
    const stale = { ...organizations, example: { query: { limit: 0 }, response: { organizations: [] } } }
    assert.deepEqual(findExampleFaults(createOpenApiDocument([without])), [
      'listOrganizations: the example of the response 200 (application/json) is missing. Correct `example` of its endpoint.',
    ])
    assert.deepEqual(findExampleFaults(createOpenApiDocument([stale])), [
      'listOrganizations: the example of the parameter limit does not match its schema:  must be >= 1. Correct `example` of its endpoint.',
      "listOrganizations: the example of the response 200 (application/json) does not match its schema:  must have required property 'next_cursor'. Correct `example` of its endpoint.",
    ])
  })

  test('allows the limits of NDJSON, the documented number of entries, and any org_id, which most keys ignore', () => {
    const find = (id: string, name: string) =>
      operationOf(document, id).parameters.find((parameter) => 'name' in parameter && parameter.name === name)
    const limit = find('listReviewComments', 'limit')
    assert.equal(limit && 'schema' in limit && limit.schema['maximum'], 100_000)
    for (const id of ['manageSeats', 'changeUserRoles']) {
      const body = operationOf(document, id).requestBody?.content['application/json']?.schema
      assert.equal(body?.properties?.['user_ids']?.['maxItems'], 500, id)
    }
    const lengths = operationsOf(document)
      .filter(({ path }) => path.startsWith('/v1/'))
      .flatMap(({ operation }) => [
        ...operation.parameters.filter((parameter) => 'name' in parameter && parameter.name === 'org_id'),
        operation.requestBody?.content['application/json']?.schema.properties?.['org_id'],
      ])
      .filter((place) => place !== undefined)
      .map((place) => ('schema' in place ? (place.schema as Schema) : (place as Schema)))
    assert.ok(lengths.length >= 27)
    for (const schema of lengths) assert.ok(!('minLength' in schema) && !('maxLength' in schema))
  })

  test('has the headers of the rate limit on every error that can follow it, and optional bodies', () => {
    const { responses, requestBody } = operationOf(document, 'rotateKey')
    const limited = Object.keys(responses).filter(
      (status) => 'RateLimit' in (responses[status]?.headers ?? {}),
    )
    assert.deepEqual(limited, ['201', '400', '403', '404', '409', '413', '429', '503'])
    assert.equal(requestBody?.required, false)
    assert.equal(operationOf(document, 'createKey').requestBody?.required, true)
  })

  test('describes SARIF as an object', () => {
    const reply = document.paths['/v1/security/scans/code']?.['get']?.responses['200']
    assert.equal(reply?.content?.['application/sarif+json']?.schema.type, 'object')
  })

  test('has every endpoint and nothing else', () => {
    const described = operationsOf(document).map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    assert.deepEqual(
      described,
      [...endpoints, ...senderEndpoints].map(({ method, path }) => `${method} ${path}`),
    )
    const ids = operationsOf(document).map(({ operation }) => operation.operationId)
    assert.deepEqual(new Set(ids).size, ids.length, 'operation ids are unique')
  })

  test('describes a table beside the JSON: its columns, and the header with its cursor', () => {
    const reply = document.paths['/v1/learnings']?.['get']?.responses['200']
    assert.deepEqual(Object.keys(reply?.content ?? {}), ['application/json', 'text/csv'])
    assert.match(
      reply?.content?.['text/csv']?.schema.description ?? '',
      /Columns: id, learning, repository_id, /,
    )
    for (const name of ['x-next-cursor', 'content-disposition'])
      assert.deepEqual(reply?.headers[name], { $ref: `#/components/headers/${name}` })
  })
})

describe('a document', () => {
  test('is plain JSON, the same each time', () => {
    assert.deepEqual(
      JSON.parse(JSON.stringify(both)),
      both,
      'nothing undefined, nothing that JSON cannot carry',
    )
    assert.equal(JSON.stringify(createOpenApiDocument([...endpoints, write])), JSON.stringify(both))
  })

  test('says what it is', () => {
    assert.equal(both.openapi, '3.1.0')
    assert.equal(both.info.title, 'Scholiast')
    assert.equal(both.info.version, '1.0.0')
    assert.deepEqual(both.servers, [{ url: '/' }])
    assert.deepEqual(both.components.securitySchemes[Object.keys(both.security[0] ?? {})[0] ?? ''], {
      type: 'apiKey',
      in: 'header',
      name: 'x-service-api-key',
    })
    for (const { operation } of operationsOf(both)) {
      assert.ok(operation.tags.every((tag) => both.tags.some(({ name }) => name === tag)))
    }
  })

  test('has no reference that leads nowhere', () => {
    const references = [...JSON.stringify(both).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, path = '']) => path,
    )
    assert.ok(references.length > 0)
    for (const path of references) {
      const found = path
        .split('/')
        .reduce<unknown>((node, name) => (node as Record<string, unknown>)?.[name], both)
      assert.notEqual(found, undefined, path)
    }
  })

  test('declares each parameter once, and those of the path as the path has them', () => {
    for (const { path, operation } of operationsOf(both)) {
      const parameters = operation.parameters.filter(
        (parameter): parameter is Parameter => 'name' in parameter,
      )
      const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
      assert.equal(new Set(names).size, names.length, path)
      const inPath = parameters.filter((parameter) => parameter.in === 'path')
      assert.deepEqual(
        inPath.map(({ name }) => name),
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      )
      assert.ok(inPath.every(({ required }) => required))
    }
  })

  test('has only schemas that a validator accepts, and examples that fit them', () => {
    const ajv = new Ajv2020({ strict: true, validateFormats: false })
    const media = operationsOf(both).flatMap(({ operation }) => mediaOf(operation))
    for (const { schema, examples = {} } of media) {
      const text = JSON.stringify({ ...schema, $defs: both.components.schemas })
      const validate = ajv.compile(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as Schema)
      for (const [name, { value }] of Object.entries(examples)) assert.ok(validate(value), name)
    }
    const { headers, parameters } = both.components
    const own = operationsOf(both).flatMap(({ operation }) => operation.parameters)
    const others = [...Object.values(headers), ...Object.values(parameters), ...own]
    for (const other of others) if ('schema' in other) ajv.compile(other.schema)
  })

  test('keeps objects closed', () => {
    const bodies = operationsOf(both).flatMap(({ operation }) =>
      mediaOf(operation).map(({ schema }) => schema),
    )
    // A run of a SARIF file is an object of its standard.
    const open = [...bodies, ...Object.values(both.components.schemas)]
      .filter((schema) => schema.properties?.['runs'] === undefined)
      .flatMap(objectsIn)
    assert.ok(open.length > 5)
    assert.ok(open.every((schema) => schema['additionalProperties'] === false))
  })

  test('has lists comma separated in one parameter, texts beside the schema', () => {
    const ids = operationOf(both, 'changeThing').parameters.find(
      (parameter) => 'name' in parameter && parameter.name === 'ids',
    )
    assert.deepEqual(ids, {
      name: 'ids',
      in: 'query',
      required: false,
      description: 'Some.',
      style: 'form',
      explode: false,
      schema: { type: 'array', items: { type: 'string' }, maxItems: 10 },
    })
  })

  test('offers Idempotency-Key on writes and only there', () => {
    const reference = { $ref: '#/components/parameters/IdempotencyKey' }
    assert.deepEqual(operationOf(both, 'changeThing').parameters.at(-1), reference)
    const reads = operationsOf(both).filter(({ method }) => method === 'get')
    assert.ok(reads.every(({ operation }) => !operation.parameters.some((parameter) => '$ref' in parameter)))
  })
})

describe('refusals', () => {
  test('of every code stand at its status, with their meaning and body', () => {
    const { responses } = operationOf(both, 'changeThing')
    for (const code of errorCodes) {
      const media = responses[getHttpStatus(code)]?.content?.['application/json']
      assert.equal(media?.schema.$ref, '#/components/schemas/Errors')
      const example = media?.examples?.[code]
      const message = example?.summary.replaceAll('`', '')
      assert.ok(message, code)
      assert.deepEqual(example?.value, { errors: [{ code, message }] })
    }
  })

  test('stand at no other status', () => {
    for (const { operation } of operationsOf(both)) {
      for (const [status, { content }] of Object.entries(operation.responses)) {
        const codes = Object.keys(content?.['application/json']?.examples ?? {}) as ErrorCode[]
        assert.ok(status === '408' || codes.every((code) => String(getHttpStatus(code)) === status))
        assert.ok(status < '400' || codes.length > 0, `${status} has codes`)
      }
    }
  })

  test('an endpoint with a body lists 408, one without does not [P11-slow-1]', () => {
    for (const { operation } of operationsOf(both))
      assert.equal('408' in operation.responses, operation.requestBody !== undefined, operation.operationId)
  })

  test('carry the headers of their status', () => {
    assert.deepEqual(headersOf(401), ['x-request-id'])
    assert.deepEqual(headersOf(400), ['x-request-id', 'RateLimit-Policy', 'RateLimit'])
    for (const status of [429, 503])
      assert.deepEqual(headersOf(status), ['x-request-id', 'RateLimit-Policy', 'RateLimit', 'Retry-After'])
    assert.deepEqual(headersOf(201), [
      'x-request-id',
      'RateLimit-Policy',
      'RateLimit',
      'Idempotency-Replayed',
    ])
  })

  test('of the error body with one entry use the schema Error', () => {
    const { responses } = operationOf(both, 'listOrganizations')
    assert.equal(responses['401']?.content?.['application/json']?.schema.$ref, '#/components/schemas/Error')
  })
})

describe('an endpoint’s error codes follow from what it promises', () => {
  const minimalCodes: ErrorCode[] = [
    'INVALID_REQUEST',
    'UNAUTHORIZED',
    'KEY_KIND_NOT_ALLOWED',
    'RATE_LIMIT_EXCEEDED',
    'INTERNAL_ERROR',
    'OVERLOADED',
  ]
  const keys = { ...plainest.keys, workspace: 'allowed' } as const
  const filtered = Type.Object({ organization_ids: Type.Array(Type.String()) }, closed)
  const cases: readonly (readonly [string, Partial<Endpoint>, readonly ErrorCode[]])[] = [
    ['nothing', {}, []],
    ['legacy keys refused', { keys: { ...plainest.keys, legacy: 'LEGACY_API_KEY' } }, ['LEGACY_API_KEY']],
    ['pages', { paging: organizations.paging }, ['INVALID_CURSOR']],
    ['the Enterprise plan', { plan: 'enterprise' }, ['ENTERPRISE_REQUIRED']],
    [
      'an active subscription',
      { plan: 'enterprise', refusals: ['NO_ACTIVE_SUBSCRIPTION'] },
      ['NO_ACTIVE_SUBSCRIPTION', 'ENTERPRISE_REQUIRED'],
    ],
    ['a permission', { permission: 'learning:write' }, ['PERMISSION_DENIED']],
    ['the Admin role', { admin: true }, ['NOT_ADMIN']],
    ['a body', { body: emptySchema }, ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']],
    ['a write', { method: 'DELETE' }, ['CROSS_SITE_REQUEST', 'IDEMPOTENCY_KEY_REUSED']],
    ['an organization in the path', { organization: 'path' }, ['ORGANIZATION_NOT_FOUND']],
    ['org_id without workspace tokens', { organization: 'required' }, ['ORGANIZATION_NOT_FOUND']],
    ['a bounded reply', { maxReplyBytes: 1 }, ['RESPONSE_TOO_LARGE']],
    ['a filter', { query: filtered }, ['ORGANIZATION_OUT_OF_SCOPE', 'ORGANIZATION_NOT_FOUND']],
    ['its own', { refusals: ['INVALID_CURSOR', 'INVALID_CURSOR'] }, ['INVALID_CURSOR']],
  ]
  for (const [name, promise, more] of cases) {
    test(name, () =>
      assert.deepEqual(listErrorCodes({ ...plainest, ...promise }), sorted([...minimalCodes, ...more])),
    )
  }

  test('workspace token org_id', () => {
    const optional = [
      ...minimalCodes,
      'OWNER_NOT_ADMIN',
      'ORG_ID_AMBIGUOUS',
      'ORGANIZATION_NOT_FOUND',
    ] as const
    assert.deepEqual(listErrorCodes({ ...plainest, keys, organization: 'optional' }), sorted(optional))
    assert.deepEqual(
      listErrorCodes({ ...plainest, keys, organization: 'required' }),
      sorted([...optional, 'ORG_ID_REQUIRED']),
    )
  })
})

describe('the sentence on access', () => {
  test('names kinds, needs and limit', () => {
    const keys = { ...organizations.keys, agentic: 'KEY_KIND_NOT_ALLOWED' } as const
    assert.equal(
      sentenceOf({ keys, plan: 'enterprise', permission: 'learning:write', admin: true, concurrency: 3 }),
      'Accepts organization, user, workspace and instance keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects ' +
        'agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription, the Admin ' +
        'role and the permission `learning:write`. Rate limit: 10 requests per 60 seconds, at most 3 concurrent.',
    )
  })

  test('says that a plan is not needed, and who shares the window', () => {
    const sentence = sentenceOf({}, [{ ...plainest, path: '/v1/other', operationId: 'other' }])
    assert.match(sentence, /Available on every plan\. .*, shared with `GET \/v1\/other`\.$/)
  })
})

function headersOf(status: number): string[] {
  return Object.keys(operationOf(both, 'changeThing').responses[status]?.headers ?? {})
}

function sentenceOf(promise: Partial<Endpoint>, others: readonly Endpoint[] = []): string {
  const it = { ...plainest, operationId: 'it', path: '/v1/it', ...promise } as const
  return (
    operationOf(createOpenApiDocument([it, ...others]), 'it')
      .description.split('\n\n')
      .at(-1) ?? ''
  )
}

function operationsOf({ paths }: OpenApiDocument) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  )
}

function operationOf(document: OpenApiDocument, id: string): Operation {
  const found = operationsOf(document).find(({ operation }) => operation.operationId === id)
  assert.ok(found, id)
  return found.operation
}

function mediaOf({ requestBody, responses }: Operation): MediaType[] {
  const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)]
  return contents.flatMap((content) => Object.values(content ?? {}))
}

function objectsIn(schema: Schema): Schema[] {
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.anyOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ]
  return [...(schema.type === 'object' ? [schema] : []), ...inner.flatMap(objectsIn)]
}

function sorted(codes: readonly ErrorCode[]): ErrorCode[] {
  return errorCodes.filter((code) => codes.includes(code))
}

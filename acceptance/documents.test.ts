import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, call } from './service.ts'

type Json = { [name: string]: Json } | Json[] | string | number | boolean | null | undefined
const listOperations = ['/v1/organizations', '/v1/organizations/{organization_id}/repositories']

test('healthz and readyz answer 200 without a key [B-1]', async () => {
  for (const path of ['/healthz', '/readyz']) assert.equal((await call(path)).status, 200, path)
})

test('the interface document is OpenAPI 3.1 and served without a key [B-2]', async () => {
  const reply = await call('/openapi.json')
  assert.equal(reply.status, 200)
  assert.match(reply.headers.get('content-type') ?? '', /^application\/json\b/)
  const version = field(await document(), 'openapi')
  assert.ok(typeof version === 'string' && /^3\.1\.\d+$/.test(version))
})

test('the interface is versioned 1.0.0 [S-version-2 P1-header-3]', async () => {
  assert.equal(field(await document(), 'info', 'version'), '1.0.0')
})

test('every documented path of the interface begins with /v1 [S-version-1]', async () => {
  const beside = /^\/(ingest\/v1\/.+|mcp|healthz|readyz|openapi\.json|docs)$/
  for (const path of Object.keys(object(field(await document(), 'paths')))) {
    assert.ok(path.startsWith('/v1/') || beside.test(path), path)
  }
})

test('the document names the key header x-service-api-key [S-auth-1 P1-header-1]', async () => {
  const schemes = Object.values(object(field(await document(), 'components', 'securitySchemes')))
  const header = schemes.find((scheme) => field(scheme, 'name') === 'x-service-api-key')
  assert.equal(field(header, 'type'), 'apiKey')
  assert.equal(field(header, 'in'), 'header')
})

test('every operation under /v1 is documented as needing a key [S-end-1 S-auth-2]', async () => {
  const whole = await document()
  for (const [path, item] of Object.entries(object(field(whole, 'paths')))) {
    if (!path.startsWith('/v1/')) continue
    for (const [method, operation] of Object.entries(object(item))) {
      const security = field(operation, 'security') ?? field(whole, 'security')
      assert.ok(Array.isArray(security) && security.length > 0, `${method} ${path}`)
      assert.ok(!security.some((way) => Object.keys(object(way)).length === 0), `${method} ${path}`)
    }
  }
})

test('organizations and repositories are documented with limit and cursor and no other query parameter [P8-2]', async () => {
  for (const path of listOperations) {
    const names = (await queryParameters(path)).map((parameter) => field(parameter, 'name'))
    assert.deepEqual(new Set(names), new Set(['cursor', 'limit']), path)
  }
})

test('limit is documented as an integer of 1 to 100 with the default 100 [S-limit-8 P8-1]', async () => {
  for (const path of listOperations) {
    const limit = (await queryParameters(path)).find((parameter) => field(parameter, 'name') === 'limit')
    const schema = object(field(limit, 'schema'))
    assert.equal(schema['type'], 'integer')
    assert.equal(schema['minimum'], 1)
    assert.equal(schema['maximum'], 100)
    assert.equal(schema['default'], 100)
    assert.notEqual(field(limit, 'required'), true)
  }
})

test('the replies of organizations and repositories are documented, errors too [B-2]', async () => {
  const expected: Record<string, string[]> = {
    [at(listOperations, 0)]: ['200', '400', '401', '403', '410', '429'],
    [at(listOperations, 1)]: ['200', '400', '401', '403', '404', '410', '429'],
  }
  for (const [path, statuses] of Object.entries(expected)) {
    const responses = Object.keys(object(field(await operationOf(path), 'responses')))
    for (const status of statuses) assert.ok(responses.includes(status), `${status} of ${path}`)
  }
})

test('the documented fields of an organization and a repository are those that are returned [P8-3]', async () => {
  assert.deepEqual(await recordFields(at(listOperations, 0), 'organizations'), [
    'id',
    'name',
    'provider',
    'provider_organization_id',
  ])
  assert.deepEqual(await recordFields(at(listOperations, 1), 'repositories'), [
    'id',
    'name',
    'private',
    'provider',
    'provider_repository_id',
  ])
})

test('docs is a page to read, served without a key [B-2]', async () => {
  const reply = await call('/docs')
  assert.equal(reply.status, 200)
  assert.match(reply.headers.get('content-type') ?? '', /^text\/html\b/)
  assert.match(reply.text, /\/v1\/organizations|openapi\.json/)
})

async function document(): Promise<Json> {
  return (await call('/openapi.json')).body as Json
}

async function operationOf(path: string): Promise<Json> {
  return field(await document(), 'paths', path, 'get')
}

async function queryParameters(path: string): Promise<Json[]> {
  const whole = await document()
  const shared = field(whole, 'paths', path, 'parameters') ?? []
  const own = field(whole, 'paths', path, 'get', 'parameters') ?? []
  assert.ok(Array.isArray(shared) && Array.isArray(own))
  const parameters = [...shared, ...own].map((parameter) => resolve(whole, parameter))
  return parameters.filter((parameter) => field(parameter, 'in') === 'query')
}

async function recordFields(path: string, list: string): Promise<string[]> {
  const whole = await document()
  const response = resolve(whole, field(whole, 'paths', path, 'get', 'responses', '200'))
  const page = resolve(whole, field(response, 'content', 'application/json', 'schema'))
  const array = resolve(whole, field(page, 'properties', list))
  const record = resolve(whole, field(array, 'items'))
  return Object.keys(object(field(record, 'properties'))).sort()
}

function resolve(whole: Json, node: Json): Json {
  const reference = field(node, '$ref')
  if (typeof reference !== 'string') return node
  return resolve(whole, field(whole, ...reference.replace('#/', '').split('/')))
}

function field(node: Json, ...names: string[]): Json {
  let current: Json = node
  for (const name of names) current = object(current)[name]
  return current
}

function object(node: Json): { [name: string]: Json } {
  return typeof node === 'object' && node !== null && !Array.isArray(node) ? node : {}
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { eventKinds } from '../../consumers.ts'
import { ingestEndpoints } from '../../routes.ts'
import { createOpenApiDocument } from './openapi.ts'
import type { Schema } from './openapi-types.ts'
import { renderReference } from './reference.ts'

const senderEndpoints = ingestEndpoints(eventKinds)
const document = createOpenApiDocument([], senderEndpoints)
const operation = document.paths['/ingest/v1/events']?.['post'] ?? assert.fail()

test('the ingest endpoint requires an ingest credential, not an API key', () => {
  assert.deepEqual(operation.security, [{ ingestCredential: [] }])
  assert.equal(document.components.securitySchemes['ingestCredential']?.['name'], 'x-service-api-key')
  assert.equal(createOpenApiDocument([]).components.securitySchemes['ingestCredential'], undefined)
})

test('it accepts an array or lines, returns 202, and documents every refusal with its headers', () => {
  assert.deepEqual(Object.keys(operation.requestBody?.content ?? {}), [
    'application/json',
    'application/x-ndjson',
  ])
  assert.deepEqual(Object.keys(operation.responses), [
    '202',
    '400',
    '401',
    '408',
    '413',
    '415',
    '429',
    '500',
    '503',
  ])
  assert.deepEqual(Object.keys(operation.responses['503']?.headers ?? {}), ['x-request-id', 'Retry-After'])
  const codes = Object.keys(operation.responses['400']?.content?.['application/json']?.examples ?? {})
  assert.deepEqual(codes, ['INVALID_REQUEST', 'BATCH_SIZE_EXCEEDED'])
})

test('its schemas are ones that a validator accepts, and each event has an example that fits', () => {
  const ajv = new Ajv2020({ strict: true, validateFormats: false })
  assert.ok(ajv.compile(operation.responses['202']?.content?.['application/json']?.schema as Schema))
  const items = operation.requestBody?.content['application/json']?.schema.items?.oneOf ?? []
  assert.equal(items.length, eventKinds.length)
  for (const { $ref = '' } of items) {
    const schema = document.components.schemas[$ref.replace('#/components/schemas/', '')] ?? {}
    assert.ok(ajv.compile(schema)(schema.examples?.[0]), $ref)
  }
})

test('a code of a rejected event is one that can occur', () => {
  const receipt = operation.responses['202']?.content?.['application/json']?.schema
  assert.deepEqual(receipt?.properties?.['rejected']?.items?.properties?.['code']?.enum, [
    'INVALID_REQUEST',
    'PAYLOAD_TOO_LARGE',
  ])
})

test('the reference shows the fields and an example of every event', () => {
  const page = renderReference(document)
  for (const { type, version } of eventKinds) {
    const start = page.indexOf(`<article class="operation" id="${type}.v${version}">`)
    assert.notEqual(start, -1, type)
    const article = page.slice(start, page.indexOf('</article>', start))
    assert.match(article, /depth-0"><code>payload</)
    assert.match(article, /depth-1"><code>organization/)
    assert.ok(article.includes(`&quot;type&quot;: &quot;${type}&quot;`), type)
  }
})

test('the reference shows it, with a command that needs no Idempotency-Key', () => {
  const page = renderReference(document)
  assert.match(page, /id="ingestEvents"/)
  assert.match(page, /<span>ingest<\/span>/)
  assert.match(page, /curl -X POST &quot;\$SCHOLIAST_URL\/ingest\/v1\/events&quot;/)
  assert.doesNotMatch(page, /idempotency-key/)
})

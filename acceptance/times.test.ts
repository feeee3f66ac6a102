import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reply } from '../cli/src/conformance/http.ts'
import { ask as askKeys, inDays } from './keys-data.ts'
import { firstRepository, ownText } from './learnings-data.ts'
import { patch, postBatch, sendJson } from './learnings-writes.ts'
import { eventually, mergedOn, store } from './metrics-data.ts'
import { type Operation, readOperations, requiredQuery, type Schema } from './operations.ts'
import { at, call, demo } from './service.ts'

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const { repository_id } = firstRepository

/** How to get a response from operations that are more than a read of a list. */
const requests: Record<string, () => Promise<Reply>> = {
  // The users of one organization have times.
  'GET /v1/users': () => call('/v1/users', { key: demo.keys.user }),
  'GET /v1/learnings/pending': () => call('/v1/learnings/pending', { key: demo.keys.user }),
  'GET /v1/connectors': () => call('/v1/connectors', { key: demo.keys.user }),
  'POST /v1/connectors': createConnector,
  'POST /v1/keys': createKeyValue,
  'POST /v1/keys/{key_id}/rotate': async () =>
    askKeys(demo.keys.user, 'POST', `/${((await createKeyValue()).body as { id: string }).id}/rotate`, {
      overlap_days: 1,
    }),
  'POST /v1/users/offboarding': previewOffboarding,
  'PATCH /v1/learnings/{learning_id}': changeLearning,
  'POST /v1/review-context': async () => {
    const { learning } = (await changeLearning()).body as { learning: string }
    return sendJson('POST', '/v1/review-context', { repository_id, text: learning })
  },
}

/**
 * The worker signs heads of the audit log from time to time, nodes write the last use of a key later, and perhaps nothing waits
 * for a decision: then there is no time in the response.
 */
const sometimesWithout = new Set([
  'GET /v1/audit-logs/chain',
  'POST /v1/users/offboarding',
  'GET /v1/learnings/pending',
  // A connector that has found nothing yet.
  'GET /v1/connectors',
  'POST /v1/connectors',
])

test('every time of every response is YYYY-MM-DDTHH:MM:SS.sssZ [P1-times-1]', async () => {
  const operations = (await readOperations()).filter(({ response }) => fieldsOfTime(response).length > 0)
  assert.ok(operations.length >= 13)
  // The status of events is that of the last one.
  await store(mergedOn('2010-06-01'))
  for (const operation of operations) {
    await eventually(`${operation.name} returns a time`, async () => {
      const { status, body, text } = await getResponse(operation)
      assert.ok(status === 200 || status === 201, `${operation.name} ${text}`)
      const times = fieldsOfTime(operation.response).flatMap((path) => valuesAt(body, path.split('.')))
      const undocumented = allValues(body).filter((value) => /^\d{4}-\d\d-\d\d[T ]/.test(value))
      for (const value of [...times.map(String), ...undocumented]) assert.match(value, time, operation.name)
      return times.length > 0 || sometimesWithout.has(operation.name)
    })
  }
})

function getResponse(operation: Operation): Promise<Reply> {
  const { name, method, path } = operation
  const request = requests[name]
  if (request !== undefined) return request()
  assert.ok(method === 'get' && !path.includes('{'), `${name} returns times: say how to request it`)
  const query = requiredQuery(operation)
  const all = Object.entries({ status: 'all', state: 'all', page_size: '100', limit: '10' })
  for (const [parameter, value] of all)
    if (operation.parameters.some((known) => known.name === parameter)) query.set(parameter, value)
  const key = path.startsWith('/ingest/') ? demo.keys.ingest : demo.keys.workspace
  return call(`${path}?${query.toString()}`, { key })
}

async function previewOffboarding(): Promise<Reply> {
  const self = await call('/v1/keys/self', { key: demo.keys.user })
  const { owner } = self.body as { owner: { cr_user_id: string } }
  return sendJson('POST', '/v1/users/offboarding', { member: { cr_user_id: owner.cr_user_id } })
}

function createKeyValue(): Promise<Reply> {
  const key = { kind: 'organization', name: 'Times', expires_at: inDays(2) }
  return askKeys(demo.keys.user, 'POST', '', key)
}

async function changeLearning(): Promise<Reply> {
  const { results } = await postBatch([{ repository_id, learning: ownText() }])
  return patch(at(results, 0).id ?? '', ownText())
}

/** Where a schema has times, as in `data.[].created_at`. */
function fieldsOfTime(schema: Schema | undefined, path = ''): string[] {
  if (schema === undefined) return []
  const { format, anyOf = [], properties = {}, items } = schema
  return [
    ...(format === 'date-time' ? [path] : []),
    ...anyOf.flatMap((choice) => fieldsOfTime(choice, path)),
    ...Object.entries(properties).flatMap(([name, one]) => fieldsOfTime(one, join(path, name))),
    ...fieldsOfTime(items, join(path, '[]')),
  ]
}

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

/** All values at a path that are not null. */
function valuesAt(value: unknown, [name, ...rest]: string[]): unknown[] {
  if (value === null || value === undefined) return []
  if (name === undefined) return [value]
  if (name === '[]') return (value as unknown[]).flatMap((item) => valuesAt(item, rest))
  return valuesAt((value as Record<string, unknown>)[name], rest)
}

function allValues(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(allValues) : []
}

async function createConnector(): Promise<Reply> {
  const credential = { app_id: '1', installation_id: '2', private_key: 'PEM' }
  const body = { provider: 'github', mode: 'polling', account: 'meridian-times', credential }
  const reply = await sendJson('POST', '/v1/connectors', body)
  const { id } = reply.body as { id: string }
  await call(`/v1/connectors/${id}`, { method: 'DELETE', key: demo.keys.user })
  return reply
}

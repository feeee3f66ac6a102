import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, call, demo, listPaths, organizationsPath, repositoriesPath } from './service.ts'

const key = demo.keys.workspace

test('an error is a JSON object error with exactly code and message', async () => {
  const unknown = repositoriesPath('00000000-0000-0000-0000-000000000000')
  const { lower_plan, legacy, workspace_demoted_owner } = demo.keys
  assertError(await call(`${organizationsPath}?limit=0`, { key }), 400, 'INVALID_REQUEST')
  assertError(await call(`${organizationsPath}?cursor=x`, { key }), 400, 'INVALID_CURSOR')
  assertError(await call(organizationsPath), 401, 'UNAUTHORIZED')
  assertError(await call(organizationsPath, { key: lower_plan }), 403, 'ENTERPRISE_REQUIRED')
  assertError(await call(organizationsPath, { key: workspace_demoted_owner }), 403, 'OWNER_NOT_ADMIN')
  assertError(await call(unknown, { key }), 404, 'ORGANIZATION_NOT_FOUND')
  assertError(await call('/v1/nothing', { key }), 404, 'NOT_FOUND')
  assertError(await call(organizationsPath, { key, method: 'DELETE' }), 405, 'METHOD_NOT_ALLOWED')
  assertError(await call(organizationsPath, { key: legacy }), 410, 'LEGACY_API_KEY')
})

test('an unknown path is 404 NOT_FOUND, with a key and without', async () => {
  const paths = ['/v1', '/v1/', '/v1/nothing', '/v2/organizations', '/V1/organizations', '/v1/organization']
  for (const path of paths) {
    assertError(await call(path, { key }), 404, 'NOT_FOUND', path)
    assertError(await call(path), 404, 'NOT_FOUND', path)
  }
})

test('an unknown path is 404 for every method', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const reply = await call('/v1/nothing', { key, method })
    assertError(reply, 404, 'NOT_FOUND', method)
  }
})

test('a method that a path does not serve is 405 METHOD_NOT_ALLOWED with the allowed ones', async () => {
  for (const path of listPaths) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const reply = await call(path, { key, method })
      assertError(reply, 405, 'METHOD_NOT_ALLOWED', `${method} ${path}`)
      assert.equal(reply.headers.get('allow'), 'GET, HEAD', `${method} ${path}`)
    }
  }
})

test('a body does not turn a 405 into another refusal', async () => {
  for (const [type, body] of [
    ['application/json', '{}'],
    ['application/json', '{'],
    ['text/plain', 'x'],
  ] as const) {
    const headers = { 'content-type': type }
    const reply = await call(organizationsPath, { key, method: 'POST', headers, body })
    assertError(reply, 405, 'METHOD_NOT_ALLOWED', type)
  }
})

test('a path that cannot be decoded is 400 in the same error shape', async () => {
  for (const id of ['%zz', '%', '%E0%A4%A']) {
    assertError(await call(repositoriesPath(id), { key }), 400, 'INVALID_REQUEST', id)
  }
})

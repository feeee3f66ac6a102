import { test } from 'node:test'
import { assertError } from '../cli/src/conformance/http.ts'
import { call, demo, organizationsPath, repositoriesPath } from './service.ts'

const key = demo.keys.workspace

test('an error is a JSON object error with exactly code and message [S-what-1 P1-errors-1]', async () => {
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

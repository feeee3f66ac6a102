import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertError } from '../cli/src/conformance/http.ts'
import { call, demo, home, listPaths, organizationsPath, repositoriesPath } from './service.ts'

const unknown = repositoriesPath(randomUUID())
const malformed = repositoriesPath('not-a-uuid')
const wrongInMoreThanTheKey = [
  ...listPaths.flatMap((path) => [`${path}?limit=0`, `${path}?unknown=1`, `${path}?cursor=x`]),
  malformed,
  unknown,
]

test('the key is checked first: no key, a bad one or a dead one is 401 whatever else is wrong [P1-order-1]', async () => {
  const { expired, revoked, ingest } = demo.keys
  for (const path of wrongInMoreThanTheKey) {
    for (const key of ['', 'x', expired, revoked, ingest]) {
      assertError(await call(path, { key }), 401, 'UNAUTHORIZED', path)
    }
  }
})

test('the owner is checked before the shape: a demoted one is 403 whatever else is wrong [P1-order-3]', async () => {
  for (const path of wrongInMoreThanTheKey) {
    const reply = await call(path, { key: demo.keys.workspace_demoted_owner })
    assertError(reply, 403, 'OWNER_NOT_ADMIN', path)
  }
})

test('the shape is checked before the plan: a bad limit on a lower plan is 400 [P1-order-4]', async () => {
  for (const path of [`${organizationsPath}?limit=0`, `${organizationsPath}?unknown=1`, malformed]) {
    assertError(await call(path, { key: demo.keys.lower_plan }), 400, 'INVALID_REQUEST', path)
  }
})

test('the organization is selected before the plan: an unknown UUID on a lower plan is 404 [P1-order-5]', async () => {
  for (const path of [unknown, repositoriesPath(home.id)]) {
    assertError(await call(path, { key: demo.keys.lower_plan }), 404, 'ORGANIZATION_NOT_FOUND')
  }
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { comparable } from '../cli/src/conformance/http.ts'
import {
  at,
  boundOrganization,
  call,
  demo,
  home,
  type KeyName,
  organizationsOf,
  repositoriesPath,
} from './service.ts'

test('another tenant’s organization is answered exactly like one that does not exist [P1-exist-1 P8-4]', async () => {
  const other = await boundOrganization('other_tenant')
  const instance = at(organizationsOf('instance'), 0)
  const foreign: [KeyName, string[]][] = [
    ['organization', [other.id, instance.id]],
    ['user', [other.id, instance.id]],
    ['agentic', [other.id, instance.id]],
    ['workspace', [other.id, instance.id]],
    ['instance', [other.id, home.id]],
    ['other_tenant', [home.id, instance.id]],
  ]
  for (const [key, ids] of foreign) {
    for (const id of ids) await assertLikeMissing(key, id, '')
  }
})

test('a sibling outside the key’s scope is answered exactly like an organization that does not exist [P8-4]', async () => {
  const sibling = at(organizationsOf('workspace'), 1)
  for (const key of ['organization', 'user', 'agentic'] as const) await assertLikeMissing(key, sibling.id, '')
})

test('a page size does not make another tenant’s organization differ from a missing one [P1-exist-1]', async () => {
  await assertLikeMissing('other_tenant', home.id, '?limit=1')
  await assertLikeMissing('other_tenant', home.id, '?limit=0')
})

async function assertLikeMissing(key: KeyName, id: string, query: string): Promise<void> {
  const options = { key: demo.keys[key] }
  const missing = await call(repositoriesPath(randomUUID()) + query, options)
  const present = await call(repositoriesPath(id) + query, options)
  assert.ok(missing.status >= 400, `${key} is refused`)
  assert.deepEqual(comparable(present), comparable(missing), key)
}

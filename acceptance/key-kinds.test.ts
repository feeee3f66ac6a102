import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../cli/src/conformance/http.ts'
import {
  assertPage,
  at,
  boundOrganization,
  call,
  demo,
  home,
  listPaths,
  organizationsOf,
  organizationsPath,
  repositoriesPath,
} from './service.ts'

test('organization, user, workspace and agentic keys may list organizations and repositories [S-org-7 S-auth-23 P2-kinds-1]', async () => {
  for (const key of ['organization', 'user', 'workspace', 'agentic'] as const) {
    for (const path of listPaths) assertPage(await call(path, { key: demo.keys[key] }))
  }
})

test('an instance key may list organizations and repositories [P2-instance-1 P2-kinds-1]', async () => {
  const { id } = at(organizationsOf('instance'), 0)
  for (const path of [organizationsPath, repositoriesPath(id)]) {
    assertPage(await call(path, { key: demo.keys.instance }))
  }
})

test('a legacy key is 410 LEGACY_API_KEY on organizations and repositories [S-auth-10 S-version-3 P1-code-22 P2-kinds-1]', async () => {
  for (const path of listPaths) {
    assertError(await call(path, { key: demo.keys.legacy }), 410, 'LEGACY_API_KEY', path)
  }
})

test('a workspace token whose owner is no longer a workspace admin is 403 OWNER_NOT_ADMIN [S-org-6 S-auth-15 S-auth-22 P0-2 P1-code-9]', async () => {
  for (const path of listPaths) {
    const reply = await call(path, { key: demo.keys.workspace_demoted_owner })
    assertError(reply, 403, 'OWNER_NOT_ADMIN', path)
  }
})

test('a key of an organization below the Enterprise plan is 403 ENTERPRISE_REQUIRED [S-what-3 S-org-4 P1-order-6 P1-code-7]', async () => {
  for (const path of [organizationsPath, repositoriesPath(await lowerPlanOrganization())]) {
    const reply = await call(path, { key: demo.keys.lower_plan })
    assertError(reply, 403, 'ENTERPRISE_REQUIRED', path)
  }
})

test('an organization key reads no sibling organization of its workspace [S-auth-3 P8-4]', async () => {
  for (const key of ['organization', 'user', 'agentic'] as const) {
    for (const { id } of organizationsOf('workspace').filter((sibling) => sibling.id !== home.id)) {
      const reply = await call(repositoriesPath(id), { key: demo.keys[key] })
      assertError(reply, 404, 'ORGANIZATION_NOT_FOUND', key)
    }
  }
})

// The demo's single organizations are the other tenant's, the one on the lower plan and the one without metrics.
async function lowerPlanOrganization(): Promise<string> {
  const others = [await boundOrganization('other_tenant'), await boundOrganization('metrics_off')]
  const rest = organizationsOf('organization').filter(({ id }) => others.every((other) => other.id !== id))
  assert.equal(rest.length, 1, 'the demo should name the organization on the lower plan')
  return at(rest, 0).id
}

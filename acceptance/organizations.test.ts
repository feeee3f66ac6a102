import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertError } from '../cli/src/conformance/http.ts'
import { createEvent, eventually, send } from './metrics-data.ts'
import {
  assertPage,
  at,
  boundOrganization,
  call,
  demo,
  home,
  type KeyName,
  listOrganizations,
  organizationsOf,
  repositoriesPath,
  uuidPattern,
} from './service.ts'

const readers: KeyName[] = ['organization', 'user', 'agentic', 'workspace', 'instance', 'other_tenant']

const atGitHub = new Set(['Meridian Platform', 'Meridian Terminals'])

test('an organizations page has exactly organizations and next_cursor [S-what-1 S-org-10]', async () => {
  for (const key of readers) {
    assert.deepEqual(Object.keys(await listOrganizations(key)).sort(), ['next_cursor', 'organizations'])
  }
})

test('an organization has exactly id, name, provider and provider_organization_id [S-orgrec-2 S-orgrec-3 S-org-10]', async () => {
  for (const key of readers) {
    for (const organization of (await listOrganizations(key)).organizations) {
      const fields = Object.keys(organization).sort()
      assert.deepEqual(fields, ['id', 'name', 'provider', 'provider_organization_id'])
      for (const value of Object.values(organization)) assert.equal(typeof value, 'string')
      assert.notEqual(organization.name, '')
      assert.notEqual(organization.provider, '')
    }
  }
})

test('id is the service UUID; provider, its id of the organization and the name are those of the Git provider [S-what-14 S-orgrec-1 S-orgrec-2 S-orgrec-3 S-orgrec-4]', async () => {
  for (const key of ['workspace', 'instance'] as const) {
    for (const organization of (await listOrganizations(key)).organizations) {
      const known = demo.organizations.find((candidate) => candidate.id === organization.id)
      assert.match(organization.id, uuidPattern)
      assert.equal(organization.provider_organization_id, known?.org_id)
      assert.equal(organization.name, known?.name)
      assert.equal(organization.provider, atGitHub.has(known?.name ?? '') ? 'github' : 'gitlab')
    }
  }
})

test('an organization key lists its bound organization and no other [S-what-7 S-what-10 S-org-2 S-auth-3]', async () => {
  assert.equal((await boundOrganization('organization')).id, home.id)
})

test('a user key lists the organization it belongs to [S-what-10 S-org-7 S-auth-4]', async () => {
  assert.equal((await boundOrganization('user')).id, home.id)
})

test('an agentic key lists the organization it belongs to [P2-kinds-1]', async () => {
  assert.equal((await boundOrganization('agentic')).id, home.id)
})

test('a workspace token lists every active organization of its workspace [S-what-7 S-what-10 S-what-11 S-org-1 S-org-3 S-auth-7]', async () => {
  const page = await listOrganizations('workspace')
  assert.equal(page.organizations.length, 3)
  assert.deepEqual(ids(page.organizations), ids(organizationsOf('workspace')))
})

test('an instance key lists the authorized organizations of its Git provider instance [S-what-10 S-auth-8 P2-instance-1]', async () => {
  const page = await listOrganizations('instance')
  assert.equal(page.organizations.length, 2)
  assert.deepEqual(ids(page.organizations), ids(organizationsOf('instance')))
})

test('a key of another tenant lists its own organization and none of ours [P1-exist-1]', async () => {
  const { id } = await boundOrganization('other_tenant')
  assert.ok(ids(organizationsOf('organization')).includes(id))
})

test('organizations come in the order of their id [P1-lists-2]', async () => {
  for (const key of ['workspace', 'instance'] as const) {
    const listed = (await listOrganizations(key)).organizations.map(({ id }) => id)
    assert.deepEqual(listed, [...listed].sort())
  }
})

test('an organization is listed while it is active, and nowhere when it is not [S-org-1 P8-1]', async () => {
  const added = { provider: 'github', id: String(Date.now()), name: `Added ${randomUUID()}` }
  const sendState = (active: boolean) =>
    send([
      createEvent('inventory.changed', new Date().toISOString(), { organizations: [{ ...added, active }] }),
    ])
  const find = async (key: KeyName) =>
    (await listOrganizations(key)).organizations.find(
      ({ provider_organization_id }) => provider_organization_id === added.id,
    )
  await sendState(true)
  await eventually('it is listed', async () => (await find('workspace')) !== undefined)
  try {
    const { id, name } = (await find('workspace')) ?? assert.fail('it is listed')
    assert.equal(name, added.name)
    assertPage(await call(repositoriesPath(id), { key: demo.keys.workspace }))
    for (const key of readers.filter((reader) => reader !== 'workspace'))
      assert.equal(await find(key), undefined, key)
    await sendState(false)
    await eventually('it is not listed any more', async () => (await find('workspace')) === undefined)
    const repositories = await call(repositoriesPath(id), { key: demo.keys.workspace })
    assertError(repositories, 404, 'ORGANIZATION_NOT_FOUND')
    const one = await listOrganizations('workspace', '?limit=1')
    assert.notEqual(one.organizations[0]?.id, id, 'nor does it take a place of a page')
  } finally {
    await sendState(false)
  }
})

test('limit bounds the organizations of a page, and next_cursor shows that more follow [S-org-8]', async () => {
  const page = await listOrganizations('workspace', '?limit=2')
  assert.equal(page.organizations.length, 2)
  assert.equal(typeof page.next_cursor, 'string')
})

test('the smallest organizations limit is 1 and the largest 100 [S-org-8 S-limit-8]', async () => {
  assert.equal((await listOrganizations('workspace', '?limit=1')).organizations.length, 1)
  assert.equal((await listOrganizations('workspace', '?limit=100')).organizations.length, 3)
})

test('next_cursor is null when no organization follows, also on a page that is just full [S-org-11 P8-1]', async () => {
  assert.equal((await listOrganizations('workspace')).next_cursor, null)
  assert.equal((await listOrganizations('workspace', '?limit=3')).next_cursor, null)
  assert.equal((await listOrganizations('organization', '?limit=1')).next_cursor, null)
})

test('paging one by one gives every organization of the workspace once, in order [S-org-9 S-org-11 P1-lists-2]', async () => {
  const collected: string[] = []
  let query = '?limit=1'
  for (let page = 0; page < 3; page += 1) {
    const { organizations, next_cursor } = await listOrganizations('workspace', query)
    assert.equal(organizations.length, 1)
    collected.push(at(organizations, 0).id)
    assert.equal(next_cursor === null, page === 2, `page ${page + 1} of 3`)
    query = `?cursor=${encodeURIComponent(next_cursor ?? '')}`
  }
  assert.deepEqual(collected, ids(organizationsOf('workspace')))
})

function ids(organizations: { id: string }[]): string[] {
  return organizations.map(({ id }) => id).sort()
}

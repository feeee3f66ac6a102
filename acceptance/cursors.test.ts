import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertError } from '../cli/src/conformance/http.ts'
import {
  at,
  boundOrganization,
  call,
  demo,
  home,
  type KeyName,
  listOrganizations,
  listRepositories,
  organizationsOf,
  organizationsPath,
  repositoriesPath,
} from './service.ts'

const homeRepositories = repositoriesPath(home.id)
let organizationsCursor = ''
let repositoriesCursor = ''

before(async () => {
  organizationsCursor = (await listOrganizations('workspace', '?limit=1')).next_cursor ?? ''
  repositoriesCursor = (await listRepositories('organization', home.id, '?limit=1')).next_cursor ?? ''
})

test('next_cursor is a non-empty string while more follows [S-org-9 P1-cursor-1]', () => {
  assert.notEqual(organizationsCursor, '')
  assert.notEqual(repositoriesCursor, '')
})

test('an organizations cursor keeps the page size of the first request [S-org-12 P1-cursor-10]', async () => {
  const one = await listOrganizations('workspace', query(organizationsCursor))
  assert.equal(one.organizations.length, 1)
  const { next_cursor } = await listOrganizations('workspace', '?limit=2')
  const rest = await listOrganizations('workspace', query(next_cursor ?? ''))
  assert.equal(rest.organizations.length, 1)
  assert.equal(rest.next_cursor, null)
})

test('a cursor of another tenant is 400 INVALID_CURSOR [P1-cursor-5 P1-cursor-12]', async () => {
  const instanceCursor = (await listOrganizations('instance', '?limit=1')).next_cursor ?? ''
  const other = await boundOrganization('other_tenant')
  const otherCursor = (await listRepositories('other_tenant', other.id, '?limit=1')).next_cursor ?? ''
  await refused('workspace', organizationsPath, instanceCursor)
  await refused('instance', organizationsPath, organizationsCursor)
  await refused('other_tenant', organizationsPath, organizationsCursor)
  await refused('organization', homeRepositories, otherCursor)
  await refused('other_tenant', repositoriesPath(other.id), repositoriesCursor)
})

test('a cursor of another scope in the same tenant is 400 INVALID_CURSOR [P1-cursor-7 P1-cursor-12]', async () => {
  await refused('organization', organizationsPath, organizationsCursor)
  await refused('user', organizationsPath, organizationsCursor)
})

test('a repositories cursor of another organization is 400 INVALID_CURSOR [P1-cursor-7 P1-cursor-13]', async () => {
  const sibling = at(organizationsOf('workspace'), 1)
  const cursor = (await listRepositories('workspace', home.id, '?limit=1')).next_cursor ?? ''
  await refused('workspace', repositoriesPath(sibling.id), cursor)
})

test('a cursor is not bound to the key or the person: another key of the same scope continues [P1-cursor-9]', async () => {
  const own = await listRepositories('organization', home.id, query(repositoriesCursor))
  for (const key of ['user', 'agentic'] as const) {
    const page = await listRepositories(key, home.id, query(repositoriesCursor))
    assert.deepEqual(page.repositories, own.repositories)
  }
})

test('a bad limit beside a good cursor is 400 [P1-cursor-10]', async () => {
  const reply = await call(`${organizationsPath}${query(organizationsCursor)}&limit=0`, {
    key: demo.keys.workspace,
  })
  assertError(reply, 400, 'INVALID_REQUEST')
})

function query(cursor: string): string {
  return `?cursor=${encodeURIComponent(cursor)}`
}

async function refused(key: KeyName, path: string, cursor: string, suffix = ''): Promise<void> {
  assert.notEqual(cursor, '', 'the demo has too few rows to give a cursor')
  const reply = await call(path + query(cursor) + suffix, { key: demo.keys[key] })
  assertError(reply, 400, 'INVALID_CURSOR', `${key} ${path} ${cursor}${suffix}`)
}

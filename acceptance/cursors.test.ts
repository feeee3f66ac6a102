import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import {
  assertError,
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

const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const homeRepositories = repositoriesPath(home.id)
let organizationsCursor = ''
let repositoriesCursor = ''

before(async () => {
  organizationsCursor = (await listOrganizations('workspace', '?limit=1')).next_cursor ?? ''
  repositoriesCursor = (await listRepositories('organization', home.id, '?limit=1')).next_cursor ?? ''
})

test('next_cursor is a non-empty string while more follows', () => {
  assert.notEqual(organizationsCursor, '')
  assert.notEqual(repositoriesCursor, '')
})

test('an organizations cursor keeps the page size of the first request', async () => {
  const one = await listOrganizations('workspace', query(organizationsCursor))
  assert.equal(one.organizations.length, 1)
  const { next_cursor } = await listOrganizations('workspace', '?limit=2')
  const rest = await listOrganizations('workspace', query(next_cursor ?? ''))
  assert.equal(rest.organizations.length, 1)
  assert.equal(rest.next_cursor, null)
})

test('a repositories cursor keeps the page size of the first request', async () => {
  const page = await listRepositories('organization', home.id, query(repositoriesCursor))
  assert.equal(page.repositories.length, 1)
})

test('a limit equal to the first request’s may be repeated beside the cursor', async () => {
  const organizations = await listOrganizations('workspace', `${query(organizationsCursor)}&limit=1`)
  assert.deepEqual(organizations, await listOrganizations('workspace', query(organizationsCursor)))
  const repositories = await listRepositories('organization', home.id, `${query(repositoriesCursor)}&limit=1`)
  assert.deepEqual(repositories, await listRepositories('organization', home.id, query(repositoriesCursor)))
})

test('a limit that differs from the first request’s is 400 INVALID_CURSOR', async () => {
  for (const limit of [2, 3, 100]) {
    await refused('workspace', organizationsPath, organizationsCursor, `&limit=${limit}`)
    await refused('organization', homeRepositories, repositoriesCursor, `&limit=${limit}`)
  }
})

test('a cursor can be used again and gives the same page', async () => {
  const first = await listOrganizations('workspace', query(organizationsCursor))
  const again = await listOrganizations('workspace', query(organizationsCursor))
  assert.deepEqual(again.organizations, first.organizations)
})

test('a cursor altered at any position is 400 INVALID_CURSOR', async () => {
  for (let position = 0; position < organizationsCursor.length; position += 1) {
    await refused('workspace', organizationsPath, substitute(organizationsCursor, position))
  }
  for (let position = 0; position < repositoriesCursor.length; position += 1) {
    await refused('organization', homeRepositories, substitute(repositoriesCursor, position))
  }
})

// The last base64 character can carry unused bits, so another spelling may decode to the same bytes.
test('a cursor has one spelling: every other last character is 400 INVALID_CURSOR', async () => {
  for (const last of base64url.replace(organizationsCursor.slice(-1), '')) {
    await refused('workspace', organizationsPath, organizationsCursor.slice(0, -1) + last)
  }
})

test('a cut, lengthened or recased cursor is 400 INVALID_CURSOR', async () => {
  for (const altered of [
    organizationsCursor.slice(0, -1),
    organizationsCursor.slice(1),
    organizationsCursor.slice(0, organizationsCursor.length / 2),
    `${organizationsCursor}A`,
    `${organizationsCursor}=`,
    `${organizationsCursor}.`,
    `${organizationsCursor} `,
    ` ${organizationsCursor}`,
    organizationsCursor + organizationsCursor,
    organizationsCursor.toLowerCase(),
    organizationsCursor.toUpperCase(),
  ]) {
    await refused('workspace', organizationsPath, altered)
  }
})

test('an empty cursor is 400 INVALID_CURSOR', async () => {
  for (const suffix of ['?cursor=', '?cursor', '?cursor=&limit=1']) {
    for (const path of [organizationsPath, homeRepositories]) {
      assertError(await call(path + suffix, { key: demo.keys.workspace }), 400, 'INVALID_CURSOR', suffix)
    }
  }
})

test('a made-up cursor is 400 INVALID_CURSOR', async () => {
  for (const cursor of [
    'x',
    'null',
    '0',
    '{}',
    home.id,
    'A'.repeat(64),
    'A'.repeat(4000),
    'ü',
    'e30.e30.e30',
  ]) {
    await refused('workspace', organizationsPath, cursor)
    await refused('organization', homeRepositories, cursor)
  }
})

test('a cursor of another tenant is 400 INVALID_CURSOR', async () => {
  const instanceCursor = (await listOrganizations('instance', '?limit=1')).next_cursor ?? ''
  const other = await boundOrganization('other_tenant')
  const otherCursor = (await listRepositories('other_tenant', other.id, '?limit=1')).next_cursor ?? ''
  await refused('workspace', organizationsPath, instanceCursor)
  await refused('instance', organizationsPath, organizationsCursor)
  await refused('other_tenant', organizationsPath, organizationsCursor)
  await refused('organization', homeRepositories, otherCursor)
  await refused('other_tenant', repositoriesPath(other.id), repositoriesCursor)
})

test('a cursor of another endpoint is 400 INVALID_CURSOR', async () => {
  const workspaceCursor = (await listRepositories('workspace', home.id, '?limit=1')).next_cursor ?? ''
  await refused('workspace', homeRepositories, organizationsCursor)
  await refused('workspace', organizationsPath, workspaceCursor)
  await refused('organization', organizationsPath, repositoriesCursor)
})

test('a cursor of another scope in the same tenant is 400 INVALID_CURSOR', async () => {
  await refused('organization', organizationsPath, organizationsCursor)
  await refused('user', organizationsPath, organizationsCursor)
})

test('a repositories cursor of another organization is 400 INVALID_CURSOR', async () => {
  const sibling = at(organizationsOf('workspace'), 1)
  const cursor = (await listRepositories('workspace', home.id, '?limit=1')).next_cursor ?? ''
  await refused('workspace', repositoriesPath(sibling.id), cursor)
})

test('a cursor is not bound to the key or the person: another key of the same scope continues', async () => {
  const own = await listRepositories('organization', home.id, query(repositoriesCursor))
  for (const key of ['user', 'agentic'] as const) {
    const page = await listRepositories(key, home.id, query(repositoriesCursor))
    assert.deepEqual(page.repositories, own.repositories)
  }
})

test('a bad limit beside a good cursor is 400', async () => {
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

function substitute(cursor: string, position: number): string {
  const replacement = cursor[position] === 'A' ? 'B' : 'A'
  return cursor.slice(0, position) + replacement + cursor.slice(position + 1)
}

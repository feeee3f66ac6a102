import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archived } from './audit-data.ts'
import { createEvent, eventually, ownOrganization, send } from './metrics-data.ts'
import {
  at,
  boundOrganization,
  home,
  type KeyName,
  listOrganizations,
  listRepositories,
  organizationsOf,
  type RepositoriesPage,
} from './service.ts'

const homeKeys: KeyName[] = ['organization', 'user', 'agentic', 'workspace']

test('a repositories page has exactly repositories and next_cursor [P8-3]', async () => {
  for (const key of homeKeys) {
    const page = await listRepositories(key, home.id)
    assert.deepEqual(Object.keys(page).sort(), ['next_cursor', 'repositories'])
  }
})

test('a repository has exactly id, name, provider, provider_repository_id and private [P8-3]', async () => {
  for (const page of await everyPage()) {
    for (const repository of page.repositories) {
      const fields = Object.keys(repository).sort()
      assert.deepEqual(fields, ['id', 'name', 'private', 'provider', 'provider_repository_id'])
      assert.equal(typeof repository.private, 'boolean')
      for (const field of ['id', 'name', 'provider', 'provider_repository_id'] as const) {
        assert.ok(typeof repository[field] === 'string' && repository[field] !== '', field)
      }
    }
  }
})

test('organization, user, agentic and workspace keys list the same repositories of an organization [S-repo-1]', async () => {
  for (const key of homeKeys) {
    const { repositories } = await listRepositories(key, home.id)
    assert.deepEqual(providerIds(repositories), knownIds(home))
  }
})

test('a workspace token lists the repositories of each organization of its workspace [S-what-11 S-repo-3 S-auth-7 S-auth-23]', async () => {
  for (const organization of organizationsOf('workspace')) {
    const { repositories } = await listRepositories('workspace', organization.id)
    assert.ok(repositories.length >= 2)
    assert.deepEqual(providerIds(repositories), knownIds(organization))
  }
})

test('an instance key lists the repositories of each of its organizations [S-auth-8]', async () => {
  for (const organization of organizationsOf('instance')) {
    const { repositories } = await listRepositories('instance', organization.id)
    assert.ok(repositories.length >= 2)
    assert.deepEqual(providerIds(repositories), knownIds(organization))
  }
})

test('the id of a listed organization is the organization_id of the repositories path [S-what-7 S-what-14 S-orgrec-1 S-repo-2]', async () => {
  for (const key of ['organization', 'workspace', 'instance', 'other_tenant'] as const) {
    for (const organization of (await listOrganizations(key)).organizations) {
      const { repositories } = await listRepositories(key, organization.id)
      assert.ok(repositories.length >= 2, organization.name)
    }
  }
})

test('a repository carries the name, the id and the visibility that its Git provider gave it [P8-3]', async () => {
  const { repositories } = await listRepositories('organization', home.id)
  for (const repository of repositories) {
    const known = home.repositories.find(
      ({ repository_id }) => repository_id === repository.provider_repository_id,
    )
    assert.equal(repository.name, known?.name)
    assert.equal(repository.provider, 'github')
    assert.equal(repository.private, repository.name !== 'design-tokens', repository.name)
  }
})

test('repositories come in the order of their id [P1-lists-2]', async () => {
  for (const page of await everyPage()) {
    const listed = page.repositories.map(({ id }) => id)
    assert.deepEqual(listed, [...listed].sort())
    assert.equal(new Set(listed).size, listed.length)
  }
})

test('a repository is listed while it is active, and by no key when it is not [S-repo-1 P8-1]', async () => {
  const sendState = (active: boolean) => {
    const repository = { organization: ownOrganization, id: archived, name: 'tariff-import-archived', active }
    return send([createEvent('inventory.changed', new Date().toISOString(), { repositories: [repository] })])
  }
  const isListed = async (key: KeyName) =>
    providerIds((await listRepositories(key, home.id)).repositories).includes(archived)
  for (const key of homeKeys) assert.equal(await isListed(key), false, key)
  await sendState(true)
  try {
    await eventually('it is listed', () => isListed('workspace'))
    for (const key of homeKeys) assert.equal(await isListed(key), true, key)
  } finally {
    await sendState(false)
    await eventually('it is not listed any more', async () => !(await isListed('workspace')))
  }
  for (const key of homeKeys) assert.equal(await isListed(key), false, key)
})

test('limit bounds the repositories of a page, and next_cursor shows that more follow [P8-2]', async () => {
  const page = await listRepositories('organization', home.id, '?limit=1')
  assert.equal(page.repositories.length, 1)
  assert.equal(typeof page.next_cursor, 'string')
})

test('the largest repositories limit is 100 [P8-2]', async () => {
  const page = await listRepositories('organization', home.id, '?limit=100')
  assert.equal(page.repositories.length, home.repositories.length)
})

test('next_cursor is null when no repository follows, also on a page that is just full [P8-2]', async () => {
  const full = `?limit=${home.repositories.length}`
  assert.equal((await listRepositories('organization', home.id)).next_cursor, null)
  assert.equal((await listRepositories('organization', home.id, full)).next_cursor, null)
})

test('paging one by one gives every repository of an organization once, in order [P1-lists-2]', async () => {
  const whole = (await listRepositories('organization', home.id)).repositories
  const collected: unknown[] = []
  let query = '?limit=1'
  for (let index = 0; index < whole.length; index += 1) {
    const { repositories, next_cursor } = await listRepositories('organization', home.id, query)
    assert.equal(repositories.length, 1)
    collected.push(at(repositories, 0))
    assert.equal(next_cursor === null, index === whole.length - 1, `page ${index + 1} of ${whole.length}`)
    query = `?cursor=${encodeURIComponent(next_cursor ?? '')}`
  }
  assert.deepEqual(collected, whole)
})

async function everyPage(): Promise<RepositoriesPage[]> {
  const other = await boundOrganization('other_tenant')
  const pages = [await listRepositories('other_tenant', other.id)]
  for (const key of ['workspace', 'instance'] as const) {
    for (const { id } of organizationsOf(key)) pages.push(await listRepositories(key, id))
  }
  return pages
}

function providerIds(repositories: { provider_repository_id: string }[]): string[] {
  return repositories.map(({ provider_repository_id }) => provider_repository_id).sort()
}

function knownIds(organization: typeof home): string[] {
  return organization.repositories.map(({ repository_id }) => repository_id).sort()
}

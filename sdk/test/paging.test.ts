import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client, Item, PagedPath } from '@scholiast/sdk'
import { collect, connect, home, openApi, wholeWindow } from './service.ts'

const parameters = (path: string) => openApi.paths[path]?.['get']?.parameters ?? []
// In the demo, nothing waits for a decision, and nothing is connected.
const withoutDemoData = new Set(['/v1/learnings/pending', '/v1/connectors'])
const pagedPaths = Object.keys(openApi.paths).filter(
  (path) => parameters(path).some(({ name }) => name === 'cursor') && !withoutDemoData.has(path),
)

/** The fields that identify an item; the others may change while the suites run. */
function identify(item: unknown): string {
  const fields = item as Record<string, unknown>
  const names = ['id', 'position', 'pr_url', 'user_id', 'cr_user_id', 'email']
  return JSON.stringify(names.map((name) => fields[name]))
}

// Without options, each endpoint returns everything that the key can see.
function optionsOf(path: string, size?: number) {
  const required = parameters(path).filter((parameter) => parameter.required)
  const limit = parameters(path).some(({ name }) => name === 'limit') ? 'limit' : 'page_size'
  return {
    params: { organization_id: home.id },
    query: {
      ...(required.some(({ name }) => name === 'start_date') && wholeWindow),
      ...(size !== undefined && { [limit]: size }),
    },
  }
}

test('openapi.json has paged endpoints of every page shape', () => {
  assert.ok(pagedPaths.length >= 11, pagedPaths.join())
})

for (const path of pagedPaths) {
  test(`pages and items read all of ${path}`, async () => {
    const client: Client = connect()
    const pages = (size?: number) =>
      collect(client.pages(path as '/v1/keys', optionsOf(path, size) as object))
    const items = (size?: number) =>
      collect(client.items(path as '/v1/keys', optionsOf(path, size) as object))

    // Other suites add and delete meanwhile: what is there before and after must be read.
    const before = (await items()).map(identify)
    const size = Math.min(100, Math.max(1, Math.ceil(before.length / 3)))
    const some = (await items(size)).map(identify)
    const pageCount = (await pages(size)).length
    const after = new Set((await items()).map(identify))
    const lasting = before.filter((item) => after.has(item))
    assert.ok(lasting.length > 1, 'the demo has too few items')
    const isLasting = new Set(lasting)
    assert.deepEqual(
      some.filter((item) => isLasting.has(item)),
      lasting,
    )
    assert.equal(new Set(some).size, some.length, 'an item is returned twice')
    assert.ok(pageCount >= Math.ceil(lasting.length / size) && pageCount > 1, `${pageCount} pages`)
  })
}

test('leaving the loop early sends no further request', async () => {
  const seen: string[] = []
  const client = connect({
    fetch: (input, init) => {
      seen.push((input as URL).pathname)
      return fetch(input, init)
    },
  })
  for await (const organization of client.items('/v1/organizations', { query: { limit: 1 } })) {
    assert.ok(organization.id)
    break
  }
  assert.equal(seen.length, 1)
})

test('lists in a query are comma separated', async () => {
  const [one, two] = home.repositories.map(({ repository_id: id }) => id)
  assert.ok(one !== undefined && two !== undefined)
  const query = { ...wholeWindow, repository_ids: [one, two] }
  const entries = await collect(connect().items('/v1/metrics/review-comments', { query }))
  assert.deepEqual(new Set(entries.map((entry) => entry.repository_id)), new Set([one, two]))
})

// Compiles only if every paged endpoint has items of a known type.
type ItemIsUnknown = { [P in PagedPath]: [Item<P>] extends [never] ? P : never }[PagedPath]
const unknownItems: ItemIsUnknown[] = []
test('every paged endpoint has typed items', () => assert.deepEqual(unknownItems, []))

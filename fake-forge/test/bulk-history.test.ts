import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addBulkHistory } from '../bulk-history.ts'
import { SimulatedClock } from '../clock.ts'
import { Forge } from '../forge.ts'
import { FakeGithub } from '../github/server.ts'

interface Result {
  readonly data: {
    readonly repository: {
      readonly pullRequests: {
        readonly totalCount: number
        readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
        readonly nodes: readonly { readonly number: number }[]
      }
    }
  }
}

test('a long past is paged by creation, each pull request once', async (t) => {
  const clock = new SimulatedClock('2025-11-01T00:00:00Z')
  const forge = new Forge({ clock, gitFolder: null })
  const bulk = { repositories: 3, pullRequests: 600, days: 365 }
  const { organization } = addBulkHistory({ forge, clock, seed: 1, ...bulk })
  assert.equal(new Date(clock.now()).toISOString().slice(0, 10), '2026-11-01')
  const github = await FakeGithub.start({ forge })
  t.after(() => github.close())
  const app = github.apps.createApp({ name: 'Reader', owner: organization })
  const { token } = github.apps.issueToken(github.apps.install(app, organization))
  const query = `query ($after: String) { repository(owner: "acme", name: "service-1") {
    pullRequests(first: 50, after: $after, orderBy: { field: CREATED_AT, direction: ASC }) {
      totalCount pageInfo { hasNextPage endCursor } nodes { number } } } }`
  const numbers: number[] = []
  let after: string | null = null
  let total = 0
  do {
    const response = await fetch(github.graphqlUrl, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables: { after } }),
    })
    const { data } = (await response.json()) as Result
    const { totalCount, pageInfo, nodes } = data.repository.pullRequests
    numbers.push(...nodes.map(({ number }) => number))
    total = totalCount
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null
  } while (after !== null)
  assert.equal(numbers.length, total)
  assert.deepEqual(
    numbers,
    [...new Set(numbers)].sort((a, b) => a - b),
  )
})

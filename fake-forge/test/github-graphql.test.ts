import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forcePush, mergePullRequest, pushCommit } from '../pull-request.ts'
import { startFixture } from './github-fixture.ts'

const pullQuery = `query ($owner: String!, $name: String!) {
  rateLimit { cost limit remaining resetAt used nodeCount }
  repository(owner: $owner, name: $name) {
    databaseId nameWithOwner isPrivate
    pullRequests(first: 10, orderBy: { field: CREATED_AT, direction: ASC }) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes {
        number fullDatabaseId databaseId state isDraft createdAt updatedAt mergedAt closedAt url
        author { login ... on User { databaseId } ... on Bot { databaseId } }
        baseRefOid headRefOid mergeCommit { oid }
        commits(first: 50) { totalCount nodes { commit { oid message committedDate } } }
        reviews(first: 20) { nodes { fullDatabaseId state body submittedAt commit { oid } author { login } } }
        reviewThreads(first: 20) {
          nodes {
            id path line startLine originalLine originalStartLine diffSide isResolved isOutdated
            resolvedBy { login databaseId }
            comments(first: 10) {
              nodes {
                fullDatabaseId body createdAt updatedAt url author { kind: __typename login }
                originalCommit { oid }
                reactions(first: 10) { nodes { content user { login databaseId } } }
              }
            }
          }
        }
        comments(first: 20) { nodes { fullDatabaseId body author { login } } }
        timelineItems(first: 5, itemTypes: [READY_FOR_REVIEW_EVENT]) {
          nodes { ... on ReadyForReviewEvent { createdAt } }
        }
      }
    }
  }
  organization(login: "acme") {
    membersWithRole(first: 100) {
      edges { role node { login databaseId organizationVerifiedDomainEmails(login: "acme") } }
    }
  }
}`

interface ThreadNode {
  readonly line: number | null
  readonly isResolved: boolean
  readonly isOutdated: boolean
  readonly resolvedBy: { readonly login: string } | null
  readonly comments: {
    readonly nodes: readonly {
      readonly author: { readonly login: string; readonly kind: string }
      readonly reactions: { readonly nodes: readonly unknown[] }
    }[]
  }
}

interface Result {
  readonly rateLimit: { readonly cost: number }
  readonly repository: {
    readonly pullRequests: {
      readonly nodes: readonly {
        readonly databaseId: number | null
        readonly fullDatabaseId: string
        readonly state: string
        readonly mergeCommit: { readonly oid: string } | null
        readonly reviewThreads: { readonly nodes: readonly ThreadNode[] }
      }[]
    }
  }
  readonly organization: { readonly membersWithRole: { readonly edges: readonly unknown[] } }
}

test('a pull request is read whole by one query on the real schema', async (t) => {
  const { query, pullRequest } = await startFixture(t)
  const { data, errors } = await query(pullQuery, { owner: 'acme', name: 'booking-api' })
  assert.equal(errors, undefined)
  const { repository, organization, rateLimit } = data as Result
  const [node] = repository.pullRequests.nodes
  assert.equal(node?.databaseId, null, 'ids above 2^31 are only in fullDatabaseId')
  assert.equal(node?.fullDatabaseId, String(pullRequest.id))
  const [thread] = node?.reviewThreads.nodes ?? []
  assert.equal(thread?.isResolved, true)
  assert.equal(thread?.isOutdated, false)
  assert.equal(thread?.resolvedBy?.login, 'alice')
  const [first] = thread?.comments.nodes ?? []
  assert.equal(first?.author.login, 'coderabbitai', 'logins of bots have no suffix in GraphQL')
  assert.equal(first?.author.kind, 'Bot')
  assert.deepEqual(first?.reactions.nodes, [
    { content: 'THUMBS_DOWN', user: { login: 'alice', databaseId: 5_000_001 } },
    { content: 'THUMBS_UP', user: null },
  ])
  assert.equal(organization.membersWithRole.edges.length, 2)
  // 1 for the pull requests, 10 for each of five connections, 200 for comments, 2,000 for reactions, 1 for members.
  assert.equal(rateLimit.cost, 23)
})

test('a push, a force push and a merge show in threads and state', async (t) => {
  const { query, forge, pullRequest, bob, alice, clock } = await startFixture(t)
  const read = async () => {
    const { data } = await query(pullQuery, { owner: 'acme', name: 'booking-api' })
    const [node] = (data as Result).repository.pullRequests.nodes
    return { node, thread: node?.reviewThreads.nodes[0] }
  }
  const text = 'zero\none\ntwo and a half\nthree\nfour\nfive\n'
  pushCommit(forge, pullRequest, bob, { message: 'Add zero', changes: { 'src/price.ts': text } })
  const moved = await read()
  assert.equal(moved.thread?.line, 3)
  assert.equal(moved.thread?.isOutdated, false)
  clock.advance(1000)
  const fixed = 'one\ntwo\nthree\nfour\nfive\nsix\n'
  forcePush(forge, pullRequest, bob, [{ message: 'Other', changes: { 'src/price.ts': fixed } }])
  const outdated = await read()
  assert.equal(outdated.thread?.line, null)
  assert.equal(outdated.thread?.isOutdated, true)
  const sha = mergePullRequest(forge, pullRequest, alice, 'squash')
  const merged = await read()
  assert.equal(merged.node?.state, 'MERGED')
  assert.equal(merged.node?.mergeCommit?.oid, sha)
})

test('wrong queries are refused as GitHub refuses them', async (t) => {
  const { query } = await startFixture(t)
  const type = async (text: string) => (await query(text)).errors?.[0]?.type
  const inRepository = (field: string) => `{ repository(owner: "acme", name: "booking-api") { ${field} } }`
  assert.equal(await type(inRepository('invented')), 'QUERY_INVALID')
  assert.equal(await type(inRepository('pullRequests(first: 101) { totalCount }')), 'EXCESSIVE_PAGINATION')
  assert.equal(await type(inRepository('pullRequests { totalCount }')), 'MISSING_PAGINATION_BOUNDARIES')
  const deep =
    'pullRequests(first: 100) { nodes { reviewThreads(first: 100) { nodes { comments(first: 100) { totalCount } } } } }'
  assert.equal(await type(inRepository(deep)), 'MAX_NODE_LIMIT_EXCEEDED')
  const { data, errors } = await query('{ repository(owner: "acme", name: "none") { id } }')
  assert.deepEqual(data, { repository: null })
  assert.equal(errors?.[0]?.type, 'NOT_FOUND')
})

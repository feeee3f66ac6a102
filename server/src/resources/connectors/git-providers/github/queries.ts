// GraphQL by GitHub's public schema. A query costs one point for each 100 requests that its connections need by the sizes that it
// requests. So no connection is nested below the comments of threads: their reactions are read by the ids of the comments.

const pageInfo = 'pageInfo { hasNextPage endCursor }'

const actor = `kind: __typename login
  ... on User { databaseId } ... on Bot { databaseId } ... on Mannequin { databaseId } ... on Organization { databaseId }`

const comment = `id fullDatabaseId url body createdAt updatedAt lastEditedAt author { ${actor} }`

const threadComments = `totalCount ${pageInfo} nodes { ${comment} originalCommit { oid } }`

const threads = `totalCount ${pageInfo} nodes {
  id path originalLine originalStartLine diffSide isResolved isOutdated resolvedBy { login databaseId }
  comments(first: 20) { ${threadComments} }
}`

const comments = `totalCount ${pageInfo} nodes { ${comment} }`
const reviews = `totalCount ${pageInfo} nodes { fullDatabaseId url state body submittedAt commit { oid } author { ${actor} } }`
const commits = `${pageInfo} nodes { commit { oid message committedDate } }`

const pullRequest = `
  id number url state isDraft createdAt updatedAt mergedAt closedAt headRefOid mergeCommit { oid }
  author { ${actor} }
  timelineItems(last: 1, itemTypes: [READY_FOR_REVIEW_EVENT]) { nodes { ... on ReadyForReviewEvent { createdAt } } }
  head: commits(last: 1) { nodes { commit { oid checkSuites(first: 100) { ${pageInfo} nodes { app { slug } } } } } }
  commits(first: 100) { ${commits} }
  reviews(first: 50) { ${reviews} }
  reviewThreads(first: $threads) { ${threads} }
  comments(first: 50) { ${comments} }`

const repositoryFields = 'databaseId nameWithOwner isPrivate'
const rateLimit = 'rateLimit { cost }'

export const connectionQuery = `query { ${rateLimit} }`

export const readOneQuery = `query ($owner: String!, $name: String!, $number: Int!, $threads: Int!) {
  ${rateLimit}
  repository(owner: $owner, name: $name) { ${repositoryFields} pullRequest(number: $number) { ${pullRequest} } }
}`

export const readPageQuery = `query ($owner: String!, $name: String!, $first: Int!, $after: String, $threads: Int!) {
  ${rateLimit}
  repository(owner: $owner, name: $name) {
    ${repositoryFields}
    pullRequests(first: $first, after: $after, orderBy: { field: CREATED_AT, direction: ASC }) {
      totalCount ${pageInfo} nodes { ${pullRequest} }
    }
  }
}`

const heads = (order: string) => `query ($owner: String!, $name: String!, $first: Int!, $after: String) {
  ${rateLimit}
  repository(owner: $owner, name: $name) {
    ${repositoryFields}
    pullRequests(first: $first, after: $after, orderBy: { ${order} }) {
      totalCount ${pageInfo} edges { cursor node { number createdAt updatedAt } }
    }
  }
}`

export const createdHeadsQuery = heads('field: CREATED_AT, direction: ASC')
export const updatedHeadsQuery = heads('field: UPDATED_AT, direction: DESC')

const more = (
  type: string,
  field: string,
  selection: string,
) => `query ($id: ID!, $first: Int!, $after: String) {
  ${rateLimit}
  node(id: $id) { ... on ${type} { page: ${field}(first: $first, after: $after) { ${selection} } } }
}`

export const moreThreadsQuery = more('PullRequest', 'reviewThreads', threads)
export const moreReviewsQuery = more('PullRequest', 'reviews', reviews)
export const moreCommentsQuery = more('PullRequest', 'comments', comments)
export const moreCommitsQuery = more('PullRequest', 'commits', commits)
export const moreThreadCommentsQuery = more('PullRequestReviewThread', 'comments', threadComments)

const reactions = `${pageInfo} nodes { content user { login databaseId } }`

export const reactionsQuery = `query ($ids: [ID!]!) {
  ${rateLimit}
  nodes(ids: $ids) {
    ... on PullRequestReviewComment { id reactions(first: 100) { ${reactions} } }
    ... on IssueComment { id reactions(first: 100) { ${reactions} } }
  }
}`

export const moreReactionsQuery = `query ($id: ID!, $first: Int!, $after: String) {
  ${rateLimit}
  node(id: $id) {
    ... on PullRequestReviewComment { page: reactions(first: $first, after: $after) { ${reactions} } }
    ... on IssueComment { page: reactions(first: $first, after: $after) { ${reactions} } }
  }
}`

// Not `email`: GitHub refuses it to an App for every member who hides it.
export const membersQuery = `query ($login: String!, $after: String) {
  ${rateLimit}
  organization(login: $login) {
    membersWithRole(first: 100, after: $after) {
      ${pageInfo} nodes { databaseId login name organizationVerifiedDomainEmails(login: $login) }
    }
  }
}`

/** What a query for pull requests costs: seven connections of each, and the comments of each thread. */
export function estimateCost(pullRequests: number, threadsOfEach: number): number {
  return Math.max(1, Math.ceil((1 + pullRequests * (7 + threadsOfEach)) / 100))
}

/** Includes the reactions that are read after a backfill page: without them, the page would have to be read again. */
export function estimatePageCost(pullRequests: number, threadsOfEach: number): number {
  return estimateCost(pullRequests, threadsOfEach) + 1
}

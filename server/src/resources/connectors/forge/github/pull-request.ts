import { findBotOfApp } from '../../parsers/bots.ts'
import type {
  CheckRun,
  ForgeComment,
  PullRequestSnapshot,
  Reaction,
  RepositoryRef,
  Review,
  ReviewThread,
} from '../../snapshot.ts'
import { parseJson } from '../json.ts'
import { type GithubConnection, PartialResponseError, QueryTooLargeError } from './connection.ts'
import {
  type CommentNode,
  type CommitNode,
  type Connection,
  type PullRequestNode,
  type ReactionNode,
  type ReviewNode,
  type ThreadNode,
  toPerson,
  toReaction,
  toState,
  toUser,
} from './nodes.ts'
import {
  moreCommentsQuery,
  moreCommitsQuery,
  moreReactionsQuery,
  moreReviewsQuery,
  moreThreadCommentsQuery,
  moreThreadsQuery,
  reactionsQuery,
} from './queries.ts'

/** GitHub lists no more. */
const MAX_COMMITS = 250
const IDS_PER_QUERY = 100

/** Reads the pages that did not fit into the first response, and the reactions, and builds snapshots. */
export async function completePullRequests(
  connection: GithubConnection,
  repository: RepositoryRef,
  nodes: readonly PullRequestNode[],
  readAt: string,
): Promise<PullRequestSnapshot[]> {
  const reader = new NodeReader(connection, readAt)
  const complete: CompletePullRequest[] = []
  for (const node of nodes) complete.push(await readNested(reader, node))
  const ids = complete.flatMap(({ threads, comments }) =>
    [...threads.flatMap((thread) => thread.comments), ...comments].map(({ id }) => id),
  )
  const reactions = await readReactions(reader, ids)
  const checkRuns = new Map<string, CheckRun[]>()
  for (const node of nodes)
    if (mayHaveFindings(node))
      checkRuns.set(node.id, await readCheckRuns(connection, repository, node.headRefOid))
  return complete.map((one) => ({
    ...toSnapshot(one, repository, reactions, reader.readAt),
    checkRuns: checkRuns.get(one.node.id) ?? [],
  }))
}

interface CompletePullRequest {
  readonly node: PullRequestNode
  readonly threads: readonly { readonly node: ThreadNode; readonly comments: readonly CommentNode[] }[]
  readonly comments: readonly CommentNode[]
  readonly reviews: readonly ReviewNode[]
  readonly commits: readonly CommitNode[]
}

class NodeReader {
  readAt: string
  readonly #connection: GithubConnection

  constructor(connection: GithubConnection, readAt: string) {
    this.#connection = connection
    this.readAt = readAt
  }

  async query<Data>(query: string, variables: Record<string, unknown>, cost: number): Promise<Data> {
    const { data, date } = await this.#connection.query<Data>(query, variables, cost)
    if (date > this.readAt) this.readAt = date
    return data
  }

  /** The nodes of `first` and of all pages that follow it, up to `max`. */
  async followPages<Node>(
    first: Connection<Node>,
    id: string,
    query: string,
    max = Number.POSITIVE_INFINITY,
  ): Promise<Node[]> {
    const nodes = [...requireNodes(first)]
    let { pageInfo } = first
    let size = 100
    while (pageInfo.hasNextPage && nodes.length < max) {
      try {
        const variables = { id, first: size, after: pageInfo.endCursor }
        const { node } = await this.query<{ node: { page: Connection<Node> } | null }>(query, variables, 2)
        if (node === null) throw new PartialResponseError('A part of the pull request is gone.')
        nodes.push(...requireNodes(node.page))
        pageInfo = node.page.pageInfo
      } catch (error) {
        if (!(error instanceof QueryTooLargeError) || size === 1) throw error
        size = Math.floor(size / 2)
      }
    }
    return nodes.slice(0, max)
  }
}

/** A null without an error would be read as "there is none". */
function requireNodes<Node>({ nodes }: Connection<Node>): Node[] {
  return nodes.map((node) => {
    if (node === null) throw new PartialResponseError('A part of the pull request is missing.')
    return node
  })
}

async function readNested(reader: NodeReader, node: PullRequestNode): Promise<CompletePullRequest> {
  const threads: CompletePullRequest['threads'][number][] = []
  for (const thread of await reader.followPages(node.reviewThreads, node.id, moreThreadsQuery)) {
    const comments = await reader.followPages(thread.comments, thread.id, moreThreadCommentsQuery)
    threads.push({ node: thread, comments })
  }
  return {
    node,
    threads,
    comments: await reader.followPages(node.comments, node.id, moreCommentsQuery),
    reviews: await reader.followPages(node.reviews, node.id, moreReviewsQuery),
    commits: await reader.followPages(node.commits, node.id, moreCommitsQuery, MAX_COMMITS),
  }
}

interface ReactionsNode {
  readonly id?: string
  readonly reactions?: Connection<ReactionNode>
}

async function readReactions(
  reader: NodeReader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Reaction[]>> {
  const found = new Map<string, readonly Reaction[]>()
  for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
    const part = ids.slice(start, start + IDS_PER_QUERY)
    const { nodes } = await reader.query<{ nodes: readonly (ReactionsNode | null)[] }>(
      reactionsQuery,
      { ids: part },
      1,
    )
    for (const node of nodes) {
      if (!node?.id || !node.reactions) continue
      const all = await reader.followPages(node.reactions, node.id, moreReactionsQuery)
      found.set(node.id, all.map(toReaction))
    }
  }
  return found
}

function toSnapshot(
  { node, threads, comments, reviews, commits }: CompletePullRequest,
  repository: RepositoryRef,
  reactions: ReadonlyMap<string, readonly Reaction[]>,
  readAt: string,
): PullRequestSnapshot {
  const toComment = (one: CommentNode): ForgeComment => ({
    id: one.fullDatabaseId ?? one.id,
    url: one.url,
    user: toUser(one.author),
    body: one.body,
    createdAt: one.createdAt,
    updatedAt: one.updatedAt,
    isEdited: one.lastEditedAt !== null,
    reactions: reactions.get(one.id) ?? [],
  })
  return {
    repository,
    number: node.number,
    url: node.url,
    state: toState(node.state),
    author: toUser(node.author),
    createdAt: node.createdAt,
    readyForReviewAt: getReadyTime(node),
    mergedAt: node.mergedAt,
    closedAt: node.closedAt,
    updatedAt: node.updatedAt,
    baseSha: node.baseRefOid,
    headSha: node.headRefOid,
    mergeSha: node.mergedAt === null ? null : (node.mergeCommit?.oid ?? null),
    commits: commits.map(({ commit: { oid, message, committedDate } }) => ({
      sha: oid,
      message,
      committedAt: committedDate,
    })),
    // The total may be cut at the same number.
    commitsAreComplete: commits.length < MAX_COMMITS && commits.length >= node.commits.totalCount,
    reviews: reviews.flatMap(toReview),
    threads: threads.map((thread) => toThread(thread.node, thread.comments, toComment)),
    comments: comments.map(toComment),
    readAt,
  }
}

function getReadyTime({ isDraft, createdAt, timelineItems }: PullRequestNode): string | null {
  if (isDraft) return null
  return timelineItems.nodes[0]?.createdAt ?? createdAt
}

const reviewStates = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changes_requested',
  COMMENTED: 'commented',
  DISMISSED: 'dismissed',
} as const

/** Pending reviews are not published yet. */
function toReview(node: ReviewNode): Review[] {
  const { state, submittedAt } = node
  if (state === 'PENDING' || submittedAt === null) return []
  return [
    {
      id: node.fullDatabaseId ?? node.url,
      url: node.url,
      user: toUser(node.author),
      state: reviewStates[state],
      body: node.body,
      commit: node.commit?.oid ?? null,
      submittedAt,
    },
  ]
}

function toThread(
  node: ThreadNode,
  comments: readonly CommentNode[],
  toComment: (comment: CommentNode) => ForgeComment,
): ReviewThread {
  return {
    id: node.id,
    path: node.path,
    originalStartLine: node.originalStartLine ?? node.originalLine,
    originalEndLine: node.originalLine,
    side: node.diffSide === 'LEFT' ? 'left' : 'right',
    originalCommit: comments[0]?.originalCommit?.oid ?? '',
    isResolved: node.isResolved,
    resolvedBy: toPerson(node.resolvedBy),
    resolvedAt: null,
    isOutdated: node.isOutdated,
    suggestionApplied: null,
    comments: comments.map(toComment),
  }
}

/** Whether an app whose checks are parsed has reported on the head: most pull requests need no further request. */
function mayHaveFindings({ head, headRefOid }: PullRequestNode): boolean {
  const [last] = head.nodes
  if (!last || last.commit.oid !== headRefOid) return true
  const { checkSuites } = last.commit
  if (checkSuites === null) return false
  return (
    checkSuites.pageInfo.hasNextPage ||
    checkSuites.nodes.some((suite) => findBotOfApp(suite?.app?.slug ?? null) !== null)
  )
}

async function readCheckRuns(
  connection: GithubConnection,
  { id }: RepositoryRef,
  sha: string,
): Promise<CheckRun[]> {
  const runs = connection.list(
    `/repositories/${id}/commits/${sha}/check-runs?per_page=100`,
    (response) =>
      // 422: the commit is not on the server any more.
      response.status === 422 || response.status === 404
        ? null
        : parseJson<{ check_runs: CheckRunBody[] }>(response).check_runs,
    [404, 422],
  )
  const found: CheckRun[] = []
  for await (const run of runs) if (run.output.summary || run.output.text) found.push(toCheckRun(run))
  return found
}

interface CheckRunBody {
  readonly id: number
  readonly html_url: string | null
  readonly name: string
  readonly head_sha: string
  readonly completed_at: string | null
  readonly app: { readonly slug?: string } | null
  readonly output: { readonly summary: string | null; readonly text: string | null }
}

function toCheckRun(run: CheckRunBody): CheckRun {
  return {
    id: String(run.id),
    url: run.html_url ?? '',
    name: run.name,
    app: run.app?.slug ?? null,
    commit: run.head_sha,
    text: [run.output.summary, run.output.text].filter(Boolean).join('\n\n'),
    completedAt: run.completed_at,
  }
}

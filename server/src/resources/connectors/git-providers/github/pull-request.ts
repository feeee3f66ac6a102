import { CommentBudget, copyStart, MAX_MESSAGE_CHARACTERS } from '../../comment-budget.ts'
import { findBotOfApp } from '../../parsers/bots.ts'
import type {
  CheckRun,
  ProviderComment,
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
  type CountedConnection,
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
const MAX_REVIEWS = 1000
/** Limit per comment. */
const MAX_REACTIONS = 1000
/** Limit per head commit. */
const MAX_CHECK_RUNS = 1000
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
  for (const { node, budget } of complete)
    if (mayHaveFindings(node))
      checkRuns.set(node.id, await readCheckRuns(connection, repository, node.headRefOid, budget))
  return complete.map((one) => ({
    ...toSnapshot(one, repository, reactions, reader.readAt),
    checkRuns: checkRuns.get(one.node.id) ?? [],
    omittedComments: one.budget.omitted,
  }))
}

interface CompletePullRequest {
  readonly node: PullRequestNode
  readonly threads: readonly { readonly node: ThreadNode; readonly comments: readonly CommentNode[] }[]
  readonly comments: readonly CommentNode[]
  readonly reviews: readonly ReviewNode[]
  readonly commits: readonly CommitNode[]
  readonly budget: CommentBudget
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

  /** The nodes of `first` and of the pages that follow it, which are requested when their first node is needed. */
  async *followPages<Node>(first: Connection<Node>, id: string, query: string): AsyncGenerator<Node> {
    yield* requireNodes(first)
    let { pageInfo } = first
    let size = 100
    while (pageInfo.hasNextPage) {
      let page: Connection<Node>
      try {
        const variables = { id, first: size, after: pageInfo.endCursor }
        const { node } = await this.query<{ node: { page: Connection<Node> } | null }>(query, variables, 2)
        if (node === null) throw new PartialResponseError('A part of the pull request is gone.')
        page = node.page
      } catch (error) {
        if (!(error instanceof QueryTooLargeError) || size === 1) throw error
        size = Math.floor(size / 2)
        continue
      }
      yield* requireNodes(page)
      pageInfo = page.pageInfo
    }
  }

  async readFirst<Node>(
    first: Connection<Node>,
    id: string,
    query: string,
    max: number,
    cut = (node: Node) => node,
  ): Promise<Node[]> {
    const nodes: Node[] = []
    for await (const node of this.followPages(first, id, query)) {
      nodes.push(cut(node))
      if (nodes.length === max) break
    }
    return nodes
  }
}

/** A null without an error would be read as "there is none". */
function requireNodes<Node>({ nodes }: Connection<Node>): Node[] {
  return nodes.map((node) => {
    if (node === null) throw new PartialResponseError('A part of the pull request is missing.')
    return node
  })
}

/** Findings are in threads and reviews, so these are read before other comments. */
async function readNested(reader: NodeReader, node: PullRequestNode): Promise<CompletePullRequest> {
  const budget = new CommentBudget()
  const threads: CompletePullRequest['threads'][number][] = []
  for await (const thread of reader.followPages(node.reviewThreads, node.id, moreThreadsQuery)) {
    if (budget.isSpent) break
    const comments = await readComments(reader, thread.comments, thread.id, moreThreadCommentsQuery, budget)
    threads.push({ node: thread, comments })
  }
  if (budget.isSpent) budget.omit(node.reviewThreads.totalCount - threads.length)
  const reviews = await reader.readFirst(node.reviews, node.id, moreReviewsQuery, MAX_REVIEWS, (review) => {
    // Its state counts without its text too.
    if (review.body !== '' && budget.isSpent) budget.omit(1)
    return { ...review, body: review.body === '' || budget.isSpent ? '' : budget.take(review.body) }
  })
  budget.omit(node.reviews.totalCount - reviews.length)
  return {
    node,
    threads,
    reviews,
    comments: await readComments(reader, node.comments, node.id, moreCommentsQuery, budget),
    commits: await reader.readFirst(node.commits, node.id, moreCommitsQuery, MAX_COMMITS, cutCommit),
    budget,
  }
}

function cutCommit({ commit }: CommitNode): CommitNode {
  return { commit: { ...commit, message: copyStart(commit.message, MAX_MESSAGE_CHARACTERS) } }
}

async function readComments(
  reader: NodeReader,
  first: CountedConnection<CommentNode>,
  id: string,
  query: string,
  budget: CommentBudget,
): Promise<CommentNode[]> {
  const comments: CommentNode[] = []
  for await (const comment of reader.followPages(first, id, query)) {
    if (budget.isSpent) break
    comments.push({ ...comment, body: budget.take(comment.body) })
  }
  if (budget.isSpent) budget.omit(first.totalCount - comments.length)
  return comments
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
      const all = await reader.readFirst(node.reactions, node.id, moreReactionsQuery, MAX_REACTIONS)
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
  const toComment = (one: CommentNode): ProviderComment => ({
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
    headSha: node.headRefOid,
    mergeSha: node.mergedAt === null ? null : (node.mergeCommit?.oid ?? null),
    commits: commits.map(({ commit: { oid, message, committedDate } }) => ({
      sha: oid,
      message,
      committedAt: committedDate,
    })),
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
  toComment: (comment: CommentNode) => ProviderComment,
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
  budget: CommentBudget,
): Promise<CheckRun[]> {
  let total = 0
  const runs = connection.list(
    `/repositories/${id}/commits/${sha}/check-runs?per_page=100`,
    (response) => {
      // 422: the commit is not on the server any more.
      if (response.status === 422 || response.status === 404) return null
      const body = parseJson<{ total_count: number; check_runs: CheckRunBody[] }>(response)
      total = body.total_count
      return body.check_runs
    },
    [404, 422],
  )
  const found: CheckRun[] = []
  let listed = 0
  for await (const run of runs) {
    if (listed++ === MAX_CHECK_RUNS) {
      budget.omit(total - MAX_CHECK_RUNS)
      break
    }
    const check = toCheckRun(run)
    if (check.text === '' || findBotOfApp(check.app) === null) continue
    if (budget.isSpent) budget.omit(1)
    else found.push({ ...check, text: budget.take(check.text) })
  }
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

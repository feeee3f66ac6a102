import type { ProviderUser, Reaction } from '../../snapshot.ts'

// Responses of the queries in queries.ts.

export interface Connection<Node> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
  readonly nodes: readonly (Node | null)[]
}

export interface CountedConnection<Node> extends Connection<Node> {
  readonly totalCount: number
}

export interface ActorNode {
  readonly kind: string
  readonly login: string
  readonly databaseId?: number | null
}

/** Fields of the type User, which bots never are. */
export interface UserNode {
  readonly login: string
  readonly databaseId: number | null
}

export interface CommentNode {
  readonly id: string
  readonly fullDatabaseId: string | null
  readonly url: string
  readonly body: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly lastEditedAt: string | null
  readonly author: ActorNode | null
  readonly originalCommit?: { readonly oid: string } | null
}

export interface ThreadNode {
  readonly id: string
  readonly path: string
  readonly originalLine: number | null
  readonly originalStartLine: number | null
  readonly diffSide: 'LEFT' | 'RIGHT'
  readonly isResolved: boolean
  readonly isOutdated: boolean
  readonly resolvedBy: UserNode | null
  readonly comments: CountedConnection<CommentNode>
}

export interface ReviewNode {
  readonly fullDatabaseId: string | null
  readonly url: string
  readonly state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED' | 'PENDING'
  readonly body: string
  readonly submittedAt: string | null
  readonly commit: { readonly oid: string } | null
  readonly author: ActorNode | null
}

export interface CommitNode {
  readonly commit: { readonly oid: string; readonly message: string; readonly committedDate: string }
}

/** The last commit that GitHub lists, which is not the head of a pull request with more than 250. */
export interface CheckedCommitNode {
  readonly commit: {
    readonly oid: string
    readonly checkSuites: Connection<{ readonly app: { readonly slug: string } | null }> | null
  }
}

export interface PullRequestNode {
  readonly id: string
  readonly number: number
  readonly url: string
  readonly state: 'OPEN' | 'CLOSED' | 'MERGED'
  readonly isDraft: boolean
  readonly createdAt: string
  readonly updatedAt: string
  readonly mergedAt: string | null
  readonly closedAt: string | null
  readonly headRefOid: string
  readonly mergeCommit: { readonly oid: string } | null
  readonly author: ActorNode | null
  readonly timelineItems: { readonly nodes: readonly ({ readonly createdAt?: string } | null)[] }
  readonly head: { readonly nodes: readonly (CheckedCommitNode | null)[] }
  readonly commits: Connection<CommitNode>
  readonly reviews: CountedConnection<ReviewNode>
  readonly reviewThreads: CountedConnection<ThreadNode>
  readonly comments: CountedConnection<CommentNode>
}

export interface HeadNode {
  readonly number: number
  readonly createdAt: string
  readonly updatedAt: string
}

export interface RepositoryNode {
  readonly databaseId: number | null
  readonly nameWithOwner: string
  readonly isPrivate: boolean
}

export interface ReactionNode {
  readonly content: string
  readonly user: UserNode | null
}

/** REST appends `[bot]` to the login of a bot, GraphQL does not: both give the same user here. */
export function toUser(actor: ActorNode | null): ProviderUser | null {
  if (!actor?.databaseId) return null
  const isBot = actor.kind === 'Bot'
  const login = isBot && !actor.login.endsWith('[bot]') ? `${actor.login}[bot]` : actor.login
  return { id: String(actor.databaseId), login, isBot }
}

export function toPerson(user: UserNode | null): ProviderUser | null {
  return user?.databaseId ? { id: String(user.databaseId), login: user.login, isBot: false } : null
}

/** The user is null for reactions of bots. */
export function toReaction({ content, user }: ReactionNode): Reaction {
  return { user: toPerson(user), content: toContent(content) }
}

function toContent(content: string): Reaction['content'] {
  if (content === 'THUMBS_UP') return 'thumbs_up'
  return content === 'THUMBS_DOWN' ? 'thumbs_down' : 'other'
}

export function toState(state: PullRequestNode['state']): 'open' | 'merged' | 'closed' {
  if (state === 'OPEN') return 'open'
  return state === 'MERGED' ? 'merged' : 'closed'
}

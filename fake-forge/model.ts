// What both fake forges store. Times are milliseconds of the fake's clock. Functions change it in place.
import type { CodeRepository } from './git/code-repository.ts'

export type Permission = 'pull' | 'triage' | 'push' | 'maintain' | 'admin'

export interface User {
  readonly id: number
  /** GitHub's REST API appends `[bot]` to it, its GraphQL API does not: stored with it. */
  login: string
  readonly name: string
  readonly isBot: boolean
  /** Copilot comments on lines under another login than the one that it reviews with. */
  readonly commentLogin?: string
  /** The address in an organization's verified domain. */
  readonly email: string | null
  /** Deleted accounts are null or `ghost` in responses. */
  isDeleted: boolean
}

export interface Team {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly members: Set<User>
  readonly repositories: Map<Repository, Permission>
}

export interface Organization {
  readonly id: number
  login: string
  readonly createdAt: number
  readonly members: Map<User, 'admin' | 'member'>
  readonly teams: Team[]
}

export interface Repository {
  readonly id: number
  name: string
  owner: Organization
  isPrivate: boolean
  readonly createdAt: number
  updatedAt: number
  readonly defaultBranch: string
  /** null = the repository has pull requests, but no code: for histories that are too large for git. */
  readonly code: CodeRepository | null
  readonly pullRequests: PullRequest[]
  /** GitLab: merge requests can be switched off in a project. */
  hasPullRequests: boolean
  readonly collaborators: Map<User, Permission>
  readonly alerts: Alert[]
  readonly checkRuns: CheckRun[]
}

export type ReactionContent = '+1' | '-1' | 'laugh' | 'confused' | 'heart' | 'hooray' | 'rocket' | 'eyes'

export interface Reaction {
  readonly id: number
  readonly user: User
  readonly content: ReactionContent
  readonly createdAt: number
}

export interface Comment {
  readonly id: number
  readonly author: User
  body: string
  readonly createdAt: number
  updatedAt: number
  reactions: Reaction[]
}

export interface ThreadComment extends Comment {
  readonly reviewId: number
  readonly thread: Thread
}

export type Side = 'LEFT' | 'RIGHT'

export interface Thread {
  readonly id: number
  readonly path: string
  /** null = the comment is about the whole file. */
  readonly originalLine: number | null
  readonly originalStartLine: number | null
  readonly side: Side
  readonly originalCommit: string
  readonly diffHunk: string
  isResolved: boolean
  resolvedBy: User | null
  resolvedAt: number | null
  /** A commit that applied the suggestion of the first comment. */
  suggestionCommit: string | null
  /** Only for repositories without code; elsewhere it follows from the code. */
  isOutdated: boolean
  comments: ThreadComment[]
}

export type ReviewState = 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED'

export interface Review {
  readonly id: number
  readonly author: User
  state: ReviewState
  body: string
  readonly commit: string
  readonly submittedAt: number
  updatedAt: number
}

/** A commit of a pull request; `sha` is in the repository's code if it has one. */
export interface PullRequestCommit {
  readonly sha: string
  readonly message: string
  readonly author: User
  readonly at: number
}

export interface TimelineItem {
  readonly id: number
  readonly kind:
    | 'ready_for_review'
    | 'convert_to_draft'
    | 'head_ref_force_pushed'
    | 'closed'
    | 'reopened'
    | 'merged'
  readonly actor: User
  readonly at: number
}

/** GitHub has the first three; GitLab fast-forwards where GitHub rebases. */
export type MergeMethod = 'merge' | 'squash' | 'rebase' | 'fast_forward'

export interface PullRequest {
  readonly id: number
  readonly repository: Repository
  readonly number: number
  title: string
  body: string
  readonly author: User
  isDraft: boolean
  state: 'open' | 'closed'
  readonly createdAt: number
  updatedAt: number
  closedAt: number | null
  mergedAt: number | null
  mergedBy: User | null
  /** The commit on the base branch that the merge made. */
  mergeSha: string | null
  mergeMethod: MergeMethod | null
  readonly baseRef: string
  baseSha: string
  readonly headRef: string
  headSha: string
  commits: PullRequestCommit[]
  readonly timeline: TimelineItem[]
  reviews: Review[]
  threads: Thread[]
  comments: Comment[]
}

export interface Alert {
  readonly number: number
  readonly rule: string
  readonly description: string
  readonly severity: 'none' | 'note' | 'warning' | 'error'
  readonly securitySeverity: 'low' | 'medium' | 'high' | 'critical'
  readonly tool: string
  readonly path: string
  readonly startLine: number
  readonly endLine: number
  readonly commit: string
  readonly createdAt: number
  updatedAt: number
  state: 'open' | 'dismissed' | 'fixed'
  fixedAt: number | null
  dismissedAt: number | null
  dismissedBy: User | null
  dismissedReason: 'false positive' | "won't fix" | 'used in tests' | null
}

export interface CheckRun {
  readonly id: number
  readonly headSha: string
  readonly name: string
  /** The app that reports it. */
  readonly app: { readonly slug: string; readonly name: string }
  externalId: string | null
  status: 'queued' | 'in_progress' | 'completed'
  conclusion:
    | 'success'
    | 'failure'
    | 'neutral'
    | 'cancelled'
    | 'skipped'
    | 'timed_out'
    | 'action_required'
    | null
  startedAt: number | null
  completedAt: number | null
  title: string | null
  summary: string | null
  text: string | null
}

interface PullRequestEvent {
  readonly repository: Repository
  readonly pullRequest: PullRequest
  readonly actor: User
}

/** What happened, for the senders of hooks. */
export type ForgeEvent =
  | (PullRequestEvent & {
      readonly kind: 'pull_request'
      readonly action:
        | 'opened'
        | 'synchronize'
        | 'closed'
        | 'reopened'
        | 'ready_for_review'
        | 'converted_to_draft'
      /** The previous head, of a push. */
      readonly before?: string
    })
  | (PullRequestEvent & {
      readonly kind: 'review'
      readonly action: 'submitted' | 'edited' | 'dismissed'
      readonly review: Review
    })
  | (PullRequestEvent & {
      readonly kind: 'thread_comment'
      readonly action: 'created' | 'edited' | 'deleted'
      readonly comment: ThreadComment
    })
  | (PullRequestEvent & {
      readonly kind: 'comment'
      readonly action: 'created' | 'edited' | 'deleted'
      readonly comment: Comment
    })
  | (PullRequestEvent & {
      readonly kind: 'thread'
      readonly action: 'resolved' | 'unresolved'
      readonly thread: Thread
    })
  /** GitHub has no hook for it, GitLab has. */
  | (PullRequestEvent & {
      readonly kind: 'reaction'
      readonly action: 'added' | 'removed'
      readonly comment: Comment
      readonly reaction: Reaction
    })
  | {
      readonly kind: 'repository'
      readonly action: 'renamed' | 'transferred' | 'created' | 'deleted'
      readonly repository: Repository
      readonly actor: User
      readonly previousName: string
      readonly previousOwner: Organization
    }
  | {
      readonly kind: 'alert'
      readonly action: 'created' | 'fixed' | 'dismissed'
      readonly repository: Repository
      readonly alert: Alert
      readonly actor: User
    }
  | {
      readonly kind: 'check_run'
      readonly action: 'created' | 'completed'
      readonly repository: Repository
      readonly checkRun: CheckRun
      readonly actor: User
    }
  | {
      readonly kind: 'member'
      readonly action: 'added' | 'removed'
      readonly organization: Organization
      readonly member: User
      readonly actor: User
    }

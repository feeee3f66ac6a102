// What a connector reads from a Git provider about one pull request. The clients produce it, the parsers and the
// outcome detector read it. Only digests of it are stored: comment texts and code stay in memory for one read.

/** `id` is the numeric id of the account as a text: logins change, and some bots have several. */
export interface ProviderUser {
  readonly id: string
  readonly login: string
  readonly isBot: boolean
}

export interface Reaction {
  readonly user: ProviderUser | null
  readonly content: 'thumbs_up' | 'thumbs_down' | 'other'
}

export interface ProviderComment {
  readonly id: string
  readonly url: string
  /** null = the account is gone. */
  readonly user: ProviderUser | null
  readonly body: string
  readonly createdAt: string
  readonly updatedAt: string
  /** Left out where the Git provider does not report it. */
  readonly isEdited?: boolean
  readonly reactions: readonly Reaction[]
}

/** A comment on lines of a file, with its replies. */
export interface ReviewThread {
  readonly id: string
  readonly path: string
  /** The lines at the commit that was commented on, from 1; null = the comment is about the whole file. */
  readonly originalStartLine: number | null
  readonly originalEndLine: number | null
  readonly side: 'left' | 'right'
  /** The commit that was commented on. */
  readonly originalCommit: string
  readonly isResolved: boolean
  readonly resolvedBy: ProviderUser | null
  /** null where the Git provider does not report it. */
  readonly resolvedAt: string | null
  readonly isOutdated: boolean
  /** Only GitLab reports that a suggestion was applied; null elsewhere. */
  readonly suggestionApplied: boolean | null
  /** The first is the one that opened the thread. */
  readonly comments: readonly ProviderComment[]
}

export interface Review {
  readonly id: string
  readonly url: string
  readonly user: ProviderUser | null
  readonly state: 'approved' | 'changes_requested' | 'commented' | 'dismissed'
  readonly body: string
  readonly commit: string | null
  readonly submittedAt: string
}

/** A run of a check that reports findings in its text. */
export interface CheckRun {
  readonly id: string
  readonly url: string
  readonly name: string
  /** The short name of the app that runs it, for example `claude`; null where the Git provider reports none. */
  readonly app: string | null
  readonly commit: string
  /** Summary and details. */
  readonly text: string
  /** null = still running. */
  readonly completedAt: string | null
}

export interface Commit {
  readonly sha: string
  readonly message: string
  readonly committedAt: string
}

export interface RepositoryRef {
  /** The numeric id of the Git provider as a text: it survives renames and transfers. */
  readonly id: string
  /** With its owner or group, for example `acme/booking-api`. */
  readonly fullName: string
  readonly isPrivate: boolean
}

export interface PullRequestSnapshot {
  readonly repository: RepositoryRef
  readonly number: number
  readonly url: string
  readonly state: 'open' | 'merged' | 'closed'
  readonly author: ProviderUser | null
  readonly createdAt: string
  readonly readyForReviewAt: string | null
  readonly mergedAt: string | null
  readonly closedAt: string | null
  readonly updatedAt: string
  /** The last commit of the branch; after a merge, the one that was merged. */
  readonly headSha: string
  /** The commit on the base branch that a merge made: of a squash or rebase too. */
  readonly mergeSha: string | null
  /** At most 250, which is what Git providers list. */
  readonly commits: readonly Commit[]
  readonly reviews: readonly Review[]
  readonly threads: readonly ReviewThread[]
  /** Comments on the pull request as a whole. */
  readonly comments: readonly ProviderComment[]
  /** Comments that were left out or cut, because there are too many or they are too long. Left out = none. */
  readonly omittedComments?: number
  /** Checks of the head, if a bot whose checks are parsed is among them; left out where the Git provider has none. */
  readonly checkRuns?: readonly CheckRun[]
  /** The `Date` header of the newest response that this was read from. */
  readonly readAt: string
}

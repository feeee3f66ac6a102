// Pull requests as a connector reads them, with what the detector does not look at filled in.
import type {
  ParsedFinding,
  ProviderComment,
  ProviderUser,
  PullRequestSnapshot,
  ReviewThread,
} from '../../server/test/connectors/outcomes.ts'
import type { LabelledCase } from '../evaluation.ts'

export type Situation = LabelledCase<{
  /** A bare repository with the commits, as a path from the data file. */
  repository: string
  snapshot: PullRequestSnapshot
  findings: readonly ParsedFinding[]
  /** By the id of the finding. */
  verdicts?: Readonly<Record<string, { readonly accepted: boolean; readonly at: string }>>
  alerts?: Readonly<Record<string, { readonly state: 'dismissed' | 'fixed'; readonly at: string | null }>>
  /** By the id of the finding: whether the code was changed because of it, and merged so; null = it cannot be known. */
  labels: Readonly<Record<string, boolean | null>>
}>

export const bot: ProviderUser = { id: '101', login: 'review-bot[bot]', isBot: true }
export const otherBot: ProviderUser = { id: '102', login: 'other-bot[bot]', isBot: true }
export const alice: ProviderUser = { id: '7', login: 'alice', isBot: false }

export function toTime(hour: number): string {
  return `2026-11-02T${String(hour).padStart(2, '0')}:00:00Z`
}

/** Merged in the evening. */
export function createSnapshot(
  given: Pick<PullRequestSnapshot, 'headSha' | 'threads'> & Partial<PullRequestSnapshot>,
): PullRequestSnapshot {
  const at = toTime(18)
  return {
    repository: { id: '1', fullName: 'acme/shop', isPrivate: true },
    number: 1,
    url: 'https://forge.example/acme/shop/pull/1',
    state: 'merged',
    author: alice,
    createdAt: toTime(9),
    readyForReviewAt: null,
    mergedAt: at,
    closedAt: at,
    updatedAt: at,
    mergeSha: null,
    commits: [],
    reviews: [],
    comments: [],
    readAt: toTime(20),
    ...given,
  }
}

export function createComment(
  number: number,
  given: Pick<ProviderComment, 'user' | 'body' | 'createdAt'> & Partial<ProviderComment>,
): ProviderComment {
  return {
    id: String(number),
    url: `https://forge.example/acme/shop/pull/1#c${number}`,
    updatedAt: given.createdAt,
    reactions: [],
    ...given,
  }
}

export function createThread(
  given: Pick<ReviewThread, 'id' | 'path' | 'originalCommit' | 'comments'> & Partial<ReviewThread>,
): ReviewThread {
  return {
    originalStartLine: null,
    originalEndLine: null,
    side: 'right',
    isResolved: true,
    resolvedBy: null,
    resolvedAt: null,
    isOutdated: true,
    suggestionApplied: null,
    ...given,
  }
}

/** The finding of the first comment of the thread. */
export function createFinding(
  { id, path, originalCommit, comments: [comment] }: ReviewThread,
  given: Pick<ParsedFinding, 'id' | 'startLine' | 'endLine'>,
  clues: Partial<ParsedFinding['clues']>,
): ParsedFinding {
  return {
    reviewer: 'review-bot',
    severity: null,
    category: null,
    rawSeverity: null,
    botKey: null,
    parser: 'review-bot@1',
    postedAs: 'inline',
    postedAt: comment?.createdAt ?? '',
    url: comment?.url ?? '',
    file: path,
    commit: originalCommit,
    threadId: id,
    sketch: [],
    clues: { suggestion: null, botOutcome: null, botCommits: [], ...clues },
    ...given,
  }
}

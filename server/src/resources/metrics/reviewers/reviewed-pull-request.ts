import { getOrCreate } from '../../../metrics-store/groups.ts'
import { type ComparableFinding, type FindingPair, pairFindings } from '../../../text/pair-findings.ts'
import { decodeSketch } from '../../../text/sketch.ts'
import { joinDetails } from '../findings/record.ts'
import type { PullRequestDetails, StoredFinding, StoredFindingDetails } from '../write/pull-request.ts'

/** A finding as it is counted and compared. */
export interface ReviewedFinding extends ComparableFinding {
  readonly accepted: boolean | null
  /** From the post to the fixing commit, in milliseconds; null when one of them is unknown. */
  readonly timeToFix: number | null
}

/** The findings of each reviewer of a pull request, also of those without findings; null = unknown reviewer. */
export type ReviewedPullRequest = ReadonlyMap<string | null, readonly ReviewedFinding[]>

const COMMIT = 'commit'

export function parsePullRequest(text: string): ReviewedPullRequest {
  const [findings, details] = JSON.parse(text) as [StoredFinding[], PullRequestDetails | null]
  const byReviewer = new Map<string | null, ReviewedFinding[]>()
  for (const reviewer of details?.reviewers ?? []) byReviewer.set(reviewer, [])
  for (const [{ reviewer, accepted }, own] of joinDetails(findings, details)) {
    getOrCreate(byReviewer, reviewer, () => []).push(toReviewedFinding(accepted, own))
  }
  return byReviewer
}

function toReviewedFinding(
  accepted: boolean | null,
  details: StoredFindingDetails | undefined,
): ReviewedFinding {
  return {
    accepted,
    timeToFix: accepted === true ? getTimeToFix(details) : null,
    file: details?.file ?? null,
    startLine: details?.start_line ?? null,
    endLine: details?.end_line ?? null,
    sketch: details?.sketch === undefined ? [] : decodeSketch(details.sketch),
  }
}

/** A commit before the post, for example of a clock that is late, took no time. */
function getTimeToFix(details: StoredFindingDetails | undefined): number | null {
  const { posted_at, outcome } = details ?? {}
  const commit = outcome?.evidence?.find(({ kind, at }) => kind === COMMIT && at !== null)
  if (posted_at === undefined || !commit?.at) return null
  return Math.max(0, Date.parse(commit.at) - Date.parse(posted_at))
}

export interface ComparedReviewers {
  readonly a: string
  readonly b: string
  readonly findingsOfA: readonly ReviewedFinding[]
  readonly findingsOfB: readonly ReviewedFinding[]
  readonly pairs: readonly FindingPair[]
}

/** Every two known reviewers of a pull request, with the findings that both made. */
export function* compareReviewers(pullRequest: ReviewedPullRequest): Generator<ComparedReviewers, void> {
  const known = [...pullRequest].filter((entry): entry is [string, ReviewedFinding[]] => entry[0] !== null)
  known.sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [index, [a, findingsOfA]] of known.entries()) {
    for (const [b, findingsOfB] of known.slice(index + 1))
      yield { a, b, findingsOfA, findingsOfB, pairs: pairFindings(findingsOfA, findingsOfB) }
  }
}

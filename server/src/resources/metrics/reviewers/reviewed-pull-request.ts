import { getOrCreate } from '../../../metrics-store/groups.ts'
import { type ComparableFinding, type FindingPair, pairFindings } from '../../../text/pair-findings.ts'
import { decodeSketch } from '../../../text/sketch.ts'
import type { Evidence } from '../write/finding-details.ts'

/** A finding as it is counted and compared. */
export interface ReviewedFinding extends ComparableFinding {
  readonly accepted: boolean | null
  /** From the post to the fixing commit, in milliseconds; null when one of them is unknown. */
  readonly timeToFix: number | null
}

/** The findings of each reviewer of a pull request, also of those without findings; null = unknown reviewer. */
export type ReviewedPullRequest = ReadonlyMap<string | null, readonly ReviewedFinding[]>

const COMMIT = 'commit'

/** In the order of the columns of `reviewersScan`. */
type ScannedFinding = readonly [
  reviewer: string | null,
  accepted: boolean | null,
  file: string | null,
  startLine: number | null,
  endLine: number | null,
  sketch: string | null,
  postedAt: string | null,
  evidence: readonly Evidence[] | null,
]

export function parsePullRequest(text: string): ReviewedPullRequest {
  const [reviewers, findings] = JSON.parse(text) as [string[], ScannedFinding[]]
  const byReviewer = new Map<string | null, ReviewedFinding[]>()
  for (const reviewer of reviewers) byReviewer.set(reviewer, [])
  for (const [reviewer, accepted, file, startLine, endLine, sketch, postedAt, evidence] of findings) {
    getOrCreate(byReviewer, reviewer, () => []).push({
      accepted,
      timeToFix: accepted === true ? getTimeToFix(postedAt, evidence) : null,
      file,
      startLine,
      endLine,
      sketch: sketch === null ? [] : decodeSketch(sketch),
    })
  }
  return byReviewer
}

/** A commit before the post, for example of a clock that is late, took no time. */
function getTimeToFix(postedAt: string | null, evidence: readonly Evidence[] | null): number | null {
  const commit = evidence?.find(({ kind, at }) => kind === COMMIT && at !== null)
  if (postedAt === null || !commit?.at) return null
  return Math.max(0, Date.parse(commit.at) - Date.parse(postedAt))
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

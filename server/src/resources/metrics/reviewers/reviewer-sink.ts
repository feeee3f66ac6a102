import { compareNullsLast, GroupSink, getOrCreate } from '../../../metrics-store/groups.ts'
import { compareReviewers, parsePullRequest, type ReviewedFinding } from './reviewed-pull-request.ts'
import type { OverlapRecord } from './schema.ts'

/** Every two reviewers of a pull request are compared, so their number is limited. */
export const MAX_REVIEWERS = 100

/** The counts of a reviewer; null = unknown reviewer. */
export class ReviewerSum {
  readonly reviewer: string | null
  /** In milliseconds. */
  readonly timesToFix: number[] = []
  pullRequests = 0
  findings = 0
  accepted = 0
  notAccepted = 0
  /** The day of its first pull request with a finding; null = it has none. */
  firstDay: string | null = null
  readonly acceptedByDay = new Map<string, number>()
  /** Pull requests that another reviewer reviewed too, and accepted findings of its own there. */
  sharedPullRequests = 0
  uniqueAccepted = 0

  constructor(reviewer: string | null) {
    this.reviewer = reviewer
  }

  add(day: string, findings: readonly ReviewedFinding[]): void {
    this.pullRequests += 1
    if (findings.length > 0 && (this.firstDay === null || day < this.firstDay)) this.firstDay = day
    this.findings += findings.length
    const acceptedNow = findings.filter(({ accepted }) => accepted === true).length
    this.accepted += acceptedNow
    if (acceptedNow > 0) this.acceptedByDay.set(day, (this.acceptedByDay.get(day) ?? 0) + acceptedNow)
    for (const { accepted, timeToFix } of findings) {
      if (accepted === false) this.notAccepted += 1
      if (timeToFix !== null) this.timesToFix.push(timeToFix)
    }
  }

  countAcceptedSince(firstDay: string): number {
    return [...this.acceptedByDay].reduce((sum, [day, count]) => (day < firstDay ? sum : sum + count), 0)
  }
}

interface Overlap extends OverlapRecord {
  common_pull_requests: number
  both: number
  only_a: number
  only_b: number
  both_accepted: number
}

/** Sums rows of (day, findings and details) as they arrive. */
export class ReviewerSink extends GroupSink<ReviewerSum> {
  readonly #overlaps = new Map<string, Overlap>()

  constructor() {
    super(MAX_REVIEWERS)
  }

  protected addRow(): void {
    const day = this.columns.text()
    this.columns.next()
    const pullRequest = parsePullRequest(this.columns.text())
    for (const [reviewer, findings] of pullRequest) this.#findSum(reviewer).add(day, findings)
    if (this.exceedsLimit) return
    const shared = new Map<string, Set<ReviewedFinding>>()
    const findShared = (reviewer: string) => getOrCreate(shared, reviewer, () => new Set())
    for (const { a, b, findingsOfA, findingsOfB, pairs } of compareReviewers(pullRequest)) {
      const overlap = this.#findOverlap(a, b)
      overlap.common_pull_requests += 1
      overlap.both += pairs.length
      overlap.only_a += findingsOfA.length - pairs.length
      overlap.only_b += findingsOfB.length - pairs.length
      const [sharedOfA, sharedOfB] = [findShared(a), findShared(b)]
      for (const [one, other] of pairs) {
        const [ofA, ofB] = [findingsOfA[one], findingsOfB[other]]
        if (ofA === undefined || ofB === undefined) continue
        sharedOfA.add(ofA)
        sharedOfB.add(ofB)
        if (ofA.accepted === true && ofB.accepted === true) overlap.both_accepted += 1
      }
    }
    for (const [reviewer, sharedFindings] of shared) {
      const sum = this.#findSum(reviewer)
      const own = pullRequest.get(reviewer) ?? []
      sum.sharedPullRequests += 1
      sum.uniqueAccepted += own.filter(
        (finding) => finding.accepted === true && !sharedFindings.has(finding),
      ).length
    }
  }

  #findSum(reviewer: string | null): ReviewerSum {
    return getOrCreate(this.groups, reviewer, () => new ReviewerSum(reviewer))
  }

  #findOverlap(a: string, b: string): Overlap {
    // A reviewer's name has no control characters.
    return getOrCreate(this.#overlaps, `${a}\n${b}`, () => ({
      a,
      b,
      common_pull_requests: 0,
      both: 0,
      only_a: 0,
      only_b: 0,
      both_accepted: 0,
    }))
  }

  /** Sorted by name, unknown last. */
  sums(): ReviewerSum[] {
    return [...this.groups.values()].sort((a, b) => compareNullsLast(a.reviewer, b.reviewer))
  }

  /** Sorted by both names. */
  overlaps(): OverlapRecord[] {
    return [...this.#overlaps.values()].sort((one, other) =>
      one.a === other.a ? compareNullsLast(one.b, other.b) : compareNullsLast(one.a, other.a),
    )
  }
}

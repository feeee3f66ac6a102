import { compareNullsLast, GroupSink, getOrCreate } from '../../../../metrics-store/groups.ts'
import { WEEK_DAYS } from '../../../../metrics-store/week.ts'
import { Durations, MAX_EXACT_PULL_REQUESTS } from './durations.ts'
import { ReviewTimesParser } from './review-times.ts'
import type { ReviewGroupKey } from './schema.ts'

/** A group: its requested keys; `week` is the day number of its Monday. */
export class ReviewSum {
  readonly week: number
  readonly repository: string | null
  readonly toFirstHumanReview = new Durations()
  readonly toMerge = new Durations()
  pullRequests = 0
  merged = 0
  knownIterations = 0
  iterations = 0

  constructor(week: number, repository: string | null) {
    this.week = week
    this.repository = repository
  }

  get isApproximate(): boolean {
    return this.pullRequests > MAX_EXACT_PULL_REQUESTS
  }
}

/** Sums rows of (day, repository, times) as they arrive. */
export class ReviewSink extends GroupSink<ReviewSum> {
  readonly #byWeek: boolean
  readonly #byRepository: boolean
  readonly #parser = new ReviewTimesParser()

  constructor(keys: readonly ReviewGroupKey[], maxGroups: number) {
    super(maxGroups)
    this.#byWeek = keys.includes('week')
    this.#byRepository = keys.includes('repository')
  }

  protected addRow(): void {
    const sum = this.#findSum()
    this.columns.next()
    const { merged, toFirstHumanReview, toMerge, iterations } = this.#parser.parse(this.columns)
    sum.pullRequests += 1
    if (merged) sum.merged += 1
    if (sum.isApproximate) {
      sum.toFirstHumanReview.approximate()
      sum.toMerge.approximate()
    }
    if (toFirstHumanReview !== null) sum.toFirstHumanReview.add(toFirstHumanReview)
    if (toMerge !== null) sum.toMerge.add(toMerge)
    if (iterations !== null) {
      sum.knownIterations += 1
      sum.iterations += iterations
    }
  }

  #findSum(): ReviewSum {
    const day = this.#byWeek ? Number(this.columns.text()) : 0
    this.columns.next()
    const repository = this.#byRepository ? this.columns.text() : null
    const week = day - (day % WEEK_DAYS)
    return getOrCreate(this.groups, `${week} ${repository}`, () => new ReviewSum(week, repository))
  }

  /** Sorted by week and repository. */
  sums(): ReviewSum[] {
    return [...this.groups.values()].sort(
      (a, b) => a.week - b.week || compareNullsLast(a.repository, b.repository),
    )
  }
}

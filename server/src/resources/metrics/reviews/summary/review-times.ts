import type { RowColumns } from '../../../../db/raw-rows.ts'

/** Durations in milliseconds; null when one of their times is unknown. */
export interface ReviewTimes {
  merged: boolean
  toFirstHumanReview: number | null
  toMerge: number | null
  iterations: number | null
}

const QUOTE = '"'.charCodeAt(0)
const ZERO = '0'.charCodeAt(0)
const MERGED = 'm'.charCodeAt(0)
const ONE = '1'.charCodeAt(0)
const NULL = 'null'
const times = [
  ',"created_at":',
  ',"ready_for_review_at":',
  ',"first_human_review_at":',
  ',"last_commit_at":',
  ',"merged_at":',
  ',"closed_at":',
] as const
const iterationsName = ',"review_iterations":'

/** Parses the fields of an entry from the value of `status` to `review_iterations`, as renderReview writes them. */
export class ReviewTimesParser {
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0
  readonly #times: (number | null)[] = times.map(() => null)
  readonly #result: ReviewTimes = { merged: false, toFirstHumanReview: null, toMerge: null, iterations: null }

  /** The result is valid until the next call. */
  parse({ bytes, from }: RowColumns): Readonly<ReviewTimes> {
    this.#bytes = bytes
    const result = this.#result
    result.merged = bytes[from] === MERGED
    this.#at = from + 'merged"'.length
    for (let index = 0; index < times.length; index++) {
      this.#at += (times[index] as string).length
      this.#times[index] = this.#readTime()
    }
    this.#at += iterationsName.length
    result.iterations = this.#readNumber()
    const [createdAt, readyAt, firstHumanReviewAt, , mergedAt] = this.#times
    const start = readyAt ?? createdAt ?? null
    result.toFirstHumanReview = getDuration(start, firstHumanReviewAt ?? null)
    result.toMerge = result.merged ? getDuration(start, mergedAt ?? null) : null
    return result
  }

  #readTime(): number | null {
    if (this.#bytes[this.#at] !== QUOTE) {
      this.#at += NULL.length
      return null
    }
    const from = this.#at + 1
    const to = this.#bytes.indexOf(QUOTE, from)
    this.#at = to + 1
    return parseTime(this.#bytes, from, to)
  }

  #readNumber(): number | null {
    const bytes = this.#bytes
    let [value, at] = [0, this.#at]
    for (; isDigit(bytes[at]); at++) value = value * 10 + (bytes[at] as number) - ZERO
    return at === this.#at ? null : value
  }
}

/** A review before the pull request was ready, for example of a draft, took no time. */
function getDuration(start: number | null, end: number | null): number | null {
  return start === null || end === null ? null : Math.max(0, end - start)
}

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= ZERO && byte <= ZERO + 9

/** `YYYY-MM-DDTHH:MM:SS.sssZ` of years from 1000 on; other forms of toISOString are rare. */
function parseTime(bytes: Buffer, from: number, to: number): number {
  if (to - from !== 24 || (bytes[from] as number) < ONE) return Date.parse(bytes.toString('latin1', from, to))
  const digit = (at: number) => (bytes[from + at] as number) - ZERO
  const two = (at: number) => 10 * digit(at) + digit(at + 1)
  const milliseconds = 100 * digit(20) + two(21)
  return Date.UTC(100 * two(0) + two(2), two(5) - 1, two(8), two(11), two(14), two(17), milliseconds)
}

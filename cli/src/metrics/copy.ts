import type { StreamEnd } from './lines.ts'

/** A record of `GET /v1/metrics/reviews`, as far as a copy looks at it. */
export interface Review {
  readonly organization_id: string
  readonly pr_url: string
}

/** What the copy is a copy of. A cursor is valid for the same service and filters only. */
export interface CopySource {
  readonly url: string
  readonly org_id: string | null
  readonly counted_from: string | null
}

/**
 * A copy of the findings, keyed by `pull_request_key`, and of all pull requests, keyed by organization and URL. Findings and cursor
 * change together, or neither does.
 */
export interface Copy {
  /** null: nothing was read yet. */
  cursor(): string | null
  /** Applies a response of the feed and stores its cursor. A response that is cut off changes nothing. */
  apply(body: AsyncIterable<Uint8Array>, onLines: (lines: Uint8Array) => void): Promise<StreamEnd>
  /**
   * Replaces all pull requests by those of the pages. One that is written again meanwhile is on two pages: the later one counts.
   * Pages that end with an error change nothing.
   */
  replaceReviews(pages: AsyncIterable<readonly Review[]>): Promise<void>
  /** Makes what was applied readable. */
  publish(): Promise<void>
  /** For people: where the copy is. */
  readonly location: string
  close(): Promise<void>
}

/** The reason why a copy cannot be continued for this source; null if it can. */
export function findDifference(stored: CopySource, wanted: CopySource): string | null {
  const names = { url: '--url', org_id: '--org', counted_from: '--counted-from' } as const
  for (const [field, option] of Object.entries(names) as [keyof CopySource, string][]) {
    if (stored[field] !== wanted[field])
      return `The copy was made with ${option} ${stored[field] ?? '(none)'}, not ${wanted[field] ?? '(none)'}.`
  }
  return null
}

import type { StreamEnd } from './lines.ts'

/** What the copy is a copy of. A cursor is valid for the same service and filters only. */
export interface CopySource {
  readonly url: string
  readonly org_id: string | null
  readonly counted_from: string | null
}

/** A copy of the findings, keyed by `pull_request_key`. Data and cursor change together, or neither does. */
export interface Copy {
  /** null: nothing was read yet. */
  cursor(): string | null
  /** Applies a response of the feed and stores its cursor. A response that is cut off changes nothing. */
  apply(body: AsyncIterable<Uint8Array>, onLines: (lines: Uint8Array) => void): Promise<StreamEnd>
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

import type { DismissalReason, Suppression } from './finding.ts'

export type FindingState = 'open' | 'fixed' | 'dismissed'

/** A moment of a repository's history: of two scans at the same time the id decides. */
export interface OrderedTimestamp {
  /** ISO 8601 in milliseconds and UTC, so that texts compare as times do. */
  readonly at: string
  readonly id: string
}

/** What a person said last about leaving a finding. */
export interface DismissalDecision extends OrderedTimestamp {
  readonly dismissed: boolean
  readonly reason: DismissalReason
  readonly comment: string | null
  readonly by: string | null
}

/** Branch and category of scans: what is missing in one says nothing of another. */
export type ScanSeriesKey = string

export type LastSeenBySeries = Readonly<Record<ScanSeriesKey, OrderedTimestamp>>

// A finding that is seen on ever new branches is remembered on so many of them, the last ones.
const MAX_SERIES_PER_FINDING = 20

export function toScanSeriesKey({
  branch,
  category,
}: {
  readonly branch: string
  readonly category: string
}): ScanSeriesKey {
  return JSON.stringify([branch, category])
}

export function isLater(one: OrderedTimestamp, other: OrderedTimestamp): boolean {
  return one.at === other.at ? one.id > other.id : one.at > other.at
}

function latest(one: OrderedTimestamp, other: OrderedTimestamp | undefined): OrderedTimestamp {
  return other !== undefined && isLater(other, one) ? other : one
}

export function recordSighting(
  lanes: LastSeenBySeries,
  seriesKey: ScanSeriesKey,
  timestamp: OrderedTimestamp,
): LastSeenBySeries {
  const seen = { ...lanes, [seriesKey]: latest(timestamp, lanes[seriesKey]) }
  const all = Object.entries(seen)
  if (all.length <= MAX_SERIES_PER_FINDING) return seen
  return Object.fromEntries(
    all.toSorted(([, a], [, b]) => (isLater(a, b) ? -1 : 1)).slice(0, MAX_SERIES_PER_FINDING),
  )
}

/** How it stands, and why: what is told to callers. */
export interface FindingStatus {
  readonly state: FindingState
  readonly dismissal_reason: DismissalReason | null
  readonly dismissal_comment: string | null
  readonly dismissed_by: string | null
  readonly dismissed_at: string | null
}

interface StatusInputs {
  readonly lanes: LastSeenBySeries
  readonly word: DismissalDecision | null
  readonly suppression: Suppression | null
}

/**
 * Follows from times alone, whatever the order in which they became known: open while on some branch no complete scan
 * is later than the last that saw it. Whoever dismisses it has the last word, before what the code says of itself.
 */
export function computeFindingStatus(
  { lanes, word: dismissal, suppression }: StatusInputs,
  completed: ReadonlyMap<ScanSeriesKey, OrderedTimestamp>,
): FindingStatus {
  if (dismissal?.dismissed) {
    const { reason, comment, by, at } = dismissal
    return {
      state: 'dismissed',
      dismissal_reason: reason,
      dismissal_comment: comment,
      dismissed_by: by,
      dismissed_at: at,
    }
  }
  if (dismissal === null && suppression !== null) {
    const { reason, comment } = suppression
    return { ...notDismissed, state: 'dismissed', dismissal_reason: reason, dismissal_comment: comment }
  }
  const isOpen = Object.entries(lanes).some(([seriesKey, seen]) => {
    const complete = completed.get(seriesKey)
    return complete === undefined || !isLater(complete, seen)
  })
  return { ...notDismissed, state: isOpen ? 'open' : 'fixed' }
}

const notDismissed = {
  dismissal_reason: null,
  dismissal_comment: null,
  dismissed_by: null,
  dismissed_at: null,
} as const

import type { DismissalReason, Suppression } from './finding.ts'

export type FindingState = 'open' | 'fixed' | 'dismissed'

/** A point in a repository's history: the id orders two scans at the same time. */
export interface OrderedTimestamp {
  /** ISO 8601 in UTC with milliseconds, so that strings compare like times. */
  readonly at: string
  readonly id: string
}

/** The latest dismissal or reopening of a finding. */
export interface DismissalDecision extends OrderedTimestamp {
  readonly dismissed: boolean
  readonly reason: DismissalReason
  readonly comment: string | null
  readonly by: string | null
}

/** Branch and category of scans: findings missing in one series say nothing about another. */
export type ScanSeriesKey = string

export type LastSeenBySeries = Readonly<Record<ScanSeriesKey, OrderedTimestamp>>

// A finding remembers only the latest series in which it was seen.
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

/** State of a finding and the reason for it. */
export interface FindingStatus {
  readonly state: FindingState
  readonly dismissal_reason: DismissalReason | null
  readonly dismissal_comment: string | null
  readonly dismissed_by: string | null
  readonly dismissed_at: string | null
}

interface StatusInputs {
  readonly lanes: LastSeenBySeries
  readonly decision: DismissalDecision | null
  readonly suppression: Suppression | null
}

/**
 * Depends only on times, not on the order of arrival. A finding is open while some branch has no complete scan later than
 * the last scan that saw it. A dismissal takes precedence over a suppression in the code.
 */
export function computeFindingStatus(
  { lanes, decision: dismissal, suppression }: StatusInputs,
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

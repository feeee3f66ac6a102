import { formatMinutes } from '../../ui/format.ts'

interface Start {
  readonly created_at: string | null
  readonly ready_for_review_at: string | null
}

/** From ready for review, or else from creation, as in the definition of the medians. Null if one of both is unknown. */
function minutesSinceReady({ created_at, ready_for_review_at }: Start, time: string | null): number | null {
  const start = ready_for_review_at ?? created_at
  return start === null || time === null ? null : (Date.parse(time) - Date.parse(start)) / 60_000
}

/** `40 min`, or `40 min before` for what happened to a draft. */
export function formatSinceReady(start: Start, time: string | null): string {
  const minutes = minutesSinceReady(start, time)
  return minutes !== null && minutes < 0 ? `${formatMinutes(-minutes)} before` : formatMinutes(minutes)
}

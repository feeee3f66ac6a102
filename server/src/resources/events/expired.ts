import type { EventKind, EventWarning, IngestEvent } from '../../bus/ingest-event.ts'
import { getFirstDayOfMonth } from '../../time.ts'

/**
 * Why METRICS_RETENTION_MONTHS excludes an event; null if it is stored. Only the event itself decides, so that the response can
 * say it, and every replay of it ends in the same way.
 */
export function explainExpiry(
  kind: EventKind | undefined,
  { payload, occurred_at }: Pick<IngestEvent, 'payload' | 'occurred_at'>,
  { months, now }: { readonly months: number | null; readonly now: Date },
): EventWarning | null {
  const counted = months === null ? undefined : kind?.getCountedTime?.(payload as never, occurred_at)
  if (months === null || counted === undefined) return null
  const firstDay = getFirstDayOfMonth(now, months)
  if (counted.time.slice(0, 10) >= firstDay) return null
  const message = `The event is accepted but not stored, because metrics before ${firstDay} are not stored here.`
  return { path: counted.path, message }
}

import { refuse } from '../../errors.ts'
import { MAX_TIME_MS } from '../../shape.ts'
import { DAY_MS } from '../../time.ts'
import { type AuditLogsRequest, MAX_NUMBERED_ROWS } from './schema.ts'

const MIN_ROW_TIME_MS = 0

/** Both ends inclusive, in milliseconds, the precision of stored times. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** The requested time range, split so that only partial days are counted row by row. */
export interface AuditWindow extends TimeRange {
  readonly hasDates: boolean
  /** Null if the range contains no whole day. */
  readonly wholeDays: { readonly first: string; readonly last: string } | null
  readonly partialDays: readonly TimeRange[]
}

export function refuseInvalidQuery({ query }: { readonly query: AuditLogsRequest }): void {
  const { page, page_size: size = 10, cursor } = query
  if (cursor !== undefined && page !== undefined)
    refuse('INVALID_REQUEST', 'page and cursor cannot be combined. Pass one of them.')
  if ((page ?? 1) * size > MAX_NUMBERED_ROWS) {
    refuse(
      'INVALID_REQUEST',
      `page × page_size must not exceed ${MAX_NUMBERED_ROWS} rows: use cursor to read further, or narrow the dates.`,
    )
  }
  const { from, to } = parseTimeRange(query)
  if (to < from)
    refuse('INVALID_REQUEST', 'date_to must not be before date_from. Send an equal or later one.')
}

export function toAuditWindow(query: AuditLogsRequest): AuditWindow {
  const hasDates = query.date_from !== undefined || query.date_to !== undefined
  const { from, to } = parseClampedRange(query)
  const firstDay = Math.ceil(from / DAY_MS)
  const lastDay = Math.floor((to + 1) / DAY_MS) - 1
  if (firstDay > lastDay + 1) return { hasDates, from, to, wholeDays: null, partialDays: [{ from, to }] }
  const partialDays = [
    { from, to: firstDay * DAY_MS - 1 },
    { from: (lastDay + 1) * DAY_MS, to },
  ].filter((range) => range.from <= range.to)
  const wholeDays =
    firstDay > lastDay ? null : { first: formatDayNumber(firstDay), last: formatDayNumber(lastDay) }
  return { hasDates, from, to, wholeDays, partialDays }
}

export function formatUtcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

function formatDayNumber(day: number): string {
  return formatUtcDay(day * DAY_MS)
}

/** No row lies outside of these limits. */
function parseClampedRange(query: AuditLogsRequest): TimeRange {
  const { from, to } = parseTimeRange(query)
  const clamp = (ms: number) => Math.min(Math.max(ms, MIN_ROW_TIME_MS), MAX_TIME_MS)
  return { from: clamp(from), to: clamp(to) }
}

function parseTimeRange({ date_from, date_to }: AuditLogsRequest): TimeRange {
  const from = date_from === undefined ? MIN_ROW_TIME_MS : Date.parse(date_from)
  if (date_to === undefined) return { from, to: MAX_TIME_MS }
  const isDay = date_to.length === 'YYYY-MM-DD'.length
  return { from, to: Date.parse(date_to) + (isDay ? DAY_MS - 1 : 0) }
}

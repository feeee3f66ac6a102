// Figures and times, written the same way on every screen. Times are UTC, as in the API.
const integers = new Intl.NumberFormat('en')
const decimals = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const dayMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayMonthYear = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
const moment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

export const MISSING = '–'
const DAY_MS = 86_400_000

export function formatCount(count: number): string {
  return integers.format(count)
}

/** `1 finding`, `2,000 findings`. */
export function formatCounted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** `€1,373.68`, or `1,373.68` without a currency. */
export function formatMoney(amount: number, currency: string | null): string {
  const format = currency === null ? decimals : new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.format(amount)
}

/** A share between 0 and 1. Null is a share of nothing. */
export function formatShare(share: number | null, digits = 0): string {
  return share === null ? MISSING : `${(100 * share).toFixed(digits)}%`
}

export function formatDay(day: string): string {
  return dayMonth.format(new Date(day))
}

export function formatDate(time: string | null): string {
  return time === null ? MISSING : dayMonthYear.format(new Date(time))
}

/** `24 Aug – 18 Nov 2026`, and both years if they differ. */
export function formatPeriod(start: string, end: string): string {
  const isOneYear = start.slice(0, 4) === end.slice(0, 4)
  return `${isOneYear ? formatDay(start) : formatDate(start)} – ${formatDate(end)}`
}

export function formatTime(time: string | null): string {
  return time === null ? MISSING : `${moment.format(new Date(time))} UTC`
}

/** A line does not break between the figure and its unit. */
export function formatMinutes(minutes: number | null): string {
  if (minutes === null) return MISSING
  if (minutes < 90) return `${Math.round(minutes)}\u00a0min`
  if (minutes < 48 * 60) return `${(minutes / 60).toFixed(1)}\u00a0h`
  return `${(minutes / 1440).toFixed(1)}\u00a0days`
}

export function formatSeconds(seconds: number): string {
  return seconds < 90 ? `${seconds.toFixed(seconds < 10 ? 1 : 0)} s` : formatMinutes(seconds / 60)
}

/** `in 5 days`, `3 days ago`, `today`. */
export function formatDaysFromNow(time: string): string {
  const days = Math.round((Date.parse(time) - Date.now()) / DAY_MS)
  if (days === 0) return 'today'
  return days > 0 ? `in ${formatCounted(days, 'day')}` : `${formatCounted(-days, 'day')} ago`
}

export function daysUntil(time: string): number {
  return (Date.parse(time) - Date.now()) / DAY_MS
}

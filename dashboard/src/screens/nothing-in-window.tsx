import type { ReactNode } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import { readFilters } from '../ui/filters.tsx'
import { formatPeriod } from '../ui/format.ts'
import { Empty } from '../ui/load.tsx'
import { countDays, type Period, shiftDay } from '../ui/period.ts'
import { FirstEvent } from './first-event.tsx'

interface NothingInWindowProps {
  readonly what: string
  /** Mondays of the weeks of the last year that have some. */
  readonly weeks: readonly string[]
  /** Which event is missing if there are none at all. */
  readonly children: ReactNode
}

/** Offers the nearest days that have data; without any, the command that sends the first event. */
export function NothingInWindow({ what, weeks, children }: NothingInWindowProps) {
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  const { repository_ids, ...period } = readFilters(search)
  const nearest = findNearestPeriod(period, weeks)
  const withSearch = (changes: Readonly<Record<string, string | null>>) => {
    const next = new URLSearchParams(search)
    for (const [name, value] of Object.entries(changes))
      if (value === null) next.delete(name)
      else next.set(name, value)
    return { pathname, search: next.toString() }
  }
  if (nearest !== null)
    return (
      <Empty title={`No ${what} in this period`}>
        <p>The nearest period that has some:</p>
        <Link to={withSearch({ from: nearest.start_date, to: nearest.end_date })}>
          {formatPeriod(nearest.start_date, nearest.end_date)}
        </Link>
      </Empty>
    )
  if (repository_ids !== undefined)
    return (
      <Empty title={`No ${what} in these repositories in the last year`}>
        <p>Other repositories may have some:</p>
        <Link to={withSearch({ repository_ids: null })}>Show all repositories</Link>
      </Empty>
    )
  return (
    <Empty title={`No ${what} yet`}>
      <p>{children} Create an ingest credential and send the first event:</p>
      <FirstEvent />
    </Empty>
  )
}

/** As many days as now, around the week with data that is nearest to them. */
function findNearestPeriod(period: Period, weeks: readonly string[]): Period | null {
  const distance = (week: string) =>
    Math.min(
      Math.abs(Date.parse(week) - Date.parse(period.end_date)),
      Math.abs(Date.parse(week) - Date.parse(period.start_date)),
    )
  const [week] = weeks.toSorted((a, b) => distance(a) - distance(b))
  if (week === undefined) return null
  const days = Math.max(7, countDays(period))
  if (week >= period.start_date) return { start_date: week, end_date: shiftDay(week, days - 1) }
  return { start_date: shiftDay(week, 7 - days), end_date: shiftDay(week, 6) }
}

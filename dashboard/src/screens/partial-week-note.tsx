import { useSearchParams } from 'react-router'
import { readFilters } from '../ui/filters.tsx'
import { formatDate } from '../ui/format.ts'
import { Note } from '../ui/page.tsx'
import { listWeeks } from '../ui/period.ts'

/** Says that the first week is cut off, if the period begins within it. */
export function PartialWeekNote() {
  const [search] = useSearchParams()
  const period = readFilters(search)
  return listWeeks(period)[0] === period.start_date ? null : (
    <Note>
      <b>The first week is cut off:</b> its figures begin with the period, on {formatDate(period.start_date)}.
    </Note>
  )
}

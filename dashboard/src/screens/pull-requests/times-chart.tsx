import { scaleLinear, scalePoint } from '@visx/scale'
import { Area, LinePath } from '@visx/shape'
import { SMALL_SAMPLE } from '../../charts/acceptance.ts'
import { type Drawing, isFilled, type Place, placeWeeks, ValueAxis, WeekAxis } from '../../charts/axes.tsx'
import styles from '../../charts/chart.module.css'
import { useWidth } from '../../charts/use-width.ts'
import { formatDate, formatMinutes } from '../../ui/format.ts'

interface WeekTimes {
  readonly week: string
  readonly merged: number
  readonly median_minutes_to_first_human_review: number | null
  readonly median_minutes_to_merge: number | null
  readonly p90_minutes_to_merge: number | null
}

const height = 250
const margin = { top: 12, right: 24, bottom: 38, left: 60 }
const MINUTES_PER_HOUR = 60

interface TimesChartProps {
  /** The Mondays of all weeks, also of those without pull requests. */
  readonly weeks: readonly string[]
  readonly times: readonly WeekTimes[]
}

/** Median times by week, from zero. */
export function TimesChart({ weeks, times }: TimesChartProps) {
  const [frame, width] = useWidth()
  const drawing: Drawing = { width, height, margin }
  const merged = times.filter(hasMerge)
  const reviewed = times.filter(hasReview)
  const longest = Math.max(
    1,
    ...merged.map((week) => week.p90_minutes_to_merge),
    ...reviewed.map((week) => week.median_minutes_to_first_human_review),
  )
  const x = scalePoint({ domain: [...weeks], range: [margin.left, width - margin.right] })
  const y = scaleLinear({
    domain: [0, longest / MINUTES_PER_HOUR],
    range: [height - margin.bottom, margin.top],
    nice: 4,
  })
  const at = ({ week }: { readonly week: string }) => x(week) ?? 0
  const level = (minutes: number) => y(minutes / MINUTES_PER_HOUR)
  const mergedPlaces = [...placeWeeks(weeks, merged)]
  const toMerge = (read: (week: MergedWeek) => number) => (place: Place<MergedWeek>) =>
    place.known === undefined ? 0 : level(read(place.known))
  return (
    <div ref={frame}>
      <svg
        className={styles['chart']}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`Median times from ready to the first review by a person and to the merge in ${times.length} of ${weeks.length} weeks. The table has the same figures.`}
      >
        <ValueAxis drawing={drawing} ticks={y.ticks(4)} y={y} format={(hours) => `${hours} h`} />
        <Area
          data={mergedPlaces}
          defined={isFilled}
          x={at}
          y0={toMerge((week) => week.median_minutes_to_merge)}
          y1={toMerge((week) => week.p90_minutes_to_merge)}
          className={styles['bounds'] ?? ''}
        />
        <LinePath
          data={[...placeWeeks(weeks, reviewed)]}
          defined={isFilled}
          x={at}
          y={({ known }) => level(known?.median_minutes_to_first_human_review ?? 0)}
          className={styles['second'] ?? ''}
        />
        <LinePath
          data={mergedPlaces}
          defined={isFilled}
          x={at}
          y={toMerge((week) => week.median_minutes_to_merge)}
          className={styles['rate'] ?? ''}
        />
        {merged.map((week) => (
          <circle
            key={week.week}
            className={styles['dot']}
            data-small={week.merged < SMALL_SAMPLE || undefined}
            cx={at(week)}
            cy={level(week.median_minutes_to_merge)}
            r={3.5}
          >
            <title>{`Week of ${formatDate(week.week)}: half of ${week.merged} merged within ${formatMinutes(week.median_minutes_to_merge)}`}</title>
          </circle>
        ))}
        <WeekAxis drawing={drawing} weeks={weeks} x={x} />
      </svg>
      <ul className={styles['legend']}>
        <li>
          <i className={styles['rate-key']} /> median to merge
        </li>
        <li>
          <i className={styles['bounds-key']} /> from the median to the 90th percentile
        </li>
        <li>
          <i className={styles['second-key']} /> median to the first review by a person
        </li>
      </ul>
    </div>
  )
}

type MergedWeek = WeekTimes & {
  readonly median_minutes_to_merge: number
  readonly p90_minutes_to_merge: number
}

function hasMerge(week: WeekTimes): week is MergedWeek {
  return week.median_minutes_to_merge !== null && week.p90_minutes_to_merge !== null
}

function hasReview(
  week: WeekTimes,
): week is WeekTimes & { readonly median_minutes_to_first_human_review: number } {
  return week.median_minutes_to_first_human_review !== null
}

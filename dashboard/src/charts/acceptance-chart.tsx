import { scaleLinear, scalePoint } from '@visx/scale'
import { Area, LinePath } from '@visx/shape'
import { formatDate, formatShare } from '../ui/format.ts'
import { isYoung, SMALL_SAMPLE } from './acceptance.ts'
import { type Drawing, isFilled, type Place, placeWeeks, ValueAxis, WeekAxis } from './axes.tsx'
import styles from './chart.module.css'
import { useWidth } from './use-width.ts'

export interface WeekRate {
  readonly week: string
  readonly posted: number
  readonly unknown: number
  readonly rate: number | null
  readonly rate_low: number | null
  readonly rate_high: number | null
  readonly interval_low: number | null
  readonly interval_high: number | null
}

interface KnownRate extends WeekRate {
  readonly rate: number
  readonly rate_low: number
  readonly rate_high: number
  readonly interval_low: number
  readonly interval_high: number
}

const height = 250
const margin = { top: 12, right: 24, bottom: 38, left: 44 }

interface AcceptanceChartProps {
  /** The Mondays of all weeks, also of those without findings. */
  readonly weeks: readonly string[]
  readonly rates: readonly WeekRate[]
}

/** Weekly rates with their interval and their bounds. */
export function AcceptanceChart({ weeks, rates }: AcceptanceChartProps) {
  const [frame, width] = useWidth()
  const known = rates.filter(isKnown)
  if (known.length === 0) return <p>No outcomes are known for these weeks yet.</p>
  const drawing: Drawing = { width, height, margin }
  const values = known.flatMap((week) => [
    week.rate_low,
    week.rate_high,
    week.interval_low,
    week.interval_high,
  ])
  const [low, high] = [Math.floor(10 * Math.min(...values)) / 10, Math.ceil(10 * Math.max(...values)) / 10]
  const x = scalePoint({ domain: [...weeks], range: [margin.left, width - margin.right] })
  const y = scaleLinear({
    domain: [low, Math.max(high, low + 0.1)],
    range: [height - margin.bottom, margin.top],
  })
  const places = placeWeeks(weeks, known)
  const at = ({ week }: { readonly week: string }) => x(week) ?? 0
  const to = (read: (rate: KnownRate) => number) => (place: Place<KnownRate>) =>
    place.known === undefined ? 0 : y(read(place.known))
  return (
    <div ref={frame}>
      <svg
        className={styles['chart']}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`Share of accepted findings in ${known.length} of ${weeks.length} weeks; the axis starts at ${formatShare(low)}. The table has the same figures.`}
      >
        <ValueAxis drawing={drawing} ticks={y.ticks(5)} y={y} format={formatShare} />
        <Area
          data={[...places]}
          defined={isFilled}
          x={at}
          y0={to((rate) => rate.rate_low)}
          y1={to((rate) => rate.rate_high)}
          className={styles['bounds'] ?? ''}
        />
        <Area
          data={[...places]}
          defined={isFilled}
          x={at}
          y0={to((rate) => rate.interval_low)}
          y1={to((rate) => rate.interval_high)}
          className={styles['interval'] ?? ''}
        />
        <LinePath
          data={[...places]}
          defined={isFilled}
          x={at}
          y={to(({ rate }) => rate)}
          className={styles['rate'] ?? ''}
        />
        {known.map((week) => (
          <circle
            key={week.week}
            className={isYoung(week) ? styles['young'] : styles['dot']}
            data-small={week.posted < SMALL_SAMPLE || undefined}
            cx={at(week)}
            cy={y(week.rate)}
            r={3.5}
          >
            <title>{describeWeek(week)}</title>
          </circle>
        ))}
        <WeekAxis drawing={drawing} weeks={weeks} x={x} />
      </svg>
    </div>
  )
}

export function AcceptanceLegend() {
  return (
    <ul className={styles['legend']}>
      <li>
        <i className={styles['rate-key']} /> rate of known outcomes
      </li>
      <li>
        <i className={styles['interval-key']} /> 95% interval
      </li>
      <li>
        <i className={styles['bounds-key']} /> if all unknown were rejected / accepted
      </li>
      <li>
        <i className={styles['young-key']} /> outcomes still arriving
      </li>
    </ul>
  )
}

function describeWeek(week: KnownRate): string {
  const range = `${formatShare(week.rate_low)} to ${formatShare(week.rate_high)}`
  return `Week of ${formatDate(week.week)}: ${formatShare(week.rate, 1)} of known outcomes, bounds ${range}, ${week.posted} findings`
}

function isKnown(week: WeekRate): week is KnownRate {
  return week.rate !== null && week.interval_low !== null
}

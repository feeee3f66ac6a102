import { formatDay } from '../ui/format.ts'
import styles from './chart.module.css'

/** The size of a drawing, and the room around its data. */
export interface Drawing {
  readonly width: number
  readonly height: number
  readonly margin: {
    readonly top: number
    readonly right: number
    readonly bottom: number
    readonly left: number
  }
}

interface ValueAxisProps {
  readonly drawing: Drawing
  readonly ticks: readonly number[]
  readonly y: (value: number) => number
  readonly format: (value: number) => string
}

/** A line and a label for each value. */
export function ValueAxis({ drawing: { width, margin }, ticks, y, format }: ValueAxisProps) {
  return ticks.map((tick) => (
    <g key={tick}>
      <line className={styles['grid']} x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} />
      <text className={styles['tick']} x={margin.left - 8} y={y(tick) + 4} textAnchor="end">
        {format(tick)}
      </text>
    </g>
  ))
}

const MAX_WEEK_LABELS = 13

interface WeekAxisProps {
  readonly drawing: Drawing
  readonly weeks: readonly string[]
  readonly x: (week: string) => number | undefined
}

/** The days on which weeks begin, as many as fit. */
export function WeekAxis({ drawing: { height }, weeks, x }: WeekAxisProps) {
  const every = Math.ceil(weeks.length / MAX_WEEK_LABELS)
  return weeks
    .filter((_, index) => index % every === 0)
    .map((week) => (
      <text key={week} className={styles['tick']} x={x(week)} y={height - 12} textAnchor="middle">
        {formatDay(week)}
      </text>
    ))
}

/** A place for every week, with what is known about it: lines end where a week has nothing. */
export interface Place<Known> {
  readonly week: string
  readonly known: Known | undefined
}

export function placeWeeks<Known extends { readonly week: string }>(
  weeks: readonly string[],
  known: readonly Known[],
): readonly Place<Known>[] {
  const byWeek = new Map(known.map((one) => [one.week, one]))
  return weeks.map((week) => ({ week, known: byWeek.get(week) }))
}

export function isFilled({ known }: Place<unknown>): boolean {
  return known !== undefined
}

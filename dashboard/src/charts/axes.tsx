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

/** The room that a label such as `21 Sept` takes, with a gap. */
const WEEK_LABEL_WIDTH = 52

interface WeekAxisProps {
  readonly drawing: Drawing
  readonly weeks: readonly string[]
  readonly x: (week: string) => number | undefined
}

/** The days on which weeks begin, as many as fit. If they are of two years, the first label of each year names it. */
export function WeekAxis({ drawing: { width, height, margin }, weeks, x }: WeekAxisProps) {
  const room = width - margin.left - margin.right
  const every = Math.max(1, Math.ceil(((weeks.length - 1) * WEEK_LABEL_WIDTH) / room))
  const labelled = weeks.filter((_, index) => index % every === 0)
  const years = labelled.map((week) => week.slice(0, 4))
  const areSeveral = new Set(years).size > 1
  return labelled.map((week, index) => (
    <text key={week} className={styles['tick']} x={x(week)} y={height - 19} textAnchor="middle">
      {formatDay(week)}
      {areSeveral && years[index] !== years[index - 1] ? (
        <tspan x={x(week)} dy={14}>
          {years[index]}
        </tspan>
      ) : null}
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

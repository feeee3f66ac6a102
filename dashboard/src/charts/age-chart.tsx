import { scaleBand, scaleLinear } from '@visx/scale'
import { formatCount, formatCounted } from '../ui/format.ts'
import styles from './age-chart.module.css'
import { type Drawing, ValueAxis } from './axes.tsx'
import chartStyles from './chart.module.css'
import { useWidth } from './use-width.ts'

export interface AgeBin {
  readonly label: string
  /** In the order in which they are stacked, from below. */
  readonly parts: readonly { readonly name: string; readonly count: number }[]
}

const height = 230
const margin = { top: 24, right: 8, bottom: 30, left: 44 }

/** Bars of one hue: the strongest part is at the bottom. */
export function AgeChart({
  bins,
  parts,
}: {
  readonly bins: readonly AgeBin[]
  readonly parts: readonly string[]
}) {
  const [frame, width] = useWidth()
  const drawing: Drawing = { width, height, margin }
  const totals = bins.map((bin) => bin.parts.reduce((sum, { count }) => sum + count, 0))
  const x = scaleBand({
    domain: bins.map(({ label }) => label),
    range: [margin.left, width - margin.right],
    padding: 0.3,
  })
  const y = scaleLinear({ domain: [0, Math.max(1, ...totals)], range: [height - margin.bottom, margin.top] })
  const ticks = y.ticks(4).filter(Number.isInteger)
  return (
    <div ref={frame}>
      <svg
        className={chartStyles['chart']}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label="Open findings by days since they were first seen, stacked by severity. The table has the same figures."
      >
        <ValueAxis drawing={drawing} ticks={ticks} y={y} format={formatCount} />
        {bins.map((bin, index) => {
          const total = totals[index] ?? 0
          const left = x(bin.label) ?? 0
          const middle = left + x.bandwidth() / 2
          return (
            <g key={bin.label}>
              {stack(bin).map(({ name, count, from }) =>
                count === 0 ? null : (
                  <rect
                    key={name}
                    className={`${styles['bar']} ${styles[name]}`}
                    x={left}
                    width={x.bandwidth()}
                    y={y(from + count)}
                    height={y(from) - y(from + count)}
                  >
                    <title>{`${formatCounted(count, 'finding')}, ${name}, ${bin.label}`}</title>
                  </rect>
                ),
              )}
              <text className={styles['total']} x={middle} y={y(total) - 6} textAnchor="middle">
                {formatCount(total)}
              </text>
              <text className={chartStyles['tick']} x={middle} y={height - 10} textAnchor="middle">
                {bin.label}
              </text>
            </g>
          )
        })}
      </svg>
      <ul className={chartStyles['legend']}>
        {parts.map((name) => (
          <li key={name}>
            <svg className={styles['key']} viewBox="0 0 12 12" aria-hidden="true">
              <rect className={styles[name]} width={12} height={12} />
            </svg>
            {name}
          </li>
        ))}
      </ul>
    </div>
  )
}

function stack({ parts }: AgeBin) {
  let from = 0
  return parts.map(({ name, count }) => {
    from += count
    return { name, count, from: from - count }
  })
}

import type { Acceptance } from './acceptance.ts'
import styles from './chart.module.css'

const width = 260

/** A rate between 0 and 100% with its interval and bounds, for a cell of a table whose other cells have the figures. */
export function RateRange({ rate, rate_low, rate_high, interval_low, interval_high }: Acceptance) {
  if (rate_low === null || rate_high === null) return null
  return (
    <svg
      className={styles['range']}
      viewBox={`0 0 ${width} 22`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <line className={styles['track']} x1={0} x2={width} y1={11} y2={11} />
      <line className={styles['track']} x1={width / 2} x2={width / 2} y1={5} y2={17} />
      <line className={styles['bounds-line']} x1={rate_low * width} x2={rate_high * width} y1={11} y2={11} />
      {interval_low === null || interval_high === null ? null : (
        <line
          className={styles['interval-line']}
          x1={interval_low * width}
          x2={interval_high * width}
          y1={11}
          y2={11}
        />
      )}
      {rate === null ? null : (
        <ellipse className={styles['dot']} cx={rate * width} cy={11} rx={4.5} ry={4.5} />
      )}
    </svg>
  )
}

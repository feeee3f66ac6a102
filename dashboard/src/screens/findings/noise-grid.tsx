import { Link, useLocation, useSearchParams } from 'react-router'
import { type Acceptance, SMALL_SAMPLE, sumAcceptance } from '../../charts/acceptance.ts'
import { categories, severities } from '../../texts.ts'
import { formatCount, formatCounted, formatShare } from '../../ui/format.ts'
import styles from './findings.module.css'
import { type Combination, isNoise } from './noise.ts'
import { ROWS_ID } from './rows-id.ts'

interface NoiseGridProps {
  readonly combinations: readonly Combination[]
  readonly total: Acceptance
}

const DARKEST_PERCENT = 70

/** Rates and counts by category and severity. The darker a cell, the more of its findings nobody acted on. */
export function NoiseGrid({ combinations, total }: NoiseGridProps) {
  const columns = severities.filter((severity) => combinations.some((one) => one.severity === severity))
  const rows = Object.keys(categories).filter((category) =>
    combinations.some((one) => one.category === category),
  )
  const most = Math.max(1, ...combinations.map(({ not_accepted }) => not_accepted))
  const sumOf = (key: 'severity' | 'category', value: string) =>
    sumAcceptance(combinations.filter((one) => one[key] === value))
  return (
    <>
      {/* A table that is wider than the page scrolls, so it can have the focus. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles['scroll']} role="region" aria-label="Grid of findings" tabIndex={0}>
        <table className={styles['grid']}>
          <caption className="visually-hidden">Findings and acceptance by category and severity</caption>
          <thead>
            <tr>
              <th scope="col">Category</th>
              {columns.map((severity) => (
                <th key={severity} scope="col">
                  {severity}
                </th>
              ))}
              <th scope="col">all</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((category) => (
              <tr key={category}>
                <th scope="row">{categories[category]}</th>
                {columns.map((severity) => {
                  const cell = combinations.find(
                    (one) => one.severity === severity && one.category === category,
                  )
                  if (cell === undefined) return <td key={severity} />
                  const shade = Math.round((DARKEST_PERCENT * cell.not_accepted) / most)
                  return (
                    <td
                      key={severity}
                      style={{ background: `color-mix(in srgb, var(--data-2) ${shade}%, transparent)` }}
                    >
                      <GridLink severity={severity} category={category} rate={cell} total={total} />
                    </td>
                  )
                })}
                <td>
                  <GridLink category={category} rate={sumOf('category', category)} />
                </td>
              </tr>
            ))}
            <tr>
              <th scope="row">all</th>
              {columns.map((severity) => (
                <td key={severity}>
                  <GridLink severity={severity} rate={sumOf('severity', severity)} />
                </td>
              ))}
              <td>
                <GridLink rate={total} />
              </td>
            </tr>
          </tbody>
        </table>
      </div>
      <ul className={styles['legend']}>
        <li>
          <i className={styles['shade-key']} /> darker: more findings that were not acted on
        </li>
        <li>
          <b className={styles['mark']}>▼</b> stands out: acted on less often than all findings
        </li>
        <li>
          <span className={styles['small-key']}>grey</span> fewer than {SMALL_SAMPLE} findings, too few to
          tell
        </li>
      </ul>
    </>
  )
}

interface GridLinkProps {
  readonly severity?: string
  readonly category?: string
  readonly rate: Acceptance
  /** What to compare with; nothing for the sums at the edges. */
  readonly total?: Acceptance
}

function GridLink({ severity, category, rate, total }: GridLinkProps) {
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  const next = new URLSearchParams(search)
  setOrDelete(next, 'severity', severity)
  setOrDelete(next, 'category', category)
  const marked = total !== undefined && isNoise(rate, total)
  return (
    <Link
      className={styles['cell']}
      data-small={rate.posted < SMALL_SAMPLE || undefined}
      to={{ pathname, search: next.toString() }}
      preventScrollReset
      onClick={() => document.getElementById(ROWS_ID)?.focus()}
    >
      <span className={styles['share']}>
        {marked ? <b className={styles['mark']}>▼</b> : null}
        {formatShare(rate.rate)}
      </span>
      <span className={styles['posted']}>{formatCount(rate.posted)}</span>
      <span className="visually-hidden">
        {` ${formatCounted(rate.posted, 'finding')}${marked ? ', stands out' : ''}`}
      </span>
    </Link>
  )
}

function setOrDelete(search: URLSearchParams, name: string, value: string | undefined): void {
  if (value === undefined) search.delete(name)
  else search.set(name, value)
}

import { Button } from './button.tsx'
import { formatCounted } from './format.ts'
import styles from './show-more.module.css'

interface ShowMoreProps {
  readonly shown: number
  /** What is shown: `finding`. */
  readonly one: string
  readonly many?: string
  /** Length of the whole list, if it is known. */
  readonly total?: number | undefined
  readonly loadMore: (() => void) | null
  /** More is being read. */
  readonly busy: boolean
}

/** Says how much of a list is shown, and reads more of it. */
export function ShowMore({ shown, one, many, total, loadMore, busy }: ShowMoreProps) {
  const of = loadMore !== null && total !== undefined ? ` of ${formatCounted(total, one, many)}` : ''
  return (
    <div className={styles['more']}>
      <span role="status">
        {of === '' ? `${formatCounted(shown, one, many)} shown` : `${shown.toLocaleString('en')}${of} shown`}
        {busy ? '. Loading more…' : loadMore === null ? '; that is all.' : '.'}
      </span>
      {loadMore === null ? null : <Button onClick={loadMore}>Show more</Button>}
    </div>
  )
}

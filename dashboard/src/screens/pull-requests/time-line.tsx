import type { Get } from '@scholiast/sdk'
import { formatTime } from '../../ui/format.ts'
import { Table } from '../../ui/table.tsx'
import styles from './pull-requests.module.css'
import { formatSinceReady } from './times.ts'

type Review = Get<'/v1/metrics/reviews'>['data'][number]

const width = 760
const inset = 6

/** What happened when: to scale, and as a table. */
export function TimeLine({ review }: { readonly review: Review }) {
  const steps = [
    { name: 'Created', time: review.created_at },
    { name: 'Ready for review', time: review.ready_for_review_at },
    { name: 'First review by a person', time: review.first_human_review_at },
    { name: 'Last commit', time: review.last_commit_at },
    review.status === 'merged'
      ? { name: 'Merged', time: review.merged_at }
      : { name: 'Closed', time: review.closed_at },
  ]
  const known = steps
    .filter((step): step is typeof step & { time: string } => step.time !== null)
    .sort((a, b) => a.time.localeCompare(b.time))
  const unknown = steps.filter(({ time }) => time === null)
  return (
    <>
      <Scale times={known.map(({ time }) => Date.parse(time))} />
      <Table
        caption="Time line"
        items={[...known, ...unknown]}
        keyOf={({ name }) => name}
        columns={[
          { head: 'Event', wide: true, cell: ({ name }) => name },
          {
            head: 'Time',
            number: true,
            cell: ({ time }) => (time === null ? 'not reported' : formatTime(time)),
          },
          { head: 'Since ready', number: true, cell: ({ time }) => formatSinceReady(review, time) },
        ]}
      />
    </>
  )
}

function Scale({ times }: { readonly times: readonly number[] }) {
  const [first, last] = [Math.min(...times), Math.max(...times)]
  if (times.length < 2 || first === last) return null
  const at = (time: number) => inset + ((time - first) / (last - first)) * (width - 2 * inset)
  return (
    <svg className={styles['line']} viewBox={`0 0 ${width} 34`} preserveAspectRatio="none" aria-hidden="true">
      <line className={styles['axis']} x1={inset} x2={width - inset} y1={17} y2={17} />
      {times.map((time) => (
        <circle key={time} className={styles['event']} cx={at(time)} cy={17} r={6} />
      ))}
    </svg>
  )
}

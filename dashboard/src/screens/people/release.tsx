import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useOrganization } from '../../frame/use-organization.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { formatCount, formatCounted } from '../../ui/format.ts'
import { Load } from '../../ui/load.tsx'
import { Failure } from '../../ui/problem.tsx'
import { Table } from '../../ui/table.tsx'
import type { Outcome } from './batch.tsx'
import { describeActivity } from './describe.ts'
import styles from './people.module.css'
import { type Person, readSeatHolders } from './people-query.ts'
import { useSeatChange } from './use-seats.ts'

const DAY_MS = 86_400_000
const MAX_HOLDERS = 3000
const dayChoices = [30, 60, 90, 180]

interface ReleaseProps {
  readonly people: readonly Person[]
  readonly onDone: (outcome: Outcome) => void
}

/** The people who lose their seat, before they do. Each can be left out. */
export function ReleaseList({ people, onDone }: ReleaseProps) {
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set())
  const seats = useSeatChange()
  const listed = people.filter(({ seat, requestedAt }) => seat || typeof requestedAt === 'string')
  const chosen = listed.filter(({ id }) => !leftOut.has(id))
  const toggle = (id: string, checked: boolean) =>
    setLeftOut((before) => new Set(checked ? [...before].filter((one) => one !== id) : [...before, id]))
  if (listed.length === 0) return <p>None of them has a seat or waits for one. Nothing to release.</p>
  return (
    <>
      <p>
        These people lose their seats, and pending requests are declined. You can assign seats again while
        some are free.
      </p>
      <Table
        caption="Seats to release"
        items={listed}
        keyOf={({ id }) => id}
        columns={[
          {
            head: 'Name',
            cell: ({ id, name }) => (
              <label className={styles['name']}>
                <input
                  type="checkbox"
                  className={styles['check']}
                  checked={!leftOut.has(id)}
                  onChange={(event) => toggle(id, event.target.checked)}
                />
                {name}
              </label>
            ),
          },
          {
            head: 'Last active',
            cell: ({ lastActiveAt }) =>
              lastActiveAt === undefined ? 'not known here' : describeActivity(lastActiveAt),
          },
          { head: 'Now', cell: ({ seat }) => (seat ? 'has a seat' : 'waiting for a seat') },
        ]}
      />
      {seats.error === null ? null : <Failure error={seats.error} title="No seat was released." />}
      <DialogActions>
        <Button
          kind="danger"
          busy={seats.isPending}
          access={chosen.length > 0 ? undefined : { allowed: false, reason: 'Choose somebody first.' }}
          onClick={() => seats.mutate({ action: 'unassign', people: chosen }, { onSuccess: onDone })}
        >
          {`Release ${formatCounted(chosen.length, 'seat')}`}
        </Button>
      </DialogActions>
    </>
  )
}

/** Seats of people who were not active for some time. */
export function IdleSeats({ onDone }: { readonly onDone: (outcome: Outcome) => void }) {
  const organization = useOrganization()
  const [days, setDays] = useState(30)
  const holders = useQuery({
    queryKey: [organization, 'seat-holders'],
    queryFn: ({ signal }) => readSeatHolders(organization, MAX_HOLDERS, signal),
    staleTime: 0,
  })
  return (
    <>
      <p className={styles['choice']}>
        <label>
          Not active for
          <select value={days} onChange={({ target }) => setDays(Number(target.value))}>
            {dayChoices.map((choice) => (
              <option key={choice} value={choice}>
                {choice} days, or never seen
              </option>
            ))}
          </select>
        </label>
      </p>
      <p>
        From other organizations, only sign-ins and key use count as activity. While metrics are turned off,
        pull requests do not count. Somebody who joined this week may not have been seen yet, so check the
        list.
      </p>
      <Load query={holders} what="people with a seat">
        {({ people, isComplete }) => {
          const idle = people.filter(({ lastActiveAt }) => isIdle(lastActiveAt, days))
          return (
            <>
              {isComplete ? null : (
                <p>
                  <b>Only the first {formatCount(people.length)} people with a seat were examined.</b> Repeat
                  this afterwards, or use <code>scholiast seats reclaim</code>.
                </p>
              )}
              {idle.length === 0 ? (
                <p>
                  No seat is idle. {formatCounted(people.length, 'person', 'people')} of this organization
                  with a seat were examined.
                </p>
              ) : (
                <ReleaseList key={days} people={idle} onDone={onDone} />
              )}
            </>
          )
        }}
      </Load>
    </>
  )
}

function isIdle(lastActiveAt: string | null | undefined, days: number): boolean {
  if (lastActiveAt === undefined) return false
  return lastActiveAt === null || Date.parse(lastActiveAt) < Date.now() - days * DAY_MS
}

import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useAccess } from '../../api/access.ts'
import { useOrganization } from '../../frame/use-organization.ts'
import { Button } from '../../ui/button.tsx'
import { useSearchUpdate } from '../../ui/filters.tsx'
import { formatCount, formatCounted, formatDaysFromNow, formatTime } from '../../ui/format.ts'
import { Note, Section } from '../../ui/page.tsx'
import { Failure } from '../../ui/problem.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { type Outcome, OutcomeReport } from './batch.tsx'
import { describeRole } from './describe.ts'
import { Memberships } from './memberships.tsx'
import styles from './people.module.css'
import { type Person, readPeopleFilters } from './people-query.ts'
import { useRoleAccess } from './role-change.tsx'
import type { PeopleTask } from './task.ts'
import { useSeatChange } from './use-seats.ts'

interface PeopleTableProps {
  readonly people: readonly Person[]
  readonly outcome: Outcome | null
  readonly onOutcome: (outcome: Outcome | null) => void
  readonly onTask: (task: PeopleTask) => void
  readonly more: { readonly busy: boolean; readonly load: () => void } | null
}

export function PeopleTable({ people, outcome, onOutcome, onTask, more }: PeopleTableProps) {
  const isWorkspace = useOrganization() === 'all'
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const seats = useSeatChange()
  const shown = sortPeople(people.filter((person) => matches(person, text)))
  // People who left the list are no longer chosen.
  const selected = shown.filter(({ id }) => chosen.has(id))
  const assign = (action: 'assign' | 'unassign', some: readonly Person[]) => {
    onOutcome(null)
    seats.mutate({ action, people: some }, { onSuccess: onOutcome })
  }
  const choose = (ids: readonly string[], checked: boolean) =>
    setChosen((before) => {
      const next = new Set(before)
      for (const id of ids)
        if (checked) next.add(id)
        else next.delete(id)
      return next
    })
  return (
    <Section
      title="People"
      wide
      tools={<span className={styles['faint']}>{formatCounted(shown.length, 'person', 'people')} shown</span>}
      notes={
        isWorkspace ? (
          <Note>
            <b>The whole workspace.</b> Each person is listed once with all accounts. Roles, requests and
            activity belong to an organization: choose one at the top left.
          </Note>
        ) : (
          <Note>
            <b>Last active</b> is a person’s latest sign-in, use of one of their keys, or merge or close of
            one of their pull requests in this organization. Pull requests in other organizations do not
            count; while metrics are turned off, none do.
          </Note>
        )
      }
    >
      <Filters text={text} onText={setText} />
      <BulkActions
        shown={shown}
        selected={selected}
        busy={seats.isPending}
        onChoose={choose}
        onAssign={() => assign('assign', selected)}
        onTask={onTask}
      />
      {seats.error === null ? null : <Failure error={seats.error} title="The seats were not changed." />}
      {outcome === null ? null : <OutcomeReport outcome={outcome} onDismiss={() => onOutcome(null)} />}
      {shown.length === 0 ? (
        <p className={styles['faint']}>Nobody matches. Change the filters or the search above.</p>
      ) : (
        <div className={styles['people']}>
          <Table
            caption="People"
            items={shown}
            keyOf={({ id }) => id}
            columns={[
              {
                head: 'Name',
                cell: (person) => (
                  <span className={styles['name']}>
                    <input
                      type="checkbox"
                      className={styles['check']}
                      aria-label={`Select ${person.name}`}
                      checked={chosen.has(person.id)}
                      onChange={(event) => choose([person.id], event.target.checked)}
                    />
                    <Button kind="link" onClick={() => onTask({ kind: 'person', person })}>
                      {person.name}
                    </Button>
                    {person.active ? null : <span className={styles['faint']}>deactivated</span>}
                  </span>
                ),
              },
              ...(isWorkspace ? workspaceColumns : organizationColumns),
              {
                head: 'Seat',
                cell: (person) => <SeatCell person={person} busy={seats.isPending} onChange={assign} />,
              },
            ]}
          />
        </div>
      )}
      {more === null ? null : (
        <p className={styles['more']}>
          <Button busy={more.busy} onClick={more.load}>
            {more.busy ? 'Loading…' : 'Show more people'}
          </Button>
          <span className={styles['faint']}>
            The search covers the {formatCount(people.length)} people loaded so far.
          </span>
        </p>
      )}
    </Section>
  )
}

const organizationColumns: readonly Column<Person>[] = [
  { head: 'Username', cell: ({ username }) => username ?? '–' },
  { head: 'Role', cell: ({ role, roleName }) => describeRole(role, roleName) },
  {
    head: 'Last active',
    cell: ({ lastActiveAt }) =>
      typeof lastActiveAt === 'string' ? (
        <span title={formatTime(lastActiveAt)}>{formatDaysFromNow(lastActiveAt)}</span>
      ) : (
        'never seen'
      ),
  },
  {
    head: 'Seat requested',
    cell: ({ requestedAt }) =>
      typeof requestedAt === 'string' ? (
        <span className={styles['waiting']}>{formatDaysFromNow(requestedAt)}</span>
      ) : (
        '–'
      ),
  },
]

const workspaceColumns: readonly Column<Person>[] = [
  { head: 'E-mail', cell: ({ email }) => email ?? '–' },
  { head: 'Organizations', wide: true, cell: ({ accounts }) => <Memberships accounts={accounts} /> },
]

interface SeatCellProps {
  readonly person: Person
  readonly busy: boolean
  readonly onChange: (action: 'assign' | 'unassign', people: readonly Person[]) => void
}

function SeatCell({ person, busy, onChange }: SeatCellProps): ReactNode {
  const access = useAccess('POST', '/v1/users/seats')
  const { seat, name } = person
  return (
    <span className={styles['name']}>
      {seat ? 'yes' : 'no'}
      <Button
        kind="link"
        busy={busy}
        access={access}
        label={seat ? `Release the seat of ${name}` : `Assign a seat to ${name}`}
        onClick={() => onChange(seat ? 'unassign' : 'assign', [person])}
      >
        {seat ? 'Release' : 'Assign'}
      </Button>
    </span>
  )
}

function Filters({ text, onText }: { readonly text: string; readonly onText: (text: string) => void }) {
  const [search] = useSearchParams()
  const update = useSearchUpdate()
  const { seat_filter, role_filter } = readPeopleFilters(search)
  return (
    <div className={styles['filters']}>
      <label>
        Search <input type="search" value={text} onChange={(event) => onText(event.target.value)} />
      </label>
      <label>
        Seats{' '}
        <select
          value={seat_filter}
          onChange={({ target }) => update({ seat_filter: target.value === 'all' ? null : target.value })}
        >
          <option value="all">with and without</option>
          <option value="assigned">with a seat</option>
          <option value="unassigned">without a seat</option>
        </select>
      </label>
      <label>
        Role{' '}
        <select
          value={role_filter}
          onChange={({ target }) => update({ role_filter: target.value === 'all' ? null : target.value })}
        >
          <option value="all">all</option>
          <option value="admin">admins</option>
          <option value="member">others</option>
        </select>
      </label>
    </div>
  )
}

interface BulkActionsProps {
  readonly shown: readonly Person[]
  readonly selected: readonly Person[]
  readonly busy: boolean
  readonly onChoose: (ids: readonly string[], checked: boolean) => void
  readonly onAssign: () => void
  readonly onTask: (task: PeopleTask) => void
}

function BulkActions({ shown, selected, busy, onChoose, onAssign, onTask }: BulkActionsProps) {
  const seatAccess = useAccess('POST', '/v1/users/seats')
  const roleAccess = useRoleAccess()
  const isAll = shown.length > 0 && selected.length === shown.length
  return (
    <div className={styles['bulk']} role="group" aria-label="Selected people">
      <input
        type="checkbox"
        className={styles['check']}
        aria-label="Select everybody shown"
        checked={isAll}
        onChange={(event) =>
          onChoose(
            shown.map(({ id }) => id),
            event.target.checked,
          )
        }
      />
      {selected.length === 0 ? (
        <span className={styles['pick']}>Select people to change several at once, or open one by name.</span>
      ) : (
        <>
          {formatCount(selected.length)} selected
          <Button access={seatAccess} busy={busy} onClick={onAssign}>
            Assign seats
          </Button>
          <Button
            access={seatAccess}
            busy={busy}
            onClick={() => onTask({ kind: 'release', people: selected })}
          >
            Release seats…
          </Button>
          <Button access={roleAccess} onClick={() => onTask({ kind: 'role', people: selected })}>
            Change role…
          </Button>
        </>
      )}
    </div>
  )
}

/** Those who wait for a decision come first. */
function sortPeople(people: readonly Person[]): readonly Person[] {
  const rank = ({ requestedAt }: Person) => (typeof requestedAt === 'string' ? 0 : 1)
  return people.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
}

function matches({ name, username, email, accounts }: Person, text: string): boolean {
  const wanted = text.trim().toLowerCase()
  return [name, username ?? '', email ?? '', ...accounts.map((one) => one.username ?? '')].some((part) =>
    part.toLowerCase().includes(wanted),
  )
}

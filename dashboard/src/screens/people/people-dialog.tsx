import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { useAccess } from '../../api/access.ts'
import { useOrganization } from '../../frame/use-organization.ts'
import { screenPath } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { formatCounted, formatTime } from '../../ui/format.ts'
import { Failure } from '../../ui/problem.tsx'
import type { Outcome } from './batch.tsx'
import { describeRole } from './describe.ts'
import { Memberships } from './memberships.tsx'
import { Offboarding } from './offboarding.tsx'
import styles from './people.module.css'
import type { Person } from './people-query.ts'
import { IdleSeats, ReleaseList } from './release.tsx'
import { describePeople, RoleForm, useRoleAccess } from './role-change.tsx'
import { ModeForm } from './seat-rules.tsx'
import type { PeopleTask } from './task.ts'
import { useEndSessions } from './use-end-sessions.ts'
import { useSeatChange } from './use-seats.ts'

interface PeopleDialogProps {
  readonly task: PeopleTask | null
  readonly onTask: (task: PeopleTask | null) => void
  readonly onDone: (outcome: Outcome) => void
}

/** One dialog for all of them, so that the focus returns to the row after a second step too. */
export function PeopleDialog({ task, onTask, onDone }: PeopleDialogProps) {
  return (
    <Dialog
      title={task === null ? '' : titleOf(task)}
      open={task !== null}
      onClose={() => onTask(null)}
      wide={task?.kind === 'offboard'}
      guarded={task?.kind === 'offboard'}
    >
      {task === null ? null : (
        <Body key={task.kind}>
          <Content task={task} onTask={onTask} onDone={onDone} />
        </Body>
      )}
    </Dialog>
  )
}

function titleOf(task: PeopleTask): string {
  switch (task.kind) {
    case 'person':
      return task.person.name
    case 'offboard':
      return `Offboard ${task.person.name}`
    case 'role':
      return `Change the role of ${describePeople(task.people)}`
    case 'release':
      return `Release seats of ${describePeople(task.people)}`
    case 'idle':
      return 'Release seats of people who are not active'
    case 'mode':
      return `Assign seats ${task.mode === 'automatic' ? 'automatically' : 'by hand'}`
  }
}

function Content({ task, onTask, onDone }: PeopleDialogProps): ReactNode {
  switch (task?.kind) {
    case undefined:
      return null
    case 'person':
      return <PersonDetails person={task.person} onTask={onTask} onDone={onDone} />
    case 'offboard':
      return <Offboarding person={task.person} onClose={() => onTask(null)} />
    case 'role':
      return <RoleForm people={task.people} onDone={onDone} />
    case 'release':
      return <ReleaseList people={task.people} onDone={onDone} />
    case 'idle':
      return <IdleSeats onDone={onDone} />
    case 'mode':
      return <ModeForm mode={task.mode} onClose={() => onTask(null)} />
  }
}

/** The button that led to a next step is gone then, so the step takes the focus. */
function Body({ children }: { readonly children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => element.current?.focus(), [])
  return (
    <div ref={element} className={styles['body']} tabIndex={-1}>
      {children}
    </div>
  )
}

interface PersonDetailsProps {
  readonly person: Person
  readonly onTask: (task: PeopleTask) => void
  readonly onDone: (outcome: Outcome) => void
}

function PersonDetails({ person, onTask, onDone }: PersonDetailsProps) {
  const organization = useOrganization()
  const seats = useSeatChange()
  const seatAccess = useAccess('POST', '/v1/users/seats')
  const offboardingAccess = useAccess('POST', '/v1/users/offboarding')
  const roleAccess = useRoleAccess()
  const sessions = useEndSessions()
  const sessionsAccess = useAccess('DELETE', '/v1/users/{cr_user_id}/sessions')
  const { id, name, email, username, active, seat, role, roleName, accounts, lastActiveAt, requestedAt } =
    person
  const action = seat ? 'unassign' : 'assign'
  return (
    <>
      <dl className={styles['facts']}>
        <Fact label="E-mail" value={email} />
        <Fact
          label={organization === 'all' ? 'Person ID' : 'Account'}
          value={username === null ? id : `${username} (${id})`}
        />
        {accounts.length > 0 ? (
          <>
            <dt>Organizations</dt>
            <dd>
              <Memberships accounts={accounts} />
            </dd>
          </>
        ) : null}
        <Fact label="State" value={active ? 'active' : 'deactivated: keys are refused'} />
        {organization === 'all' ? null : <Fact label="Role" value={describeRole(role, roleName)} />}
        <Fact label="Seat" value={seat ? 'yes' : 'no'} />
        {typeof requestedAt === 'string' ? (
          <Fact label="Seat requested" value={formatTime(requestedAt)} />
        ) : null}
        {lastActiveAt === undefined ? null : (
          <Fact label="Last active" value={lastActiveAt === null ? 'never seen' : formatTime(lastActiveAt)} />
        )}
      </dl>
      <p>
        <Link to={screenPath(organization, 'audit', `?${new URLSearchParams({ search: name })}`)}>
          What {name} did, in the audit log
        </Link>
      </p>
      {sessions.error === null ? null : <Failure error={sessions.error} title="No session was ended." />}
      {sessions.data === undefined ? null : (
        <p role="status">{formatCounted(sessions.data.ended, 'session')} ended.</p>
      )}
      {seats.error === null ? null : <Failure error={seats.error} title="The seat was not changed." />}
      <DialogActions>
        <Button
          access={seatAccess}
          busy={seats.isPending}
          onClick={() => seats.mutate({ action, people: [person] }, { onSuccess: onDone })}
        >
          {seat ? 'Release seat' : 'Assign seat'}
        </Button>
        <Button access={roleAccess} onClick={() => onTask({ kind: 'role', people: [person] })}>
          Change role…
        </Button>
        <Button access={sessionsAccess} busy={sessions.isPending} onClick={() => sessions.mutate(person)}>
          End sessions
        </Button>
        <Button kind="danger" access={offboardingAccess} onClick={() => onTask({ kind: 'offboard', person })}>
          Offboard…
        </Button>
      </DialogActions>
    </>
  )
}

function Fact({ label, value }: { readonly label: string; readonly value: string | null }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{value ?? '–'}</dd>
    </>
  )
}

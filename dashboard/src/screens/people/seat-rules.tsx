import { useAccess } from '../../api/access.ts'
import { client } from '../../api/client.ts'
import { useWrite } from '../../api/write.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { Note, Section } from '../../ui/page.tsx'
import { Failure } from '../../ui/problem.tsx'
import styles from './people.module.css'
import type { PeopleTask } from './task.ts'

type Mode = 'automatic' | 'manual'

interface SeatRulesProps {
  /** Null for the whole workspace. */
  readonly mode: Mode | null
  readonly onTask: (task: PeopleTask) => void
}

const explanations: Readonly<Record<Mode, string>> = {
  manual:
    'Seats are assigned by hand. A developer who mentions the reviewer waits until an admin assigns a seat.',
  automatic:
    'Seats are assigned automatically. A developer who mentions the reviewer gets a seat while seats are free, otherwise the request waits for an admin.',
}

/** How people get a seat, and how seats become free. */
export function SeatRules({ mode, onTask }: SeatRulesProps) {
  const modeAccess = useAccess('POST', '/v1/users/seats/assignment')
  const seatAccess = useAccess('POST', '/v1/users/seats')
  if (mode === null) return null
  const next = mode === 'manual' ? 'automatic' : 'manual'
  return (
    <Section
      title="How seats are assigned and released"
      notes={
        modeAccess.allowed ? null : (
          <Note>
            <b>The mode cannot be changed here.</b> {modeAccess.reason}
          </Note>
        )
      }
    >
      <p>{explanations[mode]}</p>
      <div className={styles['bulk']}>
        <Button access={modeAccess} onClick={() => onTask({ kind: 'mode', mode: next })}>
          {`Change to ${next}…`}
        </Button>
        <Button access={seatAccess} onClick={() => onTask({ kind: 'idle' })}>
          Release seats of people who are not active…
        </Button>
      </div>
    </Section>
  )
}

export function ModeForm({ mode, onClose }: { readonly mode: Mode; readonly onClose: () => void }) {
  const change = useWrite<Mode, unknown>((next, headers) =>
    client.post('/v1/users/seats/assignment', { headers, body: { mode: next } }),
  )
  return (
    <>
      <p>Afterwards: {explanations[mode]}</p>
      <p>
        Nobody gains or loses a seat now, and pending requests stay. The change is recorded in the audit log,
        and you can change it back.
      </p>
      {change.error === null ? null : <Failure error={change.error} title="The mode was not changed." />}
      <DialogActions>
        <Button
          kind="main"
          busy={change.isPending}
          onClick={() => change.mutate(mode, { onSuccess: onClose })}
        >
          {`Change to ${mode}`}
        </Button>
      </DialogActions>
    </>
  )
}

import { ScholiastError } from '@scholiast/sdk'
import { Button } from '../../ui/button.tsx'
import { formatCounted } from '../../ui/format.ts'
import { Table } from '../../ui/table.tsx'
import styles from './people.module.css'
import type { Person } from './people-query.ts'

interface Batch {
  readonly succeeded: readonly string[]
  readonly failed: readonly {
    readonly user_id: string
    readonly code: string
    readonly message: string
  }[]
}

/** What a change did for each person, as the API returned it. */
export interface Outcome extends Batch {
  /** What became of those who succeeded: `has a seat`. */
  readonly done: string
  readonly people: readonly Person[]
}

const MAX_BATCH = 500

/** Sends a list in requests of the size that the API accepts. If a later one fails, what the earlier ones did is reported too. */
export async function sendBatches(
  ids: readonly string[],
  send: (batch: string[]) => Promise<Batch>,
): Promise<Batch> {
  const results = [await send(ids.slice(0, MAX_BATCH))]
  for (let start = MAX_BATCH; start < ids.length; start += MAX_BATCH) {
    const batch = ids.slice(start, start + MAX_BATCH)
    results.push(await send(batch).catch((error: unknown) => toFailedBatch(batch, error)))
  }
  return {
    succeeded: results.flatMap(({ succeeded }) => succeeded),
    failed: results.flatMap(({ failed }) => failed),
  }
}

function toFailedBatch(ids: readonly string[], error: unknown): Batch {
  if (!(error instanceof ScholiastError)) throw error
  const { code, message } = error
  return { succeeded: [], failed: ids.map((user_id) => ({ user_id, code, message })) }
}

const nextSteps: Readonly<Record<string, string>> = {
  NO_SEATS_AVAILABLE: 'Release somebody else’s seat, or buy more seats.',
  USER_INACTIVE: 'The person is deactivated. The operator of the service can reactivate them.',
  USER_NOT_FOUND: 'The person is no longer a member. Reload the list.',
  PROTECTED_ROLE: 'Change the role of a billing admin where billing is managed.',
  LAST_ADMIN: 'Make somebody else an admin first.',
}

export function OutcomeReport({
  outcome,
  onDismiss,
}: {
  readonly outcome: Outcome
  readonly onDismiss: () => void
}) {
  const { succeeded, failed, done, people } = outcome
  const nameOf = (id: string) => people.find((person) => person.id === id)?.name ?? id
  return (
    <div
      className={styles['outcome']}
      role={failed.length > 0 ? 'alert' : 'status'}
      data-failed={failed.length > 0 || undefined}
    >
      <p>
        {succeeded.length === 0 ? 'Nothing was changed.' : renderSucceeded(succeeded.map(nameOf), done)}
        {failed.length > 0 ? (
          <b> {formatCounted(failed.length, 'person', 'people')} could not be changed:</b>
        ) : null}
      </p>
      {failed.length > 0 ? (
        <Table
          caption="People who could not be changed"
          items={failed}
          keyOf={({ user_id }) => user_id}
          columns={[
            { head: 'Name', cell: ({ user_id }) => nameOf(user_id) },
            { head: 'Code', cell: ({ code }) => <code>{code}</code> },
            {
              head: 'Why, and what to do',
              wide: true,
              cell: ({ code, message }) => `${message} ${nextSteps[code] ?? ''}`,
            },
          ]}
        />
      ) : null}
      <Button kind="link" onClick={onDismiss}>
        Dismiss
      </Button>
    </div>
  )
}

const MAX_NAMES = 5

function renderSucceeded(names: readonly string[], done: string): string {
  const first = names.slice(0, MAX_NAMES).join(', ')
  const rest = names.length - MAX_NAMES
  return `${first}${rest > 0 ? ` and ${formatCounted(rest, 'other')}` : ''}: ${done}.`
}

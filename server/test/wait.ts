// Waits for conditions. A test waits for time alone only where time is what it tests.
import { setTimeout as sleep } from 'node:timers/promises'

const MAX_WAIT_MS = 60_000
const FIRST_POLL_MS = 10
// A condition that asks the API must not use up its rate limit.
const MAX_POLL_MS = 200

export async function waitFor(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MS
  for (let pollMs = FIRST_POLL_MS; !(await condition()); pollMs = Math.min(2 * pollMs, MAX_POLL_MS)) {
    if (performance.now() > deadline) throw new Error(`Timed out: ${what}`)
    await sleep(pollMs)
  }
}

interface Client {
  query(text: string): Promise<{ rowCount: number | null }>
}

/** Waits until so many statements of the client's database wait for a lock. */
export async function waitForLocks(superuser: Client, count = 1): Promise<void> {
  await waitFor(`${count} statements wait for a lock`, async () => {
    // Inside a transaction PostgreSQL shows the activity of the moment it was first asked.
    await superuser.query('select pg_stat_clear_snapshot()')
    const { rowCount } = await superuser.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return (rowCount ?? 0) >= count
  })
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { TestDatabase } from '../../server/test/database.ts'
import type { StoreEvents } from '../../server/test/proofs/metrics-writer.ts'
import { createEventGenerator, toReviewTarget } from '../../server/test/pull-requests.ts'
import type { Tenant, TestOrganization } from '../../server/test/tenant.ts'
import type { Reader } from './readers.ts'

export const WRITERS = 16
const MAX_BATCH_SIZE = 40
const MAX_PAUSE_MS = 20
const SLOW_MS = 100

// At commit, after the positions were reserved, a marked row of each batch (its event is `undone-…` or `held-<ms>-…`)
// makes its transaction fail, or wait as for a slow disk.
export const createMarkTrigger = `
  create function obey_mark() returns trigger language plpgsql as $$
    begin
      if new.event_id like 'undone-%' then raise exception 'undone by the proof'; end if;
      perform pg_sleep(split_part(new.event_id, '-', 2)::float / 1000);
      return null;
    end $$;
  create constraint trigger obey_mark after insert on pull_request deferrable initially deferred for each row
    when (new.event_id ~ '^(?:undone|held)-') execute function obey_mark()`

export interface WriterLoad {
  readonly superuser: ReturnType<TestDatabase['superuser']>
  readonly store: (root: TestOrganization['root'], events: Parameters<StoreEvents>[2]) => Promise<unknown>
  readonly tenant: Tenant
  readonly rows: number
  /** Writers wait for these readers: a reader that lags sees only rows committed long ago, and misses none. */
  readonly readers: readonly Reader[]
}

export interface LoadTally {
  written: number
  batches: number
  rolledBack: number
  slow: number
}

/** Each writer stores batches. A batch that was rolled back is stored again, or half of the time abandoned. */
export async function writeRows({ superuser, store, tenant, rows, readers }: WriterLoad): Promise<LoadTally> {
  await superuser.query(createMarkTrigger)
  const tally: LoadTally = { written: 0, batches: 0, rolledBack: 0, slow: 0 }
  const generator = createEventGenerator({ findings: 2 })
  const roots = [tenant.workspace, tenant.instance]

  async function writeBatch(pollMs: number): Promise<void> {
    tally.batches += 1
    const fails = tally.batches % 10 === 3
    const isSlow = tally.batches % 20 === 7
    const { root, organizations } = pick(roots)
    const events = Array.from({ length: 1 + Math.floor(Math.random() * MAX_BATCH_SIZE) }, () =>
      generator.finalized(toReviewTarget(pick(organizations), 4)),
    )
    // The other transactions stay open for about one poll interval of the readers.
    const heldMs = isSlow ? SLOW_MS * (1 + 2 * Math.random()) : Math.min(pollMs, SLOW_MS) * Math.random()
    const id = `${fails ? 'undone' : `held-${heldMs.toFixed(0)}`}-${tally.batches}`
    const marked = events.map((event, index) => (index === 0 ? { ...event, id } : event))
    if (isSlow) tally.slow += 1
    if (fails) {
      tally.rolledBack += 1
      if (!(await isRolledBack(store(root, marked)))) throw new Error('A batch that must fail was stored.')
      if (tally.rolledBack % 2 === 0) return
      await store(root, events)
    } else await store(root, marked)
    tally.written += events.length
  }

  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      while (tally.written < rows) {
        const pollMs = await waitForReaders(readers)
        await sleep(Math.random() * MAX_PAUSE_MS)
        await writeBatch(pollMs)
      }
    }),
  )
  return tally
}

export async function isRolledBack(stored: Promise<unknown>): Promise<boolean> {
  try {
    await stored
    return false
  } catch (error) {
    if (error instanceof Error && error.message === 'undone by the proof') return true
    throw error
  }
}

/** Waits until each reader has reached the end once more; returns how long that took. */
async function waitForReaders(readers: readonly Reader[]): Promise<number> {
  const started = performance.now()
  const before = readers.map(({ caughtUpCount }) => caughtUpCount)
  while (readers.some(({ caughtUpCount }, index) => caughtUpCount === before[index])) await sleep(1)
  return performance.now() - started
}

function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item
}

import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase } from '../../server/test/database.ts'
import { startApi } from '../../server/test/process.ts'
import { loadStoreEvents } from '../../server/test/proofs/metrics-writer.ts'
import { createTestWriter, storeEvents } from '../../server/test/pull-requests.ts'
import { createTenant } from '../../server/test/tenant.ts'
import { copyWithout } from '../tools/copy.ts'
import type { Measurement } from '../tools/report.ts'
import { checkFollower, createFollowers, type FollowerResult } from './followers.ts'
import type { Reader } from './readers.ts'
import { prepareSequence, withoutLock } from './without-lock.ts'
import { type LoadTally, WRITERS, type WriterLoad, writeRows } from './writers.ts'

const PAUSE_MS = 5

/** Readers of every kind follow the metrics under many writers, some of which fail or are slow. */
export async function proveUnderWriters(rows: number, withLock: boolean): Promise<Measurement[]> {
  const { tally, stored, sights: results } = await readUnderWriters(rows, withLock)
  const share = (part: number) => `${((100 * part) / tally.batches).toFixed(0)} %`
  const title = `${tally.batches} batches of ${WRITERS} writers, ${share(tally.rolledBack)} rolled back, ${share(tally.slow)} slow: rows`
  return [
    { measure: title, goal: `≥ ${rows}`, result: stored, met: stored >= rows && stored === tally.written },
    ...results.map(({ reader, rows: expected, missed, twice, misplaced }) => ({
      measure: `${reader}, ${expected} rows: missed, repeated, out of order`,
      goal: '0, 0, 0',
      result: `${missed}, ${twice}, ${misplaced}`,
      met: expected > rows / 100 && missed === 0 && twice === 0 && misplaced === 0,
    })),
  ]
}

/** The share of rows that a reader misses if positions come from a sequence. */
export async function showMissedWithoutLock(rows: number): Promise<Measurement> {
  const { sights: results } = await readUnderWriters(rows, false)
  const sum = (of: (result: FollowerResult) => number) =>
    results.reduce((total, result) => total + of(result), 0)
  const share = sum(({ missed }) => missed) / sum(({ rows: expected }) => expected)
  const most = Math.max(...results.map(({ missed, rows: expected }) => missed / expected))
  const percent = (part: number) => `${(100 * part).toFixed(1)} %`
  return {
    measure: `without the lock (positions from a sequence): missed by one reader (by all: ${percent(share)})`,
    goal: '≥ 5 %',
    result: percent(most),
    met: most >= 0.05,
  }
}

async function readUnderWriters(
  rows: number,
  withLock: boolean,
): Promise<{ tally: LoadTally; stored: number; sights: FollowerResult[] }> {
  const database = await createDatabase()
  const superuser = database.superuser()
  const copy = withLock ? null : await copyWithout(withoutLock)
  const tenant = await createTenant(database, { organizations: 3 })
  const writer = createTestWriter(database, { connections: WRITERS })
  const api = await startApi(database, { LIMIT_METRICS: 'off' }, copy?.apiEntry)
  try {
    if (copy !== null) await prepareSequence(superuser, [tenant.workspace.root, tenant.instance.root])
    const storeBatch = copy === null ? storeEvents : await loadStoreEvents(copy.apiEntry)
    const followers = await createFollowers(tenant, { baseUrl: api.url })
    let writing = true
    const readers = followers.map(({ reader }) => reader)
    const store: WriterLoad['store'] = (root, events) => storeBatch(writer, root, events)
    const [tally] = await Promise.all([
      writeRows({ superuser, store, tenant, rows, readers }).finally(() => {
        writing = false
      }),
      ...readers.map((reader) => follow(reader, () => writing)),
    ])
    const results = await Promise.all(followers.map((follower) => checkFollower(superuser, follower)))
    const counted = await superuser.query<{ stored: number }>(
      'select count(*)::int as stored from pull_request',
    )
    return { tally, stored: counted.rows[0]?.stored ?? 0, sights: results }
  } finally {
    await api.stop()
    await Promise.all([writer.close(), tenant.close(), superuser.end()])
    await copy?.remove()
    await database.drop()
  }
}

async function follow(reader: Reader, shouldContinue: () => boolean): Promise<void> {
  while (shouldContinue()) if (!(await reader.poll())) await sleep(Math.random() * PAUSE_MS)
  await reader.finish()
}

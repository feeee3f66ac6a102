import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../../server/test/database.ts'
import { startApi } from '../../server/test/process.ts'
import {
  createEventGenerator,
  createTestWriter,
  storeEvents,
  toReviewTarget,
} from '../../server/test/pull-requests.ts'
import { createTenant, type Tenant } from '../../server/test/tenant.ts'
import { runAdmin } from '../tools/admin.ts'
import { get } from '../tools/client.ts'
import type { Measurement } from '../tools/report.ts'
import { checkFollower, createFollowers } from './followers.ts'
import { CursorBeyondRestoreError } from './readers.ts'

const enginesScript = fileURLToPath(new URL('../../scripts/engines', import.meta.url))
const BATCH_SIZE = 50
const MAX_DUMP_BYTES = 1024 ** 3

/** Cursors from before a dump continue after a restore elsewhere, including rows that are written there. */
export async function proveRestore(rows: number): Promise<Measurement[]> {
  const database = await createDatabase()
  const restored = await createEmptyDatabase()
  const tenant = await createTenant(database)
  const generator = createEventGenerator({ findings: 3 })
  const service = { url: '' }
  try {
    const call: typeof get = (path, key) => get(service.url + path, key)
    const followers = await createFollowers(tenant, { baseUrl: '', call })
    await withApi(database, service, async () => {
      await writeEvents(database, tenant, generator, rows)
      for (const { reader } of followers) await reader.poll()
    })
    const readBefore = followers.map(({ reader }) => reader.seen.length)
    restore(database, restored)
    await withApi(restored, service, async () => {
      for (const { reader } of followers) await reader.poll()
      await writeEvents(restored, tenant, generator, rows)
      for (const { reader } of followers) await reader.finish()
    })
    const superuser = restored.superuser()
    const results = await Promise.all(followers.map((follower) => checkFollower(superuser, follower)))
    await superuser.end()
    const sum = (of: (result: (typeof results)[number]) => number) =>
      results.reduce((total, result) => total + of(result), 0)
    const before = readBefore.reduce((total, count) => total + count, 0)
    const expected = sum(({ rows: seen }) => seen)
    const figures = [
      sum(({ missed }) => missed),
      sum(({ twice }) => twice),
      sum(({ misplaced }) => misplaced),
    ]
    return [
      {
        measure: `dump and restore, ${results.length} readers, ${before} of ${expected} rows read before: missed, repeated, out of order`,
        goal: '0, 0, 0',
        result: figures.join(', '),
        met: before > 0 && before < expected / 2 && figures.every((figure) => figure === 0),
      },
    ]
  } finally {
    await tenant.close()
    await Promise.all([database.drop(), restored.drop()])
  }
}

/**
 * Readers are beyond the point to which the database is restored. Each must be refused, and get the exact rest with the cursor
 * from the message.
 */
export async function proveRestorePoint(rows: number, withCure: boolean): Promise<Measurement[]> {
  const database = await createDatabase()
  const restored = await createEmptyDatabase()
  const tenant = await createTenant(database)
  const generator = createEventGenerator({ findings: 3 })
  const service = { url: '' }
  try {
    const call: typeof get = (path, key) => get(service.url + path, key)
    const followers = await createFollowers(tenant, { baseUrl: '', call })
    // The second time, a reader gets a cursor for all but the last entry of its last page.
    const pollAll = async () => {
      for (const { reader } of [...followers, ...followers]) while (await reader.poll()) continue
    }
    await withApi(database, service, async () => {
      await writeEvents(database, tenant, generator, rows)
      await pollAll()
      restore(database, restored)
      await writeEvents(database, tenant, generator, rows)
      await pollAll()
    })
    const superuser = restored.superuser()
    const { rows: kept } = await superuser.query<{ url: string }>('select url from pull_request')
    const keptUrls = new Set(kept.map(({ url }) => url))
    if (withCure) await declareRestorePoint(restored)
    let refused = 0
    await withApi(restored, service, async () => {
      await writeEvents(restored, tenant, generator, rows)
      for (const { reader } of followers) {
        await reader.finish().catch(async (error: unknown) => {
          if (!(error instanceof CursorBeyondRestoreError)) throw error
          refused += 1
          reader.restart(error.cursor, (url) => keptUrls.has(url))
          await reader.finish()
        })
      }
    })
    const results = await Promise.all(followers.map((follower) => checkFollower(superuser, follower)))
    await superuser.end()
    const missed = results.reduce((sum, result) => sum + result.missed, 0)
    const wrong = results.reduce((sum, { twice, misplaced }) => sum + twice + misplaced, 0)
    return [
      {
        measure: `restore to an earlier point, ${rows} rows lost, ${rows} new: readers beyond it that were refused`,
        goal: `${followers.length}`,
        result: refused,
        met: refused === followers.length,
      },
      {
        measure: '… missed; repeated, out of order or no longer stored',
        goal: '0; 0',
        result: `${missed}; ${wrong}`,
        met: missed === 0 && wrong === 0,
      },
    ]
  } finally {
    await tenant.close()
    await Promise.all([database.drop(), restored.drop()])
  }
}

function declareRestorePoint({ urls }: TestDatabase) {
  const options = ['--restored-to', new Date().toISOString(), '--without-restrictions']
  return runAdmin({ WORKER_DATABASE_URL: urls.worker }, 'restore-point', 'declare', ...options)
}

async function withApi(
  database: TestDatabase,
  service: { url: string },
  work: () => Promise<void>,
): Promise<void> {
  const api = await startApi(database, { LIMIT_METRICS: 'off' })
  service.url = api.url
  try {
    await work()
  } finally {
    await api.stop()
  }
}

async function writeEvents(
  database: TestDatabase,
  { workspace, instance }: Tenant,
  generator: ReturnType<typeof createEventGenerator>,
  rows: number,
): Promise<void> {
  const writer = createTestWriter(database)
  try {
    for (let written = 0; written < rows; written += BATCH_SIZE) {
      const { root, organizations } = written % (2 * BATCH_SIZE) === 0 ? workspace : instance
      const events = Array.from({ length: BATCH_SIZE }, (_, index) => {
        const organization = organizations[index % organizations.length] ?? organizations[0]
        return generator.finalized(toReviewTarget(organization, 4))
      })
      await storeEvents(writer, root, events)
    }
  } finally {
    await writer.close()
  }
}

/** Uses pg_dump and psql. */
function restore(from: TestDatabase, to: TestDatabase): void {
  const dump = execFileSync(enginesScript, ['run', 'pg_dump', from.name], { maxBuffer: MAX_DUMP_BYTES })
  execFileSync(enginesScript, ['run', 'psql', '--quiet', '--set=ON_ERROR_STOP=1', '--dbname', to.name], {
    input: dump,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
}

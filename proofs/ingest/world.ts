import { setTimeout as sleep } from 'node:timers/promises'
import { makeDatabaseOn, type TestDatabase } from '../../server/test/database.ts'
import { ingestSettings, makeCredential } from '../../server/test/ingest.ts'
import { startApi, startWorker } from '../../server/test/process.ts'
import { makeOwnEngines } from '../../server/test/proofs/own-engines.ts'
import { makeTenant, type TestRoot } from '../../server/test/tenant.ts'

export const victims = ['worker', 'api', 'nats', 'postgres'] as const
export type Victim = (typeof victims)[number]

/** A whole installation that belongs to the proof alone, so that any part of it can be killed. */
export interface World {
  readonly database: TestDatabase
  readonly root: TestRoot
  /** A workspace token. */
  readonly key: string
  readonly credential: string
  readonly kills: Record<Victim, number>
  /** Of the API as it runs now. */
  url(): string
  /** Since when PostgreSQL is away; null while it is there. */
  awaySince(): number | null
  /** kill -9, a while without it, and another one. */
  kill(victim: Victim): Promise<void>
  end(): Promise<void>
}

const DOWN_MS: Readonly<Record<Victim, number>> = { worker: 300, api: 100, nats: 500, postgres: 2_000 }

interface Way {
  end(): Promise<unknown>
  start(): Promise<unknown>
}

type Settings = Parameters<typeof startWorker>[1]

/** Entries may name a copy of the source with a cure taken out. */
interface Making {
  readonly worker?: string | undefined
  readonly api?: string | undefined
  readonly settings?: Readonly<Record<string, string>>
}

export async function makeWorld({ worker, api, settings = {} }: Making = {}): Promise<World> {
  const engines = await makeOwnEngines()
  const database = await makeDatabaseOn(engines.postgres.url)
  const tenant = await makeTenant(database)
  const { value: key } = await tenant.keyOf('workspace')
  await tenant.close()
  const all = {
    ...settings,
    ...ingestSettings({ prefix: 'proof' }),
    NATS_URL: engines.nats.url,
    LIMIT_METRICS: 'off',
    INGEST_MAX_BYTES: String(1024 ** 3),
  }
  const processes = await startProcesses(database, { worker, api }, all)
  let away: number | null = null
  const ways: Readonly<Record<Victim, Way>> = {
    ...processes.ways,
    nats: { end: () => engines.nats.kill(), start: () => engines.nats.start() },
    postgres: {
      async end() {
        await engines.postgres.kill()
        away = performance.now()
      },
      start() {
        away = null
        return engines.postgres.start()
      },
    },
  }
  const kills = { worker: 0, api: 0, nats: 0, postgres: 0 }
  return {
    database,
    root: tenant.workspace,
    key,
    credential: makeCredential(tenant.ring, tenant.workspace.root).value,
    kills,
    url: processes.url,
    awaySince: () => away,
    async kill(victim) {
      await ways[victim].end()
      kills[victim] += 1
      await sleep(DOWN_MS[victim] * (0.5 + Math.random()))
      await ways[victim].start()
    },
    async end() {
      await Promise.all([ways.api.end(), ways.worker.end()])
      await engines.remove()
    },
  }
}

async function startProcesses(database: TestDatabase, entries: Omit<Making, 'settings'>, settings: Settings) {
  let api = await startApi(database, settings, entries.api)
  let worker = await startWorker(database, settings, entries.worker)
  const ways: Readonly<Record<'api' | 'worker', Way>> = {
    api: {
      end: () => api.stop('SIGKILL'),
      async start() {
        api = await startApi(database, settings, entries.api)
      },
    },
    worker: {
      end: () => worker.stop('SIGKILL'),
      async start() {
        worker = await startWorker(database, settings, entries.worker)
      },
    },
  }
  return { url: () => api.url, ways }
}

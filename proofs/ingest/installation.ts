import { setTimeout as sleep } from 'node:timers/promises'
import { makeDatabaseOn, type TestDatabase } from '../../server/test/database.ts'
import { ingestSettings, makeCredential } from '../../server/test/ingest.ts'
import { startApi, startWorker } from '../../server/test/process.ts'
import { makeOwnEngines } from '../../server/test/proofs/own-engines.ts'
import { makeTenant, type TestRoot } from '../../server/test/tenant.ts'

export const victims = ['worker', 'api', 'nats', 'postgres'] as const
export type Victim = (typeof victims)[number]

/** A complete installation that only the proof uses, so that any part of it can be killed. */
export interface Installation {
  readonly database: TestDatabase
  readonly root: TestRoot
  /** A workspace token. */
  readonly key: string
  readonly credential: string
  readonly kills: Record<Victim, number>
  /** The URL of the current API process. */
  url(): string
  /** Since when PostgreSQL is unavailable; null while it runs. */
  postgresDownSince(): number | null
  /** Kills the process with -9 and starts another one after a while. */
  kill(victim: Victim): Promise<void>
  stop(): Promise<void>
}

const DOWN_MS: Readonly<Record<Victim, number>> = { worker: 300, api: 100, nats: 500, postgres: 2_000 }

interface ProcessControl {
  kill(): Promise<unknown>
  start(): Promise<unknown>
}

type Settings = Parameters<typeof startWorker>[1]

/** Entry points may be those of a copy of the source without a cure. */
interface InstallationOptions {
  readonly worker?: string | undefined
  readonly api?: string | undefined
  readonly settings?: Readonly<Record<string, string>>
}

export async function startInstallation({
  worker,
  api,
  settings = {},
}: InstallationOptions = {}): Promise<Installation> {
  const engines = await makeOwnEngines()
  const database = await makeDatabaseOn(engines.postgres.url)
  const tenant = await makeTenant(database)
  const { value: key } = await tenant.createKey('workspace')
  await tenant.close()
  const all = {
    ...settings,
    ...ingestSettings({ prefix: 'proof' }),
    NATS_URL: engines.nats.url,
    LIMIT_METRICS: 'off',
    INGEST_MAX_BYTES: String(1024 ** 3),
  }
  const processes = await startProcesses(database, { worker, api }, all)
  let downSince: number | null = null
  const controls: Readonly<Record<Victim, ProcessControl>> = {
    ...processes.controls,
    nats: { kill: () => engines.nats.kill(), start: () => engines.nats.start() },
    postgres: {
      async kill() {
        await engines.postgres.kill()
        downSince = performance.now()
      },
      start() {
        downSince = null
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
    postgresDownSince: () => downSince,
    async kill(victim) {
      await controls[victim].kill()
      kills[victim] += 1
      await sleep(DOWN_MS[victim] * (0.5 + Math.random()))
      await controls[victim].start()
    },
    async stop() {
      await Promise.all([controls.api.kill(), controls.worker.kill()])
      await engines.remove()
    },
  }
}

async function startProcesses(
  database: TestDatabase,
  entries: Omit<InstallationOptions, 'settings'>,
  settings: Settings,
) {
  let api = await startApi(database, settings, entries.api)
  let worker = await startWorker(database, settings, entries.worker)
  const controls: Readonly<Record<'api' | 'worker', ProcessControl>> = {
    api: {
      kill: () => api.stop('SIGKILL'),
      async start() {
        api = await startApi(database, settings, entries.api)
      },
    },
    worker: {
      kill: () => worker.stop('SIGKILL'),
      async start() {
        worker = await startWorker(database, settings, entries.worker)
      },
    },
  }
  return { url: () => api.url, controls }
}

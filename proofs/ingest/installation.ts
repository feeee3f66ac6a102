import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabaseOn, type TestDatabase } from '../../server/test/database.ts'
import { createCredential, ingestSettings } from '../../server/test/ingest.ts'
import { startApi, startWorker } from '../../server/test/process.ts'
import { createOwnEngines, type EngineFolder } from '../../server/test/proofs/own-engines.ts'
import { createTenant, type Tenant, type TestRoot } from '../../server/test/tenant.ts'

export const victims = ['worker', 'api', 'nats', 'postgres'] as const
export type Victim = (typeof victims)[number]

export interface Sender {
  readonly root: string
  readonly credential: string
}

/** A complete installation that only the proof uses, so that any part of it can be killed. */
export interface Installation {
  readonly database: TestDatabase
  readonly root: TestRoot
  /** A workspace token. */
  readonly key: string
  readonly credential: string
  /** Roots that harm others, if they can. */
  readonly hostile: { readonly flooding: Sender; readonly large: Sender }
  readonly natsUrl: string
  readonly busPrefix: string
  /** Of its engines. */
  readonly folder: EngineFolder
  readonly controls: Readonly<Record<Victim, ProcessControl>>
  readonly kills: Record<Victim, number>
  /** How often two were killed at once. */
  readonly pairs: { count: number }
  /** The URL of the current API process. */
  url(): string
  /** What the current worker process has logged. */
  workerLog(): string
  /** Since when PostgreSQL is unavailable; null while it runs. */
  postgresDownSince(): number | null
  /** Kills the process with -9 and starts another one after a while, or after `meanwhile`. */
  kill(victim: Victim, meanwhile?: () => Promise<void>): Promise<void>
  /** Kills both at once. */
  killPair(pair: readonly [Victim, Victim]): Promise<void>
  /** Replaces the API and the worker by those of other entry points, and runs `meanwhile` between. */
  replaceProcesses(entries: Entries, meanwhile: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

const BUS_PREFIX = 'proof'
const startOrder = ['nats', 'postgres', 'worker', 'api'] as const satisfies readonly Victim[]
const DOWN_MS: Readonly<Record<Victim, number>> = { worker: 300, api: 100, nats: 500, postgres: 2_000 }

interface ProcessControl {
  kill(): Promise<unknown>
  start(): Promise<unknown>
}

type Settings = Parameters<typeof startWorker>[1]

/** They may be those of a copy of the source without a cure. */
interface Entries {
  readonly worker?: string | undefined
  readonly api?: string | undefined
}

interface InstallationOptions extends Entries {
  readonly settings?: Readonly<Record<string, string>>
  readonly postgresSettings?: (folder: EngineFolder) => string
  /** Plants more before the processes start. */
  readonly plant?: (tenant: Tenant, database: TestDatabase) => Promise<void>
}

export async function startInstallation({
  worker,
  api,
  settings = {},
  postgresSettings,
  plant,
}: InstallationOptions = {}): Promise<Installation> {
  const engines = await createOwnEngines({ postgresSettings })
  const database = await createDatabaseOn(engines.postgres.url)
  const tenant = await createTenant(database)
  const { value: key } = await tenant.createKey('workspace')
  await plant?.(tenant, database)
  await tenant.close()
  const all = {
    ...settings,
    ...ingestSettings({ prefix: BUS_PREFIX }),
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
  const pairs = { count: 0 }
  const createSender = ({ root }: TestRoot): Sender => ({
    root,
    credential: createCredential(tenant.ring, root).value,
  })
  return {
    database,
    root: tenant.workspace,
    key,
    credential: createCredential(tenant.ring, tenant.workspace.root).value,
    hostile: { flooding: createSender(tenant.instance), large: createSender(tenant.alone) },
    natsUrl: engines.nats.url,
    busPrefix: BUS_PREFIX,
    folder: engines.folder,
    controls,
    kills,
    pairs,
    url: processes.url,
    workerLog: processes.workerLog,
    postgresDownSince: () => downSince,
    async kill(victim, meanwhile = () => sleep(DOWN_MS[victim] * (0.5 + Math.random()))) {
      await controls[victim].kill()
      kills[victim] += 1
      await meanwhile()
      await controls[victim].start()
    },
    async killPair(pair) {
      await Promise.all(pair.map((victim) => controls[victim].kill()))
      for (const victim of pair) kills[victim] += 1
      pairs.count += 1
      await sleep(Math.max(...pair.map((victim) => DOWN_MS[victim])) * (0.5 + Math.random()))
      // Engines first: a worker does not start without them.
      for (const victim of startOrder) if (pair.includes(victim)) await controls[victim].start()
    },
    async replaceProcesses(entries, meanwhile) {
      await Promise.all([controls.api.kill(), controls.worker.kill()])
      await meanwhile()
      processes.setEntries(entries)
      await controls.worker.start()
      await controls.api.start()
    },
    async stop() {
      await Promise.all([controls.api.kill(), controls.worker.kill()])
      await engines.remove()
    },
  }
}

async function startProcesses(database: TestDatabase, firstEntries: Entries, settings: Settings) {
  let entries = firstEntries
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
  return {
    url: () => api.url,
    workerLog: () => worker.output(),
    controls,
    setEntries(others: Entries) {
      entries = others
    },
  }
}

import type { ChangeContext } from '../access/change-context.ts'
import { type Bus, connectBus } from '../bus/connect.ts'
import { type Environment, type KeyRing, readBusSettings, readSettings } from '../config.ts'
import { connect } from '../db/connect.ts'
import { refuseUnguardedRole } from '../db/guard.ts'
import { connectMetricsStores, type MetricsStores } from '../db/stores.ts'
import type { RootId } from '../ids.ts'
import { escapeControls, toLine } from '../names.ts'
import { createLog } from '../observe/log.ts'
import { findRootUnscoped } from '../resources/workspaces/manage.ts'
import { dryRunChange, type Operator, runChange } from './operator.ts'

/** Settings are read and connections opened on first use. */
export interface AdminContext {
  readonly env: Environment
  operator(): Promise<Operator>
  bus(): Promise<Bus>
  /** Connects with the same role as `operator`. */
  stores(): MetricsStores
  /** Where browsers find the service, for the addresses of links. */
  publicUrl(): URL
  /** Signs ingest credentials. */
  ingestRing(): KeyRing
  /** Encrypts the secrets of connectors. */
  connectorRing(): KeyRing
  /** Writes to standard error; standard output is for the result. */
  readonly reportProgress: (line: string) => void
  /** Streams a large result to standard output, with backpressure. */
  readonly write: (text: string) => Promise<void>
  close(): Promise<void>
}

export function createAdminContext(
  env: Environment,
  reportProgress: (line: string) => void,
  write: AdminContext['write'] = () => Promise.reject(new Error('This context has no output stream.')),
): AdminContext {
  let operator: Promise<Operator> | undefined
  let bus: Promise<Bus> | undefined
  let stores: MetricsStores | undefined
  return {
    env,
    reportProgress: (line) => reportProgress(toLine(line)),
    write: (text) => write(escapeControls(text)),
    operator: () => (operator ??= connectOperator(env)),
    bus: () => (bus ??= connectAdminBus(env)),
    stores: () => (stores ??= createMetricsStores(env)),
    publicUrl: () => readPublicUrl(env),
    ingestRing: () => readSettings(env, (read) => read.keyRing('INGEST_KEYS')),
    connectorRing: () => readSettings(env, (read) => read.keyRing('CONNECTOR_KEYS')),
    async close() {
      await operator?.then(
        ({ pool }) => pool.end(),
        () => {},
      )
      await bus?.then(
        (connected) => connected.close(),
        () => {},
      )
      await stores?.close()
    },
  }
}

function readPublicUrl(env: Environment): URL {
  const url = readSettings(env, (read) => read.publicUrl())
  if (url === null) throw new Error('PUBLIC_URL is not set')
  return url
}

async function connectOperator(env: Environment): Promise<Operator> {
  const url = readSettings(env, (read) => read.text('WORKER_DATABASE_URL'))
  const pool = connect({ url, name: 'admin', connections: 2 })
  try {
    await refuseUnguardedRole(pool)
  } catch (error) {
    await pool.end()
    throw error
  }
  return { pool, now: () => new Date() }
}

function createMetricsStores(env: Environment): MetricsStores {
  return connectMetricsStores(
    readSettings(env, (read) => read.metricsStores('WORKER_DATABASE_URL')),
    'admin',
    1,
  )
}

function connectAdminBus(env: Environment): Promise<Bus> {
  return connectBus({
    ...readSettings(env, readBusSettings),
    name: 'admin',
    log: createLog('admin', 'silent'),
  })
}

type ChangeWork<Result> = (change: ChangeContext) => Promise<Result>

/** Runs one change in the tenant root with this id or name. A dry run rolls it back. */
export async function changeRoot<Result>(
  admin: AdminContext,
  root: string,
  work: ChangeWork<Result>,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<Result> {
  const operator = await admin.operator()
  const { id } = await findRootUnscoped(operator.pool, root)
  return dryRun ? dryRunChange(operator, id, work) : runChange(operator, id, work)
}

export async function changeNewRoot<Result>(
  admin: AdminContext,
  root: RootId,
  work: ChangeWork<Result>,
): Promise<Result> {
  return runChange(await admin.operator(), root, work)
}

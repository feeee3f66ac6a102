import type { ChangeContext } from '../access/change-context.ts'
import { type Bus, connectBus } from '../bus/connect.ts'
import { type Environment, type KeyRing, readBusSettings, readSettings } from '../config.ts'
import { connect } from '../db/connect.ts'
import { refuseUnguardedRole } from '../db/guard.ts'
import { connectMetricsStores, type MetricsStores } from '../db/stores.ts'
import { escapeControls, toLine } from '../names.ts'
import { createLog } from '../observe/log.ts'
import { findOrganizationByText } from '../resources/organizations/find.ts'
import type { OrganizationRecord } from '../resources/organizations/sql.ts'
import { findRootUnscoped } from '../resources/workspaces/manage.ts'
import { type Operator, runChange } from './operator.ts'

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
    bus: () =>
      (bus ??= connectBus({
        ...readSettings(env, readBusSettings),
        name: 'admin',
        log: createLog('admin', 'silent'),
      })),
    stores: () =>
      (stores ??= connectMetricsStores(
        readSettings(env, (read) => read.metricsStores('WORKER_DATABASE_URL')),
        'admin',
        1,
      )),
    publicUrl() {
      const url = readSettings(env, (read) => read.publicUrl())
      if (url === null) throw new Error('PUBLIC_URL is not set')
      return url
    },
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

/** Runs one change in the tenant root with this id or name. A dry run rolls it back. */
export async function changeRoot<Result>(
  admin: AdminContext,
  root: string,
  work: (change: ChangeContext) => Promise<Result>,
  options?: { readonly dryRun?: boolean },
): Promise<Result> {
  const operator = await admin.operator()
  const { id } = await findRootUnscoped(operator.pool, root)
  return runChange(operator, id, work, options)
}

/** Runs one change of the organization that the options name. */
export function changeOrganization<Result>(
  admin: AdminContext,
  options: { readonly root: string; readonly organization: string; readonly 'dry-run'?: boolean },
  work: (change: ChangeContext, organization: OrganizationRecord) => Promise<Result>,
): Promise<Result> {
  const { root, organization, 'dry-run': dryRun = false } = options
  return changeRoot(
    admin,
    root,
    async (change) => work(change, await findOrganizationByText(change.scope, change.tx, organization)),
    { dryRun },
  )
}

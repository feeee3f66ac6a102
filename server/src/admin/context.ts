import type { ChangeContext } from '../access/change-context.ts'
import type { Subscription } from '../access/root.ts'
import { type Bus, connectBus } from '../bus/connect.ts'
import { type Environment, type KeyRing, readSettings } from '../config.ts'
import { connect } from '../db/connect.ts'
import { refuseUnguardedRole } from '../db/guard.ts'
import { connectMetricsStores, type MetricsStores } from '../db/stores.ts'
import { newId, type RootId } from '../ids.ts'
import { makeLog } from '../observe/log.ts'
import { findRootUnscoped } from '../resources/workspaces/find.ts'
import { planOption, UsageError } from './command.ts'
import { dryRunChange, type Operator, runChange } from './operator.ts'

/** Settings are read and connections opened on first use. */
export interface AdminContext {
  readonly env: Environment
  operator(): Promise<Operator>
  bus(): Promise<Bus>
  /** Connects with the same role as `operator`. */
  stores(): MetricsStores
  /** Signs ingest credentials. */
  ingestRing(): KeyRing
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
    reportProgress,
    write,
    operator: () => (operator ??= connectOperator(env)),
    bus: () => (bus ??= connectAdminBus(env)),
    stores: () => (stores ??= createMetricsStores(env)),
    ingestRing: () => readSettings(env, (read) => read.keyRing('INGEST_KEYS')),
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

function createMetricsStores(env: Environment): MetricsStores {
  return connectMetricsStores(
    readSettings(env, (read) => read.metricsStores('WORKER_DATABASE_URL')),
    'admin',
    1,
  )
}

function connectAdminBus(env: Environment): Promise<Bus> {
  const settings = readSettings(env, (read) => ({
    url: read.text('NATS_URL', 'nats://127.0.0.1:4222'),
    prefix: read.text('BUS_PREFIX', 'scholiast'),
  }))
  return connectBus({ ...settings, name: 'admin', log: makeLog('admin', 'silent') })
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

/** An instance or organization belongs to a tenant root (--root) or is one (--plan, --seats). */
export const rootChoiceOptions = {
  root: { kind: 'text', placeholder: 'ROOT', summary: 'Tenant root it belongs to: id or name' },
  plan: { ...planOption, summary: 'Plan, if it is its own tenant root' },
  seats: {
    kind: 'integer',
    min: 0,
    max: 1_000_000,
    summary: 'Number of seats, if it is its own tenant root',
  },
} as const

interface RootChoice {
  readonly root: string | undefined
  readonly plan: Subscription['plan'] | undefined
  readonly seats: number | undefined
}

/** Runs `work` in the given root, or in a new root with its own subscription. */
export async function changeChosenRoot<Result>(
  admin: AdminContext,
  { root, plan, seats }: RootChoice,
  work: (change: ChangeContext, subscription: Subscription | null) => Promise<Result>,
): Promise<{ readonly root: RootId; readonly result: Result }> {
  if (root !== undefined && (plan !== undefined || seats !== undefined)) {
    throw new UsageError(
      '--plan and --seats cannot be combined with --root: the subscription of the tenant root applies.',
    )
  }
  if (root === undefined && (plan === undefined || seats === undefined)) {
    throw new UsageError(
      'Either --root, or --plan and --seats are required: it belongs to a tenant root or is one.',
    )
  }
  const operator = await admin.operator()
  const id = root === undefined ? newId<RootId>() : (await findRootUnscoped(operator.pool, root)).id
  const subscription = plan === undefined || seats === undefined ? null : { plan, seats, active: true }
  return { root: id, result: await runChange(operator, id, (change) => work(change, subscription)) }
}

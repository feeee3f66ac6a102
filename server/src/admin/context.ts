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

/** What a command may need. A setting is read, and a connection made, only when the command asks for it. */
export interface AdminContext {
  readonly env: Environment
  operator(): Promise<Operator>
  bus(): Promise<Bus>
  /** The metrics stores, as the operator's role. */
  stores(): MetricsStores
  /** Signs ingest credentials. */
  ingestRing(): KeyRing
  /** For progress of a long command; standard output is for its answer. */
  readonly say: (line: string) => void
  /** For an answer too long to be held: it goes out piece by piece, no faster than it is taken. */
  readonly write: (text: string) => Promise<void>
  close(): Promise<void>
}

export function createAdminContext(
  env: Environment,
  say: (line: string) => void,
  write: AdminContext['write'] = () => Promise.reject(new Error('Nobody takes a long answer here.')),
): AdminContext {
  let operator: Promise<Operator> | undefined
  let bus: Promise<Bus> | undefined
  let stores: MetricsStores | undefined
  return {
    env,
    say,
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
        (opened) => opened.close(),
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

/** Makes one change in the tenant root that is named by id or name, or only rehearses it. */
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

/** How an instance or an organization says whether it belongs to a root or is one. */
export const rootChoiceOptions = {
  root: { kind: 'text', placeholder: 'ROOT', summary: 'The tenant root it belongs to: id or name' },
  plan: { ...planOption, summary: 'What was bought, if it is a root of its own' },
  seats: { kind: 'integer', min: 0, max: 1_000_000, summary: 'Seats that were bought, likewise' },
} as const

interface RootChoice {
  readonly root: string | undefined
  readonly plan: Subscription['plan'] | undefined
  readonly seats: number | undefined
}

/** Runs `work` inside the root that is named, or in a new one with a subscription of its own. */
export async function changeChosenRoot<Result>(
  admin: AdminContext,
  { root, plan, seats }: RootChoice,
  work: (change: ChangeContext, subscription: Subscription | null) => Promise<Result>,
): Promise<{ readonly root: RootId; readonly result: Result }> {
  if (root !== undefined && (plan !== undefined || seats !== undefined)) {
    throw new UsageError('Inside a tenant root, its plan and seats hold: leave --plan and --seats out.')
  }
  if (root === undefined && (plan === undefined || seats === undefined)) {
    throw new UsageError('Give --root to place it in a tenant root, or --plan and --seats to make it one.')
  }
  const operator = await admin.operator()
  const id = root === undefined ? newId<RootId>() : (await findRootUnscoped(operator.pool, root)).id
  const subscription = plan === undefined || seats === undefined ? null : { plan, seats, active: true }
  return { root: id, result: await runChange(operator, id, (change) => work(change, subscription)) }
}

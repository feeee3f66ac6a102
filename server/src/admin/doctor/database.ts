import { type Environment, readSettings } from '../../config.ts'
import { connect, type Pool } from '../../db/connect.ts'
import { type RolePrivileges, readPrivileges } from '../../db/guard.ts'
import { readSchemaState } from '../../db/schema-check.ts'
import { runUnscoped } from '../../db/transaction.ts'
import { requestLimits } from '../../db/wait-limits.ts'
import { pluralize } from '../../plural.ts'
import { otherStores, withRole } from '../database.ts'
import {
  describeClock,
  type Finding,
  type Result,
  renderBytes,
  report,
  runCheck,
  runChecks,
} from './finding.ts'
import { readPoliciesUnscoped, readServerUnscoped, type ServerState } from './sql.ts'

const MIN_POSTGRES = 17
const MAX_USED_CONNECTIONS = 0.8
const MAX_LAG_SECONDS = 60
const MAX_BEHIND_BYTES = 1024 ** 3
/** Of a worker: one for each timer and one for its readiness (docs/availability.md#connections). */
export const WORKER_CONNECTIONS = 26
/** Of an API process: authentication, rate limits and readiness. */
const API_CONNECTIONS = 5
const MIGRATE = 'run: npm run admin -- database migrate'
const BOOTSTRAP = 'run: npm run admin -- database bootstrap'

/** Also returns the main database, which the caller closes; null if it cannot be reached. */
export async function checkDatabases(env: Environment) {
  const urls: string[] = []
  const toDo = 'correct WORKER_DATABASE_URL and METRICS_STORES'
  const invalid = await runChecks('PostgreSQL', 'settings', toDo, async () => {
    const [main, stores] = readSettings(env, (read) => [
      read.text('WORKER_DATABASE_URL'),
      read.metricsStores('WORKER_DATABASE_URL'),
    ])
    urls.push(main, ...otherStores(stores, main).map(({ url }) => url))
    return []
  })
  // Stores may have the names of their tenants.
  const checked = await Promise.all(
    urls.map((url, index) => checkDatabase(index === 0 ? 'main' : `metrics store ${index}`, url, env)),
  )
  const [main = null, ...others] = checked.map(({ pool }) => pool)
  for (const pool of others) await pool?.end()
  return { findings: [...invalid, ...checked.flatMap(({ findings }) => findings)], main }
}

async function checkDatabase(of: string, url: string, env: Environment) {
  const pool = connect({ url, name: 'admin-doctor', connections: 4, limits: requestLimits })
  let isReachable = false
  const unreachable = 'start PostgreSQL, or correct the URL; nothing else of this database was checked'
  const findings = await runChecks('PostgreSQL', of, unreachable, async () => {
    const connections = readSettings(env, (read) => read.integer('DATABASE_CONNECTIONS', 16, 1))
    // Once more on the open connection, so that opening it does not blur the clock.
    await runUnscoped(pool, readServerUnscoped, [])
    const sentAt = Date.now()
    const [state] = await runUnscoped<ServerState>(pool, readServerUnscoped, [])
    isReachable = true
    return state === undefined ? [] : reportServer(of, state, sentAt, connections)
  })
  if (!isReachable) {
    await pool.end()
    return { findings, pool: null }
  }
  const others = await Promise.all([
    runCheck('schema', of, MIGRATE, () => checkSchema(pool)),
    runCheck('policies', of, MIGRATE, () => checkPolicies(pool)),
    ...(['auth', 'api', 'worker'] as const).map((role) => checkRole(of, url, env, role)),
  ])
  return { findings: [...findings, ...others.flat()], pool }
}

function reportServer(of: string, state: ServerState, sentAt: number, connections: number): Finding[] {
  const { version, major, vector, bytes, clock } = state
  const upgrade = major < MIN_POSTGRES ? `upgrade to PostgreSQL ${MIN_POSTGRES}` : null
  const found = `${version.split(' ')[0]}, pgvector ${vector ?? 'missing'}`
  return [
    report('PostgreSQL', of, found, upgrade ?? (vector === null ? BOOTSTRAP : null)),
    report('clock', of, ...describeClock(clock * 1000, sentAt)),
    report('connections', of, ...describeConnections(state, connections)),
    report('replication', of, ...describeReplication(state)),
    // No role of the service sees the file system of the server.
    report('disk', of, `${renderBytes(bytes)} used; watch the free space on the server itself`),
  ]
}

function describeConnections(state: ServerState, connections: number): Result {
  const { allowed, used, apis, workers } = state
  const shared = 2 * connections + Math.min(connections, 4)
  const needed = apis * (shared + API_CONNECTIONS) + workers * (shared + WORKER_CONNECTIONS)
  const processes = `${pluralize(apis, 'API process', 'API processes')} and ${pluralize(workers, 'worker')}`
  const isShort = used > allowed * MAX_USED_CONNECTIONS || needed > allowed
  const toDo = 'raise max_connections, lower DATABASE_CONNECTIONS, or use PgBouncer (docs/availability.md)'
  return [`${used} of ${allowed} used; ${processes} can open ${needed}`, isShort ? toDo : null]
}

function describeReplication({ synchronous, standbys, lag, behind }: ServerState): Result {
  const { needed, connected } = countSynchronous(synchronous, standbys)
  const found = [
    `${pluralize(standbys.length, 'standby', 'standbys')}; writes wait for ${needed}`,
    ...(lag === null ? [] : [`${Math.round(lag)} s behind`]),
    ...(behind === null ? [] : [`${renderBytes(behind)} of the log not confirmed`]),
  ].join('; ')
  if (connected < needed)
    return [found, 'start the standby, or correct synchronous_standby_names: until then writes wait']
  if ((behind ?? 0) > MAX_BEHIND_BYTES)
    return [found, 'start the standby, or drop its slot before the log fills the disk']
  return [found, (lag ?? 0) > MAX_LAG_SECONDS ? 'check the load, disk and network of the standby' : null]
}

/** How many standbys writes wait for, and how many of those that are named are connected. */
function countSynchronous(setting: string, standbys: readonly string[]) {
  if (setting.trim() === '') return { needed: 0, connected: 0 }
  const [, count = '1', list = setting] = /(\d+)\s*\((.*)\)/.exec(setting) ?? []
  const names = new Set(list.split(',').map((name) => name.trim().replaceAll('"', '').toLowerCase()))
  const connected = standbys.filter((name) => names.has('*') || names.has(name.toLowerCase())).length
  return { needed: Number(count), connected }
}

async function checkSchema(pool: Pool): Promise<Result> {
  const state = await readSchemaState(pool)
  if (state === null) return ['not reachable', 'run this command again']
  const { latest, missing, changed, contracted } = state
  if (contracted !== null)
    return [`has ${contracted} of a later version`, 'run a newer version of the service']
  const restart = 'start again with an empty database: before 1.0.0 there is no upgrade'
  if (changed.length > 0) return [`an older schema: ${changed.join(', ')} has changed since`, restart]
  return missing.length > 0 ? [`lacks ${missing.join(', ')}`, MIGRATE] : [`up to date with ${latest}`]
}

async function checkPolicies(pool: Pool): Promise<Result> {
  const { unprotected = [] } = (await readPrivileges(pool)) ?? {}
  const wrong = await runUnscoped<{ table: string }>(pool, readPoliciesUnscoped, [])
  const tables = [...unprotected, ...wrong.map(({ table }) => table)]
  const toDo = 'stop the API; restore row-level security and policies of these tables as in server/schema.sql'
  return tables.length === 0 ? ['every table isolates tenants'] : [`no isolation: ${tables.join(', ')}`, toDo]
}

function checkRole(of: string, store: string, env: Environment, role: 'auth' | 'api' | 'worker') {
  const setting = `${role.toUpperCase()}_DATABASE_URL`
  const toDo = `name scholiast_${role} in ${setting}, then ${BOOTSTRAP}`
  return runCheck('role', `${role} in ${of}`, toDo, async () => {
    const ofRole = readSettings(env, (read) => read.text(setting))
    const url = withRole(store, ofRole)
    const pool = connect({ url, name: 'admin-doctor', connections: 1, limits: requestLimits })
    try {
      return describeRole(await readPrivileges(pool), toDo)
    } finally {
      await pool.end()
    }
  })
}

function describeRole(privileges: RolePrivileges | undefined, toDo: string): Result {
  const reasons = [
    privileges?.superuser && 'is a superuser',
    privileges?.bypasses && 'can bypass row-level security',
    privileges && privileges.owns.length > 0 && 'owns tables',
    privileges?.reads_reports && 'can read the views of the schema report',
    privileges?.has_time_limit === false && 'has no time limit',
  ].filter((reason) => typeof reason === 'string')
  return reasons.length === 0 ? ['row-level security applies'] : [reasons.join(', '), toDo]
}

import { Socket } from 'node:net'
import pg from 'pg'
import { runBatch } from './batch.ts'
import { DatabaseSilentError, ReadOnlyServerError } from './unavailable.ts'
import { jobLimits, setWaitLimits, type WaitLimits } from './wait-limits.ts'

/** PostgreSQL often has more data ready than the 64 KiB that Node reads by default. */
const READ_BUFFER_BYTES = 256 * 1024

/**
 * Creates the sockets of one pool. They share one read buffer, because each read is processed before the next one: a new
 * buffer per read would have to be allocated, collected and loaded into the processor's cache.
 */
function createSocketFactory(): () => Socket {
  const readBuffer = Buffer.allocUnsafeSlow(READ_BUFFER_BYTES)
  return () => new ReadSocket(readBuffer)
}

class ReadSocket extends Socket {
  /** Whether the listener reads the bytes at once and retains none of them. */
  sharesBuffer = false

  constructor(readBuffer: Buffer) {
    super({
      onread: {
        buffer: readBuffer,
        callback: (length) => {
          const read = readBuffer.subarray(0, length)
          this.emit('data', this.sharesBuffer ? read : Buffer.from(read))
          return true
        },
      },
    })
  }
}

export type Pool = pg.Pool
export type Connection = pg.PoolClient

/** A statement of a `sql.ts`. Its name states its purpose; PostgreSQL caches the plan under it. */
export interface Statement {
  readonly name: string
  readonly text: string
}

export function statement(name: string, text: string): Statement {
  return { name, text }
}

export type SessionSettings = Readonly<Record<string, string>>

export interface ConnectOptions {
  readonly url: string
  readonly name: string
  readonly connections: number
  /** Additional settings of each session. */
  readonly settings?: SessionSettings
  /** Those of a job by default. */
  readonly limits?: WaitLimits | undefined
  /** Checks each new connection before its first use; rejects to refuse it. */
  readonly check?: ((connection: pg.ClientBase) => Promise<void>) | undefined
}

// Long enough that reconnecting costs nothing, short enough that a process leaves a server that lost its role.
const MIN_LIFETIME_SECONDS = 480
const LIFETIME_JITTER_SECONDS = 240
const KEEP_ALIVE_MS = 10_000

export function connect({
  url,
  name,
  connections,
  settings = {},
  limits = jobLimits,
  check,
}: ConnectOptions): Pool {
  const sessionSettings = { ...defaultSettings, ...toSettings(limits), ...settings }
  const pool = new pg.Pool({
    connectionString: url,
    application_name: `scholiast-${name}`,
    max: connections,
    connectionTimeoutMillis: limits.connectionMs,
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: MIN_LIFETIME_SECONDS + Math.random() * LIFETIME_JITTER_SECONDS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    stream: createSocketFactory(),
    async onConnect(client) {
      // Without a listener an error would terminate the process, and the pool listens only to idle connections.
      client.on('error', () => {})
      setWaitLimits(client, limits)
      await startSession(client, sessionSettings, limits)
      await check?.(client)
    },
  })
  // The pool replaces a broken connection and its statements are rejected.
  pool.on('error', () => {})
  return pool
}

// One plan per statement: planning sixty partitions at each call would cost more than reading the page. The server
// notices within half a minute that this process or its network is gone, and ends its transactions with their locks.
const defaultSettings: SessionSettings = {
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  timezone: 'UTC',
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '25000',
  client_connection_check_interval: '5000',
}

function toSettings({ statementMs, idleInTransactionMs }: WaitLimits): SessionSettings {
  return {
    statement_timeout: String(statementMs),
    idle_in_transaction_session_timeout: String(idleInTransactionMs),
  }
}

// Statements, not the `options` of the start-up message, because PgBouncer refuses those.
const applySettings = statement(
  'db.apply-settings',
  'select set_config(name, value, false) from unnest($1::text[], $2::text[]) as s (name, value)',
)
const readRecovery = statement('db.read-recovery', 'select pg_is_in_recovery() as standby')

async function startSession(
  client: pg.ClientBase,
  settings: SessionSettings,
  limits: WaitLimits,
): Promise<void> {
  const values = [Object.keys(settings), Object.values(settings)]
  const statements = [
    { statement: readRecovery, values: [] },
    { statement: applySettings, values },
  ]
  const [found] = await runBatch(client, statements, limits.connectionMs)
  if (found?.[0]?.['standby'] === true) throw new ReadOnlyServerError()
}

/** Returns a connection and how long it took. Rejects if there is none in time, whatever the pool is waiting for. */
export async function acquireConnection(
  pool: Pool,
): Promise<{ readonly connection: Connection; readonly waitedMs: number }> {
  const startedAt = performance.now()
  const limitMs = pool.options?.connectionTimeoutMillis ?? jobLimits.connectionMs
  const { promise: expired, reject } = Promise.withResolvers<never>()
  const timeout = setTimeout(
    () => reject(new DatabaseSilentError('No connection was free in time.')),
    limitMs,
  )
  const connecting = pool.connect()
  try {
    const connection = await Promise.race([connecting, expired])
    return { connection, waitedMs: performance.now() - startedAt }
  } catch (error) {
    connecting.then(
      (late) => late.release(),
      () => {},
    )
    throw error
  } finally {
    clearTimeout(timeout)
  }
}

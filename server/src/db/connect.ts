import { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import pg from 'pg'
import { type BoundStatement, runBatch } from './batch.ts'
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

/** What metrics show of a pool. */
interface PoolObservations {
  /** For a connection, of all callers together. */
  waitedMs: number
  /** When the server's certificate expires, in seconds since 1970, as the newest connection saw it; null = without TLS. */
  certificateEnd: number | null
}

/** `opening` is sent before what each transaction does. */
export type Pool = pg.Pool & {
  readonly opening?: readonly BoundStatement[]
  readonly observed?: PoolObservations
}
export type Connection = pg.PoolClient

/** A statement of a `sql.ts`. Its name states its purpose; PostgreSQL caches the plan under it. */
export interface Statement {
  readonly name: string
  readonly text: string
}

export function statement(name: string, text: string): Statement {
  return { name, text }
}

export interface ConnectOptions {
  readonly url: string
  readonly name: string
  readonly connections: number
  /** Sent before what each transaction does. */
  readonly opening?: Statement | undefined
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
  opening,
  limits = jobLimits,
  check,
}: ConnectOptions): Pool {
  const observed: PoolObservations = { waitedMs: 0, certificateEnd: null }
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
      observed.certificateEnd = readCertificateEnd(client)
      await refuseStandby(client, limits)
      await check?.(client)
    },
  })
  // The pool replaces a broken connection and its statements are rejected.
  pool.on('error', () => {})
  return Object.assign(pool, {
    opening: opening === undefined ? [] : [{ statement: opening, values: [] }],
    observed,
  })
}

function readCertificateEnd(client: pg.ClientBase): number | null {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection
  return stream instanceof TLSSocket ? Date.parse(stream.getPeerCertificate().valid_to) / 1000 : null
}

const readRecovery = statement('db.read-recovery', 'select pg_is_in_recovery() as standby')

async function refuseStandby(client: pg.ClientBase, { connectionMs }: WaitLimits): Promise<void> {
  const [found] = await runBatch(client, [{ statement: readRecovery, values: [] }], connectionMs)
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
    if (pool.observed) pool.observed.waitedMs += performance.now() - startedAt
  }
}

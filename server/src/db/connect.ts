import pg from 'pg'
import { createSocketFactory } from './read-socket.ts'

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

export interface ConnectOptions {
  readonly url: string
  readonly name: string
  readonly connections: number
  /** Additional session options, such as `-c enable_sort=off`. */
  readonly options?: string
}

export function connect({ url, name, connections, options = '' }: ConnectOptions): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: `scholiast-${name}`,
    max: connections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    stream: createSocketFactory(),
    // One plan per statement: planning sixty partitions at each call would cost more than reading the page.
    options:
      '-c plan_cache_mode=force_generic_plan -c jit=off -c statement_timeout=20000 -c timezone=UTC ' +
      options,
  })
  // The pool replaces a broken connection and its statements are rejected. Without a listener the error would terminate
  // the process, and the pool listens only to idle connections.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Throws if the database does not respond. */
export async function assertReachable(pool: Pool): Promise<void> {
  await pool.query('select 1')
}

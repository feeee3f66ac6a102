import pg from 'pg'
import { createSocketFactory } from './read-socket.ts'

export type Pool = pg.Pool
export type Connection = pg.PoolClient

/** A statement written as SQL in a `sql.ts`; its name says its purpose and lets PostgreSQL keep the plan. */
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
  /** Further settings of its sessions, as in `-c enable_sort=off`. */
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
    // One plan a statement: planning sixty partitions at each call would cost more than the page itself.
    options:
      '-c plan_cache_mode=force_generic_plan -c jit=off -c statement_timeout=20000 -c timezone=UTC ' +
      options,
  })
  // A connection that dies is replaced at the next use, and the statements it carried are rejected; without a listener
  // its error would end the process. The pool listens to idle connections only.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Throws when the database does not answer. */
export async function assertReachable(pool: Pool): Promise<void> {
  await pool.query('select 1')
}

import { OperationError } from '../errors.ts'
import { type BoundStatement, runBatch } from './batch.ts'
import { acquireConnection, type Connection, type Pool, type Statement, statement } from './connect.ts'
import type { RowSink } from './raw-rows.ts'
import { isDatabaseUnreachable, isReadOnlyServer } from './unavailable.ts'
import { getWaitLimits } from './wait-limits.ts'

/** The row-level security settings of a transaction. Only access/scope.ts creates one. */
export interface TransactionScope {
  readonly root: string
  /** null = every organization of the root. */
  readonly organizations: readonly string[] | null
  readonly instance: string | null
}

/** Statements issued without awaiting each other share a round trip. */
export interface Tx {
  query<Row>(query: Statement, values: readonly unknown[]): Promise<Row[]>
  /** Returns the first row, or null if there is none. */
  first<Row>(query: Statement, values: readonly unknown[]): Promise<Row | null>
  /** Returns the only row. It is an error if there is none, or more than one. */
  one<Row>(query: Statement, values: readonly unknown[]): Promise<Row>
  /** Passes the rows to the sink, as the bytes that PostgreSQL sent. */
  streamRows(query: Statement, values: readonly unknown[], sink: RowSink): Promise<void>
}

const begin: BoundStatement = { statement: statement('db.begin', 'begin'), values: [] }
const commit: BoundStatement = { statement: statement('db.commit', 'commit'), values: [] }
const rollback: BoundStatement = { statement: statement('db.rollback', 'rollback'), values: [] }

export const setScope = statement(
  'db.set-scope',
  `select set_config('app.root', $1, true), set_config('app.organizations', $2, true),
          set_config('app.instance', $3, true)`,
)

/** Runs `work` in one transaction that reads and writes only rows of `scope`. */
export function inTransaction<Result>(
  pool: Pool,
  scope: TransactionScope,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return transact(pool, [begin, ...(pool.opening ?? []), bindScope(scope)], work)
}

/** Runs `work`, rolls it back and returns its result: what would happen, with every rule applied. */
export async function dryRunTransaction<Result>(
  pool: Pool,
  scope: TransactionScope,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const results: Result[] = []
  const rollbackSignal = new Error('Rolling back a dry run.')
  try {
    await inTransaction(pool, scope, async (tx) => {
      results.push(await work(tx))
      throw rollbackSignal
    })
  } catch (error) {
    if (error !== rollbackSignal) throw error
  }
  return results[0] as Result
}

/** A transaction without a scope. It reads no tenant's rows, only tables that the role may read as a whole. */
export function inTransactionUnscoped<Result>(
  pool: Pool,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return transact(pool, [begin, ...(pool.opening ?? [])], work)
}

const fences = new WeakMap<Pool, AbortSignal>()

/** A view of the pool that gives no connection and commits nothing after the signal has aborted, or if `check` fails. */
export function fencePool(pool: Pool, signal: AbortSignal, check: readonly BoundStatement[] = []): Pool {
  const connect = () => (signal.aborted ? Promise.reject(signal.reason as Error) : pool.connect())
  const opening = [...check, ...(pool.opening ?? [])]
  const fenced = Object.create(pool, { connect: { value: connect }, opening: { value: opening } }) as Pool
  fences.set(fenced, signal)
  return fenced
}

async function transact<Result>(
  pool: Pool,
  opening: readonly BoundStatement[],
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const { connection, waitedMs } = await acquireConnection(pool)
  let failure: Error | undefined
  let begun = false
  let limitMs: number | undefined = getWaitLimits(connection).responseMs - waitedMs
  try {
    const run: RunStatements = (statements) => {
      const batch = runBatch(connection, statements, limitMs)
      limitMs = undefined
      return batch
    }
    const tx = createBatchingTx(run, () => {
      const statements = begun ? [] : opening
      begun = true
      return statements
    })
    const result = await work(tx)
    fences.get(pool)?.throwIfAborted()
    // Without a statement, no transaction was begun.
    if (begun) await runBatch(connection, [commit])
    return result
  } catch (error) {
    if (begun) failure = await tryRollback(connection, error)
    throw error
  } finally {
    connection.release(failure)
  }
}

/**
 * Reads rows of `scope`. Each round trip is an implicit transaction that sets the scope first, so a page costs one write
 * and one response. Consecutive round trips can see different states, as in READ COMMITTED. A connection is held for one
 * round trip only, so a request that waits for something else holds none.
 */
export async function readScoped<Result>(
  pool: Pool,
  scope: TransactionScope,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const opening = [...(pool.opening ?? []), bindScope(scope)]
  const run: RunStatements = (statements) => runOnConnection(pool, statements)
  return work(createBatchingTx(run, () => opening))
}

/** Runs one statement without a scope: for lookups before the tenant is known, and for the worker's own tables. */
export async function runUnscoped<Row>(
  pool: Pool,
  query: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const rows = await runOnConnection(pool, [...(pool.opening ?? []), { statement: query, values }])
  return rows.at(-1) as Row[]
}

async function runOnConnection(pool: Pool, statements: readonly BoundStatement[]): ReturnType<RunStatements> {
  const { connection, waitedMs } = await acquireConnection(pool)
  let failure: Error | undefined
  try {
    return await runBatch(connection, statements, getWaitLimits(connection).responseMs - waitedMs)
  } catch (error) {
    failure = getConnectionFailure(error)
    throw error
  } finally {
    connection.release(failure)
  }
}

interface PendingStatement extends BoundStatement {
  readonly resolve: (rows: never[]) => void
  readonly reject: (error: unknown) => void
}

type RunStatements = (statements: readonly BoundStatement[]) => ReturnType<typeof runBatch>

/** Collects the statements issued while a batch is running and sends them together, after `opening`. */
function createBatchingTx(run: RunStatements, opening: () => readonly BoundStatement[]): Tx {
  let waiting: PendingStatement[] = []
  let sending = Promise.resolve()

  async function send(): Promise<void> {
    const sent = waiting
    waiting = []
    const prologue = opening()
    try {
      const results = await run([...prologue, ...sent])
      for (const [index, { resolve }] of sent.entries())
        resolve((results[prologue.length + index] ?? []) as never[])
    } catch (error) {
      for (const { reject } of sent) reject(error)
    }
  }

  function enqueue(bound: BoundStatement): Promise<never[]> {
    return new Promise((resolve, reject) => {
      if (waiting.length === 0) sending = sending.then(send)
      waiting.push({ ...bound, resolve, reject })
    })
  }

  return createTx({
    query: (query, values) => enqueue({ statement: query, values }),
    async streamRows(query, values, sink) {
      await enqueue({ statement: query, values, sink })
    },
  })
}

/** `first` and `one` call `query` of the same object, so a copy that replaces `query` sees all statements. */
export function createTx(basis: Pick<Tx, 'query' | 'streamRows'>): Tx {
  return {
    ...basis,
    async first<Row>(query: Statement, values: readonly unknown[]) {
      const [row] = await this.query<Row>(query, values)
      return row ?? null
    },
    async one<Row>(query: Statement, values: readonly unknown[]) {
      const [row, ...others] = await this.query<Row>(query, values)
      if (row === undefined || others.length > 0)
        throw new Error(`The statement ${query.name} did not return exactly one row.`)
      return row
    },
  }
}

function bindScope(scope: TransactionScope): BoundStatement {
  const organizations = scope.organizations === null ? '' : `{${scope.organizations.join(',')}}`
  return { statement: setScope, values: [scope.root, organizations, scope.instance ?? ''] }
}

/** Returns an error if the pool must discard the connection, which ends its transaction too. */
async function tryRollback(connection: Connection, cause: unknown): Promise<Error | undefined> {
  // A server that did not respond is not waited for again.
  if (cause instanceof Error && (isDatabaseUnreachable(cause) || isReadOnlyServer(cause))) return cause
  try {
    await runBatch(connection, [rollback])
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** A failed statement or an operation error leaves the connection usable; after any other error the pool discards it. */
function getConnectionFailure(error: unknown): Error | undefined {
  if (!(error instanceof Error) || error instanceof OperationError) return undefined
  // Another connection may lead to the primary.
  if (isReadOnlyServer(error)) return error
  return 'severity' in error && error.severity === 'ERROR' ? undefined : error
}

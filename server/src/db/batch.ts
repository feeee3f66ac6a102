import type { ClientBase, FieldDef, Submittable } from 'pg'
import pg from 'pg'
import utils from 'pg/lib/utils.js'
import { serialize } from 'pg-protocol'
import { type ByteStream, type RowSink, streamRawRows } from './raw-rows.ts'
import { DatabaseSilentError } from './unavailable.ts'
import { getWaitLimits } from './wait-limits.ts'

/** The part of node-postgres's connection that a batch needs. */
interface WireConnection {
  readonly stream: ByteStream & { write(bytes: Buffer): void; destroy(error: Error): void }
}

export interface BoundStatement {
  readonly statement: { readonly name: string; readonly text: string }
  readonly values: readonly unknown[]
  /** Receives the rows as bytes; the batch then returns none for this statement. */
  readonly sink?: RowSink
}

type ResultRow = Record<string, unknown>
interface Column {
  readonly name: string
  readonly parse: (text: string) => unknown
}

const execute = serialize.execute()
const sync = serialize.sync()
const close = (name: string) => serialize.close({ type: 'S', name })
const BIGINT = 20
const TIMESTAMPTZ = 1184
const typeParsers = new pg.TypeOverrides()
// Positions stay far below 2^53. Times stay strings, because a Date would lose the microseconds.
typeParsers.setTypeParser(BIGINT, Number)
typeParsers.setTypeParser(TIMESTAMPTZ, (text: string) => text)

/** Most connections use fewer statements. The server holds the text and the plan of each in memory. */
const MAX_PREPARED = 500

/** The prepared statements of a connection with their columns, least recently used first; null = unknown after an error. */
type PreparedStatements = Map<string, readonly Column[] | null>

const preparedStatements = new WeakMap<WireConnection, PreparedStatements>()

/**
 * Sends statements in one write with one Sync and returns their rows: one round trip and, without a `begin`, one implicit
 * transaction. Compared with one round trip per statement, a scoped page needs a third of the system calls, which
 * dominate the cost of a small request. If the response is not complete in time, the connection is destroyed.
 */
export function runBatch(
  client: ClientBase,
  statements: readonly BoundStatement[],
  limitMs: number = getWaitLimits(client).responseMs,
): Promise<ResultRow[][]> {
  return new Promise((resolve, reject) => {
    client.query(new Batch(statements, limitMs, resolve, reject))
  })
}

/** node-postgres calls these methods as messages of the server arrive. */
class Batch implements Submittable {
  readonly #statements: readonly BoundStatement[]
  readonly #limitMs: number
  readonly #resolve: (rows: ResultRow[][]) => void
  readonly #reject: (error: Error) => void
  readonly #rows: ResultRow[][] = []
  #prepared: PreparedStatements = new Map()
  #timeout: NodeJS.Timeout | undefined
  /** PostgreSQL responds to the commit of a failed transaction with a rollback, not with an error. */
  #rolledBack = false

  constructor(
    statements: readonly BoundStatement[],
    limitMs: number,
    resolve: (rows: ResultRow[][]) => void,
    reject: (error: Error) => void,
  ) {
    this.#statements = statements
    this.#limitMs = limitMs
    this.#resolve = resolve
    this.#reject = reject
    this.#rows.push([])
  }

  /** node-postgres passes a returned error to handleError and keeps the connection; a thrown one would break it. */
  submit(connection: unknown): Error | null {
    const wire = connection as WireConnection
    this.#prepared = preparedStatements.get(wire) ?? new Map()
    preparedStatements.set(wire, this.#prepared)
    try {
      const bytes = this.#serialize()
      if (this.#statements.some(({ sink }) => sink)) {
        streamRawRows(
          wire.stream,
          this.#statements.map(({ sink }) => sink ?? null),
        )
      }
      wire.stream.write(bytes)
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
    this.#timeout = setTimeout(
      () => wire.stream.destroy(new DatabaseSilentError('The database server did not respond in time.')),
      this.#limitMs,
    )
    return null
  }

  #serialize(): Buffer {
    const messages = this.#statements.flatMap(({ statement: { name, text }, values }) => {
      const bind = serialize.bind({
        statement: name,
        values: [...values],
        valueMapper: (value: unknown) => utils.prepareValue(value),
      })
      const columns = this.#prepared.get(name)
      this.#prepared.delete(name)
      this.#prepared.set(name, columns ?? [])
      if (columns) return [bind, execute]
      // Closed first, because after a failed batch the server may still have it.
      return [
        close(name),
        serialize.parse({ name, text }),
        serialize.describe({ type: 'S', name }),
        bind,
        execute,
      ]
    })
    return Buffer.concat([...this.#evict(), ...messages, sync])
  }

  /** Returns the messages that close the least recently used statements. They are sent first: an error skips what follows it. */
  #evict(): Buffer[] {
    const closes: Buffer[] = []
    const limit = Math.max(MAX_PREPARED, this.#statements.length)
    for (const name of this.#prepared.keys()) {
      if (this.#prepared.size <= limit) break
      this.#prepared.delete(name)
      closes.push(close(name))
    }
    return closes
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    const columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: typeParsers.getTypeParser(dataTypeID, 'text') as unknown as Column['parse'],
    }))
    this.#prepared.set(this.#current().name, columns)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const columns = this.#prepared.get(this.#current().name) ?? []
    const row: ResultRow = {}
    for (const [index, { name, parse }] of columns.entries()) {
      const text = fields[index]
      row[name] = text === null || text === undefined ? null : parse(text)
    }
    this.#rows.at(-1)?.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    if (text === 'ROLLBACK' && this.#current().text === 'commit') this.#rolledBack = true
    this.#rows.push([])
  }

  handleEmptyQuery(): void {
    this.#rows.push([])
  }

  handleReadyForQuery(): void {
    clearTimeout(this.#timeout)
    if (this.#rolledBack)
      this.#reject(new Error('The transaction was rolled back because one of its statements had failed.'))
    else this.#resolve(this.#rows.slice(0, -1))
  }

  handleError(error: Error): void {
    clearTimeout(this.#timeout)
    for (const { statement } of this.#statements) this.#prepared.set(statement.name, null)
    this.#reject(error)
  }

  #current(): BoundStatement['statement'] {
    const bound = this.#statements[this.#rows.length - 1]
    if (bound === undefined) throw new Error('PostgreSQL returned more results than statements were sent.')
    return bound.statement
  }
}

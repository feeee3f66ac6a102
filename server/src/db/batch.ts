import type { ClientBase, FieldDef, Submittable } from 'pg'
import pg from 'pg'
import utils from 'pg/lib/utils.js'
import { serialize } from 'pg-protocol'
import type { Statement } from './connect.ts'
import { type ByteStream, type RowSink, streamRawRows } from './raw-rows.ts'

/** The connection of node-postgres, as far as a batch needs it. */
interface WireConnection {
  readonly stream: ByteStream & { write(bytes: Buffer): void; destroy(error: Error): void }
}

export interface BoundStatement {
  readonly statement: Statement
  readonly values: readonly unknown[]
  /** Takes its rows as bytes; they are then not among those that the batch returns. */
  readonly sink?: RowSink
}

type ResultRow = Record<string, unknown>
interface Column {
  readonly name: string
  readonly parse: (text: string) => unknown
}

const BATCH_TIMEOUT_MS = 30_000
const execute = serialize.execute()
const sync = serialize.sync()
const BIGINT = 20
const TIMESTAMPTZ = 1184
const typeParsers = new pg.TypeOverrides()
// Positions stay far below 2^53, and a Date would lose the microseconds of a stored time.
typeParsers.setTypeParser(BIGINT, Number)
typeParsers.setTypeParser(TIMESTAMPTZ, (text: string) => text)

/** Which statements a connection has prepared, with the columns they return. */
const preparedStatements = new WeakMap<WireConnection, Map<string, readonly Column[]>>()

/**
 * Sends statements in one write with one Sync and returns their rows: one round trip and, unless a `begin` is among
 * them, one implicit transaction. Measured against a write and an answer for each statement, a scoped page costs a
 * third of the system calls; they are most of what a small request costs.
 */
export function runBatch(client: ClientBase, statements: readonly BoundStatement[]): Promise<ResultRow[][]> {
  return new Promise((resolve, reject) => {
    client.query(new Batch(statements, resolve, reject))
  })
}

/** node-postgres calls these methods as the answers of the server arrive. */
class Batch implements Submittable {
  readonly #statements: readonly BoundStatement[]
  readonly #resolve: (rows: ResultRow[][]) => void
  readonly #reject: (error: Error) => void
  readonly #rows: ResultRow[][] = []
  #known: Map<string, readonly Column[]> = new Map()
  #timeout: NodeJS.Timeout | undefined
  /** PostgreSQL answers the commit of a failed transaction with a rollback, not with an error. */
  #undone = false

  constructor(
    statements: readonly BoundStatement[],
    resolve: (rows: ResultRow[][]) => void,
    reject: (error: Error) => void,
  ) {
    this.#statements = statements
    this.#resolve = resolve
    this.#reject = reject
    this.#rows.push([])
  }

  /** An error that is returned, not thrown, is handed to handleError, and the connection goes on. */
  submit(connection: unknown): Error | null {
    const wire = connection as WireConnection
    this.#known = preparedStatements.get(wire) ?? new Map()
    preparedStatements.set(wire, this.#known)
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
    this.#timeout = setTimeout(() => wire.stream.destroy(new Error('Query read timeout')), BATCH_TIMEOUT_MS)
    return null
  }

  #serialize(): Buffer {
    const messages = this.#statements.flatMap(({ statement: { name, text }, values }) => {
      const bind = serialize.bind({
        statement: name,
        values: [...values],
        valueMapper: (value: unknown) => utils.prepareValue(value),
      })
      if (this.#known.has(name)) return [bind, execute]
      this.#known.set(name, [])
      // Closed first: after a failed batch nobody knows which of its statements the server has kept.
      const close = serialize.close({ type: 'S', name })
      return [close, serialize.parse({ name, text }), serialize.describe({ type: 'S', name }), bind, execute]
    })
    return Buffer.concat([...messages, sync])
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    const columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: typeParsers.getTypeParser(dataTypeID, 'text') as unknown as Column['parse'],
    }))
    this.#known.set(this.#current().name, columns)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const columns = this.#known.get(this.#current().name) ?? []
    const row: ResultRow = {}
    for (const [index, { name, parse }] of columns.entries()) {
      const text = fields[index]
      row[name] = text === null || text === undefined ? null : parse(text)
    }
    this.#rows.at(-1)?.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    if (text === 'ROLLBACK' && this.#current().text === 'commit') this.#undone = true
    this.#rows.push([])
  }

  handleEmptyQuery(): void {
    this.#rows.push([])
  }

  handleReadyForQuery(): void {
    clearTimeout(this.#timeout)
    if (this.#undone)
      this.#reject(new Error('A statement of this transaction had failed: nothing was committed.'))
    else this.#resolve(this.#rows.slice(0, -1))
  }

  handleError(error: Error): void {
    clearTimeout(this.#timeout)
    for (const { statement } of this.#statements) this.#known.delete(statement.name)
    this.#reject(error)
  }

  #current(): Statement {
    const bound = this.#statements[this.#rows.length - 1]
    if (bound === undefined) throw new Error('PostgreSQL answered more statements than were sent.')
    return bound.statement
  }
}

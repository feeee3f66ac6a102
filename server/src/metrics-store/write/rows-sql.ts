import type { Scope } from '../../access/scope.ts'
import type { Statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'

/** The columns of written rows, in order, with their types. */
export type ColumnTypes<Row> = Readonly<Record<keyof Row, string>>

// Rows are sent as one text without quoting. No value contains a separator: bus/queue/shapes.ts rejects control
// characters in events, and JSON escapes them.
const NULL = '\x1d'
const ROW = '\x1e'
const COLUMN = '\x1f'

function encodeRows<Row extends object>(rows: readonly Row[], columns: ColumnTypes<Row>): string {
  const names = Object.keys(columns) as (keyof Row)[]
  return rows.map((row) => names.map((name) => row[name] ?? NULL).join(COLUMN)).join(ROW)
}

// `offset 0` makes PostgreSQL split a row once instead of once per column.
/** The rows of $2: an array `c` of columns and the `ordinal`, from 1. */
export const inputRows = `(select string_to_array(line, e'\\x1f', e'\\x1d') as c, ordinal
  from string_to_table($2, e'\\x1e') with ordinality as given (line, ordinal) offset 0) lines`

/** Inserts the rows of $2 for the root $1. */
export function renderInsert<Row>(table: string, columns: ColumnTypes<Row>): string {
  const types: string[] = Object.values(columns)
  return `insert into ${table} (root_id, ${Object.keys(columns).join(', ')})
    select $1, ${types.map((type, index) => `c[${index + 1}]::${type}`).join(', ')} from ${inputRows}`
}

/** Assigns every column except the key from the row proposed for insertion. */
export function renderUpdateSet<Row>(columns: ColumnTypes<Row>, key: object): string {
  const mutable = Object.keys(columns).filter((column) => !(column in key))
  return mutable.map((column) => `${column} = excluded.${column}`).join(', ')
}

/** A function that executes a statement for the rows of its $2. Without rows it does nothing. */
export function createRowQuery<Row extends object, Found extends object = never>(
  query: Statement,
  columns: ColumnTypes<Row>,
): (scope: Scope, tx: Tx, rows: readonly Row[]) => Promise<Found[]> {
  return async (scope, tx, rows) =>
    rows.length === 0 ? [] : tx.query<Found>(query, [scope.root, encodeRows(rows, columns)])
}

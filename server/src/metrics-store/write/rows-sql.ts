import type { Scope } from '../../access/scope.ts'
import { type Statement, statement } from '../../db/connect.ts'
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

/** A function that inserts rows. */
export function createInsert<Row extends object>(
  name: string,
  table: string,
  columns: ColumnTypes<Row>,
  onConflict = '',
) {
  const types: string[] = Object.values(columns)
  const text = `insert into ${table} (root_id, ${Object.keys(columns).join(', ')})
    select $1, ${types.map((type, index) => `c[${index + 1}]::${type}`).join(', ')} from ${inputRows} ${onConflict}`
  return createRowQuery(statement(name, text), columns)
}

/** A function that inserts rows, or changes those of the same key. */
export function createUpsert<Row extends object>(
  name: string,
  table: string,
  columns: ColumnTypes<Row>,
  key: object,
) {
  const changed = Object.keys(columns).filter((column) => !(column in key))
  const assignments = changed.map((column) => `${column} = excluded.${column}`).join(', ')
  const conflict = `on conflict (root_id, ${Object.keys(key).join(', ')}) do update set ${assignments}`
  return createInsert(name, table, columns, conflict)
}

/** A function that executes a statement for the rows of its $2. Without rows it does nothing. */
export function createRowQuery<Row extends object, Found extends object = never>(
  query: Statement,
  columns: ColumnTypes<Row>,
): (scope: Scope, tx: Tx, rows: readonly Row[]) => Promise<Found[]> {
  return async (scope, tx, rows) =>
    rows.length === 0 ? [] : tx.query<Found>(query, [scope.root, encodeRows(rows, columns)])
}

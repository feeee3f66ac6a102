import type { Scope } from '../../access/scope.ts'
import { type Statement, statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'

/** The columns of written rows, in order, with their types. */
export type ColumnTypes<Row> = Readonly<Record<keyof Row, string>>

/** The rows of $2 as `given`, with their `input_number` from 1. */
export function renderInputRows(columns: Readonly<Record<string, string>>): string {
  const declared = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
  return `rows from (json_to_recordset($2) as (${declared.join(', ')}))
     with ordinality as given (${Object.keys(columns).join(', ')}, input_number)`
}

/** A function that executes a statement for the rows of its $2. Without rows it does nothing. */
export function createRowQuery<Row, Found = never>(
  query: Statement,
  columns: ColumnTypes<Row>,
): (scope: Scope, tx: Tx, rows: readonly Row[]) => Promise<Found[]> {
  const names = Object.keys(columns)
  return async (scope, tx, rows) =>
    rows.length === 0 ? [] : tx.query<Found>(query, [scope.root, JSON.stringify(rows, names)])
}

// Inserted rows are sent as one text without quoting, because as JSON they cost a fifth more CPU here and in PostgreSQL: their
// texts hold JSON again. No value contains a separator: bus/queue/shapes.ts rejects control characters, and JSON escapes them.
const NULL = '\x1d'
const ROW = '\x1e'
const COLUMN = '\x1f'

/** A function that inserts rows. Without rows it does nothing. */
export function createInsert<Row>(
  name: string,
  table: string,
  columns: ColumnTypes<Row>,
  onConflict = '',
): (scope: Scope, tx: Tx, rows: readonly Row[]) => Promise<void> {
  const names = Object.keys(columns) as (keyof Row & string)[]
  const values = names.map((column, index) => `columns[${index + 1}]::${columns[column]}`)
  // `offset 0` makes PostgreSQL split a row once instead of once per column.
  const insert = statement(
    name,
    `insert into ${table} (root_id, ${names.join(', ')})
    select $1, ${values.join(', ')} from (select string_to_array(line, e'\\x1f', e'\\x1d') as columns
      from string_to_table($2, e'\\x1e') as line offset 0) given ${onConflict}`,
  )
  return async (scope, tx, rows) => {
    const lines = rows.map((row) => names.map((column) => row[column] ?? NULL).join(COLUMN))
    if (lines.length > 0) await tx.query(insert, [scope.root, lines.join(ROW)])
  }
}

/** A function that inserts rows, or changes those of the same key. */
export function createUpsert<Row>(name: string, table: string, columns: ColumnTypes<Row>, key: object) {
  const changed = Object.keys(columns).filter((column) => !(column in key))
  const assignments = changed.map((column) => `${column} = excluded.${column}`).join(', ')
  const conflict = `on conflict (root_id, ${Object.keys(key).join(', ')}) do update set ${assignments}`
  return createInsert(name, table, columns, conflict)
}

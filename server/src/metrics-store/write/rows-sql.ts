/** The columns that rows are written to, in order, with their types. */
export type ColumnTypes<Row> = Readonly<Record<keyof Row, string>>

// Rows are sent as one text, so that nothing is quoted on the way. No value holds a separator: control characters are
// refused in whatever comes in (bus/ingest/shapes.ts), and JSON escapes them.
const NULL = '\x1d'
const ROW = '\x1e'
const COLUMN = '\x1f'

export function encodeRows<Row extends object>(rows: readonly Row[], columns: ColumnTypes<Row>): string {
  const names = Object.keys(columns) as (keyof Row)[]
  return rows.map((row) => names.map((name) => row[name] ?? NULL).join(COLUMN)).join(ROW)
}

// "offset 0": a row is taken apart once, and not again for each of its columns.
/** Rows that were separated, as $2: each an array `c` of its columns, with its place from 1 on. */
export const inputRows = `(select string_to_array(line, e'\\x1f', e'\\x1d') as c, place
  from string_to_table($2, e'\\x1e') with ordinality as given (line, place) offset 0) lines`

/** Of the root $1. */
export function renderInsert<Row>(table: string, columns: ColumnTypes<Row>): string {
  const types: string[] = Object.values(columns)
  return `insert into ${table} (root_id, ${Object.keys(columns).join(', ')})
    select $1, ${types.map((type, index) => `c[${index + 1}]::${type}`).join(', ')} from ${inputRows}`
}

/** What a row that is there already is given of the one that would be inserted: all but its key. */
export function renderUpdateSet<Row>(columns: ColumnTypes<Row>, key: object): string {
  const mutable = Object.keys(columns).filter((column) => !(column in key))
  return mutable.map((column) => `${column} = excluded.${column}`).join(', ')
}

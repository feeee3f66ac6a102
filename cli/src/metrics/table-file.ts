import type { ByteSink } from './byte-sink.ts'
import { csvLine } from './csv.ts'
import { readLines } from './lines.ts'
import type { Cell, Table } from './tables.ts'

export const formats = ['jsonl', 'csv', 'parquet'] as const
export type Format = (typeof formats)[number]

/** Rows that are written together; with Parquet, a group holds at least this many. */
const ROWS_PER_WRITE = 20_000

async function* readRows(file: string, table: Table): AsyncGenerator<Cell[][], void> {
  for await (const lines of readLines(file)) yield lines.flatMap((line) => table.toRows(JSON.parse(line)))
}

/** Writes a file of JSON lines as a table. */
export async function writeTable(
  file: string,
  table: Table,
  format: Exclude<Format, 'jsonl'>,
  sink: ByteSink,
): Promise<void> {
  if (format === 'parquet') {
    // Loaded for this format only, so that other commands start faster.
    const { writeParquet } = await import('./parquet.ts')
    await writeParquet(table.columns, readRows(file, table), sink, ROWS_PER_WRITE)
    return
  }
  await sink.write(Buffer.from(csvLine(table.columns.map(({ name }) => name))))
  for await (const rows of readRows(file, table)) await sink.write(Buffer.from(rows.map(csvLine).join('')))
}

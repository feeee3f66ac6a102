import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import type { ByteSink } from './byte-sink.ts'
import type { Cell, Column, ColumnType } from './tables.ts'

const elements: Readonly<Record<ColumnType, Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  timestamp: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  date: { type: 'INT32', converted_type: 'DATE' },
}

/** Groups of at least `rowsPerGroup` rows are encoded one at a time, so memory does not grow with the file. */
export async function writeParquet(
  columns: readonly Column[],
  source: AsyncIterable<readonly Cell[][]>,
  sink: ByteSink,
  rowsPerGroup: number,
): Promise<void> {
  const bytes = new ByteWriter()
  const parquet = new ParquetWriter({
    writer: bytes,
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map(({ name, type }) => ({ name, ...elements[type], repetition_type: 'OPTIONAL' as const })),
    ],
  })
  const flush = async () => {
    // A copy: the writer uses its buffer again.
    await sink.write(bytes.getBytes().slice())
    bytes.index = 0
  }
  const writeGroup = async (rows: readonly (readonly Cell[])[]) => {
    const columnData = columns.map(({ name, type }, index) => ({
      name,
      data: rows.map((row) => toValue(type, row[index] ?? null)),
    }))
    await parquet.write({ columnData, rowGroupSize: rows.length })
    await flush()
  }
  let group: (readonly Cell[])[] = []
  for await (const rows of source) {
    for (const row of rows) group.push(row)
    if (group.length < rowsPerGroup) continue
    await writeGroup(group)
    group = []
  }
  if (group.length > 0) await writeGroup(group)
  await parquet.finish()
  await flush()
}

function toValue(type: ColumnType, cell: Cell): Cell | bigint | Date {
  if (cell === null) return null
  switch (type) {
    case 'integer':
      return BigInt(cell)
    case 'timestamp':
    case 'date':
      return new Date(String(cell))
    case 'text':
    case 'number':
    case 'boolean':
      return cell
  }
}

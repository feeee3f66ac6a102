const COLUMN_COUNT_BYTES = 2
const LENGTH_BYTES = 4

/** Steps through the columns of a row that a RowSink receives; no column may be null. */
export class RowColumns {
  bytes: Buffer = Buffer.alloc(0)
  /** The first byte of the current column, and the byte after its last. */
  from = 0
  to = 0

  start(bytes: Buffer, at: number): void {
    this.bytes = bytes
    this.to = at + COLUMN_COUNT_BYTES
  }

  next(): void {
    this.from = this.to + LENGTH_BYTES
    this.to = this.from + this.bytes.readInt32BE(this.to)
  }

  /** The current column. */
  text(): string {
    return this.bytes.toString('utf8', this.from, this.to)
  }
}

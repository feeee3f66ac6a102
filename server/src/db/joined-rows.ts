import type { RowSink } from './raw-rows.ts'

const COLUMN_COUNT_BYTES = 2
const LENGTH_BYTES = 4
const MAX_KEY_BYTES = 64
const MIN_CHUNK_BYTES = 64 * 1024
const MAX_CHUNK_BYTES = 512 * 1024

/** Joins the texts of (key, text) rows with a separator, copying each byte once. */
export class JoinedRows implements RowSink {
  readonly #maxRows: number
  readonly #separator: number
  readonly #full: Buffer[] = []
  readonly #memory: ArrayBuffer[] = []
  readonly #key = Buffer.allocUnsafe(MAX_KEY_BYTES)
  #keyLength = 0
  #chunk: Buffer | null = null
  #end = 0
  /** Received rows, including those beyond the maximum that is joined. */
  rowCount = 0

  constructor(maxRows: number, separator: ',' | '\n') {
    this.#maxRows = maxRows
    this.#separator = separator.charCodeAt(0)
  }

  take(bytes: Buffer, start: number, end: number): void {
    this.rowCount += 1
    if (this.rowCount > this.#maxRows) return
    const key = start + COLUMN_COUNT_BYTES + LENGTH_BYTES
    const keyEnd = key + bytes.readInt32BE(start + COLUMN_COUNT_BYTES)
    // Only the last key is needed, but any row can be the last.
    this.#keyLength = keyEnd - key
    for (let at = 0; at < this.#keyLength; at++) this.#key[at] = bytes[key + at] as number
    const text = keyEnd + LENGTH_BYTES
    const chunk = this.#chunkFor(1 + end - text)
    if (this.rowCount > 1) chunk[this.#end++] = this.#separator
    this.#end += bytes.copy(chunk, this.#end, text, end)
  }

  /** The key of the last row that was joined. */
  get lastKey(): string | null {
    return this.#keyLength === 0 ? null : this.#key.toString('latin1', 0, this.#keyLength)
  }

  /** The joined texts, in order. */
  chunks(): Buffer[] {
    if (this.#chunk === null) return [...this.#full]
    return [...this.#full, this.#chunk.subarray(0, this.#end)]
  }

  /**
   * Frees the texts after they are sent. Otherwise the garbage collector marks the whole heap every few dozen pages, which
   * was measured as more than half of the CPU time of a page of a thousand rows.
   */
  release(): void {
    for (const memory of this.#memory.splice(0)) memory.transfer(0)
  }

  #chunkFor(length: number): Buffer {
    if (this.#chunk !== null && this.#chunk.length - this.#end >= length) return this.#chunk
    const size = this.#chunk === null ? MIN_CHUNK_BYTES : Math.min(2 * this.#chunk.length, MAX_CHUNK_BYTES)
    if (this.#chunk !== null) this.#full.push(this.#chunk.subarray(0, this.#end))
    // Not from the shared buffer pool, so that release() can free it.
    const chunk = Buffer.allocUnsafeSlow(Math.max(size, length))
    this.#memory.push(chunk.buffer)
    this.#chunk = chunk
    this.#end = 0
    return chunk
  }
}

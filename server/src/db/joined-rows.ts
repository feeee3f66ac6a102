import type { RowSink } from './raw-rows.ts'

const COLUMN_COUNT_BYTES = 2
const LENGTH_BYTES = 4
const MAX_KEY_BYTES = 64
const MIN_CHUNK_BYTES = 64 * 1024
const MAX_CHUNK_BYTES = 512 * 1024

/** Rows of (key, text), joined as they come: the texts with a separator between them, each byte copied once. */
export class JoinedRows implements RowSink {
  readonly #most: number
  readonly #separator: number
  readonly #full: Buffer[] = []
  readonly #memory: ArrayBuffer[] = []
  readonly #key = Buffer.allocUnsafe(MAX_KEY_BYTES)
  #keyLength = 0
  #chunk: Buffer | null = null
  #end = 0
  /** Rows that came, those beyond the most that are joined among them. */
  rowCount = 0

  constructor(maxRows: number, separator: ',' | '\n') {
    this.#most = maxRows
    this.#separator = separator.charCodeAt(0)
  }

  take(bytes: Buffer, start: number, end: number): void {
    this.rowCount += 1
    if (this.rowCount > this.#most) return
    const key = start + COLUMN_COUNT_BYTES + LENGTH_BYTES
    const keyEnd = key + bytes.readInt32BE(start + COLUMN_COUNT_BYTES)
    // Only the last one is asked for, but nobody knows which that is.
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

  /** The joined texts, to be sent one after the other. */
  chunks(): Buffer[] {
    if (this.#chunk === null) return [...this.#full]
    return [...this.#full, this.#chunk.subarray(0, this.#end)]
  }

  /**
   * Frees the texts once they are sent. Left to the collector, they make it mark the whole heap every few dozen pages:
   * measured, more than half of the processor time that a page of a thousand costs this process.
   */
  release(): void {
    for (const memory of this.#memory.splice(0)) memory.transfer(0)
  }

  #chunkFor(length: number): Buffer {
    if (this.#chunk !== null && this.#chunk.length - this.#end >= length) return this.#chunk
    const size = this.#chunk === null ? MIN_CHUNK_BYTES : Math.min(2 * this.#chunk.length, MAX_CHUNK_BYTES)
    if (this.#chunk !== null) this.#full.push(this.#chunk.subarray(0, this.#end))
    // Memory that nothing else is a part of: all of it is freed at once.
    const chunk = Buffer.allocUnsafeSlow(Math.max(size, length))
    this.#memory.push(chunk.buffer)
    this.#chunk = chunk
    this.#end = 0
    return chunk
  }
}

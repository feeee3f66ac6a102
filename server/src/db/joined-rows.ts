import type { RowSink } from './divert-rows.ts'

const COLUMN_COUNT = 2
const LENGTH = 4
const LONGEST_KEY = 64

/**
 * Rows of (key, text), joined as they come: the texts with a separator between them, in the buffers they arrived in.
 * What PostgreSQL wrote around a text is squeezed out in place, which moves each byte once and allocates nothing.
 */
export class JoinedRows implements RowSink {
  readonly #most: number
  readonly #separator: number
  readonly #chunks: Buffer[] = []
  readonly #kept: Buffer[] = []
  readonly #key = Buffer.allocUnsafe(LONGEST_KEY)
  #keyLength = 0
  #buffer: Buffer | null = null
  #start = 0
  #end = 0
  /** Rows that came, those beyond the most that are joined among them. */
  found = 0

  constructor(most: number, separator: ',' | '\n') {
    this.#most = most
    this.#separator = separator.charCodeAt(0)
  }

  take(bytes: Buffer, start: number, end: number): void {
    this.found += 1
    if (this.found > this.#most) return
    const key = start + COLUMN_COUNT + LENGTH
    const keyEnd = key + bytes.readInt32BE(start + COLUMN_COUNT)
    // Only the last one is asked for, but nobody knows which that is; and the text may be moved over it.
    this.#keyLength = keyEnd - key
    for (let at = 0; at < this.#keyLength; at++) this.#key[at] = bytes[key + at] as number
    if (this.#buffer !== bytes) this.#turnTo(bytes, start)
    if (this.found > 1) bytes[this.#end++] = this.#separator
    this.#end += bytes.copy(bytes, this.#end, keyEnd + LENGTH, end)
  }

  /** The key of the last row that was joined. */
  get lastKey(): string | null {
    return this.#keyLength === 0 ? null : this.#key.toString('latin1', 0, this.#keyLength)
  }

  /** The joined texts, to be sent one after the other. */
  chunks(): Buffer[] {
    this.#turnTo(null, 0)
    return this.#chunks
  }

  /**
   * Frees the texts once they are sent. Left to the collector, they make it mark the whole heap every few dozen pages:
   * measured, more than half of the processor time that a page of a thousand costs this process.
   */
  release(): void {
    // What does not fill its memory shares it with others.
    for (const { buffer, byteLength } of this.#kept)
      if (byteLength > 0 && byteLength === buffer.byteLength) (buffer as ArrayBuffer).transfer(0)
  }

  #turnTo(buffer: Buffer | null, start: number): void {
    if (this.#buffer !== null) this.#chunks.push(this.#buffer.subarray(this.#start, this.#end))
    if (buffer !== null) this.#kept.push(buffer)
    this.#buffer = buffer
    this.#start = start
    this.#end = start
  }
}

/** Receives the rows of a statement as the bytes that PostgreSQL sent. */
export interface RowSink {
  /** Receives the body of one DataRow message, starting with its column count. The bytes are valid until `take` returns. */
  take(bytes: Buffer, start: number, end: number): void
}

/** The part of a connection's socket that is needed to intercept its data. */
export interface ByteStream {
  /** Makes a socket of `connect.ts` pass on its shared read buffer instead of a copy. */
  sharesBuffer?: boolean
  listeners(event: 'data'): unknown[]
  on(event: 'data', listener: Listener): unknown
  off(event: 'data', listener: Listener): unknown
}

type Listener = (bytes: Buffer) => void

const HEADER_BYTES = 5
const DATA_ROW = 'D'.charCodeAt(0)
const COMMAND_COMPLETE = 'C'.charCodeAt(0)
const EMPTY_QUERY = 'I'.charCodeAt(0)
const READY_FOR_QUERY = 'Z'.charCodeAt(0)
const EMPTY_BUFFER = Buffer.alloc(0)

/**
 * Intercepts the data of a connection until the server is ready for the next query: rows of statements with a sink go to
 * the sink, every other message goes to the parser. Decoding a page of a thousand rows into strings, and encoding them
 * again, would cost more than everything else in the request.
 */
export function streamRawRows(stream: ByteStream, sinks: readonly (RowSink | null)[]): void {
  new RawRowReader(stream, sinks).start()
}

class RawRowReader {
  readonly #stream: ByteStream
  readonly #parsers: readonly Listener[]
  readonly #sinks: readonly (RowSink | null)[]
  #statement = 0
  /** The start of an incomplete message, at first possibly only part of its header. */
  #partial: Buffer = EMPTY_BUFFER
  #filled = 0
  #ended = false

  constructor(stream: ByteStream, sinks: readonly (RowSink | null)[]) {
    this.#stream = stream
    this.#parsers = stream.listeners('data') as Listener[]
    this.#sinks = sinks
  }

  start(): void {
    for (const parser of this.#parsers) this.#stream.off('data', parser)
    this.#stream.on('data', this.#onData)
    this.#stream.sharesBuffer = true
  }

  readonly #onData = (chunk: Buffer): void => {
    const at = this.#filled === 0 ? 0 : this.#complete(chunk)
    if (at === chunk.length) return
    if (this.#ended) this.#forward(Buffer.from(chunk.subarray(at)))
    else this.#readMessages(chunk, at)
  }

  /** Completes the message that started in an earlier chunk; returns how many bytes of this chunk belong to it. */
  #complete(chunk: Buffer): number {
    let at = 0
    if (this.#filled < HEADER_BYTES) {
      at = this.#fill(chunk, 0, HEADER_BYTES)
      if (this.#filled < HEADER_BYTES) return at
      this.#grow(this.#partial)
    }
    at += this.#fill(chunk, at, this.#partial.length)
    if (this.#filled < this.#partial.length) return at
    const whole = this.#partial
    this.#filled = 0
    this.#readMessages(whole, 0)
    return at
  }

  #fill(chunk: Buffer, from: number, upTo: number): number {
    const added = chunk.copy(this.#partial, this.#filled, from, from + upTo - this.#filled)
    this.#filled += added
    return added
  }

  /** Allocates the whole message; its header must be complete. */
  #grow(start: Buffer): void {
    const message = Buffer.allocUnsafe(1 + start.readUInt32BE(1))
    this.#filled = start.copy(message)
    this.#partial = message
  }

  #retainPartial(start: Buffer): void {
    if (start.length >= HEADER_BYTES) return this.#grow(start)
    this.#partial = Buffer.allocUnsafeSlow(HEADER_BYTES)
    this.#filled = start.copy(this.#partial)
  }

  #readMessages(bytes: Buffer, from: number): void {
    let at = from
    let forwardedTo = from
    while (bytes.length - at >= HEADER_BYTES) {
      const end = at + 1 + bytes.readUInt32BE(at + 1)
      if (end > bytes.length) break
      const type = bytes[at]
      const sink = type === DATA_ROW ? this.#sinks[this.#statement] : null
      if (sink) {
        if (at > forwardedTo) this.#forward(bytes.subarray(forwardedTo, at))
        sink.take(bytes, at + HEADER_BYTES, end)
        forwardedTo = end
      }
      if (type === COMMAND_COMPLETE || type === EMPTY_QUERY) this.#statement += 1
      if (type === READY_FOR_QUERY) return this.#end(bytes.subarray(forwardedTo))
      at = end
    }
    this.#forward(bytes.subarray(forwardedTo, at))
    if (at < bytes.length) this.#retainPartial(bytes.subarray(at))
  }

  /** Restores the parser before it gets ReadyForQuery, because it may send the next query at once. */
  #end(rest: Buffer): void {
    this.#ended = true
    this.#stream.sharesBuffer = false
    this.#stream.off('data', this.#onData)
    for (const parser of this.#parsers) this.#stream.on('data', parser)
    // A copy, because the parser may retain an incomplete message.
    this.#forward(Buffer.from(rest))
  }

  #forward(bytes: Buffer): void {
    if (bytes.length > 0) for (const parser of this.#parsers) parser(bytes)
  }
}

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

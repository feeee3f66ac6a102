/** Receives the rows of a statement as the bytes that PostgreSQL sent. */
export interface RowSink {
  /** Receives the body of one DataRow message, starting with its column count. The bytes are valid until `take` returns. */
  take(bytes: Buffer, start: number, end: number): void
}

/** The part of a connection's socket that is needed to intercept its data. */
export interface ByteStream {
  /** Makes a socket of `read-socket.ts` pass on its shared read buffer instead of a copy. */
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

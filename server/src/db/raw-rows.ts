/** Takes the rows of a statement as the bytes that PostgreSQL sent. */
export interface RowSink {
  /** The body of one row message, from its count of columns to its end. The bytes are there until `take` returns. */
  take(bytes: Buffer, start: number, end: number): void
}

/** As much of a connection's socket as is needed to stand in front of its parser. */
export interface ByteStream {
  /** Asks a socket that reads into one place (`read-socket.ts`) to show what it has read there, in place of a copy. */
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
 * Stands between a connection and its parser until the server is ready for the next query: rows of the statements that
 * have a sink go there untouched, every other message goes on to the parser. Decoding a page of a thousand rows into
 * strings, to encode them again for the caller, would cost more than everything else that is done for it.
 */
export function streamRawRows(stream: ByteStream, sinks: readonly (RowSink | null)[]): void {
  new RawRowReader(stream, sinks).start()
}

class RawRowReader {
  readonly #stream: ByteStream
  readonly #parsers: readonly Listener[]
  readonly #sinks: readonly (RowSink | null)[]
  #statement = 0
  /** The beginning of a message whose rest has not arrived: at first not even all of its header. */
  #begun: Buffer = EMPTY_BUFFER
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
    if (this.#ended) this.#pass(Buffer.from(chunk.subarray(at)))
    else this.#readMessages(chunk, at)
  }

  /** Adds to the message that began in an earlier chunk; returns how much of this one belonged to it. */
  #complete(chunk: Buffer): number {
    let at = 0
    if (this.#filled < HEADER_BYTES) {
      at = this.#fill(chunk, 0, HEADER_BYTES)
      if (this.#filled < HEADER_BYTES) return at
      this.#grow(this.#begun)
    }
    at += this.#fill(chunk, at, this.#begun.length)
    if (this.#filled < this.#begun.length) return at
    const whole = this.#begun
    this.#filled = 0
    this.#readMessages(whole, 0)
    return at
  }

  #fill(chunk: Buffer, from: number, upTo: number): number {
    const added = chunk.copy(this.#begun, this.#filled, from, from + upTo - this.#filled)
    this.#filled += added
    return added
  }

  /** Makes room for the whole message of which at least the header is there. */
  #grow(start: Buffer): void {
    const message = Buffer.allocUnsafe(1 + start.readUInt32BE(1))
    this.#filled = start.copy(message)
    this.#begun = message
  }

  #keep(start: Buffer): void {
    if (start.length >= HEADER_BYTES) return this.#grow(start)
    this.#begun = Buffer.allocUnsafeSlow(HEADER_BYTES)
    this.#filled = start.copy(this.#begun)
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
        if (at > forwardedTo) this.#pass(bytes.subarray(forwardedTo, at))
        sink.take(bytes, at + HEADER_BYTES, end)
        forwardedTo = end
      }
      if (type === COMMAND_COMPLETE || type === EMPTY_QUERY) this.#statement += 1
      if (type === READY_FOR_QUERY) return this.#end(bytes.subarray(forwardedTo))
      at = end
    }
    this.#pass(bytes.subarray(forwardedTo, at))
    if (at < bytes.length) this.#keep(bytes.subarray(at))
  }

  /** The parser is back before it learns that the server is ready: it may send the next query at once. */
  #end(rest: Buffer): void {
    this.#ended = true
    this.#stream.sharesBuffer = false
    this.#stream.off('data', this.#onData)
    for (const parser of this.#parsers) this.#stream.on('data', parser)
    // A copy: the parser may keep what is not a whole message yet.
    this.#pass(Buffer.from(rest))
  }

  #pass(bytes: Buffer): void {
    if (bytes.length > 0) for (const parser of this.#parsers) parser(bytes)
  }
}

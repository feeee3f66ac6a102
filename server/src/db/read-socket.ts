import { Socket } from 'node:net'

/** PostgreSQL often has more data ready than the 64 KiB that Node reads by default. */
const READ_BUFFER_BYTES = 256 * 1024

/**
 * Creates the sockets of one pool. They share one read buffer, because each read is processed before the next one: a new
 * buffer per read would have to be allocated, collected and loaded into the processor's cache.
 */
export function createSocketFactory(): () => Socket {
  const readBuffer = Buffer.allocUnsafeSlow(READ_BUFFER_BYTES)
  return () => new ReadSocket(readBuffer)
}

class ReadSocket extends Socket {
  /** Whether the listener reads the bytes at once and retains none of them. */
  sharesBuffer = false

  constructor(readBuffer: Buffer) {
    super({
      onread: {
        buffer: readBuffer,
        callback: (length) => {
          const read = readBuffer.subarray(0, length)
          this.emit('data', this.sharesBuffer ? read : Buffer.from(read))
          return true
        },
      },
    })
  }
}

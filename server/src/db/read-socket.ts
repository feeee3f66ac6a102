import { Socket } from 'node:net'

/** How much is read at once; PostgreSQL has often more ready than the 64 KiB that Node reads by itself. */
const READ_BUFFER_BYTES = 256 * 1024

/**
 * Makes the sockets of one pool. They read into one place, since what was read is looked at before anything else is:
 * memory of its own for each read would have to be allocated, collected, and fetched into the processor's cache anew.
 */
export function createSocketFactory(): () => Socket {
  const readBuffer = Buffer.allocUnsafeSlow(READ_BUFFER_BYTES)
  return () => new ReadSocket(readBuffer)
}

class ReadSocket extends Socket {
  /** Whether whoever listens looks at the bytes at once and keeps none of them. */
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

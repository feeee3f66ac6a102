import { once } from 'node:events'
import { type FileHandle, open } from 'node:fs/promises'
import type { Writable } from 'node:stream'

/** Takes bytes with back-pressure: a write resolves when more can be taken. */
export interface ByteSink {
  write(bytes: Uint8Array): Promise<void>
  /** Discards what was written after the position; missing if the sink cannot. */
  readonly rewind?: (position: number) => Promise<void>
  /** Bytes written so far. */
  position(): number
  /** Writes the rest. */
  close(): Promise<void>
}

// Responses arrive in pieces of 16 KiB: fewer, larger writes.
const FLUSH_BYTES = 512 * 1024

interface FileSinkOptions {
  /** Whether the file must survive a power failure once it is closed. */
  readonly durable?: boolean
}

export async function openFileSink(
  path: string,
  { durable = false }: FileSinkOptions = {},
): Promise<ByteSink> {
  const handle = await open(path, 'w')
  let pending: Uint8Array[] = []
  let pendingBytes = 0
  let written = 0
  const flush = async () => {
    const chunks = pending
    const bytes = pendingBytes
    pending = []
    pendingBytes = 0
    await writeAll(handle, chunks, written)
    written += bytes
  }
  return {
    async write(bytes) {
      pending.push(bytes)
      pendingBytes += bytes.byteLength
      if (pendingBytes >= FLUSH_BYTES) await flush()
    },
    async rewind(position) {
      await flush()
      await handle.truncate(position)
      written = position
    },
    position: () => written + pendingBytes,
    async close() {
      await flush()
      if (durable) await handle.sync()
      await handle.close()
    },
  }
}

async function writeAll(handle: FileHandle, chunks: readonly Uint8Array[], position: number): Promise<void> {
  if (chunks.length === 0) return
  const total = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const { bytesWritten } = await handle.writev([...chunks], position)
  // A short write, as on a disk that is nearly full: the rest is written, or the error is raised.
  if (bytesWritten < total)
    await writeAll(handle, [Buffer.concat(chunks).subarray(bytesWritten)], position + bytesWritten)
}

/** Standard output. */
export function toStreamSink(stream: Writable): ByteSink {
  let written = 0
  return {
    async write(bytes) {
      written += bytes.byteLength
      if (!stream.write(bytes)) await once(stream, 'drain')
    },
    position: () => written,
    close: () =>
      new Promise((resolve) => {
        stream.write('', () => resolve())
      }),
  }
}

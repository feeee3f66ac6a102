/// <reference types="node" />
import { type FileHandle, open, readFile, rename } from 'node:fs/promises'
import type { IngestEvent } from './event.ts'
import type { EventStore } from './keep.ts'

export interface EventFileOptions {
  /** Bytes of events that are kept at most; the file has at most twice as many. Default: 64 MiB. */
  readonly maxBytes?: number
}

/** Keeps events in a file. */
export interface EventFile extends EventStore {
  /** Bytes of the events that are kept. */
  readonly bytes: number
  close(): Promise<void>
}

const MAX_BYTES = 64 * 1024 * 1024
// A file below this size is never rewritten.
const MIN_REWRITE_BYTES = 1024 * 1024

/**
 * Opens a file that keeps events until the service has stored them; use it in one process at a time. Each line is an event
 * or a list of ids that are no longer kept. What `add` has kept survives the end of the process, but a machine that loses
 * power can lose the last seconds.
 */
export async function openEventFile(
  path: string,
  { maxBytes = MAX_BYTES }: EventFileOptions = {},
): Promise<EventFile> {
  const lines = await readLines(path)
  const events = [...lines.values()].map((line) => JSON.parse(line) as IngestEvent)
  let bytes = [...lines.values()].reduce((sum, line) => sum + sizeOf(line), 0)
  let fileBytes = 0
  let file = await rewrite()
  let last: Promise<unknown> = Promise.resolve()

  /** The file is complete at every moment: the new one takes the place of the old one. */
  async function rewrite(): Promise<FileHandle> {
    const whole = await open(`${path}.new`, 'w', 0o600)
    await whole.writeFile([...lines.values()].map((line) => `${line}\n`).join(''))
    await whole.datasync()
    await rename(`${path}.new`, path)
    fileBytes = bytes
    return whole
  }

  /** One after the other. */
  function inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  async function append(line: string): Promise<void> {
    await file.appendFile(`${line}\n`)
    fileBytes += sizeOf(line)
  }

  return {
    events,
    get bytes() {
      return bytes
    },
    add: (id, json) =>
      inOrder(async () => {
        if (lines.has(id)) return true
        if (bytes + sizeOf(json) > maxBytes) return false
        await append(json)
        lines.set(id, json)
        bytes += sizeOf(json)
        return true
      }),
    remove: (ids) =>
      inOrder(async () => {
        const gone = ids.filter((id) => lines.has(id))
        if (gone.length === 0) return
        for (const id of gone) {
          bytes -= sizeOf(lines.get(id) ?? '')
          lines.delete(id)
        }
        await append(JSON.stringify(gone))
        if (fileBytes < MIN_REWRITE_BYTES || fileBytes < 2 * bytes) return
        const before = file
        file = await rewrite()
        await before.close()
      }),
    close: () => inOrder(() => file.close()),
  }
}

/** Returns the lines of the events that are kept, by id. A last line that was not written completely is left out. */
async function readLines(path: string): Promise<Map<string, string>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const lines = new Map<string, string>()
  for (const line of text.split('\n').slice(0, -1)) {
    const value = JSON.parse(line) as IngestEvent | string[]
    if (!Array.isArray(value)) lines.set(value.id, line)
    else for (const id of value) lines.delete(id)
  }
  return lines
}

function sizeOf(line: string): number {
  return Buffer.byteLength(line) + 1
}

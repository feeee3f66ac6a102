import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CliError, exitCodes } from '../exit.ts'
import { type ByteSink, openFileSink } from './byte-sink.ts'
import { type Copy, type CopySource, findDifference, type Review } from './copy.ts'
import { copyLines, readLines, type StreamEnd } from './lines.ts'
import { mergeChanges } from './merge.ts'
import { type Format, writeTable } from './table-file.ts'
import { copyTable, reviewsTable, type Table } from './tables.ts'

/**
 * The state of a copy: its data and its cursor. Files are written under new names, then one rename of the manifest
 * makes them the state together with the cursor.
 */
interface Manifest {
  readonly version: 1
  readonly source: CopySource
  readonly format: Format
  readonly cursor: string | null
  /** Numbers the files. */
  readonly sequence: number
  /** Pull requests in their state before the changes. */
  readonly base: string | null
  /** Responses of the feed, in their order. */
  readonly changes: readonly string[]
  /** `base` in the format of the copy. */
  readonly table: string | null
  /** All pull requests, with and without findings, in the format of the copy. */
  readonly reviews: string | null
}

export interface FileCopyOptions {
  readonly folder: string
  readonly source: CopySource
  readonly format: Format
  /** Discards the state and the data of an earlier copy. */
  readonly restart: boolean
}

export const STATE_FOLDER = '.scholiast'
export const MANIFEST = 'manifest.json'
const LOCK = 'lock'

export async function openFileCopy({ folder, source, format, restart }: FileCopyOptions): Promise<Copy> {
  const state = join(folder, STATE_FOLDER)
  await mkdir(state, { recursive: true })
  const unlock = await lock(state)
  try {
    const empty: Manifest = {
      version: 1,
      source,
      format,
      cursor: null,
      sequence: 0,
      base: null,
      changes: [],
      table: null,
      reviews: null,
    }
    const stored = restart ? null : await readManifest(state)
    if (stored !== null) refuseDifference(stored, source, format)
    const copy = new FileCopy(folder, state, stored ?? empty, unlock)
    if (restart) await copy.discard()
    await copy.repair()
    return copy
  } catch (error) {
    await unlock()
    throw error
  }
}

class FileCopy implements Copy {
  readonly #folder: string
  readonly #state: string
  readonly #unlock: () => Promise<void>
  #manifest: Manifest

  constructor(folder: string, state: string, manifest: Manifest, unlock: () => Promise<void>) {
    this.#folder = folder
    this.#state = state
    this.#manifest = manifest
    this.#unlock = unlock
  }

  get location(): string {
    return this.#publishedPath('review-comments')
  }

  cursor(): string | null {
    return this.#manifest.cursor
  }

  async apply(body: AsyncIterable<Uint8Array>, onLines: (lines: Uint8Array) => void) {
    const [name, sequence] = this.#nextName('changes', 'jsonl')
    const sink = await openFileSink(join(this.#state, name), { durable: true })
    const end = await this.#copyLines(body, onLines, sink)
    const isEmpty = sink.position() === 0
    if (isEmpty) await rm(join(this.#state, name))
    const changes = isEmpty ? this.#manifest.changes : [...this.#manifest.changes, name]
    await this.#save({ ...this.#manifest, sequence, changes, cursor: end.next_cursor })
    return end
  }

  async #copyLines(
    body: AsyncIterable<Uint8Array>,
    onLines: (lines: Uint8Array) => void,
    sink: ByteSink,
  ): Promise<StreamEnd> {
    try {
      return await copyLines(body, (lines) => {
        onLines(lines)
        return sink.write(lines)
      })
    } finally {
      await sink.close()
    }
  }

  async replaceReviews(pages: AsyncIterable<readonly Review[]>): Promise<void> {
    const [name, sequence] = this.#nextName('reviews', 'jsonl')
    const sink = await openFileSink(join(this.#state, name), { durable: true })
    try {
      await writeReviews(pages, join(this.#state, 'pages.jsonl'), sink)
    } finally {
      await sink.close()
    }
    const reviews = await this.#writeTable(name, reviewsTable)
    await this.#save({ ...this.#manifest, sequence, reviews })
    await this.repair()
  }

  async publish(): Promise<void> {
    const { base, changes } = this.#manifest
    if (changes.length === 0 && this.#manifest.table !== null) return
    const [merged, sequence] = this.#nextName('base', 'jsonl')
    const files = [...(base === null ? [] : [base]), ...changes].map((name) => join(this.#state, name))
    const sink = await openFileSink(join(this.#state, merged), { durable: true })
    await mergeChanges(files, this.#state, sink)
    await sink.close()
    const table = await this.#writeTable(merged, copyTable)
    await this.#save({ ...this.#manifest, sequence, base: merged, changes: [], table })
    await this.repair()
  }

  /** Removes files that a killed run did not name in the manifest, and replaces the published files by the named ones. */
  async repair(): Promise<void> {
    const { base, changes, table, reviews } = this.#manifest
    const named = new Set([MANIFEST, LOCK, base, table, reviews, ...changes])
    for (const name of await readdir(this.#state))
      if (!named.has(name)) await rm(join(this.#state, name), { recursive: true })
    const published = { 'review-comments': table, reviews }
    for (const [kind, name] of Object.entries(published))
      if (name !== null) await replaceByLink(join(this.#state, name), this.#publishedPath(kind), this.#state)
  }

  async discard(): Promise<void> {
    await this.#save(this.#manifest)
  }

  close(): Promise<void> {
    return this.#unlock()
  }

  #publishedPath(kind: string): string {
    return join(this.#folder, `${kind}.${this.#manifest.format}`)
  }

  #nextName(kind: string, extension: string): [name: string, sequence: number] {
    const sequence = this.#manifest.sequence + 1
    return [`${kind}-${String(sequence).padStart(6, '0')}.${extension}`, sequence]
  }

  /** Writes lines in the format of the copy and returns the name of that file. */
  async #writeTable(lines: string, table: Table): Promise<string> {
    const { format } = this.#manifest
    if (format === 'jsonl') return lines
    const name = lines.replace(/jsonl$/, format)
    const sink = await openFileSink(join(this.#state, name), { durable: true })
    await writeTable(join(this.#state, lines), table, format, sink)
    await sink.close()
    return name
  }

  async #save(manifest: Manifest): Promise<void> {
    const path = join(this.#state, MANIFEST)
    const sink = await openFileSink(`${path}.new`, { durable: true })
    await sink.write(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
    await sink.close()
    await rename(`${path}.new`, path)
    await syncFolder(this.#state)
    this.#manifest = manifest
  }
}

/** Writes the last record of each pull request as a line. All records go to a file first, so memory does not grow with their texts. */
async function writeReviews(
  pages: AsyncIterable<readonly Review[]>,
  file: string,
  sink: ByteSink,
): Promise<void> {
  const all = await openFileSink(file)
  const latest = new Map<string, number>()
  const replaced = new Set<number>()
  let count = 0
  try {
    for await (const page of pages) {
      for (const record of page) {
        const key = `${record.organization_id} ${record.pr_url}`
        const earlier = latest.get(key)
        if (earlier !== undefined) replaced.add(earlier)
        latest.set(key, count)
        count += 1
        await all.write(Buffer.from(`${JSON.stringify(record)}\n`))
      }
    }
  } finally {
    await all.close()
  }
  let index = 0
  for await (const lines of readLines(file))
    for (const line of lines) if (!replaced.has(index++)) await sink.write(Buffer.from(`${line}\n`))
}

export async function readManifest(state: string): Promise<Manifest | null> {
  const text = await readFile(join(state, MANIFEST), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const manifest = JSON.parse(text) as Manifest
  if (manifest.version === 1) return manifest
  throw new CliError(`${join(state, MANIFEST)} was written by another version of the command line.`, {
    next: 'Use that version, or add --restart to make the copy again.',
  })
}

function refuseDifference(stored: Manifest, source: CopySource, format: Format): void {
  const difference =
    stored.format === format
      ? findDifference(stored.source, source)
      : `The copy was made with --format ${stored.format}, not ${format}.`
  if (difference === null) return
  throw new CliError(difference, {
    next: 'Use the same options or another folder, or add --restart to make the copy again.',
    exitCode: exitCodes.usage,
  })
}

/** Readers see the old file or the new one. A hard link costs no second copy. */
async function replaceByLink(from: string, to: string, state: string): Promise<void> {
  const [source, target] = await Promise.all([stat(from), stat(to).catch(() => null)])
  if (target?.ino === source.ino && target.dev === source.dev) return
  const temporary = join(state, 'publish')
  await link(from, temporary)
  await rename(temporary, to)
}

/** Without this, a power failure could undo a rename. */
async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder.
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  await handle.sync()
  await handle.close()
}

/** One run at a time. The lock of a run that was killed does not count. */
async function lock(state: string): Promise<() => Promise<void>> {
  const path = join(state, LOCK)
  for (;;) {
    try {
      const handle = await open(path, 'wx')
      await handle.writeFile(String(process.pid))
      await handle.close()
      return () => rm(path, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      await removeStaleLock(path)
    }
  }
}

async function removeStaleLock(path: string): Promise<void> {
  const pid = Number(await readFile(path, 'utf8').catch(() => ''))
  if (pid > 0 && pid !== process.pid && isRunning(pid)) {
    throw new CliError(`Process ${pid} is syncing into this folder.`, {
      next: `Wait until it has ended. If process ${pid} is another program, delete ${path}.`,
      exitCode: exitCodes.conflict,
    })
  }
  await rm(path, { force: true })
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

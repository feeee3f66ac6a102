import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { GitError } from './git-error.ts'
import { type GitCommand, killGroup, startGit } from './run-git.ts'

export interface ObjectInfo {
  readonly type: string
  readonly size: number
}

type ReaderCommand = Omit<GitCommand, 'args' | 'maxWrittenBytes'>

/** The commands that one reader outlives, each with its own time limit. */
const READER_COMMANDS = 5

/** Reads objects by their ids from one `git cat-file` process. */
export class ObjectReader {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #chunks: AsyncIterator<Buffer>
  readonly #timer: NodeJS.Timeout
  #buffered: Buffer = Buffer.alloc(0)
  #isLate = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(command: ReaderCommand) {
    // It also waits while files are fetched.
    const limits = { ...command.limits, timeoutMs: command.limits.timeoutMs * READER_COMMANDS }
    this.#child = startGit({ ...command, limits, args: ['cat-file', '--batch-command'], maxWrittenBytes: 0 })
    this.#child.on('error', () => {})
    this.#child.stdin.on('error', () => {})
    this.#child.stderr.resume()
    this.#chunks = this.#child.stdout[Symbol.asyncIterator]()
    this.#timer = setTimeout(() => {
      this.#isLate = true
      killGroup(this.#child)
    }, limits.timeoutMs)
  }

  /** Type and size of each object; null for those that were not fetched. */
  readInfos(ids: readonly string[]): Promise<(ObjectInfo | null)[]> {
    return this.#afterOthers(async () => {
      this.#send('info', ids)
      const infos: (ObjectInfo | null)[] = []
      for (const _ of ids) infos.push(await this.#readHeader())
      return infos
    })
  }

  /** The objects must exist: look at their sizes first. */
  readContents(ids: readonly string[]): Promise<Buffer[]> {
    return this.#afterOthers(async () => {
      this.#send('contents', ids)
      const contents: Buffer[] = []
      for (const _ of ids) {
        const info = await this.#readHeader()
        if (info === null) throw new GitError('missing_object')
        contents.push((await this.#readBytes(info.size + 1)).subarray(0, info.size))
      }
      return contents
    })
  }

  close(): void {
    clearTimeout(this.#timer)
    killGroup(this.#child)
  }

  /** Responses come in the order of requests, so one caller reads at a time. */
  #afterOthers<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => {})
    return result
  }

  #send(name: 'contents' | 'info', ids: readonly string[]): void {
    if (ids.length > 0) this.#child.stdin.write(ids.map((id) => `${name} ${id}\n`).join(''))
  }

  async #readHeader(): Promise<ObjectInfo | null> {
    let end = this.#buffered.indexOf(10)
    while (end === -1) {
      await this.#readMore()
      end = this.#buffered.indexOf(10)
    }
    const [, type = '', size = ''] = this.#take(end + 1)
      .toString('utf8')
      .trimEnd()
      .split(' ')
    return type === 'missing' ? null : { type, size: Number(size) }
  }

  async #readBytes(count: number): Promise<Buffer> {
    const parts = [this.#buffered]
    let length = this.#buffered.length
    while (length < count) {
      const chunk = await this.#nextChunk()
      parts.push(chunk)
      length += chunk.length
    }
    this.#buffered = Buffer.concat(parts)
    return this.#take(count)
  }

  #take(count: number): Buffer {
    const taken = this.#buffered.subarray(0, count)
    this.#buffered = this.#buffered.subarray(count)
    return taken
  }

  async #readMore(): Promise<void> {
    this.#buffered = Buffer.concat([this.#buffered, await this.#nextChunk()])
  }

  async #nextChunk(): Promise<Buffer> {
    const { done, value } = await this.#chunks.next()
    if (done !== true) return value
    throw new GitError(this.#isLate ? 'timeout' : 'limit')
  }
}

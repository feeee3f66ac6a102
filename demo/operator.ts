// Runs admin commands in one child process: starting Node for each command would take most of the time.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

interface Reply {
  readonly result?: unknown
  readonly error?: string
}

interface PendingCommand {
  readonly words: readonly string[]
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

/** `admin batch run`: a JSON array of words per line in, a JSON object per line out, in the same order. */
export class Operator {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #pending: PendingCommand[] = []
  readonly #closed: Promise<void>

  /** `command` starts the admin program, as in `['node', 'server/src/admin.ts']`. */
  constructor(command: readonly string[], env: NodeJS.ProcessEnv) {
    const [file = '', ...words] = command
    this.#child = spawn(file, [...words, 'batch', 'run'], { stdio: ['pipe', 'pipe', 'inherit'], env })
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#handleReply(line))
    this.#closed = new Promise((resolve) => {
      const fail = (reason: string) => {
        for (const { reject } of this.#pending.splice(0)) reject(new Error(reason))
        resolve()
      }
      this.#child.once('error', ({ message }) => fail(`${command.join(' ')} cannot be started: ${message}`))
      this.#child.once('close', (code) => fail(`${command.join(' ')} exited with code ${code}.`))
    })
    // `close` reports the reason.
    this.#child.stdin.on('error', () => {})
  }

  run<Result>(...words: readonly string[]): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ words, resolve: resolve as (result: unknown) => void, reject })
      this.#child.stdin.write(`${JSON.stringify(words)}\n`)
    })
  }

  async list<Row extends { readonly id: string }>(...words: readonly string[]): Promise<Row[]> {
    const rows: Row[] = []
    const limit = 1000
    for (;;) {
      const last = rows.at(-1)
      const after = last === undefined ? [] : ['--after', last.id]
      const page = await this.run<Row[]>(...words, '--limit', String(limit), ...after)
      rows.push(...page)
      if (page.length < limit) return rows
    }
  }

  async close(): Promise<void> {
    this.#child.stdin.end()
    await this.#closed
  }

  #handleReply(line: string): void {
    const { words, resolve, reject } = this.#pending.shift() ?? {}
    if (words === undefined) return
    const { result, error } = JSON.parse(line) as Reply
    if (error === undefined) resolve?.(result)
    else reject?.(new Error(`${words.slice(0, 2).join(' ')}: ${error}`))
  }
}

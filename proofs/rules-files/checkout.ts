import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { get, sendJson } from '../tools/client.ts'
import type { GeneratedFile } from './generate.ts'

/** What an import printed. */
interface ImportResult {
  readonly counts: Readonly<
    Record<'created' | 'proposed' | 'existing' | 'corrected' | 'rejected' | 'repeated', number>
  >
  readonly statements: readonly { readonly id: string; readonly outcome: string; readonly path: string }[]
}

export interface Learning {
  readonly id: string
  readonly learning: string
}

/** A folder with rules files, and the repository that they are imported to. */
export class Checkout {
  readonly #folder: string
  readonly #service: Service
  readonly #repository: string

  private constructor(folder: string, service: Service, repository: string) {
    this.#folder = folder
    this.#service = service
    this.#repository = repository
  }

  static async write(
    files: readonly GeneratedFile[],
    service: Service,
    repository: string,
  ): Promise<Checkout> {
    const folder = await mkdtemp(join(tmpdir(), 'scholiast-rules-'))
    for (const { path, content } of files) {
      const file = join(folder, 'rules', path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, content)
    }
    return new Checkout(folder, service, repository)
  }

  /** Applies the plan of the generated files, or of an export. */
  async import(from = 'rules'): Promise<ImportResult> {
    const words = ['--json', 'learnings', 'import', from, '--repo', this.#repository]
    const origin = ['--source-url', 'https://git.example.com/rules', '--apply']
    return JSON.parse(await this.#run([...words, ...origin])) as ImportResult
  }

  async export(form: string): Promise<string> {
    const to = `export-${form}`
    await this.#run(['learnings', 'export', '--as', form, '--repo', this.#repository, '--out', to])
    return to
  }

  /** All fields of all shared Learnings. */
  readLearnings(): Promise<Learning[]> {
    return this.#read('/v1/learnings')
  }

  /** All fields of all proposals. */
  readPending(): Promise<Learning[]> {
    return this.#read('/v1/learnings/pending')
  }

  async #read(path: string): Promise<Learning[]> {
    const { url, key } = this.#service
    const { status, text } = await get(`${url}${path}?repository_ids=${this.#repository}`, key)
    if (status !== 200) throw new Error(`GET ${path} returned ${status}.`)
    return (JSON.parse(text) as { data: Learning[] }).data
  }

  /** As a person does, with a key of their own. */
  async correct({ id }: Learning, learning: string): Promise<void> {
    const { url, key } = this.#service
    const body = JSON.stringify({ learning })
    const { status, text } = await sendJson('PATCH', `${url}/v1/learnings/${id}`, key, body)
    if (status !== 200) throw new Error(`PATCH /v1/learnings returned ${status}: ${text}`)
  }

  remove(): Promise<void> {
    return rm(this.#folder, { recursive: true })
  }

  async #run(words: readonly string[]): Promise<string> {
    const { url, key, cliEntry } = this.#service
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [cliEntry, ...words], {
        cwd: this.#folder,
        env: { PATH: process.env['PATH'], HOME: this.#folder, SCHOLIAST_URL: url, SCHOLIAST_API_KEY: key },
        maxBuffer: 64 * 1024 ** 2,
      })
      return stdout
    } catch (error) {
      const { stderr = '', stdout = '' } = error as { stderr?: string; stdout?: string }
      throw new Error(`scholiast ${words.join(' ')} failed: ${stderr || stdout.slice(0, 2000)}`, {
        cause: error,
      })
    }
  }
}

export interface Service {
  readonly url: string
  readonly key: string
  /** The entry point of the command line. */
  readonly cliEntry: string
}

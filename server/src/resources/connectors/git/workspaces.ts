import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, readFile, readlink, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { FairSlots } from '../../../http/connections/slots.ts'
import { defaultGitLimits, type GitLimits } from './limits.ts'
import { GitRepository } from './repository.ts'
import { checkRemote, type GitRemote } from './validate.ts'

export interface WorkspaceOptions {
  /** Several processes may share it. */
  readonly directory: string
  readonly limits?: GitLimits
  /** Repositories that this process works on at a time; one of a tenant. */
  readonly concurrency?: number
  /** Only for Git providers that the operator reaches without TLS. */
  readonly allowHttp?: boolean
}

const DEFAULT_CONCURRENCY = 2
const MAX_WAIT_MS = 10 * 60_000
/** Directories of processes that cannot be seen from here, in other containers, are removed when unused for so long. */
const STALE_MS = 24 * 60 * 60_000

/**
 * Directories for git: `<process>/<tenant>/<repository>`. A repository is removed after its use; what a killed process
 * left is removed when the next one starts.
 */
export class GitWorkspaces {
  readonly #directory: string
  readonly #limits: GitLimits
  readonly #allowHttp: boolean
  readonly #slots: FairSlots

  private constructor(directory: string, options: WorkspaceOptions) {
    this.#directory = directory
    this.#limits = options.limits ?? defaultGitLimits
    this.#allowHttp = options.allowHttp ?? false
    this.#slots = new FairSlots({ slots: options.concurrency ?? DEFAULT_CONCURRENCY, perOwner: 1 })
  }

  static async open(options: WorkspaceOptions): Promise<GitWorkspaces> {
    await mkdir(options.directory, { recursive: true, mode: 0o700 })
    const { uid, mode } = await lstat(options.directory)
    // In a shared /tmp somebody else may have made the directory, or a link with its name.
    if (uid !== process.getuid?.() || (mode & 0o170_000) !== 0o040_000)
      throw new Error(`The directory for git must belong to the user of this process: ${options.directory}`)
    await removeLeftovers(options.directory)
    const own = `${await nameProcess('self')}-${randomUUID()}`
    await mkdir(join(options.directory, own), { mode: 0o700 })
    return new GitWorkspaces(join(options.directory, own), options)
  }

  /** Waits for a free slot. Tenants take turns. The signal kills git when it aborts. */
  async withRepository<Result>(
    tenantId: string,
    remote: GitRemote,
    headRefs: readonly string[],
    work: (repository: GitRepository) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    checkRemote(remote, this.#allowHttp)
    if (!/^[0-9A-Za-z-]{1,64}$/.test(tenantId)) throw new Error('The id of the tenant is malformed.')
    const release = await this.#slots.takeWhenFree(tenantId, MAX_WAIT_MS)
    const tenantDirectory = join(this.#directory, tenantId)
    const directory = join(tenantDirectory, randomUUID())
    let repository: GitRepository | undefined
    try {
      signal?.throwIfAborted()
      await mkdir(directory, { recursive: true, mode: 0o700 })
      await utimes(this.#directory, new Date(), new Date())
      repository = await GitRepository.create({
        directory,
        remote,
        headRefs,
        limits: this.#limits,
        allowHttp: this.#allowHttp,
        signal,
      })
      return await work(repository)
    } finally {
      repository?.close()
      await rm(tenantDirectory, { recursive: true, force: true, maxRetries: 5 })
      release()
    }
  }

  async close(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Process ids are used again, and differ between containers: with the namespace and the start time they are unique. */
async function nameProcess(pid: string): Promise<string> {
  const namespace = (await readlink('/proc/self/ns/pid')).replace(/\D/g, '')
  const line = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name of the program, in parentheses, can have spaces.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return `${namespace}-${line.split(' ', 1)[0]}-${fields[19]}`
}

async function removeLeftovers(directory: string): Promise<void> {
  for (const name of await readdir(directory))
    if (await isLeftover(directory, name)) await rm(join(directory, name), { recursive: true, force: true })
}

async function isLeftover(directory: string, name: string): Promise<boolean> {
  const [, namespace, pid] = /^(\d+)-(\d+)-\d+-/.exec(name) ?? []
  if (pid === undefined) return false
  const own = (await nameProcess('self')).split('-', 1)[0]
  if (namespace === own) {
    const running = await nameProcess(pid).catch(() => null)
    return running === null || !name.startsWith(`${running}-`)
  }
  const found = await lstat(join(directory, name)).catch(() => null)
  return found !== null && Date.now() - found.mtimeMs > STALE_MS
}

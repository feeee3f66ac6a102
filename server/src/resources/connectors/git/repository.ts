import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GitError } from './git-error.ts'
import type { ChangedFile, FileDiff, FilePair, FileVersion, GitReader } from './git-reader.ts'
import type { GitLimits } from './limits.ts'
import { diffLines } from './line-diff.ts'
import { ObjectReader } from './object-reader.ts'
import { ObjectStore } from './object-store.ts'
import { type AddedFile, findMostSimilar, selectCandidates } from './rename.ts'
import { runGit } from './run-git.ts'
import type { TreeEntry } from './tree.ts'
import { type GitRemote, isHeadRef, isObjectId, splitPath } from './validate.ts'

export interface RepositoryOptions {
  /** An empty directory; without a remote, a bare repository. */
  readonly directory: string
  /** null: only what the directory has can be read. */
  readonly remote: GitRemote | null
  /** Refs of the pull requests, for Git providers that do not serve a commit by its id: `refs/pull/5/head`. */
  readonly headRefs: readonly string[]
  readonly limits: GitLimits
  readonly allowHttp: boolean
  /** Kills git when it aborts. */
  readonly signal?: AbortSignal | undefined
}

/** So many commits may be missing at the Git provider before the rest is taken for missing too: each costs a request. */
const MAX_LOST_COMMITS = 20

/** Each is fetched. */
const MAX_READ_CHANGES = 30

/** A bare repository with only the trees of some commits, and of the files only those that somebody asked for. */
export class GitRepository implements GitReader {
  readonly #options: RepositoryOptions
  readonly #store: ObjectStore
  readonly #reader: ObjectReader
  /** Commits that were fetched, or that the Git provider does not have. */
  readonly #requested = new Set<string>()
  /** By the two commits. */
  readonly #changes = new Map<string, Promise<readonly ChangedFile[]>>()
  #headRefsFetched = false
  #calls = 0

  private constructor(options: RepositoryOptions) {
    this.#options = options
    this.#reader = new ObjectReader(options)
    this.#calls++
    this.#store = new ObjectStore(this.#reader, options.limits)
  }

  static async create(options: RepositoryOptions): Promise<GitRepository> {
    const { directory, headRefs, remote } = options
    if (!headRefs.every(isHeadRef)) throw new Error('A ref of a pull request is malformed.')
    if (remote === null) return new GitRepository(options)
    // What `git init` makes, without its templates, hooks and one more process.
    await mkdir(join(directory, 'objects'), { recursive: true })
    await mkdir(join(directory, 'refs'))
    await writeFile(join(directory, 'HEAD'), 'ref: refs/heads/none\n')
    await writeFile(join(directory, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n')
    return new GitRepository(options)
  }

  /** git processes that were started, without the helpers that git itself starts. */
  get calls(): number {
    return this.#calls
  }

  close(): void {
    this.#reader.close()
  }

  async prefetch(files: readonly FileVersion[], pairs: readonly FilePair[]): Promise<void> {
    await this.#loadCommits([
      ...files.map(({ commit }) => commit),
      ...pairs.flatMap(({ from, to }) => [from, to]),
    ])
    const versions = [
      ...files,
      ...pairs.flatMap(({ from, to, path }) => [
        { commit: from, path },
        { commit: to, path },
      ]),
    ]
    const entries = await this.#findFiles(versions)
    const candidates: string[] = []
    for (const [index, { from, to, path }] of pairs.entries()) {
      const [before, after] = entries.slice(files.length + 2 * index)
      if (before != null && after == null)
        for (const { id } of await this.#findCandidates(from, to, path)) candidates.push(id)
    }
    await this.#loadFiles([...entries.flatMap((entry) => entry?.id ?? []), ...candidates])
  }

  async hasCommit(commit: string): Promise<boolean> {
    await this.#loadCommits([commit])
    return this.#store.getTree(commit) !== null
  }

  async readFile(commit: string, path: string): Promise<readonly string[] | null> {
    await this.#loadCommits([commit])
    const [entry] = await this.#findFiles([{ commit, path }])
    if (entry == null) return null
    await this.#loadFiles([entry.id])
    return this.#store.getFile(entry.id)
  }

  async diffFile(from: string, to: string, path: string): Promise<FileDiff | null> {
    const before = await this.readFile(from, path)
    if (before === null || !(await this.hasCommit(to))) return null
    const [old, same] = await this.#findFiles([
      { commit: from, path },
      { commit: to, path },
    ])
    if (same != null) return old?.id === same.id ? { path, hunks: [] } : this.#diffWith(before, path, same.id)
    const renamed = await this.#findRename(from, to, path, before, old?.id)
    if (renamed === undefined) return { path: null, hunks: [] }
    return this.#diffWith(before, renamed.path, renamed.id)
  }

  async readChanges(from: string, to: string): Promise<readonly ChangedFile[]> {
    const key = `${from} ${to}`
    const changes = this.#changes.get(key) ?? this.#readChanges(from, to)
    this.#changes.set(key, changes)
    return await changes
  }

  async #readChanges(from: string, to: string): Promise<readonly ChangedFile[]> {
    await this.#loadCommits([from, to])
    const [before, after] = [this.#store.getTree(from), this.#store.getTree(to)]
    if (before === null || after === null) return []
    const files = await this.#store.findChangedFiles(before, after)
    if (files.length > MAX_READ_CHANGES) return []
    await this.#loadFiles(files.flatMap(({ id, oldId }) => (oldId === null ? [id] : [id, oldId])))
    const read = (id: string | null) => (id === null ? null : this.#store.getFile(id)) ?? []
    return files.map(({ path, id, oldId }) => ({ path, before: read(oldId), after: read(id) }))
  }

  async #diffWith(before: readonly string[], path: string, id: string): Promise<FileDiff | null> {
    await this.#loadFiles([id])
    const after = this.#store.getFile(id)
    return after === null ? null : { path, hunks: diffLines(before, after) }
  }

  async #findRename(
    from: string,
    to: string,
    path: string,
    before: readonly string[],
    id: string | undefined,
  ): Promise<AddedFile | undefined> {
    const candidates = await this.#findCandidates(from, to, path)
    const same = candidates.find((candidate) => candidate.id === id)
    if (same !== undefined) return same
    await this.#loadFiles(candidates.map((candidate) => candidate.id))
    return findMostSimilar(
      before,
      candidates.map((file) => [file, this.#store.getFile(file.id) ?? []] as const),
    )
  }

  async #findCandidates(from: string, to: string, path: string): Promise<AddedFile[]> {
    const [before, after] = [this.#store.getTree(from), this.#store.getTree(to)]
    if (before === null || after === null) return []
    const changed = await this.#store.findChangedFiles(before, after)
    return selectCandidates(
      path,
      changed.filter(({ oldId }) => oldId === null),
    )
  }

  /** null: the path is no file at that commit. */
  async #findFiles(versions: readonly FileVersion[]): Promise<(TreeEntry | null)[]> {
    const located = versions.map(
      ({ commit, path }) => [this.#store.getTree(commit), splitPath(path)] as const,
    )
    const valid = located.flatMap(([tree, names]) =>
      tree === null || names === null ? [] : [[tree, names] as const],
    )
    const found = (await this.#store.findEntries(valid)).values()
    return located.map(([tree, names]) => {
      const entry = tree === null || names === null ? null : found.next().value
      return entry?.kind === 'file' ? entry : null
    })
  }

  async #loadFiles(ids: readonly string[]): Promise<void> {
    const missing = await this.#store.findMissing(ids)
    if (missing.length > 0) await this.#fetch(['--filter=blob:none'], missing)
    await this.#store.loadFiles(ids)
  }

  async #loadCommits(commits: readonly string[]): Promise<void> {
    const wanted = [...new Set(commits)].filter(
      (commit) => isObjectId(commit) && !this.#requested.has(commit),
    )
    if (wanted.length === 0) return
    for (const commit of wanted) this.#requested.add(commit)
    const findMissing = async () => {
      await this.#store.loadCommits(wanted)
      return wanted.filter((commit) => this.#store.getTree(commit) === null)
    }
    const missing = await findMissing()
    if (missing.length === 0) return
    await this.#fetchCommits(missing)
    if ((await findMissing()).length === 0 || this.#headRefsFetched) return
    this.#headRefsFetched = true
    if (await this.#fetchHeadRefs()) await findMissing()
  }

  async #fetchCommits(commits: readonly string[]): Promise<void> {
    const wanted = new Set(commits)
    for (let lost = 0; wanted.size > 0 && lost < MAX_LOST_COMMITS; lost++) {
      try {
        await this.#fetch(['--depth=1', '--filter=blob:none'], [...wanted])
        return
      } catch (error) {
        // The Git provider names one missing commit at a time, and sends nothing at all.
        const isLost = error instanceof GitError && error.failure === 'missing_object'
        if (!isLost || !wanted.delete(error.object ?? '')) throw error
      }
    }
  }

  async #fetchHeadRefs(): Promise<boolean> {
    const { headRefs } = this.#options
    if (headRefs.length === 0) return false
    try {
      await this.#fetch(['--depth=1', '--filter=blob:none'], headRefs)
      return true
    } catch (error) {
      if (error instanceof GitError && error.failure === 'missing_ref') return false
      throw error
    }
  }

  async #fetch(options: readonly string[], wanted: readonly string[]): Promise<void> {
    const { directory, remote, limits, allowHttp, signal } = this.#options
    if (remote === null) return
    const left = limits.diskBytes - (await measureDirectory(directory))
    this.#calls++
    await runGit(
      {
        args: [
          'fetch',
          '--quiet',
          '--no-tags',
          '--no-write-fetch-head',
          '--no-recurse-submodules',
          '--no-auto-maintenance',
          ...options,
          '--stdin',
          '--end-of-options',
          'origin',
        ],
        directory,
        config: [
          ['remote.origin.url', remote.url],
          ...pinAddresses(remote),
          // Only a fetch knows the remote, so that no other command asks it for what is missing.
          ['remote.origin.promisor', 'true'],
          ['remote.origin.partialCloneFilter', 'blob:none'],
          ...(remote.header === null ? [] : [[`http.${remote.url}.extraHeader`, remote.header] as const]),
        ],
        allowHttp,
        limits,
        signal,
        maxWrittenBytes: left,
      },
      wanted.map((name) => `${name}\n`).join(''),
    )
    if ((await measureDirectory(directory)) > limits.diskBytes) throw new GitError('disk_quota')
  }
}

/** A second answer of the DNS can differ from the one that was checked. */
function pinAddresses({ url, addresses = [] }: GitRemote): (readonly [string, string])[] {
  if (addresses.length === 0) return []
  const { hostname, port, protocol } = new URL(url)
  const list = addresses.map((address) => (address.includes(':') ? `[${address}]` : address)).join(',')
  return [['http.curloptResolve', `${hostname}:${port || (protocol === 'http:' ? 80 : 443)}:${list}`]]
}

async function measureDirectory(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

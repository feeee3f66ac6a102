import type { GitLimits } from './limits.ts'
import { splitLines } from './line-diff.ts'
import type { ObjectReader } from './object-reader.ts'
import type { AddedFile } from './rename.ts'
import { parseTree, type Tree, type TreeEntry } from './tree.ts'

const MAX_TREE_BYTES = 8 * 1024 * 1024
const MAX_CHANGED_FILES = 20_000

interface ChangedEntry extends AddedFile {
  /** null = the file was added. */
  readonly oldId: string | null
}

/** What was read of a repository: each object once, within the limits. */
export class ObjectStore {
  readonly #reader: ObjectReader
  readonly #limits: GitLimits
  readonly #trees = new Map<string, Tree>()
  /** Commit to tree; null = the commit is missing. */
  readonly #commits = new Map<string, string | null>()
  /** null = the file cannot be read as a text. */
  readonly #files = new Map<string, readonly string[] | null>()
  #bytesRead = 0

  constructor(reader: ObjectReader, limits: GitLimits) {
    this.#reader = reader
    this.#limits = limits
  }

  /** The trees of commits; null for those that are missing. */
  async loadCommits(commits: readonly string[]): Promise<void> {
    const wanted = [...new Set(commits)].filter((commit) => this.#commits.get(commit) == null)
    const infos = await this.#reader.readInfos(wanted)
    const present = wanted.filter((_, index) => infos[index]?.type === 'commit')
    const contents = await this.#reader.readContents(present)
    for (const commit of wanted) this.#commits.set(commit, null)
    for (const [index, commit] of present.entries()) {
      const tree = /^tree ([0-9a-f]{40})\n/.exec(contents[index]?.toString('latin1', 0, 46) ?? '')?.[1]
      this.#commits.set(commit, tree ?? null)
    }
  }

  getTree(commit: string): string | null {
    return this.#commits.get(commit) ?? null
  }

  /** The entries of paths below trees, level by level, so that all paths together take few reads. */
  async findEntries(
    paths: readonly (readonly [tree: string, names: readonly string[]])[],
  ): Promise<(TreeEntry | null)[]> {
    const found: (TreeEntry | null)[] = paths.map(([id]) => ({ kind: 'directory', id }))
    const depth = Math.max(0, ...paths.map(([, names]) => names.length))
    for (let level = 0; level < depth; level++) {
      await this.#loadTrees(found.flatMap((entry) => (entry?.kind === 'directory' ? [entry.id] : [])))
      for (const [index, [, names]] of paths.entries()) {
        const [entry, name] = [found[index], names[level]]
        if (name === undefined) continue
        const tree = entry?.kind === 'directory' ? this.#trees.get(entry.id) : undefined
        found[index] = tree?.get(name) ?? null
      }
    }
    return found
  }

  /** Files that only the second tree has, or has with other content. Empty if there are too many changes to look at. */
  async findChangedFiles(from: string, to: string): Promise<ChangedEntry[]> {
    const changed: ChangedEntry[] = []
    let pairs: (readonly [string | null, string, string])[] = [[from, to, '']]
    let seen = 0
    while (pairs.length > 0) {
      await this.#loadTrees(pairs.flatMap(([a, b]) => (a === null ? [b] : [a, b])))
      const next: typeof pairs = []
      for (const [a, b, prefix] of pairs) {
        const before = a === null ? undefined : this.#trees.get(a)
        for (const [name, entry] of this.#trees.get(b) ?? []) {
          const old = before?.get(name)
          if (old?.id === entry.id) continue
          if (++seen > MAX_CHANGED_FILES) return []
          const path = prefix + name
          if (entry.kind === 'directory')
            next.push([old?.kind === 'directory' ? old.id : null, entry.id, `${path}/`])
          else if (entry.kind === 'file') changed.push({ path, id: entry.id, oldId: toFileId(old) })
        }
      }
      pairs = next
    }
    return changed
  }

  /** Which of the files must still be fetched. */
  async findMissing(ids: readonly string[]): Promise<string[]> {
    const unread = [...new Set(ids)].filter((id) => !this.#files.has(id))
    const infos = await this.#reader.readInfos(unread)
    return unread.filter((_, index) => infos[index] === null)
  }

  async loadFiles(ids: readonly string[]): Promise<void> {
    const unread = [...new Set(ids)].filter((id) => !this.#files.has(id))
    const infos = await this.#reader.readInfos(unread)
    const readable = unread.filter((_, index) => {
      const info = infos[index]
      if (info?.type !== 'blob' || info.size > this.#limits.fileBytes) return false
      this.#bytesRead += info.size
      return this.#bytesRead <= this.#limits.readBytes
    })
    for (const [index, id] of unread.entries()) if (infos[index] !== null) this.#files.set(id, null)
    const contents = await this.#reader.readContents(readable)
    for (const [index, id] of readable.entries()) this.#files.set(id, toLines(contents[index]))
  }

  getFile(id: string): readonly string[] | null {
    return this.#files.get(id) ?? null
  }

  async #loadTrees(ids: readonly string[]): Promise<void> {
    const unread = [...new Set(ids)].filter((id) => !this.#trees.has(id))
    const infos = await this.#reader.readInfos(unread)
    const readable = unread.filter((_, index) => {
      const info = infos[index]
      return info?.type === 'tree' && info.size <= MAX_TREE_BYTES
    })
    const contents = await this.#reader.readContents(readable)
    for (const [index, id] of readable.entries()) {
      const content = contents[index]
      if (content !== undefined) this.#trees.set(id, parseTree(content))
    }
  }
}

function toFileId(entry: TreeEntry | undefined): string | null {
  return entry?.kind === 'file' ? entry.id : null
}

/** null for files that git would call binary. */
function toLines(content: Buffer | undefined): readonly string[] | null {
  return content === undefined || content.includes(0) ? null : splitLines(content.toString('utf8'))
}

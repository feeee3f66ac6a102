// A git repository of the fake: commits are recorded in memory and, if it has a directory, as real git objects.
import { mergeLines, toLines } from './line-diff.ts'
import {
  type Identity,
  initializeBareRepository,
  writeCommit,
  writeObject,
  writeRef,
  writeTree,
} from './objects.ts'

/** Path to text; null deletes the file. */
export type Changes = Readonly<Record<string, string | null>>

export interface RecordedCommit {
  readonly sha: string
  readonly parents: readonly string[]
  readonly author: Identity
  readonly at: number
  readonly message: string
  readonly tree: string
  /** Path to blob id. */
  readonly files: ReadonlyMap<string, string>
}

export interface NewCommit {
  readonly parents: readonly string[]
  readonly author: Identity
  readonly at: number
  readonly message: string
}

export class MergeConflictError extends Error {}

export class CodeRepository {
  readonly directory: string | null
  readonly #commits = new Map<string, RecordedCommit>()
  readonly #blobs = new Map<string, string>()
  readonly #refs = new Map<string, string>()

  /** Without a directory nothing is written, and the repository cannot be cloned. */
  constructor(directory: string | null) {
    this.directory = directory
    if (directory !== null) initializeBareRepository(directory)
  }

  /** A commit with `changes` on top of its first parent. */
  commit(commit: NewCommit, changes: Changes): string {
    const [parent] = commit.parents
    const files = new Map(parent === undefined ? [] : this.getCommit(parent).files)
    for (const [path, text] of Object.entries(changes)) {
      if (text === null) files.delete(path)
      else files.set(path, this.#writeBlob(text))
    }
    return this.#record(commit, files)
  }

  /** A merge commit, or a squash commit if it has one parent. */
  mergeCommit(commit: NewCommit, base: string, head: string): string {
    return this.#record(commit, this.#mergeFiles(this.findMergeBase(base, head), base, head))
  }

  /** The changes of `original` once more on top of another parent. */
  cherryPick(original: string, onto: string, at: number): string {
    const { author, message, parents } = this.getCommit(original)
    const [parent] = parents
    if (parent === undefined) throw new Error(`${original} has no parent`)
    return this.#record({ parents: [onto], author, message, at }, this.#mergeFiles(parent, onto, original))
  }

  getCommit(sha: string): RecordedCommit {
    const commit = this.#commits.get(sha)
    if (commit === undefined) throw new Error(`the repository has no commit ${sha}`)
    return commit
  }

  readFile(sha: string, path: string): string | null {
    const blob = this.getCommit(sha).files.get(path)
    return blob === undefined ? null : (this.#blobs.get(blob) ?? null)
  }

  getRef(name: string): string | null {
    return this.#refs.get(name) ?? null
  }

  setRef(name: string, sha: string | null): void {
    if (sha === null) this.#refs.delete(name)
    else this.#refs.set(name, sha)
    if (this.directory !== null) writeRef(this.directory, name, sha)
  }

  /** Commits of `head` that `base` does not have, oldest first. */
  listCommits(base: string, head: string): string[] {
    const excluded = this.#listAncestors(base)
    const found: string[] = []
    const visited = new Set<string>()
    const visit = (sha: string): void => {
      if (excluded.has(sha) || visited.has(sha)) return
      visited.add(sha)
      for (const parent of this.getCommit(sha).parents) visit(parent)
      found.push(sha)
    }
    visit(head)
    return found
  }

  findMergeBase(base: string, head: string): string {
    const ancestors = this.#listAncestors(base)
    const queue = [head]
    for (const sha of queue) {
      if (ancestors.has(sha)) return sha
      queue.push(...this.getCommit(sha).parents)
    }
    throw new Error(`${base} and ${head} have no common commit`)
  }

  /** Paths whose content differs. */
  listChangedPaths(from: string, to: string): string[] {
    const [before, after] = [this.getCommit(from).files, this.getCommit(to).files]
    return [...new Set([...before.keys(), ...after.keys()])]
      .filter((path) => before.get(path) !== after.get(path))
      .sort()
  }

  #listAncestors(sha: string): Set<string> {
    const queue = [sha]
    const found = new Set(queue)
    for (const current of queue)
      for (const parent of this.getCommit(current).parents)
        if (!found.has(parent)) {
          found.add(parent)
          queue.push(parent)
        }
    return found
  }

  #writeBlob(text: string): string {
    const sha = writeObject(this.directory, 'blob', Buffer.from(text))
    this.#blobs.set(sha, text)
    return sha
  }

  #record(commit: NewCommit, files: ReadonlyMap<string, string>): string {
    const tree = writeTree(this.directory, files)
    const sha = writeCommit(this.directory, { ...commit, tree })
    this.#commits.set(sha, { ...commit, sha, tree, files })
    return sha
  }

  #mergeFiles(base: string, ours: string, theirs: string): Map<string, string> {
    const [baseFiles, ourFiles] = [this.getCommit(base).files, this.getCommit(ours).files]
    const theirFiles = this.getCommit(theirs).files
    const merged = new Map(ourFiles)
    for (const path of this.listChangedPaths(base, theirs)) {
      const [original, our, their] = [baseFiles.get(path), ourFiles.get(path), theirFiles.get(path)]
      if (our === their) continue
      if (our === original) {
        if (their === undefined) merged.delete(path)
        else merged.set(path, their)
      } else merged.set(path, this.#mergeBlobs(path, original, our, their))
    }
    return merged
  }

  #mergeBlobs(path: string, ...blobs: readonly (string | undefined)[]): string {
    const [original, our, their] = blobs.map((blob) =>
      blob === undefined ? undefined : this.#blobs.get(blob),
    )
    if (our === undefined || their === undefined)
      throw new MergeConflictError(`${path} was deleted on one side`)
    const merged = mergeLines(toLines(original ?? ''), toLines(our), toLines(their))
    if (merged === null) throw new MergeConflictError(`${path} was changed on both sides`)
    return this.#writeBlob(merged.map((line) => `${line}\n`).join(''))
  }
}

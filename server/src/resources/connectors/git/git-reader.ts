import type { Hunk } from './line-diff.ts'

export interface FileVersion {
  readonly commit: string
  readonly path: string
}

export interface FilePair {
  readonly from: string
  readonly to: string
  readonly path: string
}

export interface FileDiff {
  /** The path at the later commit; null = the file was deleted. */
  readonly path: string | null
  readonly hunks: readonly Hunk[]
}

export interface ChangedFile {
  readonly path: string
  /** Empty if the file was added. */
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Reads files of commits. Whatever cannot be read, for which reason ever, is absent: git then decides nothing. */
export interface GitReader {
  /** Fetches everything that later calls need in as few requests as possible. Without it each call fetches by itself. */
  prefetch(files: readonly FileVersion[], pairs: readonly FilePair[]): Promise<void>
  /** A force push can lose a commit. */
  hasCommit(commit: string): Promise<boolean>
  /** The lines of a file without their ends. null: no such text file, or too large. */
  readFile(commit: string, path: string): Promise<readonly string[] | null>
  /** Follows renames. null: one of the files cannot be read. */
  diffFile(from: string, to: string, path: string): Promise<FileDiff | null>
  /** The files that were added or changed. Empty if they are too many to look at. */
  readChanges(from: string, to: string): Promise<readonly ChangedFile[]>
}

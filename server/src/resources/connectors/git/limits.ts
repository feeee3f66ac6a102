/** What git may use for one repository. Its content comes from outsiders. */
export interface GitLimits {
  /** Limit per command; the whole process group is killed after it. */
  readonly timeoutMs: number
  /** Address space of one process. */
  readonly memoryBytes: number
  /** Maximum size of the repository's directory. */
  readonly diskBytes: number
  /** A larger file is not read. */
  readonly fileBytes: number
  /** Sum over all files that are read from one repository. */
  readonly readBytes: number
}

// The disk limit fits twice into the /tmp of compose.yaml. Trees of one commit of a large repository are some 20 MB.
export const defaultGitLimits: GitLimits = {
  timeoutMs: 60_000,
  memoryBytes: 1024 * 1024 * 1024,
  diskBytes: 96 * 1024 * 1024,
  fileBytes: 1024 * 1024,
  readBytes: 64 * 1024 * 1024,
}

export type GitFailure =
  | 'credential_rejected'
  | 'disk_quota'
  | 'failed'
  | 'limit'
  | 'missing_object'
  | 'missing_ref'
  | 'not_found'
  | 'timeout'

const messages: Readonly<Record<GitFailure, string>> = {
  credential_rejected: 'The Git provider refused the credential for git.',
  disk_quota: 'The repository needs more disk space than it may use.',
  failed: 'git failed.',
  limit: 'git reached its limit of memory, file size or processor time.',
  missing_object: 'The Git provider does not have a commit or file that was requested.',
  missing_ref: 'The Git provider does not have the ref of the pull request.',
  not_found: 'The Git provider does not have the repository.',
  timeout: 'git did not finish in time.',
}

/** Its message is ours: what git and the remote print can have a secret, and is never passed on. */
export class GitError extends Error {
  override readonly name = 'GitError'
  readonly failure: GitFailure
  /** The object that is missing, where the Git provider names it. */
  readonly object: string | null

  constructor(failure: GitFailure, object: string | null = null) {
    super(messages[failure])
    this.failure = failure
    this.object = object
  }
}

const patterns: readonly (readonly [GitFailure, RegExp])[] = [
  ['missing_object', /(?:not our ref|unadvertised object) ([0-9a-f]{40})/],
  ['missing_ref', /couldn't find remote ref/],
  [
    'credential_rejected',
    /returned error: 40[13]|Authentication failed|could not read (?:Username|Password)|terminal prompts disabled/,
  ],
  ['not_found', /returned error: 404|repository '[^']*' not found/],
  // A limit of the kernel ends index-pack, and git reports only that.
  ['limit', /died of signal|out of memory|File too large|malloc failed|mmap failed|index-pack/],
]

/** Classifies the error output of git, in its C locale. */
export function toGitError(errorOutput: string, signal: NodeJS.Signals | null): GitError {
  for (const [failure, pattern] of patterns) {
    const match = pattern.exec(errorOutput)
    if (match !== null) return new GitError(failure, match[1] ?? null)
  }
  return new GitError(signal === null ? 'failed' : 'limit')
}

// Commits, refs, paths and addresses come from outsiders. What does not have the expected form never reaches git.

const commitPattern = /^[0-9a-f]{40}$/
const headRefPattern = /^refs\/(?:pull|merge-requests)\/[1-9][0-9]{0,9}\/head$/
const headerPattern = /^[A-Za-z-]+: [\x21-\x7e ]+$/
const MAX_PATH_BYTES = 4096

export function isObjectId(text: string): boolean {
  return commitPattern.test(text)
}

export function isHeadRef(text: string): boolean {
  return headRefPattern.test(text)
}

/** The names on the way to a file; null if no file of a repository can have this path. */
export function splitPath(path: string): readonly string[] | null {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES || path.includes('\0')) return null
  const names = path.split('/')
  return names.some((name) => name === '' || name === '.' || name === '..') ? null : names
}

export interface GitRemote {
  readonly url: string
  /** A whole header line with the credential; null for repositories that anybody can read. */
  readonly header: string | null
  /** Where git connects to; without any it resolves the name itself. They must have been checked. */
  readonly addresses?: readonly string[]
}

/** Throws for everything but a plain https address (http where allowed) without a credential in it. */
export function checkRemote({ url, header }: GitRemote, allowHttp: boolean): void {
  const parsed = URL.canParse(url) ? new URL(url) : null
  const isAllowed = parsed?.protocol === 'https:' || (allowHttp && parsed?.protocol === 'http:')
  if (parsed === null || !isAllowed) throw new Error('The address of the repository must be an https URL.')
  if (parsed.username !== '' || parsed.password !== '')
    throw new Error('The address of the repository must not contain a credential.')
  if (/[\s\\]/.test(url)) throw new Error('The address of the repository has characters that no URL has.')
  if (header !== null && !headerPattern.test(header)) throw new Error('The header for git is malformed.')
}

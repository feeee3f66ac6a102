import { relative, resolve, sep } from 'node:path'
import { git } from '../git.ts'

/** Returns the address of a file on the Web, or null: from the address of the folder, or from the remote `origin`. */
export async function findSourceUrls(
  cwd: string,
  folderUrl: string | undefined,
): Promise<(path: string) => string | null> {
  const root =
    folderUrl === undefined ? await git(cwd, ['rev-parse', '--show-toplevel']).catch(() => '') : cwd
  const remote =
    folderUrl === undefined ? await git(cwd, ['remote', 'get-url', 'origin']).catch(() => '') : ''
  const base = folderUrl?.replace(/\/$/, '') ?? toFilesUrl(remote.trim())
  return (path) => {
    const below = relative(root.trim(), resolve(cwd, path))
    if (base === null || root === '' || below.startsWith('..')) return null
    return `${base}/${below.split(sep).map(encodeURIComponent).join('/')}`
  }
}

/** The address of a repository's files, without user name and password. */
export function toFilesUrl(remote: string): string | null {
  const [, host, path] =
    /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+)$/.exec(remote) ??
    /^(?:[^@/]+@)([^/:]+):(.+)$/.exec(remote) ??
    []
  if (host === undefined || path === undefined) return null
  const repository = `https://${host}/${path.replace(/\/$/, '').replace(/\.git$/, '')}`
  if (host.includes('gitlab')) return `${repository}/-/blob/HEAD`
  return host.includes('bitbucket') ? `${repository}/src/HEAD` : `${repository}/blob/HEAD`
}

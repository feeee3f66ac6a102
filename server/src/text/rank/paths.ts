/**
 * How close the file or folder that a Learning was written for is to the files under review, nearest first.
 * `pull-request`: it was written for the pull request itself; `file`: one of the files; `folder`: a folder that contains
 * one of them; `beside`: a file in the folder of one of them.
 */
export type Nearness = 'pull-request' | 'file' | 'folder' | 'beside' | 'above' | 'language' | 'none'

/** The parsed paths of the files under review. */
export interface ReviewPaths {
  readonly files: ReadonlySet<string>
  /** The folders that contain the files themselves. */
  readonly folders: ReadonlySet<string>
  /** All folders above the files. */
  readonly ancestors: ReadonlySet<string>
  readonly languages: ReadonlySet<string>
}

export function parsePaths(files: readonly string[]): ReviewPaths {
  const paths = files.map(normalizePath)
  return {
    files: new Set(paths),
    folders: new Set(paths.map(folderOf)),
    ancestors: new Set(paths.flatMap(listFolders)),
    languages: new Set(paths.map(languageOf).filter((language) => language !== '')),
  }
}

export function classifyNearness(file: string | null, paths: ReviewPaths): Nearness {
  if (file === null || file === '' || paths.files.size === 0) return 'none'
  const path = normalizePath(file)
  if (paths.files.has(path)) return 'file'
  if (paths.ancestors.has(path)) return 'folder'
  const folder = folderOf(path)
  if (folder !== '' && paths.folders.has(folder)) return 'beside'
  // The topmost folder, such as src, contains everything.
  if (folder.includes('/') && paths.ancestors.has(folder)) return 'above'
  return paths.languages.has(languageOf(path)) ? 'language' : 'none'
}

/** Folders above a path, the topmost first: src, src/billing for src/billing/tax.ts. */
export function listFolders(path: string): string[] {
  const parts = normalizePath(path).split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

function normalizePath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/){1,8}/, '')
    .replace(/\/{1,8}$/, '')
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

const languageAliases: ReadonlyMap<string, string> = new Map([
  ['tsx', 'ts'],
  ['jsx', 'js'],
  ['mjs', 'js'],
  ['cjs', 'js'],
  ['mts', 'ts'],
  ['cts', 'ts'],
  ['yml', 'yaml'],
  ['h', 'c'],
  ['hpp', 'cpp'],
  ['cc', 'cpp'],
  ['kts', 'kt'],
  ['htm', 'html'],
  ['scss', 'css'],
])

function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  const extension = dot < 1 ? '' : name.slice(dot + 1).toLowerCase()
  return languageAliases.get(extension) ?? extension
}

/** How close the file of a candidate is to the files under review, nearest first. */
export type Nearness = 'file' | 'folder' | 'above' | 'language' | 'none'

/** The parsed paths of the files under review. */
export interface ReviewPaths {
  readonly files: ReadonlySet<string>
  readonly folders: ReadonlySet<string>
  /** All ancestor folders of the files. */
  readonly ancestors: ReadonlySet<string>
  readonly languages: ReadonlySet<string>
}

export function parsePaths(files: readonly string[]): ReviewPaths {
  const paths = files.map(normalizePath)
  const folders = paths.map(folderOf)
  return {
    files: new Set(paths),
    folders: new Set(folders),
    ancestors: new Set(folders.flatMap(listAncestors)),
    languages: new Set(paths.map(languageOf).filter((language) => language !== '')),
  }
}

export function classifyNearness(file: string | null, paths: ReviewPaths): Nearness {
  if (file === null || file === '' || paths.files.size === 0) return 'none'
  const path = normalizePath(file)
  if (paths.files.has(path)) return 'file'
  const folder = folderOf(path)
  if (folder !== '' && paths.folders.has(folder)) return 'folder'
  if (folder !== '' && paths.ancestors.has(folder)) return 'above'
  return paths.languages.has(languageOf(path)) ? 'language' : 'none'
}

function normalizePath(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(?:\.?\/){1,8}/, '')
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** Excludes the topmost folder, such as src, which contains everything. */
function listAncestors(folder: string): string[] {
  const parts = folder.split('/')
  return parts.slice(2).map((_, at) => parts.slice(0, at + 2).join('/'))
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

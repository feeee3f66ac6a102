/** How the file of a candidate lies to the files under review, nearest first. */
export type Nearness = 'file' | 'folder' | 'above' | 'language' | 'none'

/** What candidates are compared with, taken apart once. */
export interface Paths {
  readonly files: ReadonlySet<string>
  readonly folders: ReadonlySet<string>
  /** All folders that hold one of the files, however deep. */
  readonly above: ReadonlySet<string>
  readonly languages: ReadonlySet<string>
}

export function readPaths(files: readonly string[]): Paths {
  const paths = files.map(normalize)
  const folders = paths.map(folderOf)
  return {
    files: new Set(paths),
    folders: new Set(folders),
    above: new Set(folders.flatMap(foldersAbove)),
    languages: new Set(paths.map(languageOf).filter((language) => language !== '')),
  }
}

export function classifyNearness(file: string | null, paths: Paths): Nearness {
  if (file === null || file === '' || paths.files.size === 0) return 'none'
  const path = normalize(file)
  if (paths.files.has(path)) return 'file'
  const folder = folderOf(path)
  if (folder !== '' && paths.folders.has(folder)) return 'folder'
  if (folder !== '' && paths.above.has(folder)) return 'above'
  return paths.languages.has(languageOf(path)) ? 'language' : 'none'
}

function normalize(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(?:\.?\/){1,8}/, '')
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** Not the topmost one: everything lies in src. */
function foldersAbove(folder: string): string[] {
  const parts = folder.split('/')
  return parts.slice(2).map((_, at) => parts.slice(0, at + 2).join('/'))
}

const sameLanguage: Readonly<Record<string, string>> = {
  tsx: 'ts',
  jsx: 'js',
  mjs: 'js',
  cjs: 'js',
  mts: 'ts',
  cts: 'ts',
  yml: 'yaml',
  h: 'c',
  hpp: 'cpp',
  cc: 'cpp',
  kts: 'kt',
  htm: 'html',
  scss: 'css',
}

function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  const extension = dot < 1 ? '' : name.slice(dot + 1).toLowerCase()
  return sameLanguage[extension] ?? extension
}

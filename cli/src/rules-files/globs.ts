// Between the globs of a rule and the `file` of a Learning, which is the path of a file or of a folder.

/** Splits at commas that are not in braces or brackets: `src/*.{ts,tsx}, docs/**` has two globs. */
export function splitGlobs(text: string): string[] {
  const globs = ['']
  let depth = 0
  for (const char of text) {
    if ('{['.includes(char)) depth += 1
    if ('}]'.includes(char)) depth = Math.max(0, depth - 1)
    if (char === ',' && depth === 0) globs.push('')
    else globs[globs.length - 1] += char
  }
  return globs.map((glob) => glob.trim()).filter((glob) => glob !== '')
}

/** A folder for `folder/**`, a path for a glob without wildcards. Other globs are stored as they are. */
export function globsToFile(globs: readonly string[]): string | null {
  const [first, second] = globs
  if (first === undefined || isEverything(globs)) return null
  if (globs.length === 2 && second === `${first}/**` && !isPattern(first)) return unescapeGlob(first)
  if (globs.length > 1) return globs.join(',')
  const folder = /^(.+\/)\*\*(?:\/\*(?:\.\*)?)?$/.exec(first)?.[1]
  if (folder !== undefined && !isPattern(folder)) return unescapeGlob(folder)
  return isPattern(first) ? first : unescapeGlob(first)
}

export function fileToGlobs(file: string): string[] {
  if (isPattern(file)) return splitGlobs(file)
  const path = escapeGlob(file)
  if (path.endsWith('/')) return [`${path}**`]
  // A path without an extension may be a folder.
  const name = file.slice(file.lastIndexOf('/') + 1)
  return /.\.\w+$/.test(name) ? [path] : [path, `${path}/**`]
}

function isEverything(globs: readonly string[]): boolean {
  return globs.every((glob) => ['*', '**', '**/*', '**/*.*'].includes(glob))
}

/** Brackets alone are more often a path, such as app/[id]/page.tsx. */
function isPattern(glob: string): boolean {
  return /[*?{}]/.test(glob)
}

/** In a glob, brackets stand for one of their characters. */
function escapeGlob(path: string): string {
  return path.replaceAll(/[[,]/g, '[$&]')
}

function unescapeGlob(glob: string): string {
  return glob.replaceAll(/\[([[,])\]/g, '$1')
}

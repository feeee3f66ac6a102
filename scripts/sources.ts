// Shared by the checks: the files of the repository, their imports, and the output of violations.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/** A line that breaks a rule: what is wrong, why it is a rule, what to do. */
export interface Violation {
  readonly file: string
  readonly line: number
  readonly what: string
  readonly why: string
  readonly todo: string
}

interface Import {
  readonly line: number
  readonly specifier: string
  /** The imported file, if it is in this repository. */
  readonly target: string | null
}

export interface SourceFile {
  readonly file: string
  readonly text: string
  readonly isTest: boolean
  readonly imports: readonly Import[]
}

const importStatement = /^\s*import\s+(?:[\w\s{},*$]+?\s+from\s*)?['"]([^'"]+)['"]/gm
const exportStatement = /^\s*export\s+(?:type\s+)?(?:\*[\w\s]*|\{[^}]*\})\s*from\s*['"]([^'"]+)['"]/gm
const importCall = /\bimport\(\s*['"]([^'"]+)['"]/g

/** Every file that git would track, by the simple patterns of .gitignore. Works without git. */
export function listFiles(root: string): string[] {
  const patterns = readFileOrEmpty(join(root, '.gitignore'))
    .split('\n')
    .filter(Boolean)
    .map((pattern) => pattern.replaceAll(/^\/|\/$/g, ''))
  // A pattern with a slash is a path, any other a name.
  const ignored = (name: string, path: string) =>
    name === '.git' ||
    patterns.some((pattern) => posix.matchesGlob(pattern.includes('/') ? path : name, pattern))
  const walk = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => !ignored(entry.name, posix.join(folder, entry.name)))
      .flatMap((entry) => {
        const path = posix.join(folder, entry.name)
        return entry.isDirectory() ? walk(path) : [path]
      })
  return walk('').sort()
}

export function readFileOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

export function printViolations(name: string, violations: readonly Violation[]): number {
  for (const { file, line, what, why, todo } of violations) {
    console.error(`${file}:${line}  ${what}\n    why: ${why}\n    do:  ${todo}`)
  }
  console.log(`${name}: ${violations.length === 0 ? 'ok' : `${violations.length} found`}`)
  return violations.length === 0 ? 0 : 1
}

export function getLineNumber(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

const generatedFiles = new Set(['server/schema.sql', 'sdk/src/openapi.ts'])

/** All code that is not generated. */
export function readSources(root: string): SourceFile[] {
  const files = listFiles(root)
  const knownFiles = new Set(files)
  return files
    .filter((file) => /\.(?:tsx?|sql)$/.test(file) && !generatedFiles.has(file))
    .map((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const imports = file.endsWith('.sql') ? [] : findImports(file, text, knownFiles)
      return { file, text, isTest: file.endsWith('.test.ts'), imports }
    })
}

/** `server/src`, `server/test`, or the top-level folder. */
export function getArea(file: string): string {
  const [top = '', second = ''] = file.split('/')
  return top === 'server' ? `${top}/${second}` : top
}

function findImports(file: string, text: string, knownFiles: ReadonlySet<string>): Import[] {
  const found = [importStatement, exportStatement, importCall].flatMap((pattern) => [
    ...text.matchAll(pattern),
  ])
  return found.map((match) => {
    const [whole, specifier = ''] = match
    const path = posix.join(dirname(file), specifier)
    const line = getLineNumber(text, match.index + whole.length - whole.trimStart().length)
    return { line, specifier, target: specifier.startsWith('.') && knownFiles.has(path) ? path : null }
  })
}

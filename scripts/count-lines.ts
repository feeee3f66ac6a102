// Counts the lines of TypeScript per module, of the working tree or of a revision:
//   node scripts/count-lines.ts [REVISION]
// server/src is counted by module and without its tests; all tests of the server are one row.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('..', import.meta.url))
const otherFolders = ['acceptance', 'proofs', 'bench', 'scripts', 'demo'] as const

if (import.meta.main) {
  const lines = countLines(process.argv[2] ?? null)
  const width = Math.max(...lines.keys().map(({ length }) => length))
  for (const [module, count] of lines) console.log(`${module.padEnd(width)} ${String(count).padStart(7)}`)
}

function countLines(revision: string | null): Map<string, number> {
  const counts = new Map<string, number>()
  for (const file of listFiles(revision)) {
    const module = toModule(file)
    if (module === null) continue
    counts.set(module, (counts.get(module) ?? 0) + countNewlines(readSource(revision, file)))
  }
  const sorted = new Map([...counts].toSorted(([first], [second]) => compare(first, second)))
  return sorted.set(
    'all',
    sorted.values().reduce((sum, count) => sum + count, 0),
  )
}

function listFiles(revision: string | null): string[] {
  const list =
    revision === null
      ? git('ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate')
      : git('ls-tree', '-r', '-z', '--name-only', revision)
  const deleted = new Set(revision === null ? git('ls-files', '-z', '--deleted').split('\0') : [])
  return list.split('\0').filter((file) => file.endsWith('.ts') && !deleted.has(file))
}

function readSource(revision: string | null, file: string): string {
  return revision === null ? readFileSync(join(repository, file), 'utf8') : git('show', `${revision}:${file}`)
}

/** `server/src/http` for everything in that folder; files directly in server/src are one module. */
function toModule(file: string): string | null {
  const [top = '', second = '', third = '', ...rest] = file.split('/')
  if (top === 'server') {
    if (second === 'test' || file.endsWith('.test.ts')) return 'server tests'
    if (second !== 'src') return null
    return rest.length === 0 ? 'server/src (files)' : `server/src/${third}`
  }
  return otherFolders.find((folder) => folder === top) ?? null
}

/** Modules of the server first. */
function compare(first: string, second: string): number {
  const rank = (module: string) => (module.startsWith('server/') ? 0 : module.startsWith('server') ? 1 : 2)
  return rank(first) - rank(second) || (first < second ? -1 : 1)
}

function countNewlines(text: string): number {
  return text.split('\n').length - 1
}

function git(...words: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', words, {
    cwd: repository,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (status === 0) return stdout
  throw new Error(`git ${words.join(' ')} failed: ${stderr}`)
}

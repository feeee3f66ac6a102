import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GitReader } from '../git/git-reader.ts'
import { diffLines, splitLines } from '../git/line-diff.ts'
import { findLineChange } from './line-change.ts'

const code = `import { load } from './load'

export function read(id) {
  const data = load(id)

  return data.name
}

${Array.from({ length: 10 }, (_, index) => `export const x${index} = ${index}`).join('\n')}
`

/** Two versions of a file. */
function createReader(before: string, after: string): GitReader {
  const files = new Map([
    ['before', splitLines(before)],
    ['after', splitLines(after)],
  ])
  const read = (commit: string) => files.get(commit) ?? []
  return {
    prefetch: () => Promise.resolve(),
    hasCommit: () => Promise.resolve(true),
    readFile: (commit) => Promise.resolve(read(commit)),
    diffFile: (from, to, path) => Promise.resolve({ path, hunks: diffLines(read(from), read(to)) }),
    readChanges: () => Promise.resolve([]),
  }
}

/** What became of the line `const data = load(id)`. */
async function change(after: string, ...names: string[]) {
  const range = { path: 'a.ts', start: 4, end: 4 }
  const git = createReader(code, after)
  return await findLineChange(git, 'before', 'after', range, () => new Set(names))
}

test('a change of the form is none', async () => {
  assert.equal((await change(`${code}\nexport const x = 1\n`)).kind, 'unchanged')
  assert.equal((await change(code.replace('load(id)', 'load(\n    id,\n  );'))).kind, 'formatted')
  assert.equal((await change(code.replace('load(id)', 'load(id) // cached'))).kind, 'formatted')
})

test('a name that is another one everywhere was renamed, unless the finding asked for it', async () => {
  const renamed = code.replaceAll('data', 'user')
  assert.equal((await change(renamed)).kind, 'formatted')
  assert.equal((await change(renamed, 'user')).kind, 'changed')
  assert.equal((await change(code.replace('data', 'user'))).kind, 'changed')
  // Another function, not another name.
  assert.equal((await change(code.replaceAll('load', 'fetch'))).kind, 'changed')
})

test('a change says which tokens it added and removed', async () => {
  const { kind, added, removed } = await change(
    code
      .replace('load(id)', 'await loadAll([id])')
      .replace("{ load } from './load'", "{ loadAll } from './all'"),
  )
  assert.equal(kind, 'changed')
  assert.deepEqual([...added], ['loadAll', 'all', 'await', '[', ']'])
  assert.deepEqual([...removed], ['load'])
})

test('edits are beside the lines, near them or far away', async () => {
  const guard = '  if (id === null) return null\n  const data'
  assert.equal((await change(code.replace('  const data', guard))).kind, 'beside')
  assert.equal((await change(code.replace('data.name', 'data.title'))).kind, 'nearby')
  assert.equal((await change(code.replace('}\n', '}\n\nexport const x = 1\n'))).kind, 'unchanged')
})

test('lines can be deleted or moved', async () => {
  assert.equal((await change(code.replace('  const data = load(id)\n', ''))).kind, 'deleted')
  const moved = `${code.replace('  const data = load(id)\n', '')}const data = load(id)\n`
  assert.equal((await change(moved)).kind, 'moved')
})

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { mergeLines } from '../git/line-diff.ts'
import { Random } from '../random.ts'

function change(random: Random, lines: readonly string[], mark: string): string[] {
  const changed = [...lines]
  for (let count = 1 + random.below(2); count > 0; count--) {
    const inserted = Array.from({ length: random.below(3) }, (_, index) => `${mark}${count}${index}`)
    changed.splice(random.below(lines.length), random.below(3), ...inserted)
  }
  return changed
}

test('merges are those of git', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'fake-forge-merge-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const random = new Random(4)
  let merged = 0
  for (let round = 0; round < 60; round++) {
    const base = Array.from({ length: 20 }, (_, index) => `line ${index}`)
    const [ours, theirs] = [change(random, base, 'our'), change(random, base, 'their')]
    const files = [ours, base, theirs].map((lines, index) => {
      const file = join(folder, String(index))
      writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
      return file
    })
    const git = spawnSync('git', ['merge-file', '-p', ...files], { encoding: 'utf8' })
    const result = mergeLines(base, ours, theirs)
    assert.equal(result === null, git.status !== 0, `round ${round}`)
    if (result === null) continue
    merged++
    assert.equal(result.map((line) => `${line}\n`).join(''), git.stdout)
  }
  assert.ok(merged > 20 && merged < 60)
})

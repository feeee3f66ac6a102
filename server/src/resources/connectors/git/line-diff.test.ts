import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { diffLines, type Hunk, mapRange, splitLines } from './line-diff.ts'

const folder = mkdtempSync(join(tmpdir(), 'scholiast-diff-'))
after(() => rmSync(folder, { recursive: true }))

test('an edit of random files rebuilds the new file and is as short as that of git', () => {
  let seed = 1
  const below = (limit: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % limit
  }
  for (let round = 0; round < 60; round++) {
    const oldLines = Array.from({ length: below(60) }, () => `line ${below(12)}`)
    const newLines = oldLines.flatMap((line) => {
      const choice = below(8)
      if (choice === 0) return []
      return choice === 1 ? [line, `line ${below(12)}`] : [line]
    })
    const hunks = diffLines(oldLines, newLines)
    assert.deepEqual(apply(oldLines, newLines, hunks), newLines)
    assert.equal(countEdits(hunks), countGitEdits(oldLines, newLines), `round ${round}`)
  }
})

function apply(oldLines: readonly string[], newLines: readonly string[], hunks: readonly Hunk[]): string[] {
  const result: string[] = []
  let next = 1
  for (const { oldStart, oldCount, newStart, newCount } of hunks) {
    result.push(...oldLines.slice(next - 1, oldStart - 1))
    assert.equal(result.length, newStart - 1)
    result.push(...newLines.slice(newStart - 1, newStart - 1 + newCount))
    next = oldStart + oldCount
  }
  return [...result, ...oldLines.slice(next - 1)]
}

function countEdits(hunks: readonly Hunk[]): number {
  return hunks.reduce((sum, { oldCount, newCount }) => sum + oldCount + newCount, 0)
}

function countGitEdits(oldLines: readonly string[], newLines: readonly string[]): number {
  const [a, b] = [join(folder, 'a'), join(folder, 'b')]
  writeFileSync(a, oldLines.map((line) => `${line}\n`).join(''))
  writeFileSync(b, newLines.map((line) => `${line}\n`).join(''))
  const { stdout } = spawnSync('git', ['diff', '--no-index', '--minimal', '--numstat', a, b], {
    encoding: 'utf8',
  })
  const [added = '0', removed = '0'] = stdout.split('\t')
  return Number(added) + Number(removed)
}

test('a file that changed everywhere is one hunk, in bounded time', () => {
  const oldLines = Array.from({ length: 5_000 }, (_, index) => `old ${index}`)
  const newLines = Array.from({ length: 4_000 }, (_, index) => `new ${index}`)
  assert.deepEqual(diffLines(oldLines, newLines), [
    { oldStart: 1, oldCount: 5_000, newStart: 1, newCount: 4_000 },
  ])
})

test('line ends and the missing end of the last line are no part of a line', () => {
  assert.deepEqual(splitLines('a\r\nb\r\n'), ['a', 'b'])
  assert.deepEqual(splitLines('a\nb'), ['a', 'b'])
  assert.deepEqual(splitLines(''), [])
})

const text = (lines: string) => lines.split('')

test('a range moves with the lines before it', () => {
  const hunks = diffLines(text('abcdef'), text('xyabcdef'))
  assert.deepEqual(mapRange(hunks, 2, 3), { start: 4, end: 5, isChanged: false })
})

test('lines inserted right before or after a range do not change it', () => {
  assert.deepEqual(mapRange(diffLines(text('abcd'), text('axbcd')), 2, 3), {
    start: 3,
    end: 4,
    isChanged: false,
  })
  assert.deepEqual(mapRange(diffLines(text('abcd'), text('abcxd')), 2, 3), {
    start: 2,
    end: 3,
    isChanged: false,
  })
})

test('an insertion inside, a replacement and a removal change a range', () => {
  assert.deepEqual(mapRange(diffLines(text('abcd'), text('abxcd')), 2, 3), {
    start: 2,
    end: 4,
    isChanged: true,
  })
  assert.deepEqual(mapRange(diffLines(text('abcd'), text('axyzd')), 2, 3), {
    start: 2,
    end: 4,
    isChanged: true,
  })
  assert.deepEqual(mapRange(diffLines(text('abcd'), text('ad')), 2, 3), { start: 2, end: 1, isChanged: true })
})

test('a change across the border of a range belongs to it', () => {
  const hunks = diffLines(text('abcdef'), text('aXYef'))
  assert.deepEqual(mapRange(hunks, 3, 5), { start: 2, end: 4, isChanged: true })
})

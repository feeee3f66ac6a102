import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_GROWTH, measureGrowth } from '../../../../test/growth.ts'
import { countBlocks } from './line-change.ts'
import { hasBlock } from './suggestion.ts'

test('a suggestion is found in whole lines, however a formatter wrapped them', () => {
  const file = ['const a = 1', "log('total', a, b)", 'return a']
  assert.ok(hasBlock(file, ['log("total", a, b);']))
  assert.ok(hasBlock(file, ['log(', '  "total", a, b,', ')']))
  assert.ok(hasBlock(file, ['const a = 1;', '', 'log("total", a, b)']))
  assert.ok(!hasBlock(file, ['log("total", a)']))
  assert.ok(!hasBlock(file, ["('total', a, b)"]))
  assert.ok(!hasBlock(file, ["log('total', a, b)", 'return']))
  assert.ok(!hasBlock(['xa', 'bc'], ['a', 'bc']))
  assert.ok(hasBlock(['a', 'a', 'ab', 'c'], ['aa', 'bc']))
})

test('blocks of lines are counted, also where they overlap', () => {
  assert.equal(countBlocks(['x', ' x', 'x ', 'y'], ['x', 'x']), 2)
  assert.equal(countBlocks(['x', 'y'], ['x', 'x']), 0)
  assert.equal(countBlocks(['x', 'y'], []), 0)
})

/** Files and texts that are alike wherever one looks. */
const hostileLines: readonly ((size: number) => readonly [file: string[], text: string[]])[] = [
  (size) => [Array<string>(size).fill('x'), [...Array<string>(size / 2).fill('x'), 'y']],
  (size) => [Array<string>(size).fill(''), ['return null']],
  (size) => [Array<string>(size).fill(' '), ['return null']],
  (size) => [[`${';'.repeat(size)}x`], [`${','.repeat(size)}x`]],
  (size) => [[' '.repeat(size)], [`${'"'.repeat(size)},)`]],
]

test('the time to look for a suggestion or a block grows with the lines', () => {
  for (const [index, make] of hostileLines.entries())
    for (const find of [hasBlock, countBlocks]) {
      const { growth } = measureGrowth(40_000, (size) => find(...make(size)))
      assert.ok(growth <= MAX_GROWTH, `${find.name} ${index}: ${growth.toFixed(1)} ×`)
    }
})

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readVocabulary } from './pack/glove.ts'
import { dot, drawTogether, makeUnit, quantize, removeCommon } from './pack/vectors.ts'

test('the words that are wanted are read with their ranks, odd ones are stepped over', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vocabulary-'))
  try {
    const file = join(folder, 'words.json')
    const vectors = { the: [1, 2, 0], '"': [3, 4, 1], '\\"x': [5, 6, 2], lock: [-0.5, 1e-3, 3] }
    writeFileSync(file, JSON.stringify({ size: 4, words: Object.keys(vectors), vectors, unkVector: [0, 0] }))
    const read = readVocabulary(file, 2, (word) => /^[a-z]{2,9}$/.test(word))
    assert.deepEqual(read.words, ['the', 'lock'])
    assert.deepEqual(read.ranks, [0, 3])
    assert.deepEqual(
      read.vectors.map((vector) => [...vector]),
      [
        [1, 2],
        [-0.5, 0.001],
      ],
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

function unit(...values: number[]): Float64Array {
  const vector = Float64Array.from(values)
  makeUnit(vector)
  return vector
}

test('words that are tied come nearer to each other, the others stay', () => {
  const vectors = [unit(1, 0, 0), unit(0, 1, 0), unit(0, 0, 1)]
  const ties = new Map([
    [0, [{ to: 1, strength: 1 }]],
    [1, [{ to: 0, strength: 1 }]],
  ])
  drawTogether(vectors, ties, 1, 8)
  const [a, b, c] = vectors
  assert.ok(a && b && c)
  assert.ok(dot(a, b) > 0.7)
  assert.deepEqual(c, unit(0, 0, 1))
})

test('what all words have in common is gone afterwards', () => {
  const vectors = Array.from({ length: 50 }, (_, at) =>
    Float64Array.from([10 + Math.sin(at), Math.sin(7 * at), Math.cos(5 * at), Math.sin(3 * at)]),
  )
  removeCommon(vectors, vectors.length, 1)
  const mean = vectors.reduce((sum, vector) => sum + (vector[0] ?? 0), 0) / vectors.length
  assert.ok(Math.abs(mean) < 0.1)
})

test('small numbers keep what vectors mean', () => {
  const [a, b] = [unit(0.3, -0.2, 0.9, 0.01), unit(0.1, 0.8, 0.2, -0.5)]
  const { values, scales } = quantize([a, b], 4)
  let product = 0
  for (let i = 0; i < 4; i++) product += (values[i] ?? 0) * (values[4 + i] ?? 0)
  assert.ok(Math.abs(product * (scales[0] ?? 0) * (scales[1] ?? 0) - dot(a, b)) < 0.02)
})

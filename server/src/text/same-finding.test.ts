import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareSketches, MIN_SIMILARITY, sketchFinding } from './same-finding.ts'

const race = {
  title: 'Race condition when incrementing',
  prose: 'Two requests can lose an update; use an atomic add.',
}
const sameRace = {
  title: 'The increment is not atomic',
  prose: 'Concurrent requests lose updates, a race without a lock.',
}
const overflow = { title: 'The counter overflows', prose: 'After two billion it wraps; use int64.' }

test('the same problem in other words is similar, another problem is not', () => {
  assert.ok(compareSketches(sketchFinding(race), sketchFinding(sameRace)) >= MIN_SIMILARITY)
  assert.ok(compareSketches(sketchFinding(race), sketchFinding(overflow)) < MIN_SIMILARITY)
})

test('findings without words have nothing in common', () => {
  assert.deepEqual(sketchFinding({ title: '', prose: '' }), [])
  assert.equal(compareSketches([], []), 0)
})

test('a sketch has at most 64 sorted numbers of two bytes, and no word of the text', () => {
  const words = Array.from({ length: 300 }, (_, index) => `q${(5000 + index).toString(36)}`).join(' ')
  const sketch = sketchFinding({ title: words, prose: words })
  assert.equal(sketch.length, 64)
  assert.deepEqual(
    sketch,
    sketch.toSorted((a, b) => a - b),
  )
  assert.ok(sketch.every((number) => Number.isInteger(number) && number >= 0 && number <= 0xffff))
})

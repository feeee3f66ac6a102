import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VectorCache } from './embedder.ts'

const vector = (value: number) => Float32Array.of(value)

test('a vector is found by its model and text only', () => {
  const cache = new VectorCache()
  cache.set('a', 'text', vector(1))
  cache.set('b', 'text', vector(2))
  assert.deepEqual([cache.get('a', 'text'), cache.get('b', 'text')], [vector(1), vector(2)])
  assert.equal(cache.get('a', 'other'), undefined)
})

test('the least recently used vector is dropped first', () => {
  const cache = new VectorCache(2)
  cache.set('a', 'one', vector(1))
  cache.set('a', 'two', vector(2))
  cache.get('a', 'one')
  cache.set('a', 'three', vector(3))
  const found = ['one', 'two', 'three'].map((text) => cache.get('a', text))
  assert.deepEqual(found, [vector(1), undefined, vector(3)])
})

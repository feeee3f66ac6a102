import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTextCache } from './text-cache.ts'

test('reads a text again only after many others, and keeps no long text', () => {
  const read: string[] = []
  const getLength = createTextCache(2, (text) => read.push(text) && text.length)
  for (const text of ['a', 'bb', 'a', 'bb']) assert.equal(getLength(text), text.length)
  assert.deepEqual(read, ['a', 'bb'])
  for (const text of ['ccc', 'bb', 'a']) getLength(text)
  assert.deepEqual(read, ['a', 'bb', 'ccc', 'a'])
  const long = 'x'.repeat(5_000)
  getLength(long)
  getLength(long)
  assert.deepEqual(read.slice(4), [long, long])
})

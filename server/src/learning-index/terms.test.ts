import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrganizationId } from '../ids.ts'
import { encodeHalfVector, hashTerms, renderHalfVector } from './terms.ts'

test('binary and text format of a vector are equal, and the text is short', () => {
  const values = [
    0,
    -0,
    1,
    -1,
    0.1,
    -0.0361,
    6e-8,
    6.1e-5,
    1 / 3,
    65504,
    ...Array.from({ length: 500 }, Math.random),
  ]
  const bytes = encodeHalfVector(Float32Array.from(values))
  assert.equal(bytes.readUInt16BE(0), values.length)
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const sent = values.map((_, index) => view.getFloat16(4 + 2 * index))
  assert.deepEqual(
    sent.map((half) => half + 0),
    values.map((value) => Math.f16round(Math.fround(value)) + 0),
  )
  const text = renderHalfVector(Float32Array.from(values))
  assert.deepEqual(
    (JSON.parse(text) as number[]).map((value) => Math.f16round(value) + 0),
    sent.map((half) => half + 0),
  )
  assert.ok(text.length < values.length * 8)
})

test('the hash of a term differs between organizations', () => {
  const [one, other] = [
    '00000000-0000-7000-8000-00000000000a',
    '00000000-0000-7000-8000-00000000000b',
  ] as OrganizationId[]
  assert.ok(one && other)
  const numbers = [...hashTerms(one, ['cache', 'retry']), ...hashTerms(other, ['cache', 'retry'])]
  assert.equal(new Set(numbers).size, 4)
  assert.deepEqual(hashTerms(one.toUpperCase() as OrganizationId, ['cache']), hashTerms(one, ['cache']))
})

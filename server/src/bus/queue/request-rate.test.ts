import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRequestRate } from './request-rate.ts'

test('no second has more requests of a sender than its limit, and rejected ones do not count', () => {
  let now = 0
  const countRequest = createRequestRate(5, () => now)
  const admitted: number[] = []
  for (; now < 10_000; now += 37) if (countRequest('a') === null) admitted.push(now)
  for (const [index, time] of admitted.entries()) {
    const later = admitted[index + 5]
    assert.ok(later === undefined || later - time >= 1000, `${time} and ${later}`)
  }
  assert.ok(admitted.length >= 45)
})

test('senders do not count together, and the wait is until the next request is admitted', () => {
  let now = 0
  const countRequest = createRequestRate(2, () => now)
  assert.deepEqual([countRequest('a'), countRequest('a')], [null, null])
  now = 400
  assert.equal(countRequest('a'), 600)
  assert.equal(countRequest('b'), null)
  now += 600
  assert.equal(countRequest('a'), null)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { thinSamples } from './status.ts'
import type { Sample } from './status-messages.ts'

test('samples of a week are few, and each age is known to a third', () => {
  const start = 1_800_000_000_000
  const times: number[] = []
  let samples: Sample[] = []
  let now = start
  for (let sequence = 1; sequence <= 20_000; sequence++) {
    now += sequence % 10 === 0 ? 60_000 : 200
    times.push(now)
    samples = thinSamples([...samples, [sequence, now]], now)
  }
  assert.ok(samples.length < 150, `${samples.length} samples`)
  assert.equal(samples.at(-1)?.[0], 20_000)
  for (let handled = 0; handled < 20_000; handled += 7) {
    const oldest = times[handled] ?? now
    if (now - oldest > 6 * 86_400_000) continue
    const known = samples.find(([sequence]) => sequence > handled)?.[1] ?? now
    const [age, estimate] = [now - oldest, now - known]
    assert.ok(estimate <= age && estimate >= age * 0.66 - 1000, `${handled}: ${estimate} of ${age}`)
  }
})

test('samples older than a week are dropped', () => {
  const now = 1_800_000_000_000
  const old: Sample = [1, now - 8 * 86_400_000]
  assert.deepEqual(thinSamples([old, [2, now]], now), [[2, now]])
})

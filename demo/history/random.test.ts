import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomOf } from './random.ts'

const draws = <Value>(times: number, draw: () => Value) => Array.from({ length: times }, draw)
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

test('a name always gives the same values, and another name gives others', () => {
  const of = (name: string) => {
    const random = randomOf(name)
    return draws(5, () => random.integer(0, 999))
  }
  assert.deepEqual(of('a'), [864, 92, 429, 986, 769])
  assert.deepEqual(of('a'), of('a'))
  assert.notDeepEqual(of('a'), of('b'))
})

test('draws have the documented distributions', () => {
  const random = randomOf('dice')
  const dice = draws(60_000, () => random.integer(1, 6))
  for (const face of [1, 2, 3, 4, 5, 6]) {
    assert.ok(Math.abs(dice.filter((die) => die === face).length / 10_000 - 1) < 0.05)
  }
  assert.ok(Math.abs(mean(draws(20_000, () => random.count(2.5))) - 2.5) < 0.05)
  assert.ok(Math.abs(mean(draws(20_000, () => random.normal()))) < 0.03)
  assert.ok(Math.abs(mean(draws(20_000, () => random.normal() ** 2)) - 1) < 0.05)
  assert.ok(Math.abs(mean(draws(20_000, () => Number(random.chance(0.3)))) - 0.3) < 0.02)
  const chosen = draws(20_000, () => random.weighted({ rare: 1, common: 3, never: 0 }))
  assert.ok(Math.abs(chosen.filter((choice) => choice === 'rare').length / 5000 - 1) < 0.1)
  assert.ok(!chosen.includes('never'))
  const around = draws(20_001, () => random.around(8, 0.5)).sort((a, b) => a - b)
  assert.ok(Math.abs((around[10_000] ?? 0) - 8) < 0.2)
  assert.ok((around[0] ?? 0) > 0)
})

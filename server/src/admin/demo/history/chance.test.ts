import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chanceOf } from './chance.ts'

const draws = <Value>(times: number, draw: () => Value) => Array.from({ length: times }, draw)
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

test('the same name draws the same on every machine, another name something else', () => {
  const of = (name: string) => {
    const chance = chanceOf(name)
    return draws(5, () => chance.integer(0, 999))
  }
  assert.deepEqual(of('a'), [864, 92, 429, 986, 769])
  assert.deepEqual(of('a'), of('a'))
  assert.notDeepEqual(of('a'), of('b'))
})

test('what is drawn falls as often as it should', () => {
  const chance = chanceOf('dice')
  const dice = draws(60_000, () => chance.integer(1, 6))
  for (const face of [1, 2, 3, 4, 5, 6]) {
    assert.ok(Math.abs(dice.filter((die) => die === face).length / 10_000 - 1) < 0.05)
  }
  assert.ok(Math.abs(mean(draws(20_000, () => chance.count(2.5))) - 2.5) < 0.05)
  assert.ok(Math.abs(mean(draws(20_000, () => chance.deviation()))) < 0.03)
  assert.ok(Math.abs(mean(draws(20_000, () => chance.deviation() ** 2)) - 1) < 0.05)
  assert.ok(Math.abs(mean(draws(20_000, () => Number(chance.yes(0.3)))) - 0.3) < 0.02)
  const chosen = draws(20_000, () => chance.weighted({ rare: 1, common: 3, never: 0 }))
  assert.ok(Math.abs(chosen.filter((choice) => choice === 'rare').length / 5000 - 1) < 0.1)
  assert.ok(!chosen.includes('never'))
  const around = draws(20_001, () => chance.around(8, 0.5)).sort((one, other) => one - other)
  assert.ok(Math.abs((around[10_000] ?? 0) - 8) < 0.2)
  assert.ok((around[0] ?? 0) > 0)
})

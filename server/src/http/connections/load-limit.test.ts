import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../errors.ts'
import { LoadLimit } from './slots.ts'

const isOverload = (error: unknown) => error instanceof Refusal && error.code === 'OVERLOADED'

/** A limit of 400 with a clock that the test sets. */
function createLimit() {
  let now = 0
  const limit = new LoadLimit(400, () => now)
  return {
    limit,
    /** For 100 ms: so many arrive, and one is begun that has waited for so long. */
    pass(arriving: number, waitedMs: number) {
      for (let index = 0; index < arriving; index++) {
        limit.refuseIfFull()
        limit.count(1)
      }
      now += 100
      limit.begin(waitedMs)
    },
    answer(count: number) {
      for (let index = 0; index < count; index++) limit.count(-1)
    },
  }
}

/** More and more, all of which wait. */
function overload(load: ReturnType<typeof createLimit>): void {
  load.pass(70, 60)
  load.pass(70, 60)
}

test('requests that grow in number while none is begun quickly are refused', () => {
  const load = createLimit()
  overload(load)
  assert.throws(() => load.limit.refuseIfFull(), isOverload)
  assert.throws(() => load.limit.begin(151), isOverload)
  load.limit.begin(149)
  load.answer(140 - 31)
  load.limit.refuseIfFull()
  load.pass(1, 60)
  assert.throws(() => load.limit.refuseIfFull(), isOverload)
})

test('a burst is not refused, however slowly it is answered', () => {
  const load = createLimit()
  load.pass(300, 60)
  for (let window = 0; window < 20; window++) {
    load.pass(0, 2_000)
    load.answer(10)
  }
  load.limit.refuseIfFull()
})

test('few requests are not refused, however slow they are', () => {
  const load = createLimit()
  for (let window = 0; window < 60; window++) load.pass(1, 2_000)
  load.limit.refuseIfFull()
})

test('one that is begun quickly shows that there is no overload', () => {
  const load = createLimit()
  for (let window = 0; window < 5; window++) {
    load.limit.begin(1)
    load.pass(70, 60)
  }
  load.limit.refuseIfFull()
})

test('more are taken on again as soon as they are begun quickly', () => {
  const load = createLimit()
  overload(load)
  load.answer(140)
  for (let window = 0; window < 30; window++) load.pass(0, 1)
  load.pass(399, 1)
  load.limit.refuseIfFull()
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ByteBudget } from './slots.ts'

test('all owners together hold at most the total, and what one releases the others can take', () => {
  const budget = new ByteBudget(4, 10)
  for (const owner of ['a', 'b']) assert.equal(budget.take(owner, 4), true)
  assert.equal(budget.take('a', 1), false)
  assert.equal(budget.take('c', 3), false)
  assert.equal(budget.take('c', 2), true)
  budget.release('a', 4)
  assert.equal(budget.take('d', 4), true)
  assert.equal(budget.take('e', 1), false)
})

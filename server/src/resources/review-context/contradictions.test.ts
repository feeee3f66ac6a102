import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LearningId } from '../../ids.ts'
import { putNewerFirst } from './contradictions.ts'

const learning = (name: string, position: number | null) => ({ id: name as LearningId, position })

function order(ranked: readonly [string, number | null][], pairs: readonly [string, string][]): string {
  const contradictions = new Map<LearningId, LearningId[]>()
  for (const [a, b] of [...pairs, ...pairs.map(([one, other]) => [other, one] as const)])
    contradictions.set(a as LearningId, [...(contradictions.get(a as LearningId) ?? []), b as LearningId])
  const learnings = ranked.map(([name, position]) => learning(name, position))
  return putNewerFirst(learnings, contradictions)
    .map(({ id }) => id)
    .join(' ')
}

test('the Learning that was approved later comes before those it contradicts, and the others keep their order', () => {
  const ranked: [string, number | null][] = [
    ['a', 1],
    ['b', 9],
    ['c', 5],
    ['d', 7],
    ['private', null],
  ]
  assert.equal(order(ranked, []), 'a b c d private')
  assert.equal(order(ranked, [['a', 'd']]), 'd a b c private')
  assert.equal(order(ranked, [['b', 'd']]), 'a b c d private')
  // c is newer than a, and d is newer than c.
  const chain: [string, string][] = [
    ['a', 'c'],
    ['c', 'd'],
  ]
  assert.equal(order(ranked, chain), 'd c a b private')
  assert.equal(order(ranked.toReversed(), [['private', 'a']]), 'a private d c b')
})

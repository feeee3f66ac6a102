import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../errors.ts'
import { FairSlots } from './slots.ts'

const isOverload = (error: unknown) => error instanceof Refusal && error.code === 'OVERLOADED'

test('an owner holds at most its share, and a release gives one slot back once', () => {
  const slots = new FairSlots({ slots: 4, perOwner: 2 })
  const release = slots.take('a')
  slots.take('a')
  assert.throws(() => slots.take('a'), isOverload)
  slots.take('b')
  release()
  release()
  slots.take('a')
  assert.throws(() => slots.take('a'), isOverload)
  slots.take('c')
  assert.throws(() => slots.take('d'), isOverload)
})

test('owners that wait alternate, however many requests each has', async () => {
  const slots = new FairSlots({ slots: 1, perOwner: 1 })
  const served: string[] = []
  const work = async (owner: string) => {
    const release = await slots.takeWhenFree(owner, 10_000)
    served.push(owner)
    await Promise.resolve()
    release()
  }
  await Promise.all(['a', 'a', 'a', 'a', 'b', 'b', 'c'].map(work))
  assert.deepEqual(served, ['a', 'a', 'b', 'c', 'a', 'b', 'a'])
})

test('an owner with its share does not hold up those behind it', async () => {
  const slots = new FairSlots({ slots: 2, perOwner: 1 })
  const release = slots.take('a')
  const second = slots.takeWhenFree('a', 10_000)
  const other = await slots.takeWhenFree('b', 10_000)
  other()
  const again = await slots.takeWhenFree('b', 10_000)
  release()
  await second
  again()
})

test('a request that waits too long is refused, and takes no slot later', async () => {
  const counts: number[] = []
  const slots = new FairSlots({ slots: 1, perOwner: 1, count: (change) => counts.push(change) })
  const release = slots.take('a')
  await assert.rejects(slots.takeWhenFree('b', 20), isOverload)
  release()
  slots.take('c')
  assert.deepEqual(counts, [1, -1, 1])
})

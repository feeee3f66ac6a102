import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../errors.ts'
import { createKeyedMutex, withWaitLimit } from './keyed-mutex.ts'

test('work of one name runs in the order it came, whatever fails; that of another name does not wait', async () => {
  const runExclusive = createKeyedMutex()
  const gate = Promise.withResolvers<void>()
  const done: string[] = []
  const run = (name: string, work: string) => runExclusive(name, async () => void done.push(work))
  const first = runExclusive('a', async () => {
    await gate.promise
    done.push('a1')
    throw new Error('a1 fails')
  })
  const others = [run('a', 'a2'), run('a', 'a3')]
  await run('b', 'b1')
  gate.resolve()
  await assert.rejects(first, /a1 fails/)
  await Promise.all(others)
  assert.deepEqual(done, ['b1', 'a1', 'a2', 'a3'])
})

test('work whose turn comes too late is not done, its caller is asked to retry, and the next has its turn', async () => {
  const runExclusive = withWaitLimit(createKeyedMutex(), 50)
  const done: string[] = []
  const first = runExclusive('a', () => sleep(100))
  const late = runExclusive('a', async () => void done.push('late'))
  const isOverload = (error: unknown) =>
    error instanceof Refusal && error.code === 'OVERLOADED' && error.headers['retry-after'] === '2'
  await Promise.all([first, assert.rejects(late, isOverload)])
  await runExclusive('a', async () => void done.push('next'))
  assert.deepEqual(done, ['next'])
})

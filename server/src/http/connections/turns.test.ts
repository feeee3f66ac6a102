import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTurns } from './turns.ts'

test('callers that arrive together run in the order of arrival, with other work between them', async () => {
  const takeTurn = createTurns()
  const events: string[] = []
  const callers = ['a', 'b', 'c'].map(async (name) => {
    await takeTurn()
    events.push(name)
    setImmediate(() => events.push(`after ${name}`))
  })
  await Promise.all(callers)
  assert.deepEqual(events, ['a', 'after a', 'b', 'after b', 'c'])
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createBus, type TestBus } from '../../../test/bus.ts'
import { waitFor } from '../../../test/wait.ts'
import { createLog } from '../../observe/log.ts'
import { readUsage, watchShares } from './shares.ts'
import { findQueueRoot, toMaxBytes, toQueueSubject, toSizeClass } from './subjects.ts'

let made: TestBus
before(async () => {
  made = await createBus()
})
after(() => made.drop())

test('the bytes of a size class are at most 25 % above those of a large message, and never below', () => {
  for (let bytes = 1; bytes < 700 * 1024; bytes = Math.ceil(bytes * 1.01)) {
    const maxBytes = toMaxBytes(toSizeClass(bytes))
    assert.ok(maxBytes >= bytes, `${bytes}: ${maxBytes}`)
    if (bytes > 10_000) assert.ok(maxBytes <= bytes * 1.28, `${bytes}: ${maxBytes}`)
  }
  assert.ok(toSizeClass(700 * 1024) < 50)
})

test('a subject of the queue names its root', () => {
  const root = randomUUID()
  const { bus } = made
  assert.equal(findQueueRoot(bus, toQueueSubject(bus, root, 1000)), root)
  for (const subject of [bus.subject(`events.${root}`), `other.queue.${root}.1`, bus.subject('queue.x')])
    assert.equal(findQueueRoot(bus, subject), null)
})

test('the usage of a stream is that of its roots, rounded up', async () => {
  const { bus } = made
  const roots = [randomUUID(), randomUUID()]
  for (const [index, root] of roots.entries()) {
    for (const bytes of [10, 3000, 100_000].slice(index))
      await bus.jetstream.publish(toQueueSubject(bus, root, bytes), 'x'.repeat(bytes))
  }
  const usage = await readUsage(bus, 'QUEUE')
  assert.ok(usage)
  const counted = roots.map((root) => usage.roots.get(root))
  assert.deepEqual(
    counted.map((root) => root?.messages),
    [3, 2],
  )
  const sum = counted.reduce((total, root) => total + (root?.bytes ?? 0), 0)
  assert.ok(sum >= usage.bytes && sum <= usage.bytes * 1.3, `${sum} of ${usage.bytes}`)
})

test('one root can fill half of a stream, and further roots leave a share free', async () => {
  const { bus } = made
  const stopping = new AbortController()
  const stream = bus.streamName('QUEUE')
  await bus.manager.streams.purge(stream)
  await bus.manager.streams.update(stream, { max_bytes: 4 * 1024 ** 2 })
  const log = createLog('test', 'silent')
  const shares = watchShares(bus, 'QUEUE', { everyMs: 50, signal: stopping.signal, log })
  await shares.ready
  const greedy = [randomUUID(), randomUUID()]
  const bytes = 60_000
  const counts = new Map(greedy.map((root) => [root, 0]))
  for (const root of greedy) {
    while (!shares.isFull(root)) {
      await bus.jetstream.publish(toQueueSubject(bus, root, bytes), 'x'.repeat(bytes))
      shares.add(root, toMaxBytes(toSizeClass(bytes)))
      counts.set(root, (counts.get(root) ?? 0) + 1)
      assert.ok((counts.get(root) ?? 0) < 60)
    }
  }
  const [first = 0, second = 0] = greedy.map((root) => (counts.get(root) ?? 0) * bytes)
  assert.ok(first > 1.2 * 1024 ** 2 && first < 2.1 * 1024 ** 2, `the first took ${first}`)
  assert.ok(second > 0.5 * 1024 ** 2, `the second took ${second}`)
  const modest = randomUUID()
  assert.equal(shares.isFull(modest), false)
  await bus.jetstream.publish(toQueueSubject(bus, modest, bytes), 'x'.repeat(bytes))
  assert.equal(shares.isFull(modest), false)
  await bus.manager.streams.purge(stream)
  await waitFor('there is room', () => greedy.every((root) => !shares.isFull(root)))
  stopping.abort()
})

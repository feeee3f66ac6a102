import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
import { createBus, type TestBus } from '../../test/bus.ts'
import { defineConsumer } from './consumer.ts'
import { listDeadLetters, replayDeadLetters, storeDeadLetter } from './dead-letters.ts'
import { describeFailure } from './process-message.ts'

let made: TestBus
before(async () => {
  made = await createBus()
})
after(() => made.drop())

const listener = (name: string) =>
  defineConsumer({
    name,
    stream: 'EVENTS',
    subject: `events.${name}.>`,
    schema: Type.Object({}),
    handle: () => Promise.resolve(),
  })

/** A message of a consumer that is given up, as bus/consume.ts would do it. */
async function addDeadLetter(name: string, text: string, times = 1): Promise<void> {
  const { bus, declare } = made
  await declare([listener(name)])
  await bus.jetstream.publish(bus.subject(`events.${name}.happened`), text)
  const puller = await bus.jetstream.consumers.get(bus.streamName('EVENTS'), name)
  const message = await puller.next({ expires: 5000 })
  assert.ok(message)
  for (let time = 0; time < times; time++) {
    await storeDeadLetter(bus, listener(name), message, { reason: 'failed', error: 'Error: x' })
  }
  message.term()
}

test('dead letters are listed by page and by consumer', async () => {
  for (let number = 1; number <= 3; number++) await addDeadLetter('first', String(number))
  await addDeadLetter('second', 'four')
  const all = await listDeadLetters(made.bus)
  assert.deepEqual(
    all.map(({ sequence, consumer: name, size }) => [sequence, name, size]),
    [
      [1, 'first', 1],
      [2, 'first', 1],
      [3, 'first', 1],
      [4, 'second', 4],
    ],
  )
  const sequences = async (page: Parameters<typeof listDeadLetters>[1]) =>
    (await listDeadLetters(made.bus, page)).map(({ sequence }) => sequence)
  assert.deepEqual(await sequences({ limit: 2 }), [1, 2])
  assert.deepEqual(await sequences({ limit: 2, after: 2 }), [3, 4])
  assert.deepEqual(await sequences({ after: 4 }), [])
  assert.deepEqual(await sequences({ consumer: 'second' }), [4])
  assert.deepEqual(await sequences({ consumer: 'nobody' }), [])
})

test('one is replayed to its subject and taken off the list', async () => {
  const { bus } = made
  const earlier = await made.messages('EVENTS')
  assert.equal(await replayDeadLetters(bus, { sequence: 2 }), 1)
  const messages = await made.messages('EVENTS')
  assert.equal(messages.length, earlier.length + 1)
  assert.equal(messages.at(-1)?.subject, `${made.prefix}.events.first.happened`)
  assert.equal(messages.at(-1)?.string(), '2')
  assert.deepEqual(
    (await listDeadLetters(bus)).map(({ sequence }) => sequence),
    [1, 3, 4],
  )
  assert.equal(await replayDeadLetters(bus, { sequence: 2 }), 0)
  assert.equal(await replayDeadLetters(bus, { sequence: 99 }), 0)
})

test('all of a consumer are replayed and those of others stay', async () => {
  assert.equal(await replayDeadLetters(made.bus, { consumer: 'first' }), 2)
  assert.deepEqual(
    (await listDeadLetters(made.bus)).map(({ consumer: name }) => name),
    ['second'],
  )
})

test('a message that is dead-lettered twice is one dead letter', async () => {
  await addDeadLetter('twice', 'x', 2)
  assert.equal((await listDeadLetters(made.bus, { consumer: 'twice' })).length, 1)
})

test('those of every consumer are replayed', async () => {
  assert.equal(await replayDeadLetters(made.bus, { consumer: '*' }), 2)
  assert.deepEqual(await listDeadLetters(made.bus), [])
})

test('a dead letter without its original subject is not replayed', async () => {
  const { bus } = made
  const { seq } = await bus.jetstream.publish(bus.subject('dead.stray'), 'x')
  await assert.rejects(replayDeadLetters(bus, { sequence: seq }), /no valid original subject/)
})

test('describeFailure returns one line without quoted values', () => {
  const refused = Object.assign(new Error('invalid input syntax for type uuid: "ada@example.com"'), {
    code: '22P02',
  })
  assert.equal(describeFailure(refused), 'Database error 22P02')
  const taken = Object.assign(new Error('duplicate key'), { code: '23505', constraint: 'person_pkey' })
  assert.equal(describeFailure(taken), 'Database error 23505 of person_pkey')
  assert.equal(describeFailure(new TypeError("no 'ada' and no `x`\nsecond line")), 'TypeError: no … and no …')
  assert.equal(describeFailure('ada'), 'The handler threw a value that is not an Error.')
  assert.ok(describeFailure(new Error('x'.repeat(5000))).length <= 200)
})

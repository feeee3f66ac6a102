import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
import { busUrl, createBus, type TestBus } from '../../test/bus.ts'
import { createLog } from '../observe/log.ts'
import { connectBus } from './connect.ts'
import { defineConsumer } from './consumer.ts'
import { declareBus } from './declare.ts'
import type { StreamDefinition } from './streams.ts'

let made: TestBus
before(async () => {
  made = await createBus()
})
after(() => made.drop())

const listener = defineConsumer({
  name: 'listener',
  stream: 'EVENTS',
  subject: 'events.key.*',
  schema: Type.Object({}),
  handle: () => Promise.resolve(),
})

test('declaring twice changes nothing, and what was settled stays so', async () => {
  const { bus, declare, prefix } = made
  await declare([listener])
  const stream = bus.streamName('EVENTS')
  await bus.jetstream.publish(bus.subject('events.key.created'), '{}')
  const message = await (await bus.jetstream.consumers.get(stream, 'listener')).next({ expires: 5000 })
  await message?.ackAck()
  const first = await bus.manager.streams.info(stream)

  await declare([listener])
  const second = await bus.manager.streams.info(stream)
  assert.deepEqual(second.config, first.config)
  assert.equal(second.created, first.created)
  assert.deepEqual(second.config.subjects, [`${prefix}.events.>`])
  const info = await bus.manager.consumers.info(stream, 'listener')
  assert.equal(info.ack_floor.stream_seq, 1)
  assert.equal(info.config.filter_subject, `${prefix}.events.key.*`)
})

test('what differs is changed in place', async () => {
  const { bus, declare } = made
  await declare([listener])
  await declare([{ ...listener, settings: { maxAckPending: 3 } }])
  const info = await bus.manager.consumers.info(bus.streamName('EVENTS'), 'listener')
  assert.equal(info.config.max_ack_pending, 3)
})

test('several workers may declare at the same time', async () => {
  const other = await createBus()
  try {
    const again = { ...listener, name: 'again' }
    await Promise.all(Array.from({ length: 5 }, () => other.declare([again])))
    const info = await other.bus.manager.consumers.info(other.bus.streamName('EVENTS'), 'again')
    assert.equal(info.name, 'again')
  } finally {
    await other.drop()
  }
})

test('a stream that refuses the new instead of dropping the old is one more row', async () => {
  const { bus } = made
  const ingest: StreamDefinition = {
    name: 'EVENTS',
    subjects: ['events.>'],
    retention: 'limits',
    discard: 'new',
    maxAgeSeconds: 3600,
    maxBytes: 2048,
    maxMessageBytes: 1024,
    duplicateWindowSeconds: 60,
  }
  await declareBus(bus, { streams: [{ ...ingest, name: 'EVENTS' }], consumers: [], replicas: 1 })
  const publish = () => bus.jetstream.publish(bus.subject('events.key.created'), Buffer.alloc(900))
  await assert.rejects(async () => {
    for (let count = 0; count < 5; count++) await publish()
  }, /maximum bytes exceeded/)
})

test('a prefix that is no name is refused', async () => {
  const log = createLog('test', 'silent')
  await assert.rejects(connectBus({ url: busUrl, prefix: 'a.b', name: 'test', log }), /BUS_PREFIX/)
})

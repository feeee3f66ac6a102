import assert from 'node:assert/strict'
import { createSecretKey, randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { AckPolicy } from '@nats-io/jetstream'
import { busUrl, createBus, type TestBus } from '../../../test/bus.ts'
import { startService, type TestResponse, type TestService } from '../../../test/call.ts'
import { startTcpProxy, type TcpProxy } from '../../../test/engines/tcp-proxy.ts'
import { openDatabase } from '../../../test/fixture.ts'
import {
  createCredential,
  createEvent,
  ingestSettings,
  probeKind,
  publishRevoked,
} from '../../../test/ingest.ts'
import { waitFor } from '../../../test/wait.ts'
import type { RootId } from '../../ids.ts'
import { deleteDeadLetters } from '../dead-letters.ts'
import type { EventBatch } from '../ingest-event.ts'
import { pullMessage } from '../pull-message.ts'
import { toSizeClass } from './subjects.ts'

const ring = [{ id: 'test', secret: createSecretKey(Buffer.alloc(32, 7)) }]
const root = randomUUID() as RootId
const credential = createCredential(ring, root)

let made: TestBus
let cable: TcpProxy
let service: TestService | undefined

const { database, defer } = await openDatabase()
defer(end)
beforeEach(async () => {
  await end()
  made = await createBus()
})

async function end(): Promise<void> {
  await service?.stop()
  service = undefined
  await cable?.disconnect()
  await made?.drop()
}

/** The service, with its bus at the end of a cable. */
async function start({ cut = false, settings = {} } = {}): Promise<void> {
  cable = await startTcpProxy(busUrl, { cut })
  const all = { ...ingestSettings(made), ...settings, NATS_URL: cable.url }
  service = startService(database, all, [], [probeKind])
}

function send(events: readonly unknown[] = [createEvent()], key = credential.value): Promise<TestResponse> {
  const call = service?.call('/ingest/v1/events', { key, method: 'POST', body: events })
  return call ?? assert.fail('the service is not running')
}

const isTaken = async () => (await send()).status === 202
const isReady = async () => (await service?.call('/readyz/ingest'))?.status === 200

function checkUnavailable(answer: TestResponse): void {
  assert.deepEqual([answer.status, answer.body.error?.code], [503, 'OVERLOADED'], answer.text)
  assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/)
}

async function storedIds(): Promise<string[]> {
  const messages = await made.messages('QUEUE')
  return messages.flatMap((message) => message.json<EventBatch>().events.map(({ id }) => id))
}

test('without the list of invalid credentials every request is refused [P2-ingest-3 P11-revocation-2]', async () => {
  await start()
  await waitFor('the bus is reached', isReady)
  checkUnavailable(await send())
  await publishRevoked(made.bus, [])
  await waitFor('the list is known', isTaken)
  await made.bus.manager.streams.purge(made.bus.streamName('REVOKED'))
  await waitFor('the list is gone', async () => (await send()).status === 503)
  checkUnavailable(await send())
  await publishRevoked(made.bus, [])
  await waitFor('the list is known again', isTaken)
  await made.bus.manager.streams.delete(made.bus.streamName('REVOKED'))
  await waitFor('the list was unreadable for 5 s', async () => (await send()).status === 503)
  await made.declare()
})

test('a credential that was ended is 401, and the others stay good', async () => {
  await start()
  const revoked = [1, 2, 3].map(() => createCredential(ring, root))
  await publishRevoked(made.bus, [])
  await waitFor('the list is known', isTaken)
  for (const { value } of revoked) assert.equal((await send([createEvent()], value)).status, 202)
  const ids = revoked.map(({ id }) => id)
  assert.equal(await publishRevoked(made.bus, ids), true)
  assert.equal(await publishRevoked(made.bus, ids.toReversed()), false)
  const isRefused = async () => (await send([createEvent()], revoked[2]?.value)).status === 401
  await waitFor('the end is known', isRefused)
  for (const { value } of revoked) assert.equal((await send([createEvent()], value)).status, 401)
  assert.equal((await send()).status, 202)
})

test('a bus that is not there yet, or goes away, is 503, and 202 again when it is back [P10-3]', async () => {
  await publishRevoked(made.bus, [])
  await start({ cut: true })
  checkUnavailable(await send())
  assert.equal(await isReady(), false)
  await cable.reconnect()
  await waitFor('the bus is found', isTaken)
  assert.equal(await isReady(), true)
  for (let turn = 0; turn < 2; turn++) {
    await cable.disconnect()
    await waitFor('the loss is noticed', async () => !(await isReady()))
    checkUnavailable(await send())
    await cable.reconnect()
    await waitFor('the bus is back', isTaken)
  }
})

test('what was acknowledged is in the queue, whenever the cable is pulled [P10-2]', async () => {
  await publishRevoked(made.bus, [])
  await start()
  await waitFor('the endpoint accepts events', isTaken)
  const acknowledged: string[] = []
  const stopping = new AbortController()
  const senders = Array.from({ length: 8 }, async () => {
    while (!stopping.signal.aborted) {
      const event = createEvent()
      if ((await send([event])).status === 202) acknowledged.push(event.id)
    }
  })
  for (let turn = 0; turn < 3; turn++) {
    const enough = acknowledged.length + 50
    await waitFor('events are taken', () => acknowledged.length >= enough)
    await cable.disconnect()
    await cable.reconnect()
  }
  stopping.abort()
  await Promise.all(senders)
  const stored = new Set(await storedIds())
  assert.deepEqual(
    acknowledged.filter((id) => !stored.has(id)),
    [],
  )
})

function checkLimited(answer: TestResponse, message: RegExp): void {
  assert.deepEqual([answer.status, answer.body.error?.code], [429, 'RATE_LIMIT_EXCEEDED'], answer.text)
  assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/)
  assert.match(answer.body.error?.message ?? '', message)
}

const neighbour = createCredential(ring, randomUUID() as RootId)
const sendAsNeighbour = () => send([createEvent()], neighbour.value)

test('a root that fills its share of the queue is 429, loses nothing, and delays no other root [P11-limits-2]', async () => {
  const stream = made.bus.streamName('QUEUE')
  await made.bus.manager.streams.update(stream, { max_bytes: 1024 ** 2 })
  await publishRevoked(made.bus, [])
  await start()
  await waitFor('the endpoint accepts events', isTaken)
  const acknowledged: string[] = []
  let answer: TestResponse
  do {
    const event = createEvent({ payload: { number: 1, text: 'x'.repeat(50_000) } })
    answer = await send([event])
    if (answer.status === 202) acknowledged.push(event.id)
  } while (answer.status === 202)
  checkLimited(answer, /share of the event queue/)
  assert.ok(acknowledged.length >= 5 && acknowledged.length <= 12, `${acknowledged.length} events`)
  assert.equal((await sendAsNeighbour()).status, 202)
  const stored = await storedIds()
  assert.ok(acknowledged.every((id) => stored.includes(id)))
  await made.bus.manager.streams.purge(stream)
  await waitFor('there is room', isTaken)
})

test('a full queue is 503, and takes events again when there is room [P10-3]', async () => {
  const stream = made.bus.streamName('QUEUE')
  await made.bus.manager.streams.update(stream, { max_bytes: 1024 ** 2 })
  for (let part = 0; part < 2; part++)
    await made.bus.jetstream.publish(made.bus.subject('queue.many.1'), 'x'.repeat(520_000))
  await publishRevoked(made.bus, [])
  await start()
  await waitFor('the bus is reached', isReady)
  const large = [createEvent({ payload: { number: 1, text: 'x'.repeat(50_000) } })]
  await waitFor('the list is known', async () => /queue is full/.test((await send(large)).text))
  checkUnavailable(await send(large))
  await made.bus.manager.streams.purge(stream)
  await waitFor('there is room', async () => (await send(large)).status === 202)
})

test('a root with too many messages that wait for a retry is 429, and another root is not [P11-limits-3]', async () => {
  await publishRevoked(made.bus, [])
  await start({ settings: { INGEST_MAX_PARKED_MESSAGES: '3' } })
  await waitFor('the endpoint accepts events', isTaken)
  const stream = made.bus.streamName('QUEUE')
  await made.bus.manager.consumers.add(stream, {
    durable_name: root,
    filter_subject: made.bus.subject(`queue.${root}.*`),
    ack_policy: AckPolicy.Explicit,
    max_ack_pending: 3,
  })
  for (let number = 0; number < 3; number++) await send()
  for (let number = 0; number < 3; number++) (await pullMessage(made.bus, stream, root))?.nak(3_600_000)
  await waitFor('the share is full', async () => (await send()).status === 429)
  checkLimited(await send(), /wait for a retry/)
  assert.equal((await sendAsNeighbour()).status, 202)
  await made.bus.manager.streams.purge(stream)
  await waitFor('the root may send again', isTaken)
})

test('a root that fills its share of the dead letters is 429, and another root is not [P11-limits-3]', async () => {
  const stream = made.bus.streamName('DEAD')
  await made.bus.manager.streams.update(stream, { max_bytes: 1024 ** 2 })
  await publishRevoked(made.bus, [])
  await start()
  await waitFor('the endpoint accepts events', isTaken)
  const text = 'x'.repeat(100_000)
  const subject = made.bus.subject(`dead.ingest.${root}.${toSizeClass(text.length)}`)
  for (let number = 0; number < 7; number++) await made.bus.jetstream.publish(subject, text)
  await waitFor('the share is full', async () => (await send()).status === 429)
  checkLimited(await send(), /dead letters .+ operator/)
  assert.equal((await sendAsNeighbour()).status, 202)
  await deleteDeadLetters(made.bus, { root })
  await waitFor('the root may send again', isTaken)
})

test('a credential that sends more than its requests per second is 429, before its body is read [P11-limits-1]', async () => {
  await publishRevoked(made.bus, [])
  await start({ settings: { INGEST_REQUESTS_PER_SECOND: '5' } })
  await waitFor('the endpoint accepts events', isTaken)
  const bodies = Array.from({ length: 40 }, () => 'this is not JSON')
  const sendBody = (payload: string) => {
    const headers = { 'content-type': 'application/json' }
    const call = service?.call('/ingest/v1/events', {
      key: credential.value,
      method: 'POST',
      headers,
      payload,
    })
    return call ?? assert.fail('the service is not running')
  }
  const answers = await Promise.all(bodies.map(sendBody))
  const limited = answers.filter(({ status }) => status === 429)
  assert.ok(limited.length >= 20, `${limited.length} of 40`)
  for (const answer of limited) checkLimited(answer, /5 requests per second/)
  assert.equal((await sendAsNeighbour()).status, 202)
  await waitFor('the credential may send again', isTaken)
})

test('a queue that was never made is 503', async () => {
  await publishRevoked(made.bus, [])
  await start()
  await waitFor('the endpoint accepts events', isTaken)
  await made.bus.manager.streams.delete(made.bus.streamName('QUEUE'))
  checkUnavailable(await send())
  await made.declare()
  await waitFor('the queue is there', isTaken)
})

test('under load one message carries the events of many requests, each of them once', async () => {
  await publishRevoked(made.bus, [])
  await start()
  await waitFor('the endpoint accepts events', isTaken)
  await made.bus.manager.streams.purge(made.bus.streamName('QUEUE'))
  const other = createCredential(ring, randomUUID() as RootId)
  const sent = Array.from({ length: 100 }, () => createEvent())
  const answers = await Promise.all(sent.map((event) => send([event])))
  const others = await Promise.all(sent.slice(0, 20).map(() => send([createEvent()], other.value)))
  assert.ok([...answers, ...others].every(({ status }) => status === 202))
  const messages = await made.messages('QUEUE')
  assert.ok(messages.length < 60, `${messages.length} messages`)
  const bodies = messages.map((message) => message.json<EventBatch>())
  assert.ok(bodies.every((batch, index) => messages[index]?.subject.includes(batch.root)))
  const mine = bodies
    .filter((batch) => batch.root === root)
    .flatMap(({ events }) => events.map(({ id }) => id))
  assert.deepEqual(mine.toSorted(), sent.map(({ id }) => id).toSorted())
})

import assert from 'node:assert/strict'
import { createSecretKey, randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { busUrl, makeBus, type TestBus, waitFor } from '../../../test/bus.ts'
import { startService, type TestResponse, type TestService } from '../../../test/call.ts'
import { makeDatabase, type TestDatabase } from '../../../test/database.ts'
import { startTcpProxy, type TcpProxy } from '../../../test/engines/tcp-proxy.ts'
import { ingestSettings, makeCredential, makeEvent, probeKind, publishRevoked } from '../../../test/ingest.ts'
import type { RootId } from '../../ids.ts'
import type { EventBatch } from '../ingest-event.ts'

const ring = [{ id: 'test', secret: createSecretKey(Buffer.alloc(32, 7)) }]
const root = randomUUID() as RootId
const credential = makeCredential(ring, root)

let database: TestDatabase
let made: TestBus
let cable: TcpProxy
let service: TestService | undefined

before(async () => {
  database = await makeDatabase()
})
beforeEach(async () => {
  await end()
  made = await makeBus()
})
after(async () => {
  await end()
  await database.drop()
})

async function end(): Promise<void> {
  await service?.stop()
  service = undefined
  await cable?.disconnect()
  await made?.drop()
}

/** The service, with its bus at the end of a cable. */
async function start({ cut = false } = {}): Promise<void> {
  cable = await startTcpProxy(busUrl, { cut })
  const settings = { ...ingestSettings(made), NATS_URL: cable.url }
  service = startService(database, settings, [], [probeKind])
}

function send(events: readonly unknown[] = [makeEvent()], key = credential.value): Promise<TestResponse> {
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
  const messages = await made.messages('INGEST')
  return messages.flatMap((message) => message.json<EventBatch>().events.map(({ id }) => id))
}

test('without a list of ended credentials nobody is let in', async () => {
  await start()
  await waitFor('the bus is reached', isReady)
  checkUnavailable(await send())
  await publishRevoked(made.bus, [])
  await waitFor('the list is known', isTaken)
  await made.bus.manager.streams.purge(made.bus.streamName('ENDED'))
  await waitFor('the list is gone', async () => (await send()).status === 503)
  checkUnavailable(await send())
  await publishRevoked(made.bus, [])
  await waitFor('the list is known again', isTaken)
  await made.bus.manager.streams.delete(made.bus.streamName('ENDED'))
  await waitFor('the list was unreadable for 5 s', async () => (await send()).status === 503)
  await made.declare()
})

test('a credential that was ended is 401, and the others stay good', async () => {
  await start()
  const revoked = [1, 2, 3].map(() => makeCredential(ring, root))
  await publishRevoked(made.bus, [])
  await waitFor('the list is known', isTaken)
  for (const { value } of revoked) assert.equal((await send([makeEvent()], value)).status, 202)
  const ids = revoked.map(({ id }) => id)
  assert.equal(await publishRevoked(made.bus, ids), true)
  assert.equal(await publishRevoked(made.bus, ids.toReversed()), false)
  const isRefused = async () => (await send([makeEvent()], revoked[2]?.value)).status === 401
  await waitFor('the end is known', isRefused)
  for (const { value } of revoked) assert.equal((await send([makeEvent()], value)).status, 401)
  assert.equal((await send()).status, 202)
})

test('a bus that is not there yet, or goes away, is 503, and 202 again when it is back', async () => {
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

test('what was acknowledged is in the queue, whenever the cable is pulled', async () => {
  await publishRevoked(made.bus, [])
  await start()
  await waitFor('the endpoint accepts events', isTaken)
  const acknowledged: string[] = []
  const stopping = new AbortController()
  const senders = Array.from({ length: 8 }, async () => {
    while (!stopping.signal.aborted) {
      const event = makeEvent()
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

test('a full queue is 503, loses nothing, and takes events again when there is room', async () => {
  const stream = made.bus.streamName('INGEST')
  await made.bus.manager.streams.update(stream, { max_bytes: 1024 ** 2 })
  await publishRevoked(made.bus, [])
  await start()
  await waitFor('the endpoint accepts events', isTaken)
  const acknowledged: string[] = []
  let answer: TestResponse
  do {
    const event = makeEvent({ payload: { number: 1, text: 'x'.repeat(50_000) } })
    answer = await send([event])
    if (answer.status === 202) acknowledged.push(event.id)
  } while (answer.status === 202)
  checkUnavailable(answer)
  assert.ok(acknowledged.length >= 15)
  const stored = await storedIds()
  assert.ok(acknowledged.every((id) => stored.includes(id)))
  await made.bus.manager.streams.purge(stream)
  await waitFor('there is room', isTaken)
})

test('a queue that was never made is 503', async () => {
  await publishRevoked(made.bus, [])
  await start()
  await waitFor('the endpoint accepts events', isTaken)
  await made.bus.manager.streams.delete(made.bus.streamName('INGEST'))
  checkUnavailable(await send())
  await made.declare()
  await waitFor('the queue is there', isTaken)
})

test('under load one message carries the events of many requests, each of them once', async () => {
  await publishRevoked(made.bus, [])
  await start()
  await waitFor('the endpoint accepts events', isTaken)
  await made.bus.manager.streams.purge(made.bus.streamName('INGEST'))
  const other = makeCredential(ring, randomUUID() as RootId)
  const sent = Array.from({ length: 100 }, () => makeEvent())
  const answers = await Promise.all(sent.map((event) => send([event])))
  const others = await Promise.all(sent.slice(0, 20).map(() => send([makeEvent()], other.value)))
  assert.ok([...answers, ...others].every(({ status }) => status === 202))
  const messages = await made.messages('INGEST')
  assert.ok(messages.length < 60, `${messages.length} messages`)
  const bodies = messages.map((message) => message.json<EventBatch>())
  assert.ok(bodies.every((batch, index) => messages[index]?.subject.endsWith(batch.root)))
  const mine = bodies
    .filter((batch) => batch.root === root)
    .flatMap(({ events }) => events.map(({ id }) => id))
  assert.deepEqual(mine.toSorted(), sent.map(({ id }) => id).toSorted())
})

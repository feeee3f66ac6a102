import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertError } from '../cli/src/conformance/http.ts'
import {
  firstRepository,
  type Learning,
  ownFile,
  ownText,
  proposed,
  readLearnings,
  secondRepository,
} from './learnings-data.ts'
import { decide, outcomes, patch, postBatch, remove } from './learnings-writes.ts'
import { createEvent, type Event, eventually, send } from './metrics-data.ts'
import { at, call, demo, home } from './service.ts'

const DAY = 86_400_000
/** The demo’s home organization waits for so many days, its second repository for none. */
const DELAY = 14
const organization = { provider: 'github', id: home.org_id }
const { repository_id } = firstRepository

const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString()
const anyNumber = () => randomInt(1, 2 ** 40)

function closed(number: number, merged: boolean, occurredAt = ago(0)): Event {
  return createEvent('pull_request.closed', occurredAt, { organization, repository_id, number, merged })
}

/** Returns when they are worked on: what was sent with them, and happened last, is shared. */
async function settle(events: readonly Event[]): Promise<void> {
  const file = ownFile()
  await send([...events, proposed({ learning: ownText(), file })])
  await eventually(
    'events are worked on',
    async () => (await readLearnings(`files=${file}`)).data.length === 1,
  )
}

async function exported(file: string): Promise<Learning[]> {
  return (await readLearnings(`files=${file}`)).data
}

/** An id derives from the text: it is known beforehand of a text that is created once and deleted again. */
async function idOf(learning: string): Promise<string> {
  const { results } = await postBatch([{ repository_id, learning }])
  const id = at(results, 0).id ?? assert.fail('no id')
  await remove(id)
  return id
}

/** Something that is not in the export can still be updated. */
async function isThere(id: string, learning: string): Promise<boolean> {
  return (await patch(id, learning)).status === 200
}

test('proposals from a review, and from chat without a configured delay, are shared immediately [S-state-8 P7-life-2]', async () => {
  const [first, second] = [ownFile(), ownFile()]
  await settle([
    proposed({ learning: ownText(), file: first }),
    proposed({
      learning: ownText(),
      file: second,
      source: 'chat',
      repository_id: secondRepository.repository_id,
    }),
  ])
  assert.equal((await exported(first)).length, 1)
  assert.equal((await exported(second)).length, 1)
})

test('a proposal is exported with its metadata and its author, without credentials [P7-life-7 P10-8]', async () => {
  const [learning, file] = [ownText('Never send ghp_aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA2c4e.'), ownFile()]
  const source_url = 'https://git.example.com/pulls/7#comment-3'
  const author = { id: '8042', username: 'ada' }
  const occurredAt = ago(60_000)
  await settle([proposed({ learning: `  ${learning}\n`, file, source_url, author }, occurredAt)])
  const record = at(await exported(file), 0)
  assert.match(record.learning, /^Never send \[REDACTED:[a-z0-9_]+\]\. \([0-9a-f-]{36}\)$/)
  assert.equal(record.source_url, source_url)
  assert.deepEqual([record.author_id, record.author_username], ['8042', 'ada'])
  assert.deepEqual([record.created_at, record.usage_count, record.last_used_at], [occurredAt, 0, null])
})

test('chat waits where a delay is configured, and the deadline approves it [S-state-5 S-state-7 P7-life-2]', async () => {
  const [learning, file] = [ownText(), ownFile()]
  const deadline = Date.now() + 8000
  const occurredAt = new Date(deadline - DELAY * DAY).toISOString()
  await settle([proposed({ learning, file, source: 'chat' }, occurredAt)])
  assert.ok(Date.now() < deadline, 'this machine is too slow for the test')
  assert.deepEqual(await exported(file), [])
  await eventually('the deadline has approved', async () => (await exported(file)).length === 1)
  assert.ok(Date.now() >= deadline)
  const record = at(await exported(file), 0)
  assert.equal(record.updated_at, new Date(deadline).toISOString())
  const { data } = await readLearnings(`search=${encodeURIComponent(learning)}&limit=5`)
  assert.ok(data.some(({ id }) => id === record.id))
})

test('only chat waits, and only until its deadline; what an agent proposes is never approved by time [S-state-5 P7-life-3 P7-life-6]', async () => {
  const files = { waits: ownFile(), review: ownFile(), late: ownFile(), agent: ownFile() }
  const learning = ownText()
  await settle([
    proposed({ learning: ownText(), file: files.waits, source: 'chat' }, ago((DELAY - 1) * DAY)),
    proposed({ learning: ownText(), file: files.review, source: 'review' }, ago((DELAY - 1) * DAY)),
    proposed({ learning: ownText(), file: files.late, source: 'chat' }, ago((DELAY + 1) * DAY)),
    proposed({ learning, file: files.agent, source: 'agent' }, ago((DELAY + 300) * DAY)),
  ])
  assert.deepEqual(await exported(files.waits), [])
  assert.equal((await exported(files.review)).length, 1)
  assert.equal((await exported(files.late)).length, 1)
  assert.deepEqual(await exported(files.agent), [])
})

test('what a connector reads in a pull request waits for a person, whether that is merged or closed [P7-life-6]', async () => {
  for (const merged of [true, false]) {
    const [learning, file, number] = [ownText(), ownFile(), anyNumber()]
    const pull_request = { number }
    await settle([proposed({ learning, file, source: 'connector', pull_request }, ago((DELAY + 1) * DAY))])
    await settle([closed(number, merged)])
    assert.deepEqual(await exported(file), [])
    const { body } = await call('/v1/learnings/pending?source=connector&limit=200', { key: demo.keys.user })
    const { data } = body as { data: { id: string; learning: string; pull_request: number }[] }
    const found = data.find((one) => one.learning === learning)
    assert.equal(found?.pull_request, number)
    assert.equal((await decide(found.id, 'approve')).status, 200)
    assert.equal((await exported(file)).length, 1)
  }
})

test('a Learning from an open pull request is private, and shared when that is merged [S-learning-8 P7-life-4 P10-8]', async () => {
  const [file, number] = [ownFile(), anyNumber()]
  await settle([proposed({ learning: ownText(), file, pull_request: { number } })])
  assert.deepEqual(await exported(file), [])
  await settle([closed(number, true)])
  assert.equal((await exported(file)).length, 1)
})

test('chat from a pull request that is merged still waits for what is left of its delay [P7-life-4]', async () => {
  const [learning, file, number] = [ownText(), ownFile(), anyNumber()]
  const id = await idOf(learning)
  await settle([proposed({ learning, file, source: 'chat', pull_request: { number } }), closed(number, true)])
  assert.deepEqual(await exported(file), [])
  assert.equal((await decide(id, 'approve')).status, 200)
  assert.equal((await exported(file)).length, 1)
})

test('the same text from two open pull requests is one Learning, which vanishes when the last closes unmerged [P7-life-4 P7-life-5]', async () => {
  const [learning, file] = [ownText(), ownFile()]
  const numbers = [anyNumber(), anyNumber()] as const
  const id = await idOf(learning)
  await settle(numbers.map((number) => proposed({ learning, file, pull_request: { number } })))
  assert.equal(await isThere(id, learning), true)
  await settle([closed(numbers[0], false)])
  assert.equal(await isThere(id, learning), true)
  await settle([closed(numbers[1], false)])
  assert.equal(await isThere(id, learning), false)
  assert.deepEqual(await exported(file), [])
})

test('for a text from two pull requests, one merge is enough, and closing the other takes nothing back [P7-life-4 P7-life-5]', async () => {
  const [learning, file] = [ownText(), ownFile()]
  const numbers = [anyNumber(), anyNumber()] as const
  await settle(numbers.map((number) => proposed({ learning, file, pull_request: { number } })))
  await settle([closed(numbers[0], true)])
  await settle([closed(numbers[1], false)])
  assert.equal((await exported(file)).length, 1)
})

test('a proposal that arrives after the closing of its pull request is treated as if it had been in time [P7-life-4]', async () => {
  const [merged, unmerged] = [anyNumber(), anyNumber()]
  const files = [ownFile(), ownFile(), ownFile()] as const
  const texts = [ownText(), ownText(), ownText()] as const
  await settle([closed(merged, true, ago(60_000)), closed(unmerged, false, ago(60_000))])
  const id = await idOf(texts[2])
  await settle([
    proposed({ learning: texts[0], file: files[0], pull_request: { number: merged } }, ago(90_000)),
    proposed({ learning: texts[1], file: files[1], pull_request: { number: unmerged } }, ago(90_000)),
    proposed({ learning: texts[2], file: files[2], pull_request: { number: unmerged } }, ago(30_000)),
  ])
  assert.equal((await exported(files[0])).length, 1, 'merged')
  assert.deepEqual(await exported(files[1]), [], 'closed')
  assert.equal(await isThere(id, texts[2]), true, 'proposed after the closing: it was reopened')
})

test('an event that is sent again counts once, also for what was deleted since [P10-8]', async () => {
  const [learning, file] = [ownText(), ownFile()]
  const event = proposed({ learning, file })
  await settle([event, event])
  const { id } = at(await exported(file), 0)
  const use = createEvent('learning.used', ago(1000), { organization, learning_ids: [id, randomUUID(), id] })
  await settle([use, use])
  await settle([use, createEvent('learning.used', ago(5000), { organization, learning_ids: [id] })])
  const record = at(await exported(file), 0)
  assert.deepEqual([record.usage_count, record.last_used_at], [2, use.occurred_at])
  await remove(id)
  await settle([event])
  assert.deepEqual(await exported(file), [])
})

test('uses are counted in the organization of the event alone [P10-8]', async () => {
  const file = ownFile()
  await settle([proposed({ learning: ownText(), file })])
  const { id } = at(await exported(file), 0)
  const elsewhere = {
    provider: 'github',
    id: at(
      demo.organizations.filter(({ root }) => root === 'workspace'),
      1,
    ).org_id,
  }
  await settle([createEvent('learning.used', ago(0), { organization: elsewhere, learning_ids: [id] })])
  assert.equal(at(await exported(file), 0).usage_count, 0)
})

test('a text that an Admin disapproved is not proposed again [S-state-6]', async () => {
  const [learning, file] = [ownText(), ownFile()]
  const id = await idOf(learning)
  await settle([proposed({ learning, source: 'agent' })])
  assert.equal((await decide(id, 'disapprove')).status, 200)
  await settle([proposed({ learning, file }), proposed({ learning, file, source: 'chat' })])
  assert.deepEqual(await exported(file), [])
  assert.deepEqual(outcomes(await postBatch([{ repository_id, learning }])), ['DISAPPROVED'])
})

test('proposals, closings and uses of a wrong shape are rejected by the ingest endpoint, one by one [P10-8]', async () => {
  const learning = ownText()
  const wrong = [
    proposed({ learning: ' \n' }),
    proposed({ learning: 'x'.repeat(10_001) }),
    proposed({ learning, source: 'api' as 'chat' }),
    proposed({ learning, file: 'x'.repeat(1025) }),
    proposed({ learning, source_url: 'https://me:secret@git.example.com/' }),
    proposed({ learning, source_url: 'ftp://git.example.com/' }),
    createEvent('pull_request.closed', ago(0), { organization, repository_id, number: 0, merged: true }),
    createEvent('pull_request.closed', ago(0), { organization, repository_id, number: 1 }),
    createEvent('learning.used', ago(0), { organization, learning_ids: [] }),
    createEvent('learning.used', ago(0), { organization, learning_ids: ['nonsense'] }),
  ]
  const file = ownFile()
  const good = proposed({ learning: ` ${'🚚'.repeat(10_000 - learning.length)}${learning} `, file })
  const reply = await call('/ingest/v1/events', {
    key: demo.keys.ingest,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([...wrong, good]),
  })
  assert.equal(reply.status, 202, reply.text)
  const { accepted, rejected } = reply.body as {
    accepted: number
    rejected: { index: number; code: string }[]
  }
  assert.equal(accepted, 1)
  assert.deepEqual(
    rejected.map(({ index, code }) => [index, code]),
    wrong.map((_, index) => [index, 'INVALID_REQUEST']),
  )
  await eventually('the good one is shared', async () => (await exported(file)).length === 1)
})

test('an API key sends no events [P10-8]', async () => {
  const reply = await call('/ingest/v1/events', {
    key: demo.keys.agentic,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([proposed({ learning: ownText() })]),
  })
  assertError(reply, 401, 'UNAUTHORIZED')
})

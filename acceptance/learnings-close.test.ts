import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { firstRepository, proposed, secondRepository } from './learnings-data.ts'
import { decide, patch, postBatch, rehearse, remove, sendJson } from './learnings-writes.ts'
import { eventually, send } from './metrics-data.ts'
import { at, boundOrganization, listRepositories } from './service.ts'

const { repository_id } = firstRepository

type Found = { id: string; learning: string; score: number; contradicts: string[] }

/** A subject that only one test writes about: a word of letters, because numbers say nothing about a subject. */
const ownSubject = () =>
  `${randomUUID().replaceAll(/[\d-]/g, (sign) => 'ghijklmnopq'['0123456789-'.indexOf(sign)] ?? '')} importer`
const item = (learning: string, repository = repository_id) => ({ repository_id: repository, learning })

async function createOne(learning: string, repository?: string) {
  const { id, similar } = at((await postBatch([item(learning, repository)])).results, 0)
  return { id: id ?? assert.fail('no id'), similar: similar ?? assert.fail('no similar') }
}

async function findContext(text: string, body: object = {}): Promise<Found[]> {
  const fields = { repository_id, text, record_use: false, k: 50, ...body }
  const reply = await sendJson('POST', '/v1/review-context', fields)
  assert.equal(reply.status, 200, reply.text)
  return (reply.body as { learnings: Found[] }).learnings
}

test('a created Learning’s result names the close ones of the organization, closest first, with id and similarity [P11-close-1]', async () => {
  const subject = ownSubject()
  const first = await createOne(`Retry the calls of the ${subject} three times before giving up.`)
  const second = await createOne(
    `Calls of the ${subject} are retried three times before they fail.`,
    secondRepository.repository_id,
  )
  const other = await createOne(`Colours of the palette are named by their purpose. ${randomUUID()}`)
  const third = await createOne(`Before giving up, retry each call of the ${subject} three times.`)
  assert.deepEqual(third.similar.map(({ id }) => id).toSorted(), [first.id, second.id].toSorted())
  assert.ok(!other.similar.some(({ id }) => id === first.id || id === second.id))
  for (const one of third.similar) {
    assert.deepEqual(Object.keys(one), ['id', 'similarity'])
    assert.ok(one.similarity > 0 && one.similarity <= 1, JSON.stringify(one))
  }
  const similarities = third.similar.map(({ similarity }) => similarity)
  assert.deepEqual(
    similarities,
    similarities.toSorted((a, b) => b - a),
  )
})

test('Learnings of one batch name each other, and at most five are named [P11-close-1]', async () => {
  const subject = ownSubject()
  const texts = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'].map(
    (word) => `The ${subject} keeps a lock on the order table, case ${word}.`,
  )
  const { results } = await postBatch(texts.map((text) => item(text)))
  const ids = new Set(results.map(({ id }) => id))
  for (const { id, similar } of results) {
    assert.equal(similar?.length, 5)
    assert.ok(similar.every((one) => one.id !== id && ids.has(one.id)))
  }
})

test('a duplicate that makes no text shared carries no similar, also of an item of the same batch [P11-close-1]', async () => {
  const subject = ownSubject()
  const text = `The ${subject} is opened by one process.`
  const [first, second] = (await postBatch([item(text), item(text)])).results
  assert.deepEqual([first?.status, second?.status], ['created', 'duplicate'])
  assert.ok(Array.isArray(first?.similar))
  const [again] = (await postBatch([item(text)])).results
  for (const duplicate of [second, again]) assert.ok(duplicate && !('similar' in duplicate))
})

test('a dry run names the close ones that the request itself names [P11-close-1]', async () => {
  const subject = ownSubject()
  const { id } = await createOne(`Exports of the ${subject} are written as Parquet files.`)
  const data = [
    item(`The ${subject} writes its exports as Parquet files.`),
    item(`Write the exports of the ${subject} as Parquet files, please.`),
  ]
  const rehearsed = await rehearse(data)
  assert.ok(at(rehearsed.results, 0).similar?.some((one) => one.id === id))
  assert.deepEqual(rehearsed, await postBatch(data))
})

test('an approved Learning’s result names the close ones; a disapproved one’s does not [P11-close-2]', async () => {
  const subject = ownSubject()
  const { id: close } = await createOne(`Rows of the ${subject} are never deleted, only marked.`)
  for (const [decision, state] of [
    ['approve', 'shared'],
    ['disapprove', 'disapproved'],
  ] as const) {
    const learning = `The ${subject} never deletes rows, it only marks them (${decision}).`
    const id = at((await postBatch([item(learning)])).results, 0).id ?? assert.fail('no id')
    await remove(id)
    await send([proposed({ learning, source: 'agent' })])
    await eventually('a proposal is there', async () => (await patch(id, learning)).status === 200)
    const decided = await decide(id, decision)
    const { similar, ...rest } = decided.body as { similar?: { id: string }[] }
    assert.deepEqual([decided.status, rest], [200, { id, state }])
    assert.equal(similar?.some((one) => one.id === close) ?? false, decision === 'approve', decided.text)
    assert.deepEqual((await decide(id, decision)).body, decided.body)
  }
})

test('a Learning of another tenant is never named as close [P11-close-1]', async () => {
  const learning = `Uploads of the ${ownSubject()} are scanned before they are stored.`
  const { id } = await boundOrganization('other_tenant')
  const { repositories } = await listRepositories('other_tenant', id)
  const foreign = item(learning, at(repositories, 0).provider_repository_id)
  const theirs = at((await postBatch([foreign], { key: 'other_tenant' })).results, 0)
  assert.equal(theirs.status, 'created')
  assert.deepEqual((await createOne(learning)).similar, [])
  const again = { ...foreign, learning: `${learning} Always.` }
  const { similar } = at((await postBatch([again], { key: 'other_tenant' })).results, 0)
  assert.deepEqual(
    similar?.map((one) => one.id),
    [theirs.id],
  )
})

test('two Learnings of a review that contradict each other name each other, and the one approved later comes first [P11-close-3]', async () => {
  const subject = ownSubject()
  const older = await createOne(`Use optimistic locking for the orders of the ${subject}.`)
  const newer = await createOne(`Never use optimistic locking for the orders of the ${subject}.`)
  assert.ok(newer.similar.some(({ id }) => id === older.id))
  const agreeing = await createOne(`Orders of the ${subject} are archived after 30 days.`)
  for (const text of [
    `Use optimistic locking for the orders of the ${subject}.`,
    `Never use optimistic locking for the orders of the ${subject}.`,
  ]) {
    const found = (await findContext(text)).filter(({ learning }) => learning.includes(subject))
    const pair = found.filter(({ id }) => id === older.id || id === newer.id)
    assert.deepEqual(
      pair.map(({ id, contradicts }) => [id, contradicts]),
      [
        [newer.id, [older.id]],
        [older.id, [newer.id]],
      ],
      text,
    )
    assert.deepEqual(found.find(({ id }) => id === agreeing.id)?.contradicts ?? [], [])
    const [only] = await findContext(text, { k: 1 })
    assert.deepEqual([only?.id, only?.contradicts], [newer.id, []])
  }
})

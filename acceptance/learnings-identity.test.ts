import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { firstRepository, ownFile, ownText, readLearnings, secondRepository } from './learnings-data.ts'
import { outcomes, patch, postBatch, remove } from './learnings-writes.ts'
import { at, demo, organizationsOf } from './service.ts'

const { repository_id } = firstRepository
const item = (learning: string, over: object = {}) => ({ repository_id, learning, ...over })

async function idOf(learning: string): Promise<string> {
  const { results } = await postBatch([item(learning)])
  return results[0]?.id ?? assert.fail('no id')
}

test('the same content again is a duplicate with the same id, and changes nothing of what is there', async () => {
  const learning = ownText()
  const file = ownFile()
  const first = await postBatch([item(learning, { file })])
  const again = await postBatch([item(learning, { file: ownFile(), source_url: 'https://example.com/' })])
  assert.deepEqual(outcomes(again), ['duplicate'])
  assert.equal(again.results[0]?.id, first.results[0]?.id)
  const { data } = await readLearnings(`files=${file}`)
  assert.deepEqual([data.length, data[0]?.source_url], [1, null])
})

test('an id is a UUID of version 5, and another one in another repository or organization', async () => {
  const learning = ownText()
  const sibling = at(organizationsOf('workspace'), 1)
  const here = await postBatch([
    item(learning),
    { ...item(learning), repository_id: secondRepository.repository_id },
  ])
  const there = await postBatch([{ learning, repository_id: at(sibling.repositories, 0).repository_id }], {
    key: 'workspace',
    org_id: sibling.org_id,
  })
  assert.deepEqual([...outcomes(here), ...outcomes(there)], ['created', 'created', 'created'])
  const ids = [...here.results, ...there.results].map(({ id }) => id ?? '')
  assert.equal(new Set(ids).size, 3)
  for (const id of ids)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('white space around it, line ends and the composition of letters make no other text; the first spelling is kept', async () => {
  const tail = randomUUID()
  const file = ownFile()
  const first = await postBatch([item(`Caf\u00e9\r\nopen ${tail}`, { file })])
  const again = await postBatch([
    item(`  Cafe\u0301\nopen ${tail}\t`),
    item(`Caf\u00e9\ropen ${tail}`),
    item(`CAF\u00c9\nopen ${tail}`),
  ])
  assert.deepEqual(outcomes(again), ['duplicate', 'duplicate', 'created'])
  assert.equal(again.results[0]?.id, first.results[0]?.id)
  const { data } = await readLearnings(`files=${file}`)
  assert.equal(data[0]?.learning, `Caf\u00e9\r\nopen ${tail}`)
})

test('texts that differ in a credential only are the same', async () => {
  const tail = randomUUID()
  const [one, other] = [demo.keys.expired, demo.keys.revoked].map((key) => `Rotate ${key} at once ${tail}`)
  const batch = await postBatch([item(one ?? ''), item(other ?? '')])
  assert.deepEqual(outcomes(batch), ['created', 'duplicate'])
})

test('the id stays when the text is patched, and its first text created again gets another id', async () => {
  const [first, second] = [ownText(), ownText()]
  const id = await idOf(first)
  const patched = await patch(id, second)
  assert.equal((patched.body as { id: string }).id, id)
  const again = await postBatch([item(second), item(first)])
  assert.deepEqual(outcomes(again), ['duplicate', 'created'])
  assert.equal(again.results[0]?.id, id)
  assert.notEqual(again.results[1]?.id, id)
  await remove(again.results[1]?.id ?? '')
  assert.equal(await idOf(first), again.results[1]?.id)
})

test('what was deleted owns nothing: created again it has the same id and a new beginning', async () => {
  const learning = ownText()
  const file = ownFile()
  const created = async () => at((await postBatch([item(learning, { file })])).results, 0)
  const first = await created()
  const [before] = (await readLearnings(`files=${file}`)).data
  await remove(first.id ?? '')
  assert.deepEqual((await readLearnings(`files=${file}`)).data, [])
  assert.deepEqual(await created(), first)
  const [after] = (await readLearnings(`files=${file}`)).data
  assert.ok((after?.created_at ?? '') > (before?.created_at ?? ''))
  assert.deepEqual([after?.usage_count, after?.last_used_at], [0, null])
})

test('twenty requests at once with the same text create one Learning', async () => {
  const learning = ownText()
  const file = ownFile()
  const batches = await Promise.all(Array.from({ length: 20 }, () => postBatch([item(learning, { file })])))
  const created = batches.filter(({ created_count }) => created_count === 1)
  assert.deepEqual([created.length, new Set(batches.map(({ results }) => results[0]?.id)).size], [1, 1])
  assert.equal((await readLearnings(`files=${file}`)).data.length, 1)
})

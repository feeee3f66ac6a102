import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertErrors } from '../cli/src/conformance/http.ts'
import {
  firstRepository,
  learningsPath,
  ownFile,
  ownText,
  proposed,
  readLearnings,
  secondRepository,
  textsOf,
} from './learnings-data.ts'
import {
  outcomes,
  patch,
  post,
  postBatch,
  rehearse,
  remove,
  sendJson,
  withoutSimilar,
} from './learnings-writes.ts'
import { eventually, send } from './metrics-data.ts'
import { at, demo, home, organizationsOf } from './service.ts'

const { repository_id } = firstRepository
const item = (learning: string, over: object = {}) => ({ repository_id, learning, ...over })

async function idOf(learning: string): Promise<string> {
  const { results } = await postBatch([item(learning)])
  return results[0]?.id ?? assert.fail('no id')
}

test('the same content again is a duplicate with the same id, and changes nothing of what is there [S-learning-1 S-lpost-10 P7-ident-3]', async () => {
  const learning = ownText()
  const file = ownFile()
  const first = await postBatch([item(learning, { file })])
  const again = await postBatch([item(learning, { file: ownFile(), source_url: 'https://example.com/' })])
  assert.deepEqual(outcomes(again), ['duplicate'])
  assert.equal(again.results[0]?.id, first.results[0]?.id)
  const { data } = await readLearnings(`files=${file}`)
  assert.deepEqual([data.length, data[0]?.source_url], [1, null])
})

test('an id is a UUID of version 5, and another one in another repository or organization [S-learning-1 P7-ident-2]', async () => {
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

test('surrounding white space, line ends and Unicode composition do not make another text; the first spelling is kept [P7-ident-1]', async () => {
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

test('texts that differ in a credential only are the same [P2-format-4 P7-ident-1]', async () => {
  const tail = randomUUID()
  const [one, other] = [demo.keys.expired, demo.keys.revoked].map((key) => `Rotate ${key} at once ${tail}`)
  const batch = await postBatch([item(one ?? ''), item(other ?? '')])
  assert.deepEqual(outcomes(batch), ['created', 'duplicate'])
})

test('the id stays when the text is patched; its first text is a duplicate by id from then on, and revives nothing [P7-ident-4 P11-identity-1 P11-identity-2]', async () => {
  const [first, second, file] = [ownText(), ownText(), ownFile()]
  const id = at((await postBatch([item(first, { file })])).results, 0).id ?? assert.fail('no id')
  const patched = await patch(id, second)
  assert.equal((patched.body as { id: string }).id, id)
  const before = await readLearnings(`files=${file}`)
  for (const key of ['user', 'organization'] as const) {
    const again = await postBatch([item(second, { file }), item(` ${first}\n`, { file }), item(first)], {
      key,
    })
    assert.deepEqual(again.results, [
      { index: 0, status: 'duplicate', id },
      { index: 1, status: 'duplicate', id, matched: 'id', ignored: ['learning'] },
      { index: 2, status: 'duplicate', id, matched: 'id', ignored: ['learning'] },
    ])
    assert.deepEqual([again.status, again.duplicate_count], ['success', 3])
  }
  await send([proposed({ learning: first, file }), proposed({ learning: `${first} And more.`, file })])
  await eventually('the other proposal is shared', async () => {
    const { data } = await readLearnings(`files=${file}`)
    return data.length > before.data.length
  })
  const { data } = await readLearnings(`files=${file}`)
  assert.deepEqual(
    data.filter((learning) => learning.id === id),
    before.data,
  )
  assert.deepEqual(textsOf(data), [second, `${first} And more.`])
})

test('a text that somebody patched away can be created again after DELETE, or belongs to the Learning that has it now [P11-identity-1 P11-identity-3]', async () => {
  const [first, second] = [ownText(), ownText()]
  const id = await idOf(first)
  const other = await idOf(second)
  await patch(id, ownText())
  assert.equal((await patch(other, first)).status, 200)
  assert.deepEqual((await postBatch([item(first), item(second)])).results, [
    { index: 0, status: 'duplicate', id: other },
    { index: 1, status: 'duplicate', id: other, matched: 'id', ignored: ['learning'] },
  ])
  await remove(other)
  assert.equal((await postBatch([item(first)])).results[0]?.matched, 'id')
  await remove(id)
  assert.deepEqual(withoutSimilar(await postBatch([item(first), item(second)])).results, [
    { index: 0, status: 'created', id },
    { index: 1, status: 'created', id: other },
  ])
})

test('a duplicate names the fields whose values differ from the stored ones, and only those that were sent [P11-ignored-1]', async () => {
  const [learning, file, source_url] = [ownText(), ownFile(), 'https://example.com/first']
  const other = { file: ownFile(), source_url: 'https://example.com/second' }
  const { results } = await postBatch([
    item(learning, { file, source_url }),
    item(learning, { file, source_url }),
    item(` ${learning} `),
    item(learning, other),
    item(learning, { file, source_url: other.source_url }),
  ])
  assert.deepEqual(
    results.map(({ status, ignored }) => [status, ignored]),
    [
      ['created', undefined],
      ['duplicate', undefined],
      ['duplicate', undefined],
      ['duplicate', ['file', 'source_url']],
      ['duplicate', ['source_url']],
    ],
  )
  const bare = ownText()
  await postBatch([item(bare)])
  assert.deepEqual((await postBatch([item(bare, other)])).results[0]?.ignored, ['file', 'source_url'])
  const withKey = (key: string) => item(`${bare} Read it.`, { file: `${file} ${key}` })
  const redacted = await postBatch([withKey(demo.keys.expired), withKey(demo.keys.revoked)])
  assert.deepEqual([outcomes(redacted), redacted.results[1]?.ignored], [['created', 'duplicate'], undefined])
})

test('a dry run has the results of the same request, ids too, and writes nothing [P11-dry-run-1]', async () => {
  const [created, changed, present, file] = [ownText(), ownText(), ownText(), ownFile()]
  const id = await idOf(changed)
  await patch(id, ownText())
  await idOf(present)
  const batch = [
    item(created, { file }),
    item(created),
    item(changed, { file }),
    item(present, { file }),
    item(' '),
    { repository_id: 'nowhere', learning: ownText() },
    7,
  ]
  const results = [await rehearse(batch), await rehearse(batch)]
  assert.deepEqual((await readLearnings(`files=${file}`)).data, [])
  const real = await postBatch(batch)
  assert.deepEqual(outcomes(real), [
    'created',
    'duplicate',
    'duplicate',
    'duplicate',
    'INVALID_ITEM',
    'REPOSITORY_NOT_FOUND',
    'INVALID_ITEM',
  ])
  for (const result of results) assert.deepEqual(withoutSimilar(result), withoutSimilar(real))
  assert.deepEqual(outcomes(await rehearse(batch.slice(0, 1))), ['duplicate'])
})

test('a dry run leaves nothing to find or to patch, and its Idempotency-Key is used up for another request [P11-dry-run-1]', async () => {
  const [learning, idempotencyKey] = [ownText(), randomUUID()]
  const sending = { key: 'workspace', org_id: home.org_id, idempotencyKey } as const
  const first = await rehearse([item(learning)], sending)
  const { id = '' } = at(first.results, 0)
  assertErrors(await patch(id, learning), 404, 'NOT_FOUND')
  const { data } = await readLearnings(`search=${encodeURIComponent(learning)}&limit=5`)
  assert.ok(data.every((record) => record.id !== id))
  assert.deepEqual(await rehearse([item(learning)], sending), first)
  assertErrors(await post([item(learning)], sending), 409, 'IDEMPOTENCY_KEY_REUSED')
  const created = await postBatch([item(learning)], { key: 'user' })
  assert.deepEqual(withoutSimilar(created).results[0], { index: 0, status: 'created', id })
})

test('dry_run is a boolean; anything else is 400 [P11-dry-run-1]', async () => {
  for (const dry_run of ['true', 1, null, {}]) {
    const reply = await sendJson('POST', learningsPath, { data: [item(ownText())], dry_run })
    assertErrors(reply, 400, 'INVALID_REQUEST', JSON.stringify(dry_run))
  }
  const learning = ownText()
  const reply = await sendJson('POST', learningsPath, { data: [item(learning)], dry_run: false })
  assert.equal((reply.body as { created_count: number }).created_count, 1)
})

test('a deleted Learning leaves nothing behind: created again, it has the same id and starts over [P7-ident-6]', async () => {
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

test('twenty requests at once with the same text create one Learning [S-lpost-10 P7-ident-3]', async () => {
  const learning = ownText()
  const file = ownFile()
  const batches = await Promise.all(Array.from({ length: 20 }, () => postBatch([item(learning, { file })])))
  const created = batches.filter(({ created_count }) => created_count === 1)
  assert.deepEqual([created.length, new Set(batches.map(({ results }) => results[0]?.id)).size], [1, 1])
  assert.equal((await readLearnings(`files=${file}`)).data.length, 1)
})

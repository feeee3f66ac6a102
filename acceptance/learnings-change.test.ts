import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertErrors } from '../cli/src/conformance/http.ts'
import {
  firstRepository,
  ownFile,
  ownText,
  readLearnings,
  recordFields,
  secondRepository,
} from './learnings-data.ts'
import { outcomes, patch, postBatch, remove, sendJson } from './learnings-writes.ts'
import { at, demo, home } from './service.ts'

const { repository_id } = firstRepository

async function create(over: object = {}): Promise<string> {
  const { results } = await postBatch([{ repository_id, learning: ownText(), ...over }])
  return at(results, 0).id ?? assert.fail('not created')
}

test('PATCH is 200 with the record, which the export then shows [S-what-6 S-lpatch-1 S-lpatch-3 P7-patch-1]', async () => {
  const file = ownFile()
  const id = await create({ file, source_url: 'https://example.com/' })
  const [before] = (await readLearnings(`files=${file}`)).data
  const learning = ownText('Prefer early returns.')
  const reply = await patch(id, learning)
  assert.equal(reply.status, 200, reply.text)
  assert.deepEqual(Object.keys(reply.body as object), [...recordFields])
  const { data } = await readLearnings(`files=${file}`)
  assert.deepEqual(reply.body, data[0])
  assert.deepEqual(data[0], { ...before, learning, updated_at: data[0]?.updated_at })
  assert.ok((data[0]?.updated_at ?? '') >= (before?.updated_at ?? ''))
})

test('PATCH trims and redacts the text [S-learning-3 S-lpatch-4]', async () => {
  const secret = demo.keys.expired
  const tail = randomUUID()
  const reply = await patch(await create(), `  Keep ${secret} out ${tail}\n`)
  assert.ok(!reply.text.includes(secret))
  assert.match((reply.body as { learning: string }).learning, /^Keep \[REDACTED:\w+\] out /)
})

test('a patched text is found by search, and the text before it is not [S-lpatch-1 S-lpatch-6 S-lpatch-8]', async () => {
  const [one, two] = [randomUUID(), randomUUID()].map((word) => `Retries use exponential backoff ${word}`)
  const id = await create({ learning: one })
  await patch(id, two)
  const { data } = await readLearnings(`search=${encodeURIComponent(two ?? '')}&limit=5`)
  assert.equal(data.find((learning) => learning.id === id)?.learning, two)
  assert.ok(data.every(({ learning }) => learning !== one))
})

test('PATCH with the same text is 200 [S-lpatch-7]', async () => {
  const learning = ownText()
  const id = await create({ learning })
  for (let again = 0; again < 2; again += 1) assert.equal((await patch(id, learning)).status, 200)
})

test('an unknown field, a missing, blank or too long text is 400 [P1-shape-2 P7-patch-2]', async () => {
  const path = `/v1/learnings/${await create()}`
  for (const body of [
    {},
    { learning: '' },
    { learning: ' \n' },
    { learning: 7 },
    { learning: 'x'.repeat(10_001) },
    { learning: 'x', file: 'a.ts' },
    { learning: 'x', repository_id },
    { learning: 'x', author_id: '1' },
  ]) {
    assertErrors(
      await sendJson('PATCH', path, body),
      400,
      'INVALID_REQUEST',
      JSON.stringify(body).slice(0, 80),
    )
  }
})

test('an id that is unknown, of another tenant or no UUID at all is 404 for PATCH [S-lpatch-3 P7-patch-2]', async () => {
  const id = await create()
  for (const unknown of [randomUUID(), 'nonsense'])
    assertErrors(await patch(unknown, ownText()), 404, 'NOT_FOUND')
  assertErrors(await patch(id, ownText(), { key: 'other_tenant' }), 404, 'NOT_FOUND')
})

test('a text that another Learning of the repository has is 409 LEARNING_EXISTS; that of another repository is not [P1-code-20 P7-patch-3]', async () => {
  const [taken, elsewhere] = [ownText(), ownText()]
  const id = await create()
  await create({ learning: taken })
  await create({ learning: elsewhere, repository_id: secondRepository.repository_id })
  assertErrors(await patch(id, ` ${taken} `), 409, 'LEARNING_EXISTS')
  assert.equal((await patch(id, elsewhere)).status, 200)
})

test('DELETE is 204 without a body, also when repeated, and the Learning is gone [S-what-6 S-lother-7 P7-patch-5]', async () => {
  const file = ownFile()
  const learning = ownText()
  const id = await create({ file, learning })
  for (let again = 0; again < 3; again += 1) {
    const reply = await remove(id)
    assert.deepEqual([reply.status, reply.text], [204, ''])
  }
  assert.deepEqual((await readLearnings(`files=${file}`)).data, [])
  const { data } = await readLearnings(`search=${encodeURIComponent(learning)}&limit=5`)
  assert.ok(data.every((found) => found.id !== id))
  assertErrors(await patch(id, ownText()), 404, 'NOT_FOUND')
})

test('DELETE of an unknown, foreign or malformed id is 204 too, and deletes nothing [S-lother-7 P7-patch-5]', async () => {
  const file = ownFile()
  const id = await create({ file })
  for (const unknown of [randomUUID(), 'nonsense']) assert.equal((await remove(unknown)).status, 204)
  assert.equal((await remove(id, { key: 'other_tenant' })).status, 204)
  assert.equal((await readLearnings(`files=${file}`)).data.length, 1)
})

test('DELETE takes no other query parameter than org_id [P7-patch-5]', async () => {
  assertErrors(
    await sendJson('DELETE', `/v1/learnings/${randomUUID()}?force=true`, {}),
    400,
    'INVALID_REQUEST',
  )
  assert.equal((await remove(await create(), { key: 'organization', org_id: home.org_id })).status, 204)
})

test('concurrent creation and deletion end in the state of the last one [P7-patch-5]', async () => {
  const learning = ownText()
  const file = ownFile()
  const id = await create({ learning, file })
  for (let round = 0; round < 5; round += 1) {
    const [batch, removed] = await Promise.all([postBatch([{ repository_id, learning, file }]), remove(id)])
    assert.equal(removed.status, 204)
    const left = (await readLearnings(`files=${file}`)).data.length
    assert.equal(left, outcomes(batch)[0] === 'created' ? 1 : 0)
    if (left === 0) await create({ learning, file })
  }
})

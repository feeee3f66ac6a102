import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import type { TestResponse } from '../../../../test/call.ts'
import { type BatchResponse, startTestLearnings } from '../../../../test/learnings/test-learnings.ts'

const stage = await startTestLearnings()
afterEach(() => stage.model.setFault('none'))

const newText = () => `Mind the index. ${randomUUID()}`
const outcome = ({ results }: BatchResponse) => results.map(({ status, error }) => error?.code ?? status)
const codeOf = ({ body }: TestResponse) =>
  (body as unknown as { errors?: { code: string }[] }).errors?.[0]?.code

async function indexOf(id: string | undefined) {
  const { rows } = await stage.superuser.query(
    `select text, (select count(*)::int from learning_index i where i.learning_id = l.id and i.content_hash = l.content_hash)
         as indexed,
       (select count(*)::int from learning_index i where i.learning_id = l.id) as entries,
       (select count(*)::int from learning_task t where t.learning_id = l.id and kind = 'index') as tasks
     from learning l where id = $1`,
    [id],
  )
  return rows[0]
}

test('POST: an index failure returns failed with the id and enqueues a task; the retry that repairs it returns duplicate [S-lpost-11 P7-post-4]', async () => {
  const text = newText()
  await stage.model.setFault('refusal')
  const first = await stage.create(text, text, { learning: ' ' })
  assert.deepEqual(outcome(first), ['INDEX_FAILED', 'INDEX_FAILED', 'INVALID_ITEM'])
  const id = first.results[0]?.id
  assert.deepEqual([first.status, first.results[1]?.id], ['failure', id])
  assert.deepEqual(await indexOf(id), { text, indexed: 0, entries: 0, tasks: 1 })
  const still = await stage.create(text)
  assert.deepEqual([outcome(still), still.results[0]?.id], [['INDEX_FAILED'], id])
  await stage.model.setFault('none')
  const repaired = await stage.create(text)
  assert.deepEqual([outcome(repaired), repaired.results[0]?.id], [['duplicate'], id])
  assert.deepEqual(await indexOf(id), { text, indexed: 1, entries: 1, tasks: 0 })
})

test('POST: a different spelling of the text repairs the index too [S-lpost-11]', async () => {
  const tail = randomUUID()
  await stage.model.setFault('refusal')
  const first = await stage.create(`One\r\ntwo ${tail}`)
  await stage.model.setFault('none')
  assert.deepEqual(outcome(await stage.create(`One\ntwo ${tail}`)), ['duplicate'])
  assert.equal((await indexOf(first.results[0]?.id)).indexed, 1)
})

test('POST: a duplicate that is already indexed needs no model', async () => {
  const text = newText()
  const id = await stage.createOne(text)
  await stage.model.setFault('down')
  const again = await stage.create(text)
  assert.deepEqual([outcome(again), again.results[0]?.id], [['duplicate'], id])
})

test('PATCH: an index failure returns 503 although the text is replaced; repeating the request rebuilds the index [S-lpatch-7]', async () => {
  const id = await stage.createOne(newText())
  const text = newText()
  const idempotency = { headers: { 'idempotency-key': randomUUID() } }
  for (const sending of [{}, idempotency]) {
    await stage.model.setFault('refusal')
    const response = await stage.patch(id, text, sending)
    assert.deepEqual([response.status, codeOf(response)], [503, 'INDEX_FAILED'])
    assert.match(response.headers['retry-after'] ?? '', /^[1-9]\d*$/)
    // The index row of the old text is deleted.
    assert.deepEqual(await indexOf(id), { text, indexed: 0, entries: 0, tasks: 1 })
    await stage.model.setFault('none')
    const again = await stage.patch(id, text, sending)
    assert.deepEqual([again.status, again.headers['idempotency-replayed']], [200, undefined])
    assert.deepEqual(await indexOf(id), { text, indexed: 1, entries: 1, tasks: 0 })
    await stage.superuser.query('delete from learning_index where learning_id = $1', [id])
  }
  const replayed = await stage.patch(id, text, idempotency)
  assert.deepEqual([replayed.status, replayed.headers['idempotency-replayed']], [200, 'true'])
})

test('approval: an index failure does not undo the decision; the worker repairs the index', async () => {
  const text = newText()
  const id = await stage.plant('pending', text)
  await stage.model.setFault('refusal')
  const { status, body } = await stage.decide(id, 'approve')
  assert.deepEqual([status, body], [200, { id, state: 'shared' }])
  assert.deepEqual(await indexOf(id), { text, indexed: 0, entries: 0, tasks: 1 })
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type TestResponse, withoutKeyedMutex } from '../../../../test/call.ts'
import { type BatchResponse, startTestLearnings } from '../../../../test/learnings/test-learnings.ts'
import { waitForLocks } from '../../../../test/wait.ts'
import type { LearningId } from '../../../ids.ts'
import { recordUse } from '../../../learning-index/sql.ts'

const stage = await startTestLearnings({ DATABASE_CONNECTIONS: '24' }, withoutKeyedMutex)

const newText = () => `One at a time. ${randomUUID()}`
const batch = ({ body }: TestResponse) => body as unknown as BatchResponse
const post = (...texts: string[]) =>
  stage.post(texts.map((learning) => ({ repository_id: stage.repository, learning })))
const times = <Result>(length: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length }, (_, index) => work(index)))

async function count(text: string): Promise<number> {
  const { rows } = await stage.superuser.query<{ n: number }>(
    'select count(*)::int as n from learning where text = $1',
    [text],
  )
  return rows[0]?.n ?? -1
}

/** Asserts that rows, counts and index agree and positions are unique. */
async function assertWhole(): Promise<void> {
  const { rows } = await stage.superuser.query<Record<string, number>>(
    `select count(*)::int as shared, count(distinct position)::int as positions,
       (select shared::int from learning_count where organization_id = $1 and repository_id = '') as counted,
       (select count(*)::int from learning_index i join learning m on m.id = i.learning_id
         and m.organization_id = i.organization_id and m.content_hash = i.content_hash
         where i.organization_id = $1) as indexed,
       (select count(*)::int from learning_index where organization_id = $1) as entries
     from learning where organization_id = $1 and state = 'shared'`,
    [stage.organization.id],
  )
  const { shared, ...others } = rows[0] ?? {}
  for (const [name, value] of Object.entries(others)) assert.equal(value, shared, name)
}

test('twenty concurrent requests with the same text create one Learning and return nineteen duplicates [P7-ident-3]', async () => {
  const text = newText()
  const responses = (await times(20, () => post(text))).map(batch)
  const statuses = responses.map(({ results }) => results[0]?.status ?? '').sort()
  assert.deepEqual(statuses, ['created', ...Array.from({ length: 19 }, () => 'duplicate')])
  assert.equal(new Set(responses.map(({ results }) => results[0]?.id)).size, 1)
  assert.equal(await count(text), 1)
  await assertWhole()
})

test('concurrent batches with the same texts in different orders all succeed', async () => {
  const texts = Array.from({ length: 20 }, newText)
  const responses = await times(12, (index) => post(...(index % 2 === 0 ? texts : texts.toReversed())))
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
  assert.equal(
    responses.map(batch).reduce((sum, { created_count }) => sum + created_count, 0),
    texts.length,
  )
  await assertWhole()
})

test('concurrent creation and deletion leave the result of the last one', async () => {
  const text = newText()
  const { results } = batch(await post(text))
  const id = results[0]?.id ?? assert.fail()
  for (let round = 0; round < 15; round++) {
    const [created, removed] = await Promise.all([post(text), stage.remove(id)])
    assert.deepEqual([created.status, removed.status], [200, 204])
    const [result] = batch(created).results
    assert.equal(result?.id, id)
    // Created: the deletion ran first. Duplicate: the deletion ran last.
    assert.equal(await count(text), result?.status === 'created' ? 1 : 0)
    if (result?.status === 'duplicate') await post(text)
  }
  await assertWhole()
})

test('of two concurrent PATCH requests to the same text, one succeeds and one returns 409', async () => {
  for (let round = 0; round < 5; round++) {
    const target = newText()
    const { results } = batch(await post(newText(), newText(), newText()))
    const responses = await Promise.all(results.map(({ id }) => stage.patch(id ?? '', target)))
    assert.deepEqual(responses.map(({ status }) => String(status)).sort(), ['200', '409', '409'])
    assert.equal(await count(target), 1)
  }
  await assertWhole()
})

test('concurrent approval, disapproval and creation of a pending Learning have one outcome', async () => {
  for (let round = 0; round < 10; round++) {
    const text = newText()
    const id = await stage.plant('pending', text)
    const [approved, disapproved, published] = await Promise.all([
      stage.decide(id, 'approve'),
      stage.decide(id, 'disapprove'),
      post(text),
    ])
    const { rows } = await stage.superuser.query('select state from learning where id = $1', [id])
    // Approval lifts a disapproval, so it succeeds whichever decision is first; a disapproval only if it is the first.
    assert.equal(rows[0]?.state, 'shared')
    assert.equal(approved.status, 200)
    const [result] = batch(published).results
    if (disapproved.status === 404) assert.equal(result?.status, 'duplicate')
    else assert.ok(disapproved.status === 200 && (result?.status === 'duplicate' || result?.id === id))
  }
  await assertWhole()
})

test('a request that waits for a use that is being counted still finds the Learning', async () => {
  const [kept, patched] = [newText(), newText()]
  const ids = batch(await post(kept, patched)).results.map(({ id }) => id as LearningId)
  assert.equal((await stage.patch(ids[1] ?? '', newText())).status, 200)
  // With enough rows PostgreSQL looks up one id after the other, and rechecks a row for which it waited by the last id.
  for (let n = 0; n < 3; n++) await post(...Array.from({ length: 100 }, newText))
  await stage.superuser.query('analyze learning')
  const scope = { root: stage.organization.root, organizations: null, instance: null }
  let waiting: Promise<TestResponse> | undefined
  await stage.tenant.change(stage.organization.root, async ({ tx }) => {
    await recordUse(scope, tx, stage.organization.id, ids, new Date())
    waiting = post(kept, patched)
    await waitForLocks(stage.superuser)
  })
  const { results } = batch((await waiting) ?? assert.fail())
  assert.deepEqual(
    results.map(({ status, id }) => [status, id]),
    ids.map((id) => ['duplicate', id]),
  )
})

test('concurrent use counting does not deadlock', async () => {
  const texts = Array.from({ length: 30 }, newText)
  const ids = batch(await post(...texts)).results.map(({ id }) => id as LearningId)
  const scope = { root: stage.organization.root, organizations: null, instance: null }
  const use = () =>
    stage.tenant.change(stage.organization.root, ({ tx }) =>
      recordUse(scope, tx, stage.organization.id, ids.toReversed(), new Date()),
    )
  const responses = await times(10, async (index) => {
    await use()
    return index % 2 === 0 ? post(...texts) : stage.patch(ids[index] ?? '', newText())
  })
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
  const { rows } = await stage.superuser.query<{ uses: string }>(
    'select distinct usage_count as uses from learning where id = any ($1)',
    [ids],
  )
  assert.deepEqual(rows, [{ uses: '10' }])
  await assertWhole()
})

import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertErrors } from '../cli/src/conformance/http.ts'
import { firstRepository, ownFile, ownText, proposed, readLearnings, textsOf } from './learnings-data.ts'
import {
  decide,
  outcomes,
  patch,
  postBatch,
  rehearse,
  remove,
  sendJson,
  withoutSimilar,
} from './learnings-writes.ts'
import { eventually, send } from './metrics-data.ts'
import { at, home } from './service.ts'

const { repository_id } = firstRepository

/**
 * An id derives from the text, so that of a text that will be proposed is known beforehand: it is created once and
 * deleted again.
 */
async function idOf(learning: string): Promise<string> {
  const { results } = await postBatch([{ repository_id, learning }])
  const id = at(results, 0).id ?? assert.fail('no id')
  await remove(id)
  return id
}

type Proposed = { id: string; learning: string; file: string }

/** Proposals of an agent wait for a person; those from an open pull request are private. */
async function propose(how: 'pending' | 'private'): Promise<Proposed> {
  const [learning, file] = [ownText(), ownFile()]
  const id = await idOf(learning)
  const from =
    how === 'pending' ? { source: 'agent' as const } : { pull_request: { number: randomInt(1, 2 ** 40) } }
  await send([proposed({ learning, file, ...from })])
  await eventually('a proposal is there', async () => (await patch(id, learning)).status === 200)
  return { id, learning, file }
}

async function isExported({ id, file }: Proposed): Promise<boolean> {
  const { data } = await readLearnings(`files=${file}`)
  return data.some((learning) => learning.id === id)
}

test('an approved Learning is shared at once: it is exported and found by search [S-state-4 P7-patch-6]', async () => {
  const pending = await propose('pending')
  assert.equal(await isExported(pending), false)
  const reply = await decide(pending.id, 'approve')
  assert.deepEqual([reply.status, withoutSimilar(reply.body)], [200, { id: pending.id, state: 'shared' }])
  assert.equal(await isExported(pending), true)
  const { data } = await readLearnings(`search=${encodeURIComponent(pending.learning)}&limit=5`)
  assert.ok(data.some(({ id }) => id === pending.id))
})

test('a disapproved Learning is not shared, and its text is refused from then on with DISAPPROVED and its id [S-state-6 P7-post-3 P7-post-5 P7-patch-6]', async () => {
  const pending = await propose('pending')
  const reply = await decide(pending.id, 'disapprove')
  assert.deepEqual([reply.status, reply.body], [200, { id: pending.id, state: 'disapproved' }])
  const batch = await postBatch([{ repository_id, learning: pending.learning }])
  assert.deepEqual(outcomes(batch), ['DISAPPROVED'])
  assert.equal(batch.results[0]?.id, pending.id)
  assert.equal(await isExported(pending), false)
})

test('a disapproved text stays disapproved after DELETE, for every caller, until an Admin approves its id [P11-disapproved-1 P11-disapproved-2]', async () => {
  const { id, learning } = await propose('pending')
  await decide(id, 'disapprove')
  assert.equal((await remove(id)).status, 204)
  for (const key of ['user', 'organization'] as const) {
    const { results } = await postBatch([{ repository_id, learning }], { key })
    assert.deepEqual(
      [results[0]?.status, results[0]?.error?.code, results[0]?.id],
      ['failed', 'DISAPPROVED', id],
    )
  }
  const workspace = { key: 'workspace', org_id: home.org_id } as const
  for (const batch of [
    await postBatch([{ repository_id, learning: ` ${learning}\r\n` }], workspace),
    await rehearse([{ repository_id, learning }]),
  ])
    assert.deepEqual([outcomes(batch), batch.results[0]?.id], [['DISAPPROVED'], id])
  const other = await postBatch([{ repository_id, learning: ownText() }])
  assertErrors(await patch(other.results[0]?.id ?? '', learning), 409, 'LEARNING_EXISTS')
  assertErrors(await decide(id, 'approve', { key: 'other_tenant' }), 404, 'NOT_FOUND')
  const lifted = await decide(id, 'approve')
  assert.deepEqual([lifted.status, lifted.body], [200, { id, state: 'deleted' }])
  const again = await postBatch([{ repository_id, learning }])
  assert.deepEqual([outcomes(again), again.results[0]?.id], [['created'], id])
})

test('a disapproved text stays disapproved for events of every source, before and after DELETE [P11-disapproved-1]', async () => {
  for (const deleted of [false, true]) {
    const { id, learning, file } = await propose('pending')
    await decide(id, 'disapprove')
    if (deleted) await remove(id)
    const last = ownText()
    await send([
      ...(['agent', 'review', 'chat'] as const).map((source) => proposed({ learning, file, source })),
      proposed({ learning, file, pull_request: { number: randomInt(1, 2 ** 40) } }),
      proposed({ learning: last, file }),
    ])
    await eventually('the last proposal is shared', async () =>
      (await readLearnings(`files=${file}`)).data.some((record) => record.learning === last),
    )
    assert.deepEqual(textsOf((await readLearnings(`files=${file}`)).data), [last])
    const again = await postBatch([{ repository_id, learning }])
    assert.deepEqual([outcomes(again), again.results[0]?.id], [['DISAPPROVED'], id])
    assert.equal((await patch(id, learning)).status, deleted ? 404 : 200)
  }
})

test('a disapproved text stays disapproved when its Learning is given another text, also when that one is approved [P11-disapproved-1]', async () => {
  const { id, learning } = await propose('pending')
  await decide(id, 'disapprove')
  assert.equal((await patch(id, ownText())).status, 200)
  const refused = await postBatch([{ repository_id, learning }])
  assert.deepEqual(outcomes(refused), ['DISAPPROVED'])
  assert.deepEqual(withoutSimilar((await decide(id, 'approve')).body), { id, state: 'shared' })
  const still = await postBatch([{ repository_id, learning }])
  assert.deepEqual(still, refused)
  const former = still.results[0]?.id ?? assert.fail('no id')
  assert.equal((await decide(former, 'approve')).status, 200)
  const lifted = await postBatch([{ repository_id, learning }])
  assert.deepEqual([outcomes(lifted), lifted.results[0]?.id], [['duplicate'], id])
})

test('the same decision again is the same answer; approval lifts a disapproval, and a shared one is not disapproved [P7-patch-6 P11-disapproved-2]', async () => {
  for (const decision of ['approve', 'disapprove'] as const) {
    const { id } = await propose('pending')
    const [first, again] = [await decide(id, decision), await decide(id, decision)]
    assert.deepEqual([first.status, withoutSimilar(again.body)], [200, withoutSimilar(first.body)])
    assert.deepEqual(withoutSimilar((await decide(id, 'approve')).body), { id, state: 'shared' })
    assertErrors(await decide(id, 'disapprove'), 404, 'NOT_FOUND', decision)
  }
})

test('what does not wait for approval is 404: an unknown id, another tenant’s, a private one [P7-patch-6]', async () => {
  const hidden = await propose('private')
  for (const id of [randomUUID(), 'nonsense', hidden.id])
    assertErrors(await decide(id, 'approve'), 404, 'NOT_FOUND', id)
  const pending = await propose('pending')
  assertErrors(await decide(pending.id, 'approve', { key: 'other_tenant' }), 404, 'NOT_FOUND')
})

test('a decision is approve or disapprove and nothing else [P7-patch-6]', async () => {
  const path = `/v1/learnings/${randomUUID()}/approval`
  for (const body of [{}, { decision: 'approved' }, { decision: true }, { decision: 'approve', why: 'x' }])
    assertErrors(await sendJson('POST', path, body), 400, 'INVALID_REQUEST', JSON.stringify(body))
})

test('up to 100 decisions in one request are applied in order, each with its own result [P12-approvals-1]', async () => {
  const [first, second, third] = [
    await propose('pending'),
    await propose('pending'),
    await propose('private'),
  ]
  const unknown = randomUUID()
  const approvals = (decisions: object[], more = {}) =>
    sendJson('POST', '/v1/learnings/approvals', { decisions, ...more })
  const body = [
    { learning_id: first.id, decision: 'approve' },
    { learning_id: second.id, decision: 'disapprove' },
    { learning_id: third.id, decision: 'approve' },
    { learning_id: unknown, decision: 'approve' },
    { learning_id: second.id, decision: 'approve' },
  ]
  const expected = {
    status: 'partial_success',
    results: [
      { learning_id: first.id, status: 'decided', state: 'shared', code: null },
      { learning_id: second.id, status: 'decided', state: 'disapproved', code: null },
      { learning_id: third.id, status: 'failed', state: null, code: 'NOT_FOUND' },
      { learning_id: unknown, status: 'failed', state: null, code: 'NOT_FOUND' },
      { learning_id: second.id, status: 'decided', state: 'shared', code: null },
    ],
  }
  const reply = await approvals(body)
  assert.deepEqual([reply.status, reply.body], [200, expected])
  assert.equal(await isExported(first), true)
  assert.equal(await isExported(second), true)
  const failure = await approvals([{ learning_id: unknown, decision: 'disapprove' }])
  assert.equal((failure.body as { status: string }).status, 'failure')
  const tooMany = Array.from({ length: 101 }, () => at(body, 0))
  for (const decisions of [[], tooMany, [{ learning_id: first.id }], [{ ...at(body, 0), why: 'x' }]])
    assertErrors(await approvals(decisions), 400, 'INVALID_REQUEST')
})

test('a workspace token approves with the org_id of one organization [P7-patch-6]', async () => {
  const { id } = await propose('pending')
  assertErrors(await decide(id, 'approve', { key: 'workspace' }), 400, 'ORG_ID_REQUIRED')
  assert.equal((await decide(id, 'approve', { key: 'workspace', org_id: home.org_id })).status, 200)
})

test('a text that is posted approves the equal pending one and promotes the equal private one: duplicate, one record [S-learning-8 S-state-1 S-lpost-12 P7-post-7]', async () => {
  for (const how of ['pending', 'private'] as const) {
    const waiting = await propose(how)
    assert.equal(await isExported(waiting), false, how)
    const batch = await postBatch([{ repository_id, learning: waiting.learning }])
    assert.deepEqual([outcomes(batch), batch.results[0]?.id], [['duplicate'], waiting.id], how)
    assert.equal((await readLearnings(`files=${waiting.file}`)).data.length, 1, how)
  }
})

test('private and pending ones are updated and stay what they are; 409 holds for their texts too [P1-code-20 P7-patch-4]', async () => {
  for (const how of ['pending', 'private'] as const) {
    const waiting = await propose(how)
    const learning = ownText()
    const reply = await patch(waiting.id, learning)
    assert.deepEqual([reply.status, (reply.body as { learning: string }).learning], [200, learning])
    assert.equal(await isExported(waiting), false)
    const { data } = await readLearnings(`search=${encodeURIComponent(learning)}&limit=5`)
    assert.ok(data.every(({ id }) => id !== waiting.id))
    const other = await postBatch([{ repository_id, learning: ownText() }])
    assertErrors(await patch(other.results[0]?.id ?? '', learning), 409, 'LEARNING_EXISTS', how)
  }
})

test('a Learning that waits is deleted like any other, and its text can be created again [P7-patch-5]', async () => {
  for (const state of ['pending', 'private'] as const) {
    const waiting = await propose(state)
    assert.equal((await remove(waiting.id)).status, 204)
    const again = await postBatch([{ repository_id, learning: waiting.learning }])
    assert.deepEqual([outcomes(again), again.results[0]?.id], [['created'], waiting.id], state)
  }
})

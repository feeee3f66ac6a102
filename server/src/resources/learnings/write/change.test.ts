import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { TestResponse } from '../../../../test/call.ts'
import { startTestLearnings } from '../../../../test/learnings/test-learnings.ts'
import { createKeyValue } from '../../../access/key-format.ts'

const stage = await startTestLearnings()

const newText = () => `Say why. ${randomUUID()}`
const codeOf = ({ body }: TestResponse) =>
  (body as unknown as { errors?: { code: string }[] }).errors?.[0]?.code

async function rowOf(id: string) {
  const { rows } = await stage.superuser.query(
    `select l.*, (select count(*)::int from learning_index i where i.learning_id = l.id and i.content_hash = l.content_hash)
       as indexed, (select count(*)::int from learning_index i where i.learning_id = l.id) as entries
     from learning l where l.id = $1`,
    [id],
  )
  return rows[0]
}

async function actionsOf(id: string): Promise<string[]> {
  const { rows } = await stage.superuser.query(
    'select action from audit_log where resource_id = $1 order by position',
    [id],
  )
  return rows.map(({ action }) => action)
}

test('PATCH replaces only the text and returns the record [S-lpatch-6]', async () => {
  const id = await stage.createOne({ learning: newText(), file: 'a.ts', source_url: 'https://example.com/' })
  const was = await rowOf(id)
  const text = `Second thoughts ${createKeyValue('user')} ${randomUUID()}`
  const { status, body } = await stage.patch(id, `\n${text}  `)
  const is = await rowOf(id)
  assert.equal(status, 200)
  const record = body as unknown as Record<string, unknown>
  assert.equal(record['learning'], is.text)
  assert.match(is.text, /^Second thoughts \[REDACTED:\w+\] /)
  assert.deepEqual(
    [record['id'], record['organization_id'], record['repository_id'], record['file'], record['author_id']],
    [id, stage.organization.orgId, stage.repository, 'a.ts', was.author_id],
  )
  assert.deepEqual([is.position, is.created_at, is.indexed, is.entries], [was.position, was.created_at, 1, 1])
  assert.ok(is.updated_at > was.updated_at)
  assert.deepEqual(await actionsOf(id), ['learning_created', 'learning_updated'])
})

test('PATCH with the same text changes nothing but rebuilds a missing index', async () => {
  const text = newText()
  const id = await stage.createOne(text)
  await stage.superuser.query('delete from learning_index where learning_id = $1', [id])
  const was = await rowOf(id)
  assert.equal((await stage.patch(id, text)).status, 200)
  const is = await rowOf(id)
  assert.deepEqual([is.updated_at, is.indexed], [was.updated_at, 1])
  assert.deepEqual(await actionsOf(id), ['learning_created'])
})

test('PATCH updates private, pending and disapproved Learnings without indexing them [P7-patch-4]', async () => {
  for (const state of ['private', 'pending', 'disapproved'] as const) {
    const id = await stage.plant(state, newText())
    const text = newText()
    assert.equal((await stage.patch(id, text)).status, 200)
    const row = await rowOf(id)
    assert.deepEqual([row.state, row.text, row.entries, row.position], [state, text, 0, null])
  }
})

test('PATCH returns 409 for the text of another Learning of the repository in any state, but not of another repository', async () => {
  const id = await stage.createOne(newText())
  for (const state of ['private', 'pending', 'disapproved', 'shared'] as const) {
    const text = newText()
    await stage.plant(state, text)
    assert.equal(codeOf(await stage.patch(id, text)), 'LEARNING_EXISTS', state)
  }
  const text = newText()
  await stage.createOne({ learning: text, repository_id: stage.other })
  assert.equal((await stage.patch(id, text)).status, 200)
})

test('an unknown id returns 404 for PATCH and approval, and 204 for DELETE', async () => {
  const { tenant } = stage
  const text = newText()
  const id = await stage.createOne(text)
  const foreign = (await tenant.createKey('user', { of: 'alone' })).value
  const sibling = (
    await tenant.createKey('user', { organization: tenant.workspace.organizations[1]?.id ?? assert.fail() })
  ).value
  const tries: [string, { key?: string }][] = [
    [randomUUID(), {}],
    ['nonsense', {}],
    [`{${id}}`, {}],
    ['%25', {}],
    [id, { key: foreign }],
    [id, { key: sibling }],
  ]
  for (const [learningId, sending] of tries) {
    assert.equal(codeOf(await stage.patch(learningId, newText(), sending)), 'NOT_FOUND', learningId)
    assert.equal(codeOf(await stage.decide(learningId, 'approve', sending)), 'NOT_FOUND', learningId)
    assert.equal((await stage.remove(learningId, sending)).status, 204, learningId)
  }
  assert.equal((await rowOf(id)).text, text)
  assert.equal((await stage.patch(id.toUpperCase(), text)).status, 200)
})

test('PATCH accepts only learning and org_id, and rejects invalid texts', async () => {
  const id = await stage.createOne(newText())
  const ask = (body: unknown) =>
    stage.service.call(`/v1/learnings/${id}`, { key: stage.key, method: 'PATCH', body })
  for (const body of [
    {},
    { learning: '' },
    { learning: ' \n' },
    { learning: 5 },
    { learning: null },
    { learning: 'x'.repeat(10_001) },
    { learning: 'a\0' },
    { learning: 'a\ud800' },
    { learning: 'x', file: 'y' },
    { learning: 'x', repository_id: stage.repository },
  ])
    assert.equal(codeOf(await ask(body)), 'INVALID_REQUEST', JSON.stringify(body))
})

test('DELETE removes a Learning in any state, with all dependent rows, and records it once', async () => {
  const ids = [
    await stage.createOne(newText()),
    await stage.plant('private', newText()),
    await stage.plant('pending', newText()),
    await stage.plant('disapproved', newText()),
  ]
  for (const id of ids) {
    for (let again = 0; again < 2; again++) {
      const { status, text } = await stage.remove(id)
      assert.deepEqual([status, text], [204, ''])
    }
    assert.equal(await rowOf(id), undefined)
    assert.equal((await actionsOf(id)).filter((action) => action === 'learning_deleted').length, 1)
    const { rows } = await stage.superuser.query(
      `select 1 from learning_index where learning_id = $1 union all
       select 1 from learning_origin where learning_id = $1 union all
       select 1 from learning_task where learning_id = $1`,
      [id],
    )
    assert.deepEqual(rows, [])
  }
})

test('a workspace token must name the organization', async () => {
  const { tenant, organization } = stage
  const key = (await tenant.createKey('workspace')).value
  const id = await stage.createOne(newText())
  const sibling = tenant.workspace.organizations[1]?.orgId ?? assert.fail()
  for (const [org_id, code] of [
    [undefined, 'ORG_ID_REQUIRED'],
    ['0', 'ORGANIZATION_NOT_FOUND'],
    [tenant.alone.organizations[0].orgId, 'ORGANIZATION_NOT_FOUND'],
  ] as const) {
    const sending = { key, ...(org_id && { org_id }) }
    for (const response of [
      await stage.patch(id, newText(), sending),
      await stage.remove(id, sending),
      await stage.decide(id, 'approve', sending),
      await stage.post([{}], sending),
    ])
      assert.equal(codeOf(response), code)
  }
  assert.equal((await stage.remove(id, { key, org_id: sibling })).status, 204)
  assert.equal((await stage.patch(id, newText(), { key, org_id: organization.orgId })).status, 200)
  assert.equal((await stage.remove(id, { key, org_id: organization.orgId })).status, 204)
  assert.equal(await rowOf(id), undefined)
})

test('a disapproved text stays disapproved after its deletion, until an Admin approves its id [P11-disapproved-1]', async () => {
  const text = newText()
  const id = await stage.plant('disapproved', text)
  assert.equal((await stage.remove(id)).status, 204)
  assert.equal(await rowOf(id), undefined)
  for (const wording of [text, ` ${text}\n`]) {
    const { results } = await stage.create(wording)
    assert.deepEqual([results[0]?.error?.code, results[0]?.id], ['DISAPPROVED', id])
  }
  const { rows } = await stage.superuser.query('select * from learning_tombstone where id = $1', [id])
  assert.ok(rows.length === 1 && !JSON.stringify(rows).includes('Say why'))
  const other = await stage.createOne(newText())
  assert.equal(codeOf(await stage.patch(other, text)), 'LEARNING_EXISTS')
  const again = await stage.decide(id, 'disapprove')
  assert.deepEqual([again.status, again.body], [200, { id, state: 'disapproved' }])
  const lifted = await stage.decide(id, 'approve')
  assert.deepEqual([lifted.status, lifted.body], [200, { id, state: 'deleted' }])
  assert.deepEqual(await actionsOf(id), ['learning_deleted', 'learning_approved'])
  assert.equal(codeOf(await stage.decide(id, 'approve')), 'NOT_FOUND')
  assert.equal(await stage.createOne(text), id)
})

test('a disapproved text stays disapproved after the text of its Learning was changed', async () => {
  const [text, next] = [newText(), newText()]
  const id = await stage.plant('disapproved', text)
  assert.equal((await stage.patch(id, next)).status, 200)
  const { results } = await stage.create(text, next)
  assert.deepEqual(
    results.map(({ error }) => error?.code),
    ['DISAPPROVED', 'DISAPPROVED'],
  )
  assert.equal(results[1]?.id, id)
  const changed = results[0]?.id ?? assert.fail()
  assert.notEqual(changed, id)
  // Sharing the Learning with its new text does not permit the text that was judged before.
  assert.deepEqual((await stage.decide(id, 'approve')).body, { id, state: 'shared' })
  assert.equal((await stage.create(text)).results[0]?.error?.code, 'DISAPPROVED')
  assert.deepEqual((await stage.decide(changed, 'approve')).body, { id: changed, state: 'deleted' })
  // The Learning that was created with the text is there: it is not changed back.
  assert.deepEqual((await stage.create(text)).results, [
    { index: 0, status: 'duplicate', id, matched: 'id', ignored: ['learning'] },
  ])
  await stage.remove(id)
  assert.equal(await stage.createOne(text), id)
})

test('a tombstone of one organization or repository says nothing about another', async () => {
  const text = newText()
  const id = await stage.plant('disapproved', text)
  await stage.remove(id)
  await stage.createOne({ learning: text, repository_id: stage.other })
  const foreign = (await stage.tenant.createKey('user', { of: 'alone' })).value
  assert.equal(codeOf(await stage.decide(id, 'approve', { key: foreign })), 'NOT_FOUND')
  assert.equal((await stage.create(text)).results[0]?.error?.code, 'DISAPPROVED')
})

test('an Admin decides on a pending Learning; repeating succeeds, and approval lifts a disapproval', async () => {
  for (const [decision, state] of [
    ['approve', 'shared'],
    ['disapprove', 'disapproved'],
  ] as const) {
    const id = await stage.plant('pending', newText(), { deadline: new Date(Date.now() + 1000) })
    const { organization } = stage
    await stage.superuser.query(`insert into learning_task values ($1, $2, $3, 'approve', now())`, [
      organization.root,
      organization.id,
      id,
    ])
    for (let again = 0; again < 2; again++) {
      const { status, body } = await stage.decide(id, decision)
      assert.deepEqual([status, body], [200, { id, state }])
    }
    if (decision === 'approve') assert.equal(codeOf(await stage.decide(id, 'disapprove')), 'NOT_FOUND')
    const row = await rowOf(id)
    assert.deepEqual([row.state, row.deadline, row.indexed], [state, null, state === 'shared' ? 1 : 0])
    assert.deepEqual(await actionsOf(id), [`learning_${decision}d`])
    const { rows } = await stage.superuser.query('select 1 from learning_task where learning_id = $1', [id])
    assert.deepEqual(rows, [])
    assert.deepEqual((await stage.decide(id, 'approve')).body, { id, state: 'shared' })
    assert.deepEqual([(await rowOf(id)).state, (await rowOf(id)).indexed], ['shared', 1])
  }
  const hidden = await stage.plant('private', newText())
  for (const decision of ['approve', 'disapprove'])
    assert.equal(codeOf(await stage.decide(hidden, decision)), 'NOT_FOUND')
  for (const decision of ['Approve', '', 'approved'])
    assert.equal(codeOf(await stage.decide(hidden, decision)), 'INVALID_REQUEST')
})

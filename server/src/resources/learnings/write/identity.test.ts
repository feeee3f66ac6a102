import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type BatchResponse, startTestLearnings } from '../../../../test/learnings/test-learnings.ts'
import { createKeyValue } from '../../../access/key-format.ts'
import { learningId } from '../../../text/identity.ts'
import { redact } from '../../../text/redact.ts'

const stage = await startTestLearnings()

const newText = () => `Write it once. ${randomUUID()}`
const outcome = ({ results }: BatchResponse) => results.map(({ status, error }) => error?.code ?? status)

function derived(text: string, counter = 0): string {
  return learningId({ organization: stage.organization.id, repository: stage.repository }, text, counter)
}

async function liveTexts(): Promise<string[]> {
  const { rows } = await stage.superuser.query<{ text: string }>('select text from learning order by text')
  return rows.map(({ text }) => text)
}

test('spellings of the same text are one Learning with the first spelling', async () => {
  const tail = randomUUID()
  const id = await stage.createOne(`Caf\u00e9\r\nclosed ${tail}`)
  const again = await stage.create(`  Cafe\u0301\nclosed ${tail} `, `Caf\u00e9\rclosed ${tail}`)
  assert.deepEqual(
    again.results.map((result) => [result.status, result.id]),
    [
      ['duplicate', id],
      ['duplicate', id],
    ],
  )
  assert.deepEqual(
    (await liveTexts()).filter((text) => text.includes(tail)),
    [`Caf\u00e9\r\nclosed ${tail}`],
  )
})

test('texts that differ only in a secret are the same', async () => {
  const tail = randomUUID()
  const id = await stage.createOne(`Rotate ${createKeyValue('user')} weekly ${tail}`)
  const again = await stage.create(`Rotate ${createKeyValue('user')} weekly ${tail}`)
  assert.deepEqual([outcome(again), again.results[0]?.id], [['duplicate'], id])
})

/** Everything that is stored about a Learning. */
async function storedOf(id: string) {
  const tables = ['learning_index', 'learning_origin', 'learning_task']
  const queries = [
    ['select * from learning where id = $1'],
    ...tables.map((table) => [`select * from ${table} where learning_id = $1`]),
    ['select action from audit_log where resource_id = $1'],
    [`select type from outbox where payload->>'learning_id' = $1`],
  ].map(([query = '']) => stage.superuser.query(query, [id]))
  return (await Promise.all(queries)).map(({ rows }) => rows as unknown[])
}

test('PATCH keeps the id; the text before is a duplicate by id in every state, and nothing changes [P11-identity-2]', async () => {
  for (const state of ['shared', 'pending', 'private', 'disapproved'] as const) {
    const [first, second] = [newText(), newText()]
    const id = await stage.plant(state, first)
    assert.equal(id, derived(first))
    assert.equal((await stage.patch(id, second)).status, 200)
    // The disapproved text is refused; without its tombstone, the id decides.
    if (state === 'disapproved')
      await stage.superuser.query('delete from learning_tombstone where repository_id = $1', [
        stage.repository,
      ])
    await stage.superuser.query('delete from learning_index where learning_id = $1', [id])
    const stored = await storedOf(id)
    const { results, status } = await stage.create(first, first)
    const result = { status: 'duplicate', id, matched: 'id', ignored: ['learning'] }
    assert.deepEqual([status, results], ['success', [0, 1].map((index) => ({ index, ...result }))], state)
    assert.deepEqual(await storedOf(id), stored, state)
    await stage.remove(id)
  }
})

test('a duplicate by id is one although another item of the batch fails', async () => {
  const [first, second] = [newText(), newText()]
  const id = await stage.createOne(first)
  await stage.model.setFault('refusal')
  assert.equal((await stage.patch(id, second)).status, 503)
  assert.deepEqual(outcome(await stage.create(second, first)), ['INDEX_FAILED', 'duplicate'])
  await stage.model.setFault('none')
})

test('an id with a counter stays; the text gets the id without one when it is created again [P11-identity-3]', async () => {
  const text = newText()
  const id = await stage.plant('shared', text)
  const counted = derived(text, 1)
  await stage.superuser.query('update learning set id = $2 where id = $1', [id, counted])
  const again = await stage.create(text)
  assert.deepEqual([outcome(again), again.results[0]?.id], [['duplicate'], counted])
  assert.equal((await stage.patch(counted, newText())).status, 200)
  assert.equal(await stage.createOne(text), derived(text))
})

test('a text is recognized by the id that an older redactor version derived', async () => {
  const raw = `Ask before ${createKeyValue('user')} is changed ${randomUUID()}`
  const id = await stage.plant('shared', raw, { version: 0 })
  const now = newText()
  assert.equal((await stage.patch(id, now)).status, 200)
  const again = await stage.create(raw)
  assert.deepEqual(again.results, [
    { index: 0, status: 'duplicate', id, matched: 'id', ignored: ['learning'] },
  ])
})

test('a deleted Learning that is created again has the same id and reset counters', async () => {
  const text = newText()
  const id = await stage.createOne(text)
  await stage.superuser.query('update learning set usage_count = 9, last_used_at = now() where id = $1', [id])
  const used = (await stage.patch(id, text)).body as unknown as { usage_count: number }
  assert.equal(used.usage_count, 9)
  assert.equal((await stage.remove(id)).status, 204)
  assert.equal(await stage.createOne(text), id)
  const { usage_count, last_used_at } = (await stage.patch(id, text)).body as unknown as Record<
    string,
    unknown
  >
  assert.deepEqual([usage_count, last_used_at], [0, null])
})

test('a text that an older redactor version stored is still recognized as a duplicate [P7-ident-7]', async () => {
  const [secret, tail] = [createKeyValue('user'), randomUUID()]
  const raw = `Ask before ${secret} is used ${tail}`
  const id = await stage.plant('shared', raw, { version: 0 })
  const again = await stage.create(raw)
  assert.deepEqual([outcome(again), again.results[0]?.id], [['duplicate'], id])
  const another = await stage.createOne(newText())
  assert.equal((await stage.patch(another, raw)).status, 409)
  // PATCH stores it with the current redactor version under the same id.
  assert.equal((await stage.patch(id, raw)).status, 200)
  const { rows } = await stage.superuser.query('select text, redactor_version from learning where id = $1', [
    id,
  ])
  assert.deepEqual(rows[0], { text: redact(raw).text, redactor_version: 1 })
  const both = await stage.create(raw, `Ask before ${createKeyValue('user')} is used ${tail}`)
  assert.deepEqual(
    both.results.map((result) => [result.status, result.id]),
    [
      ['duplicate', id],
      ['duplicate', id],
    ],
  )
})

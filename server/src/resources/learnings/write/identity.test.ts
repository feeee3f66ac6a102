import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  type BatchResponse,
  startTestLearnings,
  type TestLearnings,
} from '../../../../test/learnings/test-learnings.ts'
import { makeKey } from '../../../access/key-format.ts'
import { learningId } from '../../../text/identity.ts'
import { redact } from '../../../text/redact.ts'

let stage: TestLearnings
before(async () => {
  stage = await startTestLearnings()
})
after(() => stage.stop())

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
  const id = await stage.createOne(`Rotate ${makeKey('user')} weekly ${tail}`)
  const again = await stage.create(`Rotate ${makeKey('user')} weekly ${tail}`)
  assert.deepEqual([outcome(again), again.results[0]?.id], [['duplicate'], id])
})

test('PATCH keeps the id; creating the old text again uses the next id', async () => {
  const [first, second] = [newText(), newText()]
  const id = await stage.createOne(first)
  assert.equal(id, derived(first))
  assert.equal((await stage.patch(id, second)).status, 200)
  const again = await stage.create(first, second)
  assert.deepEqual(
    again.results.map((result) => [result.status, result.id]),
    [
      ['created', derived(first, 1)],
      ['duplicate', id],
    ],
  )
  // Two Learnings were patched away from this text: the smallest free counter is used.
  await stage.patch(derived(first, 1), newText())
  assert.equal(await stage.createOne(first), derived(first, 2))
  await stage.remove(derived(first, 1))
  await stage.remove(derived(first, 2))
  assert.equal(await stage.createOne(first), derived(first, 1))
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

test('a text that an older redactor version stored is still recognized as a duplicate', async () => {
  const [secret, tail] = [makeKey('user'), randomUUID()]
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
  const both = await stage.create(raw, `Ask before ${makeKey('user')} is used ${tail}`)
  assert.deepEqual(
    both.results.map((result) => [result.status, result.id]),
    [
      ['duplicate', id],
      ['duplicate', id],
    ],
  )
})

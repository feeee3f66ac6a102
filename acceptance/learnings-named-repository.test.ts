import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertErrors, comparable } from '../cli/src/conformance/http.ts'
import {
  askLearnings,
  firstRepository,
  ownFile,
  ownText,
  readLearnings,
  secondRepository,
  textsOf,
  write,
} from './learnings-data.ts'
import { home, organizationsOf } from './service.ts'

const named = (name: string, more = '') => `repository_name=${encodeURIComponent(name)}${more}`

test('a user key whose owner has verified read access gets the Learnings of the named repository [S-lother-2 S-lother-5 S-auth-5 P2-kinds-4 P7-get-2]', async () => {
  const file = ownFile()
  const [first, second] = [ownText(), ownText()]
  await write([
    { learning: first, file },
    { learning: second, file, repository_id: secondRepository.repository_id },
  ])
  const { name } = firstRepository
  assert.deepEqual(textsOf((await readLearnings(named(name, `&files=${file}`))).data), [first])
  const other = named(secondRepository.name, `&files=${file}`)
  assert.deepEqual(textsOf((await readLearnings(other)).data), [second])
  const both = `&files=${file}&repository_ids=${secondRepository.repository_id}`
  assert.deepEqual((await readLearnings(named(name, both))).data, [])
})

test('every other kind of key that names a repository is 403 KEY_KIND_NOT_ALLOWED, also with org_id [S-lother-4 S-auth-5 P1-code-8 P2-kinds-4]', async () => {
  for (const key of ['organization', 'workspace', 'instance', 'legacy', 'agentic'] as const) {
    for (const more of ['', `&org_id=${home.org_id}`]) {
      const reply = await askLearnings(named(firstRepository.name, more), key)
      assertErrors(reply, 403, 'KEY_KIND_NOT_ALLOWED', key)
    }
  }
})

test('a repository without verified access is 403 REPOSITORY_ACCESS_REQUIRED, exactly like one that does not exist [S-lother-5 P1-code-15 P2-kinds-4]', async () => {
  const missing = await askLearnings(named('no-such-repository'))
  assertErrors(missing, 403, 'REPOSITORY_ACCESS_REQUIRED')
  const sibling = organizationsOf('workspace')[1]?.repositories[0]?.name ?? ''
  const archived = 'tariff-import-archived'
  for (const name of [sibling, archived, firstRepository.name.toUpperCase(), `${firstRepository.name} `]) {
    assert.deepEqual(comparable(await askLearnings(named(name))), comparable(missing), name)
  }
})

test('a named repository can be searched and exported as CSV [P7-get-2]', async () => {
  const [file, text] = [ownFile(), ownText('Cancel the timer when the component goes away.')]
  await write([{ learning: text, file }])
  const found = await readLearnings(named(firstRepository.name, `&files=${file}&search=stop+timers`))
  assert.deepEqual(textsOf(found.data), [text])
  const table = await askLearnings(named(firstRepository.name, `&files=${file}&format=csv`))
  assert.ok(table.text.includes(text))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../../../../test/call.ts'
import { startEmbeddingServer } from '../../../../test/engines/embedding-server.ts'
import { openTenant } from '../../../../test/fixture.ts'
import { startApi } from '../../../../test/process.ts'
import { waitFor } from '../../../../test/wait.ts'

const token = `ghp_${'aB3dE6gH9j'.repeat(4).slice(0, 36)}`
const learnings = [
  'Sessions expire after thirty minutes without activity.',
  'The scheduler retries a lost lease before it gives up.',
  'Colours come from the design tokens, never from literals.',
]

const { database, tenant, use } = await openTenant()
const model = use(await startEmbeddingServer({ dimensions: 32 }))
const settings = {
  LIMIT_METRICS: 'off',
  LIMIT_LEARNINGS_WRITES: 'off',
  EMBEDDER_URL: model.url,
  EMBEDDER_MODEL: 'test',
  EMBEDDER_DIMENSIONS: '32',
  EMBEDDER_TIMEOUT_MS: '500',
}
const service = use(startService(database, settings))
const key = (await tenant.createKey('user')).value
const [organization] = tenant.workspace.organizations
const repository_id = organization.repositories[0]?.repositoryId
const data = learnings.map((learning) => ({ repository_id, learning }))
const created = await service.call('/v1/learnings', { key, method: 'POST', body: { data } })
assert.equal(created.status, 200, created.text)

const pathOf = (words: string, more = '') => `/v1/learnings?search=${encodeURIComponent(words)}${more}`

async function findRankedBy(words: string): Promise<unknown> {
  const { body } = await service.call(pathOf(words), { key })
  return (body as { ranked_by?: unknown }).ranked_by
}

async function search(words: string, more = ''): Promise<string[]> {
  const { status, body, text } = await service.call(pathOf(words, more), { key })
  assert.equal(status, 200, text)
  return (body as unknown as { data: { learning: string }[] }).data.map(({ learning }) => learning)
}

test('a search embeds its redacted text once', async () => {
  const earlier = model.calls.length
  const found = await search(`design tokens, not ${token}`)
  assert.equal(found[0], learnings[2])
  const calls = model.calls.slice(earlier)
  assert.equal(calls.length, 1)
  assert.deepEqual(
    calls.flatMap(({ input }) =>
      input.map((text) => [text.startsWith('design tokens'), text.includes(token)]),
    ),
    [[true, false]],
  )
})

test('a list request embeds nothing', async () => {
  const earlier = model.calls.length
  assert.equal((await service.call('/v1/learnings', { key })).status, 200)
  assert.equal(model.calls.length, earlier)
})

test('a search returns at most limit Learnings', async () => {
  assert.equal((await search('lease', '&limit=1')).length, 1)
})

test('a model without a calibration finds by words alone; calibrated, it finds by meaning [P11-search-2 P11-ranked-1]', async () => {
  assert.deepEqual(await search('a lost lease'), [learnings[1]])
  assert.deepEqual(await search('frobnicators wobble'), [])
  assert.equal(await findRankedBy('a lost lease'), 'words')
  const superuser = database.superuser()
  try {
    // A floor that every text reaches shows that similarities count.
    await superuser.query(`insert into learning_calibration values ('http:test:32', 1, 0.4, -1, -1, 0.5)`)
    await waitFor(
      'the node reads the calibration',
      async () => (await search('frobnicators wobble')).length > 0,
    )
    assert.deepEqual((await search('frobnicators wobble')).toSorted(), learnings.toSorted())
    assert.equal(await findRankedBy('a lost lease'), 'meaning')
    await model.setFault('error')
    assert.equal(await findRankedBy('a lost lease'), 'words')
    await model.setFault('none')
    await superuser.query('delete from learning_calibration')
    await waitFor('the node forgets it', async () => (await search('frobnicators wobble')).length === 0)
  } finally {
    await superuser.end()
  }
})

test('a search uses terms only while the model is unavailable', async () => {
  await model.setFault('error')
  assert.deepEqual(await search('lease of the frobnicator'), [learnings[1]])
  await model.setFault('none')
})

test('the search text is never logged: not on success, refusal, or a failure of the model or the database [P7-life-8]', async () => {
  const api = await startApi(database, { ...settings, LOG_LEVEL: 'trace' })
  const superuser = database.superuser()
  const words = `frobnicator ${token}`
  const send = async (path: string, headers: Record<string, string> = { 'x-service-api-key': key }) =>
    (await fetch(api.url + path, { headers })).status
  const statuses: number[] = []
  try {
    statuses.push(await send(pathOf(words)))
    await model.setFault('error')
    statuses.push(await send(pathOf(words, '&format=csv')))
    await model.setFault('none')
    for (const more of [`&cursor=${token}`, `&frobnicator=${token}`, '&repository_name=frobnicator'])
      statuses.push(await send(pathOf(words, more)))
    statuses.push(await send(pathOf(words.repeat(100))), await send(pathOf(words), {}))
    await superuser.query('revoke select on learning_index from scholiast_api')
    statuses.push(await send(pathOf(words)))
  } finally {
    await superuser.query('grant select on learning_index to scholiast_api')
    // The log is complete once the process has exited.
    await Promise.all([model.setFault('none'), superuser.end(), api.stop()])
  }
  assert.deepEqual(statuses, [200, 200, 400, 400, 403, 400, 401, 500])
  for (const logged of [/searching by terms only/, /permission denied for table learning_index/])
    assert.match(api.output(), logged)
  for (const secret of ['frobnicator', token]) assert.ok(!api.output().includes(secret), secret)
})

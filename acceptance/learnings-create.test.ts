import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertErrors } from '../cli/src/conformance/http.ts'
import { readSelf } from './keys-data.ts'
import { firstRepository, ownFile, ownText, readLearnings, textsOf } from './learnings-data.ts'
import { type Batch, outcomes, post, postBatch, sendJson, withoutSimilar } from './learnings-writes.ts'
import { readPeople } from './people-data.ts'
import { at, boundOrganization, demo, listRepositories, organizationsOf, uuidPattern } from './service.ts'

const repository_id = firstRepository.repository_id
const item = (over: object = {}) => ({ repository_id, learning: ownText(), ...over })

test('a batch is 200 with exactly status, the three counts and one result for each item [S-batch-1 S-lpost-6 S-lpost-7]', async () => {
  const reply = await postBatch([item(), item()])
  assert.deepEqual(Object.keys(reply).sort(), [
    'created_count',
    'duplicate_count',
    'failed_count',
    'results',
    'status',
  ])
  assert.deepEqual(
    { ...reply, results: [] },
    {
      status: 'success',
      created_count: 2,
      duplicate_count: 0,
      failed_count: 0,
      results: [],
    },
  )
  for (const [place, result] of reply.results.entries()) {
    assert.match(result.id ?? '', uuidPattern)
    assert.deepEqual(withoutSimilar(result), { index: place, status: 'created', id: result.id })
  }
})

test('results are in the order of the request, and a failed item fails no other [S-lpost-1 S-lpost-3 S-lpost-6 S-err-20]', async () => {
  const [one, two] = [item(), item()]
  const batch = await postBatch([one, { ...two, learning: '' }, two, { ...one, repository_id: 'none' }, one])
  assert.deepEqual(outcomes(batch), [
    'created',
    'INVALID_ITEM',
    'created',
    'REPOSITORY_NOT_FOUND',
    'duplicate',
  ])
  assert.deepEqual(
    batch.results.map(({ index }) => index),
    [0, 1, 2, 3, 4],
  )
  assert.deepEqual([batch.created_count, batch.duplicate_count, batch.failed_count], [2, 1, 2])
})

test('status is success, partial_success or failure: whether no item, some or all failed [P7-post-6]', async () => {
  const known = item()
  assert.equal((await postBatch([known])).status, 'success')
  assert.equal((await postBatch([known])).status, 'success')
  assert.equal((await postBatch([known, {}])).status, 'partial_success')
  assert.equal((await postBatch([{}, {}])).status, 'failure')
})

test('a failure carries error with exactly code and message, and no id where nothing is stored [S-batch-1 S-lpost-7 P7-post-5]', async () => {
  const { results } = await postBatch([{}, item({ repository_id: 'none' })])
  for (const [place, result] of results.entries()) {
    const { code = '', message = '' } = result.error ?? {}
    assert.ok(code !== '' && message !== '')
    assert.deepEqual(result, { index: place, status: 'failed', error: { code, message } })
  }
})

test('100 items are taken [S-lpost-1 S-lpost-3 S-limit-4]', async () => {
  const batch = await postBatch(Array.from({ length: 100 }, () => item()))
  assert.deepEqual([batch.status, batch.created_count], ['success', 100])
})

test('only the envelope is 400: data missing, not an array, empty or above 100 items, or an unknown field beside it [S-lpost-3 S-err-10 S-limit-4 P1-shape-2 P1-errors-2 P7-post-1]', async () => {
  const path = '/v1/learnings'
  for (const body of [
    {},
    { data: null },
    { data: item() },
    { data: [] },
    { data: Array.from({ length: 101 }, () => item()) },
    { data: [item()], rehearse: true },
  ]) {
    assertErrors(await sendJson('POST', path, body), 400, 'INVALID_REQUEST', Object.keys(body).join())
  }
})

test('anything wrong inside an item is that item’s INVALID_ITEM [S-learning-6 S-learning-7 S-lpost-4 S-lpost-7 S-err-20 P7-post-2 P7-post-8]', async () => {
  const deep = Array.from({ length: 100 }).reduce((inner) => [inner], 'x')
  const wrong: unknown[] = [
    null,
    'text',
    [],
    item({ learning: undefined }),
    item({ repository_id: undefined }),
    item({ learning: 5 }),
    item({ learning: ' \n\u3000' }),
    item({ learning: 'x'.repeat(10_001) }),
    item({ learning: 'a\0b' }),
    item({ learning: 'a\ud800' }),
    item({ learning: deep }),
    item({ repository_id: 7 }),
    item({ file: null }),
    item({ file: 'x'.repeat(1_025) }),
    item({ source_url: 'ftp://example.com/' }),
    item({ source_url: 'no url' }),
    item({ source_url: 'https://me:word@example.com/' }),
    item({ source_url: `https://example.com/${'x'.repeat(2_048)}` }),
    item({ author: 'somebody' }),
    item({ author_id: '1' }),
    item({ organization_id: '1' }),
    JSON.parse(`{"repository_id":"${repository_id}","learning":"x","__proto__":{}}`),
  ]
  const batch = await postBatch([...wrong, item()])
  assert.deepEqual(outcomes(batch), [...wrong.map(() => 'INVALID_ITEM'), 'created'])
})

test('10,000 code points after trimming, a file of 1,024 and a source_url of 2,048 are taken [P7-post-8]', async () => {
  const words = ownText()
  const learning = `  ${words}${'😀'.repeat(10_000 - words.length)}\n`
  const source_url = `https://example.com/${'x'.repeat(2_028)}`
  const batch = await postBatch([item({ learning, file: 'x'.repeat(1_024), source_url })])
  assert.deepEqual(outcomes(batch), ['created'])
})

test('a repository that is unknown, or of another organization, is REPOSITORY_NOT_FOUND [S-learning-7 S-lpost-13 P7-post-3]', async () => {
  const { id } = await boundOrganization('other_tenant')
  const { repositories } = await listRepositories('other_tenant', id)
  const foreign = at(repositories, 0).provider_repository_id
  const batch = await postBatch([item({ repository_id: foreign }), item({ repository_id: 'none' })])
  assert.deepEqual(outcomes(batch), ['REPOSITORY_NOT_FOUND', 'REPOSITORY_NOT_FOUND'])
  assert.equal(batch.results[0]?.error?.message, batch.results[1]?.error?.message)
})

test('what is created is exported with its metadata, and its author is the owner of the key [S-what-6 S-learning-2 S-learning-4 S-learning-5 S-learning-6 S-lpost-4 S-lpost-13 S-auth-4]', async () => {
  const file = ownFile()
  const learning = ownText()
  const source_url = 'https://example.com/talk'
  const [byUser, byWorkspace] = [
    await postBatch([item({ learning, file, source_url })]),
    await postBatch([item({ file })], { key: 'workspace', org_id: homeOrgId() }),
  ]
  const { data } = await readLearnings(`files=${file}`)
  const own = data.find(({ id }) => id === byUser.results[0]?.id) ?? assert.fail('not exported')
  assert.deepEqual(
    [own.learning, own.repository_id, own.file, own.source_url, own.usage_count, own.last_used_at],
    [learning, repository_id, file, source_url, 0, null],
  )
  assert.equal(data.length, 2)
  for (const [key, batch] of [
    ['user', byUser],
    ['workspace', byWorkspace],
  ] as const) {
    const { owner } = await readSelf(demo.keys[key])
    const accounts = (await readPeople()).users.find((one) => one.cr_user_id === owner?.cr_user_id)?.accounts
    const account = accounts?.find(({ org_id }) => org_id === homeOrgId())
    const record = data.find(({ id }) => id === batch.results[0]?.id)
    assert.deepEqual([record?.author_id, record?.author_username], [account?.user_id, account?.username], key)
    assert.ok(record?.author_id, key)
  }
})

test('the text is trimmed, and recognized credentials are in no field of what is stored [S-learning-3 S-lpost-9 P2-format-4]', async () => {
  const secret = demo.keys.expired
  const file = ownFile()
  const learning = `\n  Never paste ${secret} anywhere. ${ownText()} `
  await postBatch([item({ learning, file, source_url: `https://example.com/?key=${secret}` })])
  const page = await readLearnings(`files=${file}`)
  assert.ok(!JSON.stringify(page).includes(secret))
  assert.match(textsOf(page.data)[0] ?? '', /^Never paste \[REDACTED:\w+\] anywhere\. .*[^ ]$/)
})

test('a created Learning is found by search at once [S-lpost-1]', async () => {
  const learning = ownText('Timestamps are stored in UTC and shown in the zone of the reader')
  const { results } = await postBatch([item({ learning })])
  const { data } = await readLearnings(`search=${encodeURIComponent(learning)}&limit=5`)
  assert.ok(data.some(({ id }) => id === results[0]?.id))
})

test('an Idempotency-Key returns the first answer, also when items failed [P1-idem-4 P1-idem-5 P1-code-21]', async () => {
  const idempotencyKey = ownText()
  const data = [item(), {}]
  const [first, again] = [await post(data, { idempotencyKey }), await post(data, { idempotencyKey })]
  assert.equal(first.text, again.text)
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assertErrors(await post([item()], { idempotencyKey }), 409, 'IDEMPOTENCY_KEY_REUSED')
})

test('two organizations of a workspace may use the same Idempotency-Key [P1-idem-3]', async () => {
  const idempotencyKey = ownText()
  const [first, second] = [at(organizationsOf('workspace'), 0), at(organizationsOf('workspace'), 1)]
  const learning = ownText()
  for (const replayed of [null, 'true']) {
    for (const { org_id, repositories } of [first, second]) {
      const data = [{ repository_id: at(repositories, 0).repository_id, learning }]
      const reply = await post(data, { key: 'workspace', org_id, idempotencyKey })
      assert.deepEqual([reply.status, reply.headers.get('idempotency-replayed')], [200, replayed], reply.text)
      assert.deepEqual(outcomes(reply.body as Batch), ['created'])
    }
  }
})

function homeOrgId(): string {
  return at(demo.organizations, 0).org_id
}

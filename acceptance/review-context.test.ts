import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { assertError, comparable, type Reply } from '../cli/src/conformance/http.ts'
import {
  firstRepository,
  ownFile,
  proposed,
  readLearnings,
  secondRepository,
  textsOf,
  write,
} from './learnings-data.ts'
import { createEvent, eventually, send } from './metrics-data.ts'
import { at, call, demo, home, type KeyName, organizationsOf, uuidPattern } from './service.ts'
import { remainingOf } from './windows.ts'

const path = '/v1/review-context'
const publicRepository = at(
  home.repositories.filter(({ name }) => name === 'design-tokens'),
  0,
)

type Found = {
  id: string
  learning: string
  file: string | null
  score: number
  match: 'strong' | 'weak'
  reason: string
}

const file = ownFile()
const stamp = file.slice('acceptance/'.length, -'.ts'.length)
const about = {
  money: `Amounts of money are whole cents, never floating point. ${stamp}`,
  time: `Timestamps are stored in UTC and converted when they are displayed. ${stamp}`,
  retry: `A failed network call is retried with exponential backoff and jitter. ${stamp}`,
}
const elsewhere = `A route that is planned twice keeps the first departure time. ${stamp}`
const open = `Colours of the palette are named by their purpose, never by their hue. ${stamp}`

before(async () => {
  await write([
    ...Object.values(about).map((learning) => ({ learning, file })),
    { learning: elsewhere, file, repository_id: secondRepository.repository_id },
    { learning: open, file, repository_id: publicRepository.repository_id },
  ])
})

function ask(body: Record<string, unknown>, key: KeyName = 'user', headers = {}): Promise<Reply> {
  return call(path, {
    key: demo.keys[key],
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ repository_id: firstRepository.repository_id, record_use: false, ...body }),
  })
}

async function find(body: Record<string, unknown>, key: KeyName = 'user'): Promise<Found[]> {
  const reply = await ask(body, key)
  assert.equal(reply.status, 200, reply.text)
  assert.deepEqual(Object.keys(reply.body as object), ['learnings', 'ranked_by'])
  return (reply.body as { learnings: Found[] }).learnings
}

const own = (found: readonly Found[]) => textsOf(found).filter((text) => text.includes(stamp))
const stored = async (text: string) =>
  at(
    (await readLearnings(`files=${file}`)).data.filter(({ learning }) => learning === text),
    0,
  )

test('a text finds the Learnings that fit, the best first, each with its score and reason [P7-context-1]', async () => {
  for (const [text, expected] of [
    ['prices must not be doubles, use integer cents', about.money],
    ['save timestamps as universal time, whatever the zone', about.time],
    ['retry the network request that failed, waiting longer each time', about.retry],
  ] as const) {
    const found = await find({ text: `${text} ${stamp}` })
    assert.equal(own(found)[0], expected, text)
    for (const one of found) {
      // Only a text that has one carries flags.
      const fields = Object.keys(one).filter((name) => name !== 'flags')
      assert.deepEqual(fields.toSorted(), [
        'author_username',
        'contradicts',
        'created_at',
        'file',
        'id',
        'learning',
        'match',
        'reason',
        'score',
        'source',
      ])
      assert.match(one.id, uuidPattern)
      assert.ok(one.score >= 0 && one.score <= 1 && one.reason !== '', JSON.stringify(one))
    }
    const scores = found.map(({ score }) => score)
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    )
  }
})

test('a response says how it was ranked: by meaning, or by words if the model was not used [P11-ranked-1]', async () => {
  const rankedBy = async (body: Record<string, unknown>) =>
    ((await ask(body)).body as { ranked_by: string }).ranked_by
  assert.equal(await rankedBy({ text: about.money }), 'meaning')
  assert.equal(await rankedBy({ text: 'qwxz vbnm zzkq' }), 'meaning')
  assert.equal(await rankedBy({ files: [file] }), 'words')
})

test('a diff alone and files alone find too [P7-context-1]', async () => {
  const diff = `diff --git a/src/pay.ts b/src/pay.ts\n--- a/src/pay.ts\n+++ b/src/pay.ts\n@@ -1,2 +1,3 @@\n const a = 1\n-const amountOfMoney = cents\n+const amountOfMoney = parseFloat(cents) // floating point\n`
  assert.equal(own(await find({ diff }))[0], about.money)
  const byFile = await find({ files: [file], k: 50 })
  for (const text of Object.values(about)) assert.ok(own(byFile).includes(text), text)
})

test('k is the maximum number of results: 1 to 50, by default 10 [P7-context-1]', async () => {
  assert.equal((await find({ text: stamp, k: 1 })).length, 1)
  assert.ok((await find({ text: 'code' })).length <= 10)
  for (const k of [0, 51, 1.5, '3', null])
    assertError(await ask({ text: stamp, k }), 400, 'INVALID_REQUEST', String(k))
})

test('k is a maximum: nonsense and changes of layout return nothing [P11-context-1]', async () => {
  for (const text of ['qwxz vbnm zzkq', '?!', '🙂🙂']) assert.deepEqual(await find({ text, k: 50 }), [], text)
  const diff = '@@ -1 +1 @@\n-const money = cents( a,b );\n+const money = cents(a, b)'
  assert.deepEqual(await find({ diff, k: 50 }), [])
})

test('every result has a match, strong or weak, and only strong ones count as used [P11-context-2]', async () => {
  const folder = `src/${stamp}`
  const weak = `Lanterns are dimmed before the ferry departs, ${randomUUID().replaceAll('-', '')}.`
  await write([{ learning: weak, file: folder }])
  const body = { text: about.money.replace(stamp, ''), files: [`${folder}/gate.ts`], k: 50, record_use: true }
  const unused = await stored(about.money)
  const found = await find(body)
  const matchOf = (learning: string) => found.find((one) => one.learning === learning)?.match
  assert.deepEqual([matchOf(about.money), matchOf(weak)], ['strong', 'weak'])
  assert.ok(found.every(({ match }) => match === 'strong' || match === 'weak'))
  assert.equal((await stored(about.money)).usage_count, unused.usage_count + 1)
  const { data } = await readLearnings(`files=${folder}`)
  assert.deepEqual(
    data.map(({ usage_count }) => usage_count),
    [0],
  )
})

test('a Learning written for a folder is found for the files below it [P11-context-3]', async () => {
  const folder = `src/billing-${stamp}`
  const learnings = [folder, `${folder}/`].map((name) => ({
    learning: `Rates of ${name} are rounded.`,
    file: name,
  }))
  await write(learnings)
  const found = await find({ files: [`${folder}/tax/rates.ts`], k: 50 })
  assert.deepEqual(textsOf(found).toSorted(), learnings.map(({ learning }) => learning).toSorted())
  for (const one of found) assert.match(one.reason, /^Written for src\/billing-/)
  assert.deepEqual(await find({ files: [`${folder}.ts`], k: 50 }), [])
})

test('text, diff or files is required [P7-context-1]', async () => {
  for (const body of [{}, { text: '', files: [] }, { diff: ' \n' }])
    assertError(await ask(body), 400, 'INVALID_REQUEST', JSON.stringify(body))
})

test('unknown fields, wrong types and too much of anything are 400 [P7-context-1]', async () => {
  const wrong: Record<string, unknown>[] = [
    { text: 1 },
    { text: 'a', more: 1 },
    { text: 'a', repository_id: 7 },
    { text: 'a', record_use: 'no' },
    { text: 'a', pull_request: 0 },
    { text: 'x'.repeat(20_001) },
    { diff: 'x'.repeat(1_048_577) },
    { files: ['a'.repeat(1_025)] },
    { files: Array.from({ length: 301 }, (_, place) => `${place}.ts`) },
    { files: 'a.ts' },
    { text: 'a\0' },
  ]
  for (const body of wrong)
    assertError(await ask(body), 400, 'INVALID_REQUEST', JSON.stringify(body).slice(0, 60))
  assertError(
    await call(path, { key: demo.keys.user, method: 'POST', body: '{}' }),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  )
})

test('an unknown, an inactive and another tenant’s repository are the same 404 [P7-context-1]', async () => {
  const foreign = at(at(organizationsOf('instance'), 0).repositories, 0).repository_id
  const answers = await Promise.all(
    ['0', '620118404', foreign].map((repository_id) => ask({ repository_id, text: 'a' })),
  )
  for (const answer of answers) assertError(answer, 404, 'NOT_FOUND')
  const [first, ...others] = answers.map(comparable)
  for (const other of others) assert.deepEqual(other, first)
})

test('organization, user and agentic keys ask for their organization, a workspace token for the one it names [P2-kinds-10]', async () => {
  const text = `whole cents of money ${stamp}`
  for (const key of ['organization', 'user', 'agentic'] as const)
    assert.equal(own(await find({ text }, key))[0], about.money, key)
  assert.equal(own(await find({ text, org_id: home.org_id }, 'workspace'))[0], about.money)
  assertError(await ask({ text }, 'workspace'), 400, 'ORG_ID_REQUIRED')
  assertError(await ask({ text, org_id: '1' }, 'workspace'), 404, 'ORGANIZATION_NOT_FOUND')
})

test('an instance key is 403 and a legacy key is 410 for a review context [P2-kinds-10]', async () => {
  assertError(await ask({ text: 'a' }, 'instance'), 403, 'KEY_KIND_NOT_ALLOWED')
  assertError(await ask({ text: 'a' }, 'legacy'), 410, 'LEGACY_API_KEY')
  assertError(await ask({ text: 'a' }, 'lower_plan'), 403, 'ENTERPRISE_REQUIRED')
  for (const key of ['expired', 'revoked', 'ingest'] as const)
    assertError(await ask({ text: 'a' }, key), 401, 'UNAUTHORIZED', key)
})

test('a private repository is given the Learnings of its whole organization, a public one its own alone [P7-life-1]', async () => {
  const text = `routes, departure times and colours ${stamp}`
  for (const learning of [...Object.values(about), elsewhere, open])
    assert.ok(own(await find({ text: learning, k: 50 })).includes(learning), learning)
  const narrow = await find({ text, k: 50, files: [file], repository_id: publicRepository.repository_id })
  assert.deepEqual(own(narrow), [open])
  const ids = new Set(
    (await readLearnings(`repository_ids=${publicRepository.repository_id}`)).data.map(({ id }) => id),
  )
  assert.ok(narrow.every(({ id }) => ids.has(id)))
})

test('no Learning of another organization or tenant is ever given [P7-life-1]', async () => {
  const sibling = at(organizationsOf('workspace'), 1)
  const { repository_id } = at(sibling.repositories, 0)
  const found = await find({ text: stamp, k: 50, org_id: sibling.org_id, repository_id }, 'workspace')
  assert.deepEqual(own(found), [])
})

test('those that are returned count as used, unless record_use is false [P7-context-2]', async () => {
  const text = `floating point money ${stamp}`
  const unused = await stored(about.money)
  await find({ text, k: 1 })
  assert.deepEqual(await stored(about.money), unused)
  await find({ text, k: 1, record_use: true })
  const reply = await call(path, {
    key: demo.keys.agentic,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ repository_id: firstRepository.repository_id, text, k: 1 }),
  })
  assert.equal(reply.status, 200)
  const after = await stored(about.money)
  assert.equal(after.usage_count, unused.usage_count + 2)
  assert.ok(Date.parse(after.last_used_at ?? '') > Date.now() - 60_000)
})

test('private Learnings are given to their own open pull request alone [P7-life-4]', async () => {
  const number = Math.floor(Math.random() * 1e9) + 1
  const learning = `In this change the gate number is optional. ${stamp}`
  await send([proposed({ learning, pull_request: { number } })])
  const text = `gate number optional ${stamp}`
  const given = async (more: Record<string, unknown>) =>
    own(await find({ text, k: 50, ...more })).includes(learning)
  await eventually('a private Learning is stored', () => given({ pull_request: number }))
  assert.equal(await given({}), false)
  assert.equal(await given({ pull_request: number + 1 }), false)
  assert.equal(await given({ pull_request: number, repository_id: secondRepository.repository_id }), false)
  await send([
    createEvent('pull_request.closed', new Date().toISOString(), {
      organization: { provider: 'github', id: home.org_id },
      repository_id: firstRepository.repository_id,
      number,
      merged: false,
    }),
  ])
  await eventually('it has vanished', async () => !(await given({ pull_request: number })))
})

test('the same Idempotency-Key gives the first answer again, and another request with it is 409 [P7-context-1]', async () => {
  const headers = { 'idempotency-key': randomUUID() }
  const first = await ask({ text: stamp }, 'user', headers)
  assert.equal(first.status, 200)
  assert.equal((await ask({ text: stamp }, 'user', headers)).text, first.text)
  assertError(await ask({ text: 'another' }, 'user', headers), 409, 'IDEMPOTENCY_KEY_REUSED')
})

test('600 requests in 60 seconds are admitted, the next is 429 [P1-limit-14]', async () => {
  // An unknown repository is refused by the work itself, so the request counts and costs little.
  const once = () => ask({ repository_id: 'none', text: 'a' }, 'metrics_off')
  const admitted: number[] = []
  while (admitted.length < 600) {
    const replies = await Promise.all(Array.from({ length: 20 }, once))
    for (const reply of replies) {
      assertError(reply, 404, 'NOT_FOUND', `after ${admitted.length}`)
      assert.equal(reply.headers.get('ratelimit-policy'), '"review-context";q=600;w=60')
      admitted.push(remainingOf(reply))
    }
  }
  assert.equal(Math.min(...admitted), 0)
  assertError(await once(), 429, 'RATE_LIMIT_EXCEEDED')
})

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertErrors } from '../cli/src/conformance/http.ts'
import {
  askLearnings,
  firstRepository,
  instanceOrganizations,
  ownFile,
  ownText,
  proposed,
  readLearningPages,
  readLearnings,
  recordFields,
  secondRepository,
  share,
  textsOf,
  write,
} from './learnings-data.ts'
import { createEvent, eventually, send } from './metrics-data.ts'
import { assertPage, at, call, home, type KeyName, organizationsOf, uuidPattern } from './service.ts'

const file = ownFile()
const [, sibling, mobile] = organizationsOf('workspace')
const [firmware, fleet] = instanceOrganizations
const texts = { own: ownText(), sibling: ownText(), mobile: ownText(), firmware: ownText(), fleet: ownText() }

// One Learning of each organization that can read it, all about one file.
before(async () => {
  assert.ok(sibling && mobile && firmware && fleet)
  await write([{ learning: texts.own, file }])
  const of = ({ org_id, repositories }: typeof sibling, provider: string) => ({
    organization: { provider, id: org_id },
    repository_id: at(repositories, 0).repository_id,
  })
  await share({ ...of(sibling, 'github'), learning: texts.sibling, file })
  await share({ ...of(mobile, 'gitlab'), learning: texts.mobile, file })
  await share({ ...firmware, learning: texts.firmware, file }, 'instance')
  await share({ ...fleet, learning: texts.fleet, file }, 'instance')
})

test('a page of Learnings has exactly data and next_cursor, also when it is empty [S-lother-1 P1-lists-1]', async () => {
  for (const [query, length] of [
    [`files=${ownFile()}`, 0],
    [`files=${file}`, 1],
  ] as const) {
    const reply = await askLearnings(query)
    assertPage(reply)
    assert.deepEqual(Object.keys(reply.body as object), ['data', 'next_cursor'])
    assert.deepEqual((await readLearnings(query)).data.length, length)
  }
})

test('a Learning has exactly the fourteen fields of the contract [P7-get-7]', async () => {
  const [written, source_url] = [ownFile(), 'https://github.com/meridian/booking-api/pull/7']
  const learning = ownText()
  const [id] = await write([{ learning, file: written, source_url }])
  const { data } = await readLearnings(`files=${written}`)
  const record = at(data, 0)
  assert.deepEqual(Object.keys(record), recordFields)
  assert.match(record.id, uuidPattern)
  const { created_at, updated_at, author_id, author_username, ...rest } = record
  assert.deepEqual(rest, {
    id,
    learning,
    repository_id: firstRepository.repository_id,
    repository_name: firstRepository.name,
    organization_id: home.org_id,
    organization_name: home.name,
    file: written,
    source_url,
    last_used_at: null,
    usage_count: 0,
  })
  for (const time of [created_at, updated_at]) assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  for (const author of [author_id, author_username]) assert.ok(typeof author === 'string' && author !== '')
})

test('fields that a Learning was not given are null [S-learning-4 S-learning-5 P7-get-7]', async () => {
  const learning = ownText()
  const [id] = await write([{ learning }])
  const { data } = await readLearnings(`search=${encodeURIComponent(learning)}&limit=5`)
  const found = data.find((record) => record.id === id)
  assert.deepEqual([found?.file, found?.source_url, found?.last_used_at], [null, null, null])
})

test('without a selector, a key gets the Learnings of every organization in its scope, and of no other [S-lother-3 P2-kinds-3]', async () => {
  const expected: [KeyName, string[]][] = [
    ['workspace', [texts.own, texts.sibling, texts.mobile]],
    ['organization', [texts.own]],
    ['user', [texts.own]],
    ['legacy', [texts.own]],
    ['instance', [texts.firmware, texts.fleet]],
    ['instance_narrow', [texts.firmware]],
    ['other_tenant', []],
  ]
  for (const [key, returned] of expected) {
    assert.deepEqual(textsOf((await readLearnings(`files=${file}`, key)).data), returned, key)
  }
})

test('org_id is optional for a workspace token and selects one organization; other keys ignore it [S-what-13 S-lother-3 P7-get-1]', async () => {
  for (const [orgId, text] of [
    [home.org_id, texts.own],
    [sibling?.org_id, texts.sibling],
    [`gitlab:${mobile?.org_id}`, texts.mobile],
  ]) {
    const { data } = await readLearnings(`files=${file}&org_id=${orgId}`, 'workspace')
    assert.deepEqual(textsOf(data), [text])
  }
  for (const key of ['organization', 'user', 'legacy'] as const) {
    assert.deepEqual(
      textsOf((await readLearnings(`files=${file}&org_id=nobody`, key)).data),
      [texts.own],
      key,
    )
  }
  assertErrors(await askLearnings('org_id=nobody', 'workspace'), 404, 'ORGANIZATION_NOT_FOUND')
})

test('organization_ids filter the Learnings of every kind of key within its scope; other values match nothing [S-what-13 S-lother-2 P7-get-1 P11-organizations-1]', async () => {
  const [firmwareId, fleetId] = instanceOrganizations.map(({ organization }) => organization.id)
  const expected: [KeyName, (string | undefined)[], string[]][] = [
    ['instance', [fleetId], [texts.fleet]],
    ['instance', [firmwareId, 'nobody', home.org_id], [texts.firmware]],
    ['instance', ['nobody'], []],
    ['instance_narrow', [fleetId], []],
    ['instance_narrow', [fleetId, firmwareId], [texts.firmware]],
    ['workspace', [home.org_id, sibling?.org_id], [texts.own, texts.sibling]],
    ['workspace', [`gitlab:${mobile?.org_id}`, fleetId], [texts.mobile]],
    ['workspace', [fleetId], []],
    ...(['organization', 'user', 'legacy'] as const).flatMap(
      (key): [KeyName, (string | undefined)[], string[]][] => [
        [key, [home.org_id], [texts.own]],
        [key, [sibling?.org_id, home.org_id], [texts.own]],
        [key, [sibling?.org_id, fleetId, 'nobody'], []],
      ],
    ),
    ['other_tenant', [home.org_id], []],
  ]
  for (const [key, ids, returned] of expected) {
    const { data } = await readLearnings(`files=${file}&organization_ids=${ids.join()}`, key)
    assert.deepEqual(textsOf(data), returned, `${key} ${ids.join()}`)
  }
})

test('organization_ids filter a search, CSV and the organization of org_id too, and a cursor is bound to them [P11-organizations-1]', async () => {
  const query = (ids: string, more = '') => `files=${file}&organization_ids=${ids}${more}`
  const both = `${home.org_id},${sibling?.org_id}`
  const found = await readLearnings(query(both, `&search=${encodeURIComponent(texts.mobile)}`), 'workspace')
  assert.deepEqual(new Set(textsOf(found.data)), new Set([texts.own, texts.sibling]))
  const nothing = await readLearnings(query('nobody', `&search=${encodeURIComponent(texts.own)}`))
  assert.deepEqual([nothing.data, nothing.next_cursor], [[], null])
  const csv = await askLearnings(query('nobody', '&format=csv'))
  assert.deepEqual([csv.status, csv.text], [200, `${recordFields.join()}\r\n`])
  const one = await readLearnings(query(both, `&org_id=${home.org_id}`), 'workspace')
  assert.deepEqual(textsOf(one.data), [texts.own])
  const { next_cursor } = await readLearnings(query(both, '&limit=1'), 'workspace')
  const cursor = `&limit=1&cursor=${next_cursor ?? assert.fail('no cursor')}`
  const second = await readLearnings(query(`${both},nobody`, cursor), 'workspace')
  assert.deepEqual(textsOf(second.data), [texts.sibling])
  for (const other of [home.org_id, `${both},gitlab:${mobile?.org_id}`])
    assertErrors(await askLearnings(query(other, cursor), 'workspace'), 400, 'INVALID_CURSOR', other)
})

test('an agentic key is 403 on the Learnings export, a lower plan is 403, no key is 401, all as a list of errors [P1-code-8 P2-kinds-3]', async () => {
  assertErrors(await askLearnings('', 'agentic'), 403, 'KEY_KIND_NOT_ALLOWED')
  assertErrors(await askLearnings('', 'lower_plan'), 403, 'ENTERPRISE_REQUIRED')
  assertErrors(await askLearnings('', 'workspace_demoted_owner'), 403, 'OWNER_NOT_ADMIN')
  assertErrors(await askLearnings('', 'revoked'), 401, 'UNAUTHORIZED')
  assertErrors(await call('/v1/learnings'), 401, 'UNAUTHORIZED')
})

test('repository_ids, user_ids and files narrow the export, alone and together [S-lother-2 P7-get-1 P7-get-2]', async () => {
  const [one, two] = [ownFile(), ownFile()]
  const [a, b, c] = [ownText(), ownText(), ownText()]
  await write([
    { learning: a, file: one },
    { learning: b, file: two },
    { learning: c, file: two, repository_id: secondRepository.repository_id },
  ])
  const [first, second] = [firstRepository.repository_id, secondRepository.repository_id]
  const { data } = await readLearnings(`files=${one}`)
  const author = at(data, 0).author_id
  for (const [query, returned] of [
    [`files=${one},${two}`, [a, b, c]],
    [`files=${two},${one},${two},nothing`, [a, b, c]],
    [`files=${one},${two}&repository_ids=${first}`, [a, b]],
    [`files=${one},${two}&repository_ids=${second},${first}`, [a, b, c]],
    [`files=${two}&repository_ids=${second}&user_ids=${author}`, [c]],
    [`files=${one},${two}&user_ids=nobody`, []],
    [`files=${one},${two}&user_ids=nobody,${author}`, [a, b, c]],
    [`files=${one},${two}&repository_ids=nowhere`, []],
    [`files=${one.slice(0, -1)}`, []],
    [`files=${one.toUpperCase()}`, []],
  ] as const) {
    assert.deepEqual(textsOf((await readLearnings(query)).data), returned, query)
  }
})

test('lists take at most ten values, counted before duplicates are removed, and no empty one [S-lother-2 P7-get-1 P7-get-2]', async () => {
  for (const name of ['repository_ids', 'user_ids', 'files', 'organization_ids']) {
    const key = name === 'organization_ids' ? 'instance' : 'user'
    const id = name === 'organization_ids' ? at(instanceOrganizations, 0).organization.id : 'x'
    const ask = (values: string[]) => askLearnings(`${name}=${values.join()}&limit=1`, key)
    assert.equal((await ask(Array.from({ length: 10 }, () => id))).status, 200, name)
    assertErrors(await ask(Array.from({ length: 11 }, () => id)), 400, 'INVALID_REQUEST', name)
    assertErrors(await ask([id, '']), 400, 'INVALID_REQUEST', name)
  }
})

test('ten different values of a list are all looked for, and eleven are 400 [S-lother-2]', async () => {
  const paths = Array.from({ length: 11 }, ownFile)
  const written = paths.map((path) => ({ learning: ownText(), file: path }))
  await write(written)
  const { data } = await readLearnings(`files=${paths.slice(0, 10).join()}`)
  assert.deepEqual(textsOf(data), textsOf(written.slice(0, 10)))
  assertErrors(await askLearnings(`files=${paths.join()}`), 400, 'INVALID_REQUEST')
  const one = at(written, 0)
  const { repository_id, author_id } = at(data, 0)
  for (const [name, id] of [
    ['repository_ids', repository_id],
    ['user_ids', author_id],
    ['organization_ids', home.org_id],
  ] as const) {
    const others = Array.from({ length: 10 }, (_, index) => `other-${index}`)
    const query = (values: (string | null)[]) => `files=${one.file}&${name}=${values.join()}`
    assert.deepEqual(
      textsOf((await readLearnings(query([...others.slice(1), id]))).data),
      [one.learning],
      name,
    )
    assert.deepEqual((await readLearnings(query(others))).data, [], name)
    assertErrors(await askLearnings(query([...others, id])), 400, 'INVALID_REQUEST', name)
  }
})

test('unknown parameters and malformed values of the Learnings export are 400 INVALID_REQUEST [S-lother-2 P7-get-6]', async () => {
  for (const query of [
    'unknown=1',
    'state=private',
    'format=xml',
    'format=CSV',
    'stat_filter=used',
    'stat_filter=',
    ...['0', '1001', '1e2', '+5', '05', '5.0', '-1', ''].map((limit) => `limit=${limit}`),
    'limit=1&limit=1',
    'repository_name=',
    'files=%00',
    `files=${'f'.repeat(1025)}`,
  ]) {
    assertErrors(await askLearnings(query), 400, 'INVALID_REQUEST', query)
  }
})

test('pages follow the order in which Learnings came to be shared, and together are the whole [S-lother-2 P1-lists-4 P7-get-6]', async () => {
  const own = ownFile()
  const batches = [0, 1, 2].map(() => [0, 1, 2].map(() => ({ learning: ownText(), file: own })))
  for (const batch of batches) await write(batch)
  const order = textsOf(batches.flat())
  assert.deepEqual(textsOf((await readLearnings(`files=${own}`)).data), order)
  for (const limit of [1, 2, 4, 9]) {
    const pages = await readLearningPages(`files=${own}&limit=${limit}`)
    assert.deepEqual(textsOf(pages.flat()), order)
    assert.ok(pages.every(({ length }) => length <= limit))
    assert.equal(pages.length, Math.ceil(order.length / limit))
  }
})

test('what is shared after a page was read is on a later page [P7-get-6]', async () => {
  const own = ownFile()
  const [a, b, c] = [ownText(), ownText(), ownText()]
  await write([a, b].map((learning) => ({ learning, file: own })))
  const { data, next_cursor } = await readLearnings(`files=${own}&limit=1`)
  await write([{ learning: c, file: own }])
  assert.deepEqual(textsOf(data), [a])
  assert.deepEqual(textsOf((await readLearnings(`files=${own}&cursor=${next_cursor}`)).data), [b, c])
})

test('private and pending Learnings are not exported [P7-get-9]', async () => {
  const own = ownFile()
  const [open, byAgent, shared] = [ownText(), ownText(), ownText()]
  const number = 900_000 + Math.floor(Math.random() * 90_000)
  await send([
    proposed({ learning: open, file: own, pull_request: { number } }),
    proposed({ learning: byAgent, file: own, source: 'agent' }),
  ])
  await share({ learning: shared, file: own })
  assert.deepEqual(textsOf((await readLearnings(`files=${own}`)).data), [shared])
})

test('stat_filter separates used from unused, and new from old [S-lother-2 P7-get-4 P7-get-5]', async () => {
  const own = ownFile()
  const [unused, used, longAgo] = [ownText(), ownText(), ownText()]
  const ids = await write([unused, used, longAgo].map((learning) => ({ learning, file: own })))
  const day = 86_400_000
  const use = (id: string | undefined, time: number) =>
    createEvent('learning.used', new Date(time).toISOString(), {
      organization: { provider: 'github', id: home.org_id },
      learning_ids: [id],
    })
  await send([use(ids[1], Date.now() - 29 * day), use(ids[2], Date.now() - 31 * day)])
  const returned = async (filter: string) =>
    textsOf((await readLearnings(`files=${own}&stat_filter=${filter}`)).data)
  await eventually('uses are counted', async () => (await returned('never_used')).length === 1)
  assert.deepEqual(await returned('never_used'), [unused])
  assert.deepEqual(await returned('active'), [used])
  assert.deepEqual(await returned('created_this_week'), [unused, used, longAgo])
  assert.deepEqual(await returned('total'), [unused, used, longAgo])
  const { data } = await readLearnings(`files=${own}`)
  assert.deepEqual(
    data.map(({ usage_count, last_used_at }) => [usage_count, last_used_at !== null]),
    [
      [0, false],
      [1, true],
      [1, true],
    ],
  )
})

test('active means used in 30 days, created_this_week created in 7 [P7-get-5]', async () => {
  const own = ownFile()
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const [recent, older, active, inactive] = [ownText(), ownText(), ownText(), ownText()]
  await send([
    proposed({ learning: recent, file: own }, ago(6.9)),
    proposed({ learning: older, file: own }, ago(7.1)),
    proposed({ learning: active, file: own }, ago(40)),
    proposed({ learning: inactive, file: own }, ago(40)),
  ])
  const returned = async (filter = 'total') =>
    textsOf((await readLearnings(`files=${own}&stat_filter=${filter}`)).data)
  await eventually('all are shared', async () => (await returned()).length === 4)
  const { data } = await readLearnings(`files=${own}`)
  const use = (text: string, days: number) =>
    createEvent('learning.used', ago(days), {
      organization: { provider: 'github', id: home.org_id },
      learning_ids: [data.find(({ learning }) => learning === text)?.id],
    })
  await send([use(active, 29.9), use(inactive, 30.1)])
  await eventually('uses are counted', async () => (await returned('never_used')).length === 2)
  assert.deepEqual(await returned('created_this_week'), [recent])
  assert.deepEqual(await returned('active'), [active])
})

test('a cursor of the export is bound to its filters and its scope, not to the limit, the form or the key [P1-cursor-8 P7-get-6]', async () => {
  const own = ownFile()
  await write([0, 1, 2].map(() => ({ learning: ownText(), file: own })))
  const { next_cursor } = await readLearnings(`files=${own},x&limit=1`)
  const following = (query: string) => `${query}&cursor=${next_cursor}`
  for (const [query, key] of [
    [`files=${own},x`, 'user'],
    [`files=x,${own},x&limit=2`, 'organization'],
    [`files=${own},x&format=csv`, 'legacy'],
    [`files=${own},x&format=json&stat_filter=total`, 'user'],
    [`files=${own},x&org_id=${home.org_id}`, 'workspace'],
  ] as const) {
    assert.equal((await askLearnings(following(query), key)).status, 200, query)
  }
  for (const [query, key] of [
    [`files=${own}`, 'user'],
    [`files=${own},x&stat_filter=active`, 'user'],
    [`files=${own},x&repository_ids=1`, 'user'],
    [`files=${own},x`, 'workspace'],
    [`files=${own},x`, 'other_tenant'],
  ] as const) {
    assertErrors(await askLearnings(following(query), key), 400, 'INVALID_CURSOR', query)
  }
  for (const cursor of ['', 'x', `${next_cursor}A`, next_cursor?.replace(/^./, 'B')]) {
    assertErrors(await askLearnings(`files=${own},x&cursor=${cursor}`), 400, 'INVALID_CURSOR', cursor)
  }
})

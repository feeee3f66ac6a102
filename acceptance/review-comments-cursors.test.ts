import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertError } from '../cli/src/conformance/http.ts'
import {
  ask,
  calendarOf,
  changesPath,
  dayAfter,
  mergedOn,
  read,
  readPages,
  readWhole,
  store,
  storeSequentially,
  urlsOf,
  windowOf,
} from './metrics-data.ts'
import { at, call, demo, home, type KeyName, organizationsOf, organizationsPath } from './service.ts'

const nextDay = calendarOf(2024)
const day = nextDay()
const window = windowOf(day)
const five = Array.from({ length: 5 }, () => mergedOn(day))
const urls = five.map(({ url }) => url)
let cursor = ''
let ownCursor = ''

before(async () => {
  await store(...five)
  cursor = (await read(`${window}&limit=2`)).next_cursor ?? ''
  ownCursor = (await read(`${window}&limit=2`, 'organization')).next_cursor ?? ''
})

async function refused(query: string, given: string, key: KeyName = 'workspace'): Promise<void> {
  assert.notEqual(given, '')
  assertError(await ask(`${query}&cursor=${given}`, key), 400, 'INVALID_CURSOR', `${key} ${query}`)
}

test('paging gives every pull request once, whatever the limit [S-rc-16]', async () => {
  for (const limit of [1, 2, 3, 4, 5, 6, 1000]) {
    const pages = await readPages(`${window}&limit=${limit}`)
    assert.deepEqual(urlsOf(pages.flat()), urls)
    assert.equal(pages.length, Math.ceil(5 / limit))
  }
})

test('next_cursor is null when no eligible pull request remains, also on a page that is just full [S-rc-17]', async () => {
  for (const limit of [5, 6]) assert.equal((await read(`${window}&limit=${limit}`)).next_cursor, null)
  assert.equal(typeof (await read(`${window}&limit=4`)).next_cursor, 'string')
  assert.equal((await read(windowOf(dayAfter(day, 3)))).next_cursor, null)
})

test('limit is 1000 when nothing is said, and counts pull requests, not comments [S-rc-15 S-limit-1]', async () => {
  const on = nextDay()
  const many = Array.from({ length: 1001 }, () => mergedOn(on))
  for (let from = 0; from < many.length; from += 400) await store(...many.slice(from, from + 400))
  const first = await read(windowOf(on))
  assert.equal(first.data.length, 1000)
  assert.equal(first.data.flatMap(({ coderabbit_comments }) => coderabbit_comments).length, 2000)
  const { data, next_cursor } = await read(`${windowOf(on)}&cursor=${first.next_cursor}`)
  assert.deepEqual([data.length, next_cursor], [1, null])
  assert.equal(new Set(urlsOf([...first.data, ...data])).size, 1001)
})

test('limit may change from page to page [P1-cursor-10]', async () => {
  for (const limit of [1, 2, 1000]) {
    const { data } = await read(`${window}&limit=${limit}&cursor=${cursor}`)
    assert.deepEqual(urlsOf(data), urls.slice(2, 2 + limit))
  }
  assert.deepEqual(urlsOf((await read(`${window}&cursor=${cursor}`)).data), urls.slice(2))
})

test('a stored cursor can be used repeatedly and continues where it stopped [S-rc-16 P1-cursor-4]', async () => {
  const on = nextDay()
  const [first, second, late] = [mergedOn(on), mergedOn(on), mergedOn(on)]
  await storeSequentially(first, second)
  const kept = (await read(`${windowOf(on)}&limit=1`)).next_cursor
  const query = `${windowOf(on)}&limit=1000&cursor=${kept}`
  assert.deepEqual(urlsOf((await read(query)).data), [second.url])
  await store(late)
  assert.deepEqual(urlsOf((await read(query)).data), [second.url, late.url])
  assert.deepEqual(urlsOf((await read(query)).data), [second.url, late.url])
})

test('the window must be kept: a cursor with another one is 400 INVALID_CURSOR [S-rc-16 S-err-1 P1-cursor-13]', async () => {
  for (const other of [
    windowOf(day, dayAfter(day, 1)),
    windowOf(dayAfter(day, -1), day),
    windowOf(dayAfter(day, 1)),
  ]) {
    await refused(other, cursor)
  }
})

test('the filters must be kept: a cursor with a filter added, changed or left out is 400 INVALID_CURSOR [S-rc-16 S-err-1 P1-cursor-8 P1-cursor-13]', async () => {
  const repository = at(home.repositories, 0).repository_id
  await refused(`${window}&repository_ids=${repository}`, cursor)
  await refused(`${window}&user_ids=90001`, cursor)
  const filtered = `${window}&repository_ids=${repository},x&user_ids=90001`
  const own = (await read(`${filtered}&limit=2`)).next_cursor ?? ''
  for (const changed of [
    window,
    `${window}&repository_ids=${repository},x`,
    `${window}&repository_ids=${repository}&user_ids=90001`,
    `${window}&repository_ids=${repository},x&user_ids=90001,2`,
    `${window}&repository_ids=90001&user_ids=${repository},x`,
  ]) {
    await refused(changed, own)
  }
})

test('equal filters are the same, in whatever order and however often a value is given [P1-cursor-8]', async () => {
  const repository = at(home.repositories, 0).repository_id
  const own = (await read(`${window}&repository_ids=${repository},x&user_ids=90001&limit=2`)).next_cursor
  for (const same of [
    `user_ids=90001&repository_ids=${repository},x`,
    `repository_ids=x,${repository}&user_ids=90001,90001`,
    `repository_ids=x,x,${repository}&user_ids=90001`,
  ]) {
    assert.deepEqual(urlsOf((await read(`${same}&${window}&cursor=${own}`)).data), urls.slice(2))
  }
})

test('a metrics cursor is bound to the scope: another selection, key scope or tenant is 400 INVALID_CURSOR [P1-cursor-5 P1-cursor-7]', async () => {
  const sibling = at(organizationsOf('workspace'), 1).org_id
  await refused(`${window}&org_id=${home.org_id}`, cursor)
  await refused(`${window}&org_id=${sibling}`, ownCursor)
  await refused(window, ownCursor)
  for (const key of ['organization', 'user', 'instance', 'other_tenant'] as const)
    await refused(window, cursor, key)
})

test('a metrics cursor is not bound to the key: another key with the same scope can use it [P1-cursor-9]', async () => {
  for (const key of ['organization', 'user', 'legacy'] as const) {
    assert.deepEqual(urlsOf((await read(`${window}&cursor=${ownCursor}`, key)).data), urls.slice(2), key)
  }
  for (const selector of [home.org_id, `github:${home.org_id}`]) {
    const selected = await read(`${window}&org_id=${selector}&cursor=${ownCursor}`)
    assert.deepEqual(urlsOf(selected.data), urls.slice(2), selector)
  }
})

test('a metrics cursor is bound to its endpoint [P1-cursor-6]', async () => {
  const changes = await call(`${changesPath}?limit=1`, { key: demo.keys.workspace })
  const organizations = await call(`${organizationsPath}?limit=1`, { key: demo.keys.workspace })
  for (const { body } of [changes, organizations]) {
    await refused(window, (body as { next_cursor: string }).next_cursor)
  }
  for (const path of [changesPath, organizationsPath]) {
    const reply = await call(`${path}?cursor=${cursor}`, { key: demo.keys.workspace })
    assertError(reply, 400, 'INVALID_CURSOR', path)
  }
})

test('a page that is requested twice is the same [P1-cursor-4]', async () => {
  assert.deepEqual(
    await read(`${window}&limit=2&cursor=${cursor}`),
    await read(`${window}&limit=2&cursor=${cursor}`),
  )
  assert.deepEqual(await readWhole(window), await readWhole(`${window}&limit=1`))
})

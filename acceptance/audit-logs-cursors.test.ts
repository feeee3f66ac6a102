import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../cli/src/conformance/http.ts'
import { type AuditEntry, ask, changeSomething, read, readOn } from './audit-data.ts'
import { home } from './service.ts'

const ids = (entries: AuditEntry[]) => entries.map(({ id }) => id)
const invalid = async (query: string, key: 'workspace' | 'organization' | 'other_tenant' = 'workspace') =>
  assertError(await ask(query, key), 400, 'INVALID_CURSOR', query)

test('a cursor reads rows in the order of writing, from the first one on with the word start [P4-5]', async () => {
  for (const key of ['workspace', 'organization', 'instance'] as const) {
    const { entries } = await readOn('page_size=100', 'start', key)
    const newest = await read('page_size=100', key)
    assert.equal(new Set(ids(entries)).size, entries.length)
    assert.deepEqual(ids(entries.slice(-newest.data.length)).toReversed(), ids(newest.data))
    const small = await readOn('page_size=17', 'start', key)
    assert.deepEqual(ids(small.entries).slice(0, entries.length), ids(entries))
  }
})

test('a page of a cursor has data, the cursor and whether there is more, and no page numbers [P4-5]', async () => {
  const page = await read('cursor=start&page_size=3')
  assert.deepEqual(Object.keys(page).sort(), ['data', 'has_more', 'next_cursor', 'warnings'])
  assert.deepEqual([page.data.length, page.has_more], [3, true])
})

test('a cursor is always returned, even with an empty page, and later returns what was appended meanwhile [P4-5]', async () => {
  const { cursor } = await readOn('actions=repository_changed', 'start')
  const empty = await read(`actions=repository_changed&cursor=${cursor}`)
  assert.deepEqual([empty.data, empty.has_more], [[], false])
  const name = await changeSomething()
  const told = await read(`actions=repository_changed&cursor=${empty.next_cursor}`)
  assert.equal(told.data.length, 1)
  assert.match(told.data[0]?.resourceSummary ?? '', new RegExp(name))
  assert.deepEqual((await read(`actions=repository_changed&cursor=${told.next_cursor}`)).data, [])
})

test('the cursor of a numbered page returns what is appended after it [P4-5]', async () => {
  const { next_cursor } = await read('actions=repository_changed&page=3')
  const name = await changeSomething()
  const { data } = await read(`actions=repository_changed&cursor=${next_cursor}`)
  assert.equal(data.length, 1)
  assert.match(data[0]?.resourceSummary ?? '', new RegExp(name))
})

test('polling while others write returns everything once [P4-5]', async () => {
  const { cursor } = await readOn('actions=repository_changed', 'start')
  let writing = true
  const write = async () => {
    const names: string[] = []
    for (let n = 0; n < 8; n++) names.push(await changeSomething())
    return names
  }
  const names = write().finally(() => {
    writing = false
  })
  const told: AuditEntry[] = []
  for (let next = cursor, last = false; !last; ) {
    last = !writing
    const page = await readOn('actions=repository_changed&page_size=2', next)
    told.push(...page.entries)
    next = page.cursor
  }
  const expected = (await names).map((name) => `Repository ${name} was changed (name)`)
  assert.deepEqual(told.map(({ resourceSummary }) => resourceSummary).sort(), expected.sort())
})

test('the page size may change from page to page [P4-5]', async () => {
  const first = await read('cursor=start&page_size=2')
  const second = await read(`cursor=${first.next_cursor}&page_size=5`)
  const both = await read('cursor=start&page_size=7')
  assert.deepEqual([...ids(first.data), ...ids(second.data)], ids(both.data))
})

test('empty, altered, foreign and filter-changing audit cursors are 400 INVALID_CURSOR [P4-5]', async () => {
  const { next_cursor: cursor } = await read('actions=person_added&cursor=start')
  await read(`actions=person_added&cursor=${cursor}`)
  for (const query of [
    'cursor=',
    'cursor=begin',
    `actions=person_added&cursor=${cursor}x`,
    `actions=person_added&cursor=${cursor.slice(0, -4)}AAAA`,
    `cursor=${cursor}`,
    `actions=person_added,person_left&cursor=${cursor}`,
    `actions=person_added&search=x&cursor=${cursor}`,
    `actions=person_added&date_to=2030-01-01&cursor=${cursor}`,
    `actions=person_added&org_id=${home.org_id}&cursor=${cursor}`,
  ])
    await invalid(query)
  await invalid(`actions=person_added&cursor=${cursor}`, 'organization')
  await invalid(`actions=person_added&cursor=${cursor}`, 'other_tenant')
})

test('page and cursor exclude each other [P4-5]', async () => {
  const { next_cursor } = await read('')
  for (const cursor of ['start', next_cursor])
    assertError(await ask(`page=1&cursor=${cursor}`), 400, 'INVALID_REQUEST')
})

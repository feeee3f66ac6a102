import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertError, type Reply, requestIdPattern } from '../cli/src/conformance/http.ts'
import {
  ask,
  asLines,
  calendarOf,
  type Entry,
  mergedOn,
  read,
  readWhole,
  store,
  urlsOf,
  windowOf,
} from './metrics-data.ts'
import { at, type KeyName } from './service.ts'

const nextDay = calendarOf(2018)
const day = nextDay()
const window = windowOf(day)
const five = Array.from({ length: 5 }, () => mergedOn(day))
const urls = five.map(({ url }) => url)

before(() => store(...five))

type Lines = { entries: Entry[]; cursor: string | null }

function linesOf(reply: Reply): Lines {
  assert.equal(reply.status, 200, reply.text)
  assert.match(reply.headers.get('content-type') ?? '', /^application\/x-ndjson\b/)
  assert.match(reply.headers.get('x-request-id') ?? '', requestIdPattern)
  assert.ok(reply.text.endsWith('\n'))
  const lines = reply.text.slice(0, -1).split('\n')
  const values = lines.map((line) => JSON.parse(line) as Entry)
  const last = values.pop() as unknown as { next_cursor: string | null }
  assert.deepEqual(Object.keys(last), ['next_cursor'])
  return { entries: values, cursor: last.next_cursor }
}

async function readLines(query: string, key: KeyName = 'workspace'): Promise<Lines> {
  return linesOf(await ask(query, key, asLines))
}

test('with Accept application/x-ndjson each entry is a line, equal to the entry of the JSON page [S-what-1 P5-ndjson-1]', async () => {
  const { entries, cursor } = await readLines(window)
  assert.deepEqual(entries, (await read(window)).data)
  assert.deepEqual([urlsOf(entries), cursor], [urls, null])
})

test('the last line of NDJSON is next_cursor, a string as long as more follows [P5-ndjson-1]', async () => {
  const first = await readLines(`${window}&limit=2`)
  assert.equal(typeof first.cursor, 'string')
  const second = await readLines(`${window}&limit=2&cursor=${first.cursor}`)
  const third = await readLines(`${window}&limit=2&cursor=${second.cursor}`)
  assert.equal(third.cursor, null)
  assert.deepEqual(urlsOf([...first.entries, ...second.entries, ...third.entries]), urls)
})

test('NDJSON of an empty window is the line of the cursor alone [P5-ndjson-1]', async () => {
  const reply = await ask(windowOf(nextDay()), 'workspace', asLines)
  assert.equal(reply.text, '{"next_cursor":null}\n')
  assert.deepEqual(linesOf(reply), { entries: [], cursor: null })
})

test('a cursor of JSON goes on in NDJSON, and the other way round [P5-ndjson-1]', async () => {
  const { next_cursor } = await read(`${window}&limit=3`)
  assert.deepEqual(urlsOf((await readLines(`${window}&cursor=${next_cursor}`)).entries), urls.slice(3))
  const { cursor } = await readLines(`${window}&limit=3`)
  assert.deepEqual(urlsOf((await read(`${window}&cursor=${cursor}`)).data), urls.slice(3))
})

test('NDJSON takes a limit of up to 100,000 and is 1000 when nothing is said [P5-ndjson-1]', async () => {
  const on = nextDay()
  const many = Array.from({ length: 1003 }, () => mergedOn(on))
  for (let from = 0; from < many.length; from += 400) await store(...many.slice(from, from + 400))
  const whole = await readLines(`${windowOf(on)}&limit=100000`)
  assert.deepEqual([whole.entries.length, whole.cursor], [1003, null])
  assert.deepEqual(whole.entries, await readWhole(windowOf(on)))
  const larger = await readLines(`${windowOf(on)}&limit=1001`)
  assert.deepEqual(larger.entries, whole.entries.slice(0, 1001))
  assert.equal(typeof larger.cursor, 'string')
  assert.equal((await readLines(windowOf(on))).entries.length, 1000)
})

test('a caller that prefers JSON, or names neither, gets JSON [P5-ndjson-1]', async () => {
  for (const accept of ['application/json', '*/*', 'text/html', 'application/json, application/x-ndjson']) {
    const reply = await ask(window, 'workspace', { accept })
    assert.match(reply.headers.get('content-type') ?? '', /^application\/json\b/, accept)
  }
  const reply = await ask(window, 'workspace', { accept: 'application/x-ndjson, application/json;q=0.5' })
  assert.deepEqual(urlsOf(linesOf(reply).entries), urls)
})

test('every kind of key is answered in NDJSON as in JSON, with the same selectors and filters [P5-ndjson-1]', async () => {
  for (const [key, query] of [
    ['organization', window],
    ['legacy', window],
    ['other_tenant', window],
    ['instance', window],
    ['workspace', `${window}&user_ids=90001`],
    ['workspace', `${window}&user_ids=nobody`],
    ['workspace', `${window}&org_id=${at(five, 0).organization.id}`],
  ] as const) {
    assert.deepEqual((await readLines(query, key)).entries, await readWhole(query, key), `${key} ${query}`)
  }
})

test('a request for NDJSON is refused in JSON, with the same codes [P5-ndjson-1]', async () => {
  for (const [query, key, status, code] of [
    [window, 'agentic', 403, 'KEY_KIND_NOT_ALLOWED'],
    [window, 'expired', 401, 'UNAUTHORIZED'],
    [window, 'lower_plan', 403, 'ENTERPRISE_REQUIRED'],
    [`${window}&status=all`, 'workspace', 400, 'INVALID_REQUEST'],
    [`${window}&cursor=x`, 'workspace', 400, 'INVALID_CURSOR'],
    [`${window}&org_id=nobody`, 'workspace', 404, 'ORGANIZATION_NOT_FOUND'],
  ] as const) {
    assertError(await ask(query, key, asLines), status, code, query)
  }
})

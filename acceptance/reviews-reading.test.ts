import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertError } from '../cli/src/conformance/http.ts'
import {
  calendarOf,
  dayAfter,
  mergedOn,
  read,
  reviewCommentsPath,
  store,
  urlsOf,
  windowOf,
} from './metrics-data.ts'
import { assertNarrowed, assertRefused, assertShownByScope, sibling, spreadOver } from './metrics-scope.ts'
import {
  askReviews,
  askTable,
  categories,
  type Review,
  readAllReviews,
  readReviews,
  reviewsPath,
  scalars,
  severities,
} from './reviews-data.ts'
import { at, call, demo, home, type KeyName } from './service.ts'
import { assertSharedWindow, strict } from './windows.ts'

const nextDay = calendarOf(2014)
const day = nextDay()
const spread = spreadOver(day)
const { window, five, urls, ofSibling, ofFirmware, ofFleet } = spread
let cursor = ''

before(async () => {
  await store(...five)
  await store(ofSibling)
  await store(ofFirmware, ofFleet)
  cursor = (await readReviews(`${window}&limit=2`, 'organization')).next_cursor ?? ''
  assert.notEqual(cursor, '')
})

async function told(query: string, key: KeyName = 'workspace'): Promise<string[]> {
  return urlsOf(await readAllReviews(query, key))
}

test('a key gets the reviews of every organization that it is authorized for, and of no other [P2-kinds-2]', async () => {
  await assertShownByScope(told, spread)
})

test('org_id is optional on reviews and narrows a workspace token; organization_ids narrow an instance key [S-what-12 S-what-13 S-named-5 S-auth-23]', async () => {
  await assertNarrowed(askReviews, told, spread)
})

test('repository_ids and user_ids narrow reviews to what was stored [P5-reviews-1]', async () => {
  const on = nextDay()
  const [first, second] = [
    mergedOn(on, { author: { id: 'a' } }),
    mergedOn(on, { author: { id: 'b' }, repository: { id: 'another' } }),
  ]
  await store(first, second)
  assert.deepEqual(await told(`${windowOf(on)}&user_ids=b,c`), [second.url])
  assert.deepEqual(await told(`${windowOf(on)}&repository_ids=${first.repository.id}`), [first.url])
  assert.deepEqual(await told(`${windowOf(on)}&user_ids=a&repository_ids=another`), [])
})

test('reviews refuse what review comments refuse: keys, plan, metrics that are off [S-what-3 P2-kinds-2 P5-place-8]', async () => {
  assertError(await call(`${reviewsPath}?${window}`), 401, 'UNAUTHORIZED')
  await assertRefused(askReviews, window)
})

test('reviews take the parameters of review comments, status and format, and no other [P5-reviews-1]', async () => {
  for (const query of [
    '',
    'start_date=2014-01-01',
    windowOf('2014-02-30'),
    windowOf(day, dayAfter(day, -1)),
    `${window}&status=open`,
    `${window}&status=`,
    `${window}&status=merged,closed`,
    `${window}&status=all&status=all`,
    `${window}&format=xml`,
    `${window}&format=CSV`,
    `${window}&limit=0`,
    `${window}&limit=1001`,
    `${window}&limit=1e1`,
    `${window}&group_by=week`,
    `${window}&unknown=1`,
    `${window}&repository_ids=1,,2`,
    `${window}&user_ids=1,2,3,4,5,6,7,8,9,10,11`,
  ]) {
    assertError(await askReviews(query), 400, 'INVALID_REQUEST', query)
  }
  const many = await readReviews(`${window}&user_ids=1,2,3,4,5,6,7,8,9,90001&limit=1000&format=json`)
  assert.equal(many.data.length, 6)
})

test('paging gives every review once, whatever the limit, and next_cursor is null at the end [P5-reviews-1]', async () => {
  for (const limit of [1, 2, 4, 5, 1000]) {
    assert.deepEqual(await told(`${window}&limit=${limit}`, 'organization'), urls)
  }
  assert.equal((await readReviews(`${window}&limit=5`, 'organization')).next_cursor, null)
})

test('a cursor of reviews is bound to status, window and filters, and neither to the format, the limit nor the key [P1-cursor-8]', async () => {
  const page = `${window}&cursor=${cursor}`
  for (const query of [
    `${page}&status=all`,
    `${page}&status=closed`,
    `${page}&user_ids=90001`,
    `${windowOf(day, dayAfter(day, 1))}&cursor=${cursor}`,
    `${window}&cursor=`,
    `${window}&cursor=${cursor}A`,
  ]) {
    assertError(await askReviews(query, 'organization'), 400, 'INVALID_CURSOR', query)
  }
  assertError(await askReviews(page), 400, 'INVALID_CURSOR')
  for (const key of ['organization', 'user', 'legacy'] as const) {
    assert.deepEqual(await told(`${page}&limit=1`, key), urls.slice(2))
    assert.deepEqual(await told(`${page}&status=merged&format=json`, key), urls.slice(2))
  }
  const comments = await call(`${reviewCommentsPath}?${page}`, { key: demo.keys.organization })
  assertError(comments, 400, 'INVALID_CURSOR')
  const other = (await read(`${window}&limit=2`, 'organization')).next_cursor
  assertError(await askReviews(`${window}&cursor=${other}`, 'organization'), 400, 'INVALID_CURSOR')
})

const sorts = ['total_coderabbit', ...severities, ...categories]
const columns = [
  ...scalars,
  ...sorts.flatMap((sort) => [`${sort}_comments_posted`, `${sort}_comments_accepted`]),
  'counted_on',
]

function cellsOf(review: Review): string[] {
  const { total, severity, category } = review.coderabbit_comments
  const counters = [
    total,
    ...severities.map((one) => severity[one]),
    ...categories.map((one) => category[one]),
  ]
  return [
    ...scalars.map((field) => String(review[field] ?? '')),
    ...counters.flatMap((counter) => [String(counter?.posted), String(counter?.accepted)]),
    review.counted_on,
  ]
}

test('reviews as CSV have the scalars in order, then the counters and counted_on, equal to the JSON [S-what-1 P5-reviews-6 P11-day-1]', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const query = `${windowOf(dayAfter(today, -366), today)}&status=all&limit=200`
  const { reply, lines } = await askTable(query)
  assert.deepEqual(lines[0], columns)
  assert.equal(columns.length, 17 + 2 * 12 + 1)
  const { data } = await readReviews(query)
  assert.equal(data.length, 200)
  assert.deepEqual(lines.slice(1), data.map(cellsOf))
  assert.notEqual(reply.headers.get('x-next-cursor'), null)
})

test('the cursor of a CSV page of reviews is in the header x-next-cursor, absent on the last page [P5-reviews-6]', async () => {
  const found: string[] = []
  let next: string | null = ''
  let pages = 0
  for (; next !== null; pages += 1) {
    const { reply, lines } = await askTable(
      `${window}&org_id=${home.org_id}&limit=2${next && `&cursor=${next}`}`,
    )
    found.push(...lines.slice(1).map((cells) => at(cells, 0)))
    next = reply.headers.get('x-next-cursor')
  }
  assert.deepEqual([found, pages], [urls, 3])
  const json = await readReviews(`${window}&cursor=${cursor}`, 'organization')
  assert.deepEqual(urlsOf(json.data), urls.slice(2))
  const { reply, lines } = await askTable(windowOf(nextDay()))
  assert.deepEqual([lines, reply.headers.get('x-next-cursor')], [[columns], null])
})

test('cells of a CSV of reviews that a spreadsheet would run get a leading quote [P5-reviews-6]', async () => {
  const on = nextDay()
  const author = { id: '@SUM(A1)', username: '=1+1, "or" so' }
  const repository = { id: '-1', name: '＋1' }
  await store(mergedOn(on, { author, repository }))
  const { lines } = await askTable(windowOf(on))
  const cell = (name: (typeof scalars)[number]) => at(at(lines, 1), scalars.indexOf(name))
  assert.deepEqual(
    [cell('author_id'), cell('author_username'), cell('repository_id'), cell('repository_name')],
    ["'@SUM(A1)", `'=1+1, "or" so`, "'-1", "'＋1"],
  )
})

test('reviews count in the window of the metrics, every page of them [P1-limit-12]', async () => {
  const query = `${window}&limit=1&org_id=${sibling}`
  const ask = (path: string) => () => call(`${path}?${query}`, { base: strict(), key: demo.keys.workspace })
  await assertSharedWindow('"metrics";q=10;w=60', [
    ask(reviewsPath),
    ask(reviewCommentsPath),
    ask(reviewsPath),
  ])
})

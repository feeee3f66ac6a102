import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertError } from '../cli/src/conformance/http.ts'
import {
  ask,
  asLines,
  calendarOf,
  changesPath,
  eventually,
  finalized,
  findingOf,
  mergedOn,
  type Page,
  type PullRequest,
  read,
  readWhole,
  send,
  urlsOf,
  windowOf,
} from './metrics-data.ts'
import { at, call, demo } from './service.ts'

const MIB = 1024 * 1024
const CEILING = 16 * MIB
const nextDay = calendarOf(2020)
const day = nextDay()
const window = windowOf(day)
const author = 'a-large-author'
// Near the most that one event may carry, and together more than a page may.
const large = Array.from({ length: 38 }, (_, index) => largePullRequest(index))

function largePullRequest(index: number): PullRequest {
  const pullRequest = mergedOn(day, { author: { id: author }, repository: { id: `large-${index}` } })
  const padding = 'p'.repeat(1900)
  pullRequest.findings = Array.from({ length: 240 }, (_, place) =>
    findingOf(pullRequest.url, place, { url: `${pullRequest.url}/${padding}#${place}` }),
  )
  return pullRequest
}

let cursorBefore = ''

before(async () => {
  cursorBefore = await lastCursor()
  for (let from = 0; from < large.length; from += 7) {
    await send(large.slice(from, from + 7).map((pullRequest) => finalized(pullRequest)))
  }
  await eventually('all large pull requests are stored', async () => {
    const { data } = await read(`${window}&limit=1`)
    return data.length === 1 && (await readWhole(`${window}&limit=10`)).length === large.length
  })
})

/** How many of the large ones fit into a page, by their own sizes. */
async function fitting(): Promise<number> {
  const entries = await readWhole(`${window}&limit=10`)
  let bytes = '{"data":[],"next_cursor":""}'.length + 100
  const fits = entries.filter((entry) => (bytes += JSON.stringify(entry).length + 1) <= CEILING)
  assert.ok(fits.length > 10 && fits.length < entries.length)
  return fits.length
}

test('a JSON response above 16 MiB is 413 RESPONSE_TOO_LARGE [S-err-5 S-limit-3 P1-order-10 P1-code-23 P11-gzip-3]', async () => {
  for (const query of [window, `${window}&limit=1000`, `${window}&limit=38`]) {
    assertError(await ask(query), 413, 'RESPONSE_TOO_LARGE', query)
  }
})

test('a page just below 16 MiB is served, one pull request more is 413 [S-err-5 S-limit-3]', async () => {
  const most = await fitting()
  const reply = await ask(`${window}&limit=${most}`, 'workspace', { 'accept-encoding': 'identity' })
  assert.equal(reply.status, 200)
  assert.equal((reply.body as Page).data.length, most)
  const bytes = Buffer.byteLength(reply.text)
  assert.ok(bytes <= CEILING && bytes > CEILING - 600_000, `${bytes} bytes`)
  assert.equal(reply.headers.get('content-length'), String(bytes))
  assertError(await ask(`${window}&limit=${most + 1}`), 413, 'RESPONSE_TOO_LARGE')
})

test('a smaller limit, a narrower window or a filter helps against 413 [S-err-5]', async () => {
  assert.equal((await read(`${window}&limit=10`)).data.length, 10)
  assert.equal((await read(windowOf(nextDay()))).data.length, 0)
  assertError(await ask(`${window}&user_ids=${author}`), 413, 'RESPONSE_TOO_LARGE')
  const filtered = await read(`${window}&repository_ids=large-3,large-30`)
  assert.deepEqual(urlsOf(filtered.data).sort(), [at(large, 3).url, at(large, 30).url].sort())
})

test('413 depends on the page: what is left behind a cursor may fit [S-err-5]', async () => {
  const first = await read(`${window}&limit=30`)
  const { data, next_cursor } = await read(`${window}&cursor=${first.next_cursor}`)
  assert.deepEqual([data.length, next_cursor], [8, null])
})

test('one pull request’s comments are never split across pages [S-err-5]', async () => {
  for (const limit of [1, 7, 30]) {
    const entries = await readWhole(`${window}&limit=${limit}`)
    assert.equal(entries.length, large.length)
    for (const { coderabbit_comments } of entries) assert.equal(coderabbit_comments.length, 240)
  }
})

test('NDJSON has no ceiling of 16 MiB [P5-ndjson-1]', async () => {
  const reply = await ask(window, 'workspace', asLines)
  assert.equal(reply.status, 200)
  assert.ok(Buffer.byteLength(reply.text) > CEILING)
  const lines = reply.text.trimEnd().split('\n')
  assert.equal(lines.length, large.length + 1)
  assert.equal(lines.at(-1), '{"next_cursor":null}')
  assert.deepEqual(
    lines.slice(0, -1).map((line) => JSON.parse(line)),
    await readWhole(`${window}&limit=10`),
  )
})

test('a page of changes is cut to the size limit, says that more follows and loses nothing [P5-changes-2]', async () => {
  const found: string[] = []
  let pages = 0
  for (let query = `cursor=${cursorBefore}`, more = true; more; pages += 1) {
    const { bytes, data, next_cursor, has_more } = await changes(query)
    assert.ok(bytes <= CEILING)
    for (const { repository_id, findings } of data.filter(isLarge)) {
      assert.equal(findings?.length, 240)
      found.push(repository_id)
    }
    query = `cursor=${next_cursor}`
    more = has_more
  }
  assert.ok(pages > 1)
  assert.deepEqual(found.sort(), large.map(({ repository }) => repository.id).sort())
})

type Change = { repository_id: string; findings?: unknown[] }
type Changes = { data: Change[]; next_cursor: string; has_more: boolean }

async function changes(query: string): Promise<Changes & { bytes: number }> {
  const reply = await call(`${changesPath}?${query}`, { key: demo.keys.workspace })
  assert.equal(reply.status, 200)
  return { ...(reply.body as Changes), bytes: Buffer.byteLength(reply.text) }
}

function isLarge({ repository_id }: Change): boolean {
  return repository_id.startsWith('large-')
}

async function lastCursor(): Promise<string> {
  let page = await changes('')
  while (page.has_more) page = await changes(`cursor=${page.next_cursor}`)
  return page.next_cursor
}

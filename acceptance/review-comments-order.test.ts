import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  calendarOf,
  dayAfter,
  type Event,
  finalized,
  mergedOn,
  outcomeOf,
  type PullRequest,
  read,
  readPages,
  readWhole,
  store,
  storeSequentially,
  urlsOf,
  windowOf,
} from './metrics-data.ts'
import { at } from './service.ts'

const nextDay = calendarOf(2022)

test('entries come in the order of writing, not of merging [S-rc-3 P1-lists-4]', async () => {
  const day = nextDay()
  const merges = [3, 0, 4, 1, 2].map((days) => mergedOn(dayAfter(day, days)))
  await storeSequentially(...merges)
  const window = windowOf(day, dayAfter(day, 4))
  const expected = merges.map(({ url }) => url)
  assert.deepEqual(urlsOf(await readWhole(window)), expected)
  assert.deepEqual(urlsOf((await readPages(`${window}&limit=2`)).flat()), expected)
  assert.deepEqual(urlsOf(await readWhole(window, 'organization')), expected)
})

test('a pull request that is backfilled behind the cursor’s merge date appears on a later page [S-rc-3 P5-place-2]', async () => {
  const day = nextDay()
  const window = `${windowOf(day, dayAfter(day, 3))}&limit=1`
  const [first, second, backfilled] = [mergedOn(dayAfter(day, 2)), mergedOn(dayAfter(day, 3)), mergedOn(day)]
  await storeSequentially(first, second)
  const { next_cursor } = await read(window)
  await store(backfilled)
  const rest = await readPages(`${window}&cursor=${next_cursor}`.replace('limit=1', 'limit=1000'))
  assert.deepEqual(rest.map(urlsOf), [[second.url, backfilled.url]])
})

test('a pull request that is reopened and merged again moves to the end and appears exactly once more [S-entry-1 S-rc-3 P5-place-2]', async () => {
  const day = nextDay()
  const window = `${windowOf(day, dayAfter(day, 3))}&limit=1`
  const [reopened, other, last] = [mergedOn(day), mergedOn(day), mergedOn(day)]
  await storeSequentially(reopened, other, last)
  const first = await read(window)
  assert.deepEqual(urlsOf(first.data), [reopened.url])
  await store({ ...reopened, merged_at: `${dayAfter(day, 3)}T09:00:00.000Z` })
  const rest = await readWhole(`${window}&cursor=${first.next_cursor}`)
  assert.deepEqual(urlsOf(rest), [other.url, last.url, reopened.url])
  assert.equal(rest.at(-1)?.merged_at, `${dayAfter(day, 3)}T09:00:00.000Z`)
  assert.deepEqual(urlsOf(await readWhole(window)), [other.url, last.url, reopened.url])
})

test('merged again on another day, it is in the window of that day and no longer in the other [S-rc-3]', async () => {
  const day = nextDay()
  const pullRequest = mergedOn(day)
  await store(pullRequest)
  await store({ ...pullRequest, merged_at: `${dayAfter(day, 1)}T12:00:00.000Z` })
  assert.deepEqual(await readWhole(windowOf(day)), [])
  assert.deepEqual(urlsOf(await readWhole(windowOf(dayAfter(day, 1)))), [pullRequest.url])
})

test('reopened and closed without a merge, or left without findings, it is no entry any more [S-rc-2]', async () => {
  const day = nextDay()
  const [kept, closed, emptied] = [mergedOn(day), mergedOn(day), mergedOn(day)]
  await store(kept, closed, emptied)
  const later = `${dayAfter(day, 1)}T12:00:00.000Z`
  await store(
    finalized({ ...closed, status: 'closed', merged_at: null, closed_at: later }, later),
    finalized({ ...emptied, findings: [] }, later),
  )
  assert.deepEqual(urlsOf(await readWhole(windowOf(day, dayAfter(day, 1)))), [kept.url])
  await store(finalized(closed, `${dayAfter(day, 2)}T12:00:00.000Z`))
  assert.deepEqual(urlsOf(await readWhole(windowOf(day))), [kept.url, closed.url])
})

test('a change of accepted is seen when the pull request is read again, and does not move it [S-comment-6 P5-place-3]', async () => {
  const day = nextDay()
  const [changed, other] = [mergedOn(day), mergedOn(day)]
  await storeSequentially(changed, other)
  const window = `${windowOf(day)}&limit=1`
  const { next_cursor } = await read(window)
  await store(outcomeOf(changed, 1, true))
  assert.deepEqual(await acceptedOf(changed, day), [null, true])
  assert.deepEqual(urlsOf(await readWhole(window)), [changed.url, other.url])
  assert.deepEqual(urlsOf(await readWhole(`${window}&cursor=${next_cursor}`)), [other.url])
})

test('accepted is true, false or null, and can become each of them later [S-comment-4 S-comment-5 S-comment-6]', async () => {
  const day = nextDay()
  const pullRequest = mergedOn(day)
  await store(pullRequest)
  for (const [index, accepted] of [true, false, null, false, true].entries()) {
    await store(outcomeOf(pullRequest, 0, accepted, `${day}T1${index + 3}:00:00.000Z`))
    assert.deepEqual(await acceptedOf(pullRequest, day), [accepted, null])
  }
})

test('the latest outcome counts, in whatever order the outcomes come [S-comment-4 P5-place-4]', async () => {
  const day = nextDay()
  const pullRequest = mergedOn(day)
  await store(pullRequest)
  await store(outcomeOf(pullRequest, 0, true, `${day}T18:00:00.000Z`))
  await store(outcomeOf(pullRequest, 0, false, `${day}T17:00:00.000Z`))
  assert.deepEqual(await acceptedOf(pullRequest, day), [true, null])
})

test('an outcome is held until its pull request is known [P5-place-4]', async () => {
  const day = nextDay()
  const pullRequest = mergedOn(day)
  await store(outcomeOf(pullRequest, 1, false, `${day}T18:00:00.000Z`))
  assert.deepEqual(await readWhole(windowOf(day)), [])
  await store(pullRequest)
  assert.deepEqual(await acceptedOf(pullRequest, day), [null, false])
})

test('outcomes survive that a pull request is written again, by the ids of their findings [P5-place-4]', async () => {
  const day = nextDay()
  const pullRequest = mergedOn(day)
  await store(pullRequest, outcomeOf(pullRequest, 0, true), outcomeOf(pullRequest, 1, false))
  const [first, second] = pullRequest.findings
  const later = `${day}T15:00:00.000Z`
  await store(finalized({ ...pullRequest, findings: [at([second], 0)] as PullRequest['findings'] }, later))
  assert.deepEqual(await acceptedOf(pullRequest, day), [false])
  const all = { ...pullRequest, findings: [second, first] as PullRequest['findings'] }
  await store(finalized(all, `${day}T16:00:00.000Z`))
  assert.deepEqual(await acceptedOf(pullRequest, day), [false, true])
})

test('the same event sent again changes nothing, and neither does an older one [P5-place-2]', async () => {
  const day = nextDay()
  const [repeated, other] = [mergedOn(day), mergedOn(day)]
  const event: Event = finalized(repeated, `${day}T14:00:00.000Z`)
  await storeSequentially(event, other)
  const before = await readWhole(windowOf(day))
  await store(event)
  await store({ ...event, occurred_at: `${day}T15:00:00.000Z` })
  await store(finalized({ ...repeated, author: { id: 'older' } }, `${day}T13:00:00.000Z`))
  await store(finalized({ ...repeated, author: { id: 'as old' } }, `${day}T14:00:00.000Z`))
  assert.deepEqual(await readWhole(windowOf(day)), before)
  assert.deepEqual(urlsOf(before), [repeated.url, other.url])
})

async function acceptedOf({ url }: PullRequest, day: string): Promise<(boolean | null)[]> {
  const entry = (await readWhole(windowOf(day))).find(({ pr_url }) => pr_url === url)
  assert.ok(entry, `${url} should be shown`)
  return entry.coderabbit_comments.map(({ accepted }) => accepted)
}

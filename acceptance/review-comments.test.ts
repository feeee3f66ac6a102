import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ask,
  calendarOf,
  changesPath,
  dayAfter,
  type Entry,
  finalized,
  findingOf,
  mergedOn,
  ownOrganization,
  read,
  readWhole,
  store,
  urlsOf,
  windowOf,
} from './metrics-data.ts'
import { categories, severities } from './reviews-data.ts'
import { assertPage, at, call, demo, home } from './service.ts'

const nextDay = calendarOf(2021)
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

async function entryOf(day: string, key: 'workspace' | 'organization' = 'workspace'): Promise<Entry> {
  const { data } = await read(windowOf(day), key)
  assert.equal(data.length, 1)
  return at(data, 0)
}

test('a page has exactly data and next_cursor, also when it is empty [S-what-1 S-rc-17 P1-lists-1]', async () => {
  const day = nextDay()
  for (const expected of [[], [mergedOn(day)]]) {
    if (expected.length > 0) await store(...expected)
    const reply = await ask(windowOf(day))
    assertPage(reply)
    assert.deepEqual(Object.keys(reply.body as object), ['data', 'next_cursor'])
    assert.deepEqual(urlsOf((reply.body as { data: Entry[] }).data), urlsOf(expected.map(named)))
  }
})

test('an entry has exactly pr_url, organization_id, repository_id, author_id, merged_at and coderabbit_comments [S-what-4 S-entry-2 S-entry-3 S-entry-4 S-entry-5 S-entry-6 S-entry-8]', async () => {
  const day = nextDay()
  const pullRequest = mergedOn(day)
  await store(pullRequest)
  const { coderabbit_comments, ...entry } = await entryOf(day)
  assert.deepEqual(entry, {
    pr_url: pullRequest.url,
    organization_id: home.org_id,
    repository_id: at(home.repositories, 0).repository_id,
    author_id: '90001',
    merged_at: `${day}T12:00:00.000Z`,
  })
  assert.equal(coderabbit_comments.length, 2)
})

test('a comment has exactly url, severity, category and accepted, which is null as long as nothing is known [S-what-4 S-comment-1 S-comment-4 S-comment-5]', async () => {
  const day = nextDay()
  const pullRequest = mergedOn(day)
  await store(pullRequest)
  assert.deepEqual(
    (await entryOf(day)).coderabbit_comments,
    pullRequest.findings.map(({ url, severity, category }) => ({ url, severity, category, accepted: null })),
  )
})

test('each of the five severities and of the six categories is returned as it was sent [S-comment-2 S-comment-3]', async () => {
  const day = nextDay()
  const pullRequest = mergedOn(day)
  const sent = categories.map((category, place) => ({ severity: severities[place] ?? 'info', category }))
  pullRequest.findings = sent.map((choices, place) => findingOf(pullRequest.url, place, choices))
  await store(pullRequest)
  const { coderabbit_comments } = await entryOf(day)
  assert.deepEqual(
    coderabbit_comments.map(({ severity, category }) => ({ severity, category })),
    sent,
  )
})

test('an absent, unknown or none severity and an absent or unknown category are null [S-comment-2 S-comment-3]', async () => {
  const day = nextDay()
  const pullRequest = mergedOn(day)
  const choices = [null, 'none', '', 'CRITICAL', 'blocker', 'security', 'potential_issue', 'major ']
  const { id, url } = findingOf(pullRequest.url, 99)
  pullRequest.findings = [
    ...choices.map((choice, place) =>
      findingOf(pullRequest.url, place, { severity: choice, category: choice }),
    ),
    { id, url },
  ]
  await store(pullRequest)
  for (const { severity, category } of (await entryOf(day)).coderabbit_comments) {
    assert.deepEqual([severity, category], [null, null])
  }
})

test('author_id is null when the author is not known [S-entry-5]', async () => {
  const day = nextDay()
  const { author: _, ...withoutAuthor } = mergedOn(day)
  await store(mergedOn(day, { author: null }), withoutAuthor)
  const { data } = await read(windowOf(day))
  assert.deepEqual(
    data.map(({ author_id }) => author_id),
    [null, null],
  )
})

test('merged_at is null when the time of the merge is not known, and the time of the event places the entry [S-entry-6 P5-place-1]', async () => {
  const day = nextDay()
  const pullRequest = mergedOn(day, { merged_at: null })
  await store(finalized(pullRequest, `${day}T23:59:59.999Z`))
  const entry = await entryOf(day)
  assert.equal(entry.pr_url, pullRequest.url)
  assert.equal(entry.merged_at, null)
  assert.deepEqual((await read(windowOf(dayAfter(day, 1)))).data, [])
})

test('times in replies are YYYY-MM-DDTHH:MM:SS.sssZ, however they were sent [S-entry-6 P1-times-1]', async () => {
  const day = nextDay()
  const next = dayAfter(day, 1)
  const sent = [`${day}T10:00:00Z`, `${day}T10:00:00.5Z`, `${day}T12:00:00+02:00`, `${next}T00:30:00+01:00`]
  for (const merged_at of sent) await store(mergedOn(day, { merged_at }))
  assert.deepEqual(
    (await read(windowOf(day))).data.map(({ merged_at }) => merged_at),
    [`${day}T10:00:00.000Z`, `${day}T10:00:00.500Z`, `${day}T10:00:00.000Z`, `${day}T23:30:00.000Z`],
  )
})

test('several findings may share one posted comment URL and are entries of their own [S-entry-7 S-comment-1]', async () => {
  const day = nextDay()
  const pullRequest = mergedOn(day)
  const { url } = findingOf(pullRequest.url, 1)
  pullRequest.findings = ['major', 'minor', 'minor'].map((severity, place) =>
    findingOf(pullRequest.url, place, { url, severity }),
  )
  await store(pullRequest)
  assert.deepEqual(
    (await entryOf(day)).coderabbit_comments.map((comment) => [comment.url, comment.severity]),
    [
      [url, 'major'],
      [url, 'minor'],
      [url, 'minor'],
    ],
  )
})

test('comment text is never returned, also when somebody sends it [S-what-5]', async () => {
  const day = nextDay()
  const secret = 'this loop never ends'
  const pullRequest = mergedOn(day, { title: secret, description: secret })
  const text = { body: secret, text: secret, comment: secret, comments: [secret], message: { text: secret } }
  pullRequest.findings = [findingOf(pullRequest.url, 1, text)]
  await store(pullRequest)
  const pages = await Promise.all([ask(windowOf(day)), call(changesPath, { key: demo.keys.workspace })])
  assert.match(at(pages, 0).text, /discussion_r1/)
  for (const { text: page } of pages) assert.ok(!page.includes(secret))
})

test('the window selects by merge date: both of its days are in it, to the millisecond [S-rc-1 S-rc-9 S-rc-10 P1-shape-10 P5-place-1]', async () => {
  const day = nextDay()
  const last = dayAfter(day, 2)
  const before = mergedOn(day, { merged_at: `${dayAfter(day, -1)}T23:59:59.999Z` })
  const first = mergedOn(day, { merged_at: `${day}T00:00:00.000Z` })
  const latest = mergedOn(day, { merged_at: `${last}T23:59:59.999Z` })
  const after = mergedOn(day, { merged_at: `${dayAfter(last, 1)}T00:00:00.000Z` })
  await store(before, first, latest, after)
  assert.deepEqual(urlsOf(await readWhole(windowOf(day, last))), [first.url, latest.url])
  assert.deepEqual(urlsOf(await readWhole(windowOf(day))), [first.url])
  assert.deepEqual(urlsOf(await readWhole(windowOf(last))), [latest.url])
  assert.deepEqual(urlsOf(await readWhole(windowOf(dayAfter(day, -1)))), [before.url])
})

test('days are UTC days: a merge after a local midnight counts for the day it was in UTC [S-rc-1 P1-shape-10]', async () => {
  const day = nextDay()
  const next = dayAfter(day, 1)
  const east = mergedOn(day, { merged_at: `${next}T01:59:59+02:00` })
  const west = mergedOn(day, { merged_at: `${day}T23:00:00-02:00` })
  await store(east, west)
  assert.deepEqual(urlsOf(await readWhole(windowOf(day))), [east.url])
  assert.deepEqual(urlsOf(await readWhole(windowOf(next))), [west.url])
})

test('the window ignores when events about a pull request arrived [S-rc-1]', async () => {
  const day = nextDay()
  const pullRequest = mergedOn(day)
  await store(finalized(pullRequest, `${dayAfter(day, 200)}T08:00:00.000Z`))
  assert.deepEqual(urlsOf(await readWhole(windowOf(day))), [pullRequest.url])
  assert.deepEqual(await readWhole(windowOf(dayAfter(day, 200))), [])
})

test('a pull request without findings is not an entry and does not count toward the limit [S-entry-7 S-rc-2 P5-reviews-4]', async () => {
  const day = nextDay()
  const [first, last] = [mergedOn(day), mergedOn(day)]
  await store(first, mergedOn(day, { findings: [] }), mergedOn(day, { findings: [] }), last)
  const { data, next_cursor } = await read(`${windowOf(day)}&limit=2`)
  assert.deepEqual([urlsOf(data), next_cursor], [[first.url, last.url], null])
})

test('a pull request that was closed without a merge is not an entry and does not count toward the limit [S-entry-1]', async () => {
  const day = nextDay()
  const closed = { status: 'closed', merged_at: null, closed_at: `${day}T12:00:00.000Z` }
  const [first, last] = [mergedOn(day), mergedOn(day)]
  await store(first, mergedOn(day, closed), mergedOn(day, { ...closed, findings: [] }), last)
  const { data, next_cursor } = await read(`${windowOf(day)}&limit=2`)
  assert.deepEqual([urlsOf(data), next_cursor], [[first.url, last.url], null])
})

test('a pull request has one entry for every reader [S-entry-1]', async () => {
  const day = nextDay()
  const pullRequest = mergedOn(day, { organization: { ...ownOrganization, host: 'github.com' } })
  await store(pullRequest, { ...pullRequest })
  const entry = await entryOf(day)
  for (const key of ['organization', 'user', 'legacy'] as const) {
    assert.deepEqual((await read(windowOf(day), key)).data, [entry])
  }
})

test('every entry of the demo’s year has the shape that the contract gives it [S-what-4 S-entry-1 S-entry-7]', async () => {
  const today = new Date().toISOString().slice(0, 10)
  for (const key of ['workspace', 'instance', 'other_tenant'] as const) {
    const entries = await readWhole(windowOf(dayAfter(today, -366), today), key)
    assert.ok(entries.length > 100, `${key} should have a year of pull requests, it has ${entries.length}`)
    for (const entry of entries) assertShape(entry)
    assert.equal(new Set(urlsOf(entries)).size, entries.length)
  }
})

function assertShape(entry: Entry): void {
  const { pr_url, organization_id, repository_id, author_id, merged_at, coderabbit_comments } = entry
  assert.equal(Object.keys(entry).length, 6)
  for (const text of [pr_url, organization_id, repository_id])
    assert.ok(typeof text === 'string' && text !== '')
  assert.ok(author_id === null || (typeof author_id === 'string' && author_id !== ''))
  assert.ok(merged_at === null || time.test(merged_at))
  assert.ok(coderabbit_comments.length >= 1)
  for (const comment of coderabbit_comments) {
    assert.equal(Object.keys(comment).length, 4)
    assert.match(comment.url, /^https?:\/\//)
    assert.ok(comment.severity === null || severities.includes(comment.severity))
    assert.ok(comment.category === null || categories.includes(comment.category))
    assert.ok([true, false, null].includes(comment.accepted))
  }
}

function named({ url }: { url: string }): { pr_url: string } {
  return { pr_url: url }
}

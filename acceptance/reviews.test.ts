import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  calendarOf,
  createEvent,
  dayAfter,
  eventually,
  finalized,
  findingOf,
  mergedOn,
  outcomeOf,
  type PullRequest,
  read,
  readWhole,
  send,
  store,
  storeSequentially,
  urlsOf,
  windowOf,
} from './metrics-data.ts'
import {
  type Counter,
  categories,
  type Review,
  readAllReviews,
  readReviews,
  scalars,
  severities,
} from './reviews-data.ts'
import { at, home, listRepositories } from './service.ts'

const nextDay = calendarOf(2015)
const none: Counter = { posted: 0, accepted: 0 }

const closedOn = (day: string, over: Record<string, unknown> = {}) =>
  mergedOn(day, { status: 'closed', merged_at: null, closed_at: `${day}T12:00:00.000Z`, ...over })

async function reviewOf(day: string, query = ''): Promise<Review> {
  const { data } = await readReviews(`${windowOf(day)}${query}`)
  assert.equal(data.length, 1)
  return at(data, 0)
}

async function told(query: string): Promise<string[]> {
  return urlsOf(await readAllReviews(query))
}

test('a page of reviews has exactly data and next_cursor, also when it is empty [P1-lists-1 P5-reviews-1]', async () => {
  const day = nextDay()
  assert.deepEqual(await readReviews(windowOf(day)), { data: [], next_cursor: null })
  await store(mergedOn(day))
  assert.deepEqual(Object.keys(await readReviews(windowOf(day))), ['data', 'next_cursor'])
})

test('a review has exactly the 18 fields of the contract and counted_on, with the values of its events [S-what-9 P5-reviews-2 P11-day-1]', async () => {
  const day = nextDay()
  const timeOf = (time: string) => `${day}T${time}.000Z`
  const known = {
    created_at: timeOf('08:00:00'),
    ready_for_review_at: timeOf('08:30:00'),
    first_human_review_at: timeOf('09:00:00'),
    last_commit_at: timeOf('11:00:00'),
    merged_at: timeOf('12:00:00'),
    closed_at: timeOf('12:00:01'),
    review_iterations: 3,
    estimated_complexity: 5,
    estimated_review_minutes: 12.5,
  }
  const pullRequest = mergedOn(day, {
    ...known,
    organization: { provider: 'github', id: home.org_id, name: 'Meridian, then' },
    repository: { id: at(home.repositories, 0).repository_id, name: 'booking-api, then' },
  })
  await store(pullRequest)
  const { coderabbit_comments, counted_on, ...review } = await reviewOf(day)
  assert.deepEqual(Object.keys(review), [...scalars])
  assert.equal(counted_on, day)
  assert.deepEqual(review, {
    pr_url: pullRequest.url,
    author_id: '90001',
    author_username: 'a-developer',
    organization_id: home.org_id,
    organization_name: 'Meridian, then',
    repository_id: pullRequest.repository.id,
    repository_name: 'booking-api, then',
    status: 'merged',
    ...known,
  })
  assert.deepEqual(coderabbit_comments.total, { posted: 2, accepted: 0 })
})

test('what is not known of a pull request is null in its review [P5-reviews-2]', async () => {
  const day = nextDay()
  await store(mergedOn(day, { author: null }))
  const { coderabbit_comments: _, ...review } = await reviewOf(day)
  const unknown = Object.entries(review).filter(([, value]) => value === null)
  assert.deepEqual(
    unknown.map(([field]) => field),
    scalars.filter(
      (field) =>
        ![
          'pr_url',
          'organization_id',
          'organization_name',
          'repository_id',
          'repository_name',
          'status',
          'merged_at',
        ].includes(field),
    ),
  )
})

test('repository_name comes from the inventory when the event omits it, and is null when neither knows it [P11-times-2]', async () => {
  const { name, repository_id } = at(home.repositories, 1)
  for (const [repository, expected] of [
    [{ id: repository_id }, name],
    [{ id: repository_id, name: null }, name],
    [{ id: repository_id, name: 'of the event' }, 'of the event'],
    [{ id: 'in no inventory' }, null],
  ] as const) {
    const day = nextDay()
    await store(mergedOn(day, { repository }))
    assert.equal((await reviewOf(day)).repository_name, expected)
  }
})

test('merged_at and closed_at later than occurred_at are cut to it; earlier ones stay [P11-times-1]', async () => {
  const day = nextDay()
  const occurred = `${day}T15:00:00.000Z`
  const later = `${dayAfter(day, 400)}T12:00:00.000Z`
  const early = `${dayAfter(day, -1)}T12:00:00.000Z`
  const [merged, closed, mixed] = [
    mergedOn(day, { merged_at: later, closed_at: later }),
    closedOn(day, { closed_at: later }),
    mergedOn(day, { merged_at: early, closed_at: later }),
  ]
  await store(...[merged, closed, mixed].map((pullRequest) => finalized(pullRequest, occurred)))
  const reviews = await readAllReviews(`${windowOf(dayAfter(day, -1), dayAfter(day, 500))}&status=all`)
  assert.deepEqual(
    reviews
      .filter(({ pr_url }) => [merged, closed, mixed].some(({ url }) => url === pr_url))
      .map(({ merged_at, closed_at, counted_on }) => [merged_at, closed_at, counted_on]),
    [
      [occurred, occurred, day],
      [null, occurred, day],
      [early, occurred, dayAfter(day, -1)],
    ],
  )
  assert.equal((await read(windowOf(day))).data.length, 1)
})

test('counted_on is the day that windows use: of the merge, else of the closing, else of the event [P11-day-1]', async () => {
  const day = nextDay()
  const [closing, event] = [dayAfter(day, 1), dayAfter(day, 2)]
  const closed_at = `${closing}T12:00:00.000Z`
  const known = [
    [mergedOn(day, { closed_at }), day],
    [mergedOn(day, { merged_at: null, closed_at }), closing],
    [mergedOn(day, { merged_at: null }), event],
    [closedOn(day), day],
    [closedOn(day, { closed_at: null }), event],
  ] as const
  await store(...known.map(([pullRequest]) => finalized(pullRequest, `${event}T12:00:00.000Z`)))
  for (const [{ url }, expected] of known) {
    const { data } = await readReviews(`${windowOf(expected)}&status=all`)
    assert.equal(data.find(({ pr_url }) => pr_url === url)?.counted_on, expected)
  }
})

test('the counters of a review have total, five severities and six categories, each posted and accepted [P5-reviews-3]', async () => {
  const day = nextDay()
  const pullRequest = mergedOn(day)
  const sorts = [
    ['critical', 'security_and_privacy'],
    ['critical', 'functional_correctness'],
    ['info', 'security_and_privacy'],
    ['none', 'unknown'],
    ['minor', null],
  ]
  pullRequest.findings = sorts.map(([severity, category], place) =>
    findingOf(pullRequest.url, place, { severity, category }),
  )
  const outcomes = [true, false, true, true].map((accepted, place) =>
    outcomeOf(pullRequest, place, accepted, `${day}T13:00:00.000Z`),
  )
  await store(pullRequest, ...outcomes)
  const { total, severity, category, ...rest } = (await reviewOf(day)).coderabbit_comments
  assert.deepEqual(rest, {})
  assert.deepEqual(Object.keys(severity), severities)
  assert.deepEqual(Object.keys(category), categories)
  assert.deepEqual(total, { posted: 5, accepted: 3 })
  const all = (names: readonly string[], some: Record<string, Counter>) =>
    Object.fromEntries(names.map((name) => [name, some[name] ?? none]))
  assert.deepEqual(
    severity,
    all(severities, {
      critical: { posted: 2, accepted: 1 },
      minor: { posted: 1, accepted: 0 },
      info: { posted: 1, accepted: 1 },
    }),
  )
  assert.deepEqual(
    category,
    all(categories, {
      functional_correctness: { posted: 1, accepted: 0 },
      security_and_privacy: { posted: 2, accepted: 2 },
    }),
  )
})

test('every finalized pull request has a review, also without findings; review comments have not [P5-reviews-4]', async () => {
  const day = nextDay()
  const [clean, found, closed] = [mergedOn(day, { findings: [] }), mergedOn(day), closedOn(day)]
  await store(clean, found, closed)
  assert.deepEqual(await told(`${windowOf(day)}&status=all`), [clean.url, found.url, closed.url])
  assert.deepEqual(urlsOf(await readWhole(windowOf(day))), [found.url])
  const [first] = (await readReviews(windowOf(day))).data
  assert.deepEqual(first?.coderabbit_comments.total, none)
})

test('status is merged when nothing is said, and selects merged, closed or all [P5-reviews-1]', async () => {
  const day = nextDay()
  const [merged, closed, later] = [mergedOn(day), closedOn(day), mergedOn(day)]
  await store(merged, closed, later)
  const window = windowOf(day)
  assert.deepEqual(await told(window), [merged.url, later.url])
  assert.deepEqual(await told(`${window}&status=merged`), [merged.url, later.url])
  assert.deepEqual(await told(`${window}&status=closed`), [closed.url])
  assert.deepEqual(await told(`${window}&status=all`), [merged.url, closed.url, later.url])
  const review = await reviewOf(day, '&status=closed')
  assert.deepEqual(
    [review['status'], review['merged_at'], review['closed_at']],
    ['closed', null, `${day}T12:00:00.000Z`],
  )
})

test('merged reviews count for the day of the merge, closed ones for that of the closing, else for that of the event [P5-place-1]', async () => {
  const day = nextDay()
  const next = dayAfter(day, 1)
  const noon = (on: string) => `${on}T12:00:00.000Z`
  const merged = mergedOn(day, { merged_at: noon(day), closed_at: noon(next) })
  const closed = closedOn(next, { merged_at: noon(day), closed_at: noon(next) })
  const unknown = closedOn(day, { closed_at: null })
  const timeless = mergedOn(day, { merged_at: null })
  await store(
    finalized(merged, noon(next)),
    finalized(closed, noon(next)),
    finalized(unknown, noon(day)),
    finalized(timeless, noon(next)),
  )
  assert.deepEqual(await told(`${windowOf(day)}&status=all`), [merged.url, unknown.url])
  assert.deepEqual(await told(`${windowOf(next)}&status=all`), [closed.url, timeless.url])
  const found = (await readReviews(`${windowOf(day, next)}&status=all`)).data
  assert.deepEqual(
    found.map(({ merged_at, closed_at }) => [merged_at, closed_at]),
    [
      [noon(day), noon(next)],
      [null, noon(next)],
      [null, null],
      [null, null],
    ],
  )
})

test('a change of accepted is counted and leaves a review in its place, a rewrite moves it to the end [P1-lists-4 P5-place-2 P5-place-3]', async () => {
  const day = nextDay()
  const [first, second, third] = [mergedOn(day), closedOn(day), mergedOn(day)]
  await storeSequentially(first, second, third)
  const window = `${windowOf(day)}&status=all`
  const kept = (await readReviews(`${window}&limit=2`)).next_cursor ?? ''
  await store(outcomeOf(second, 0, true))
  const all = await readAllReviews(window)
  assert.deepEqual(urlsOf(all), [first.url, second.url, third.url])
  assert.deepEqual(
    all.map(({ coderabbit_comments }) => coderabbit_comments.total.accepted),
    [0, 1, 0],
  )
  const again = { ...second, status: 'merged', merged_at: `${day}T15:00:00.000Z` }
  await store(finalized(again, `${day}T15:01:00.000Z`))
  assert.deepEqual(await told(window), [first.url, third.url, second.url])
  assert.deepEqual(await told(`${window}&cursor=${kept}`), [third.url, second.url])
  const { coderabbit_comments } = at(await readAllReviews(window), 2)
  assert.deepEqual(coderabbit_comments.total, { posted: 2, accepted: 1 })
})

test('the counters of a review are the findings that review comments show [S-named-5 P5-reviews-3]', async () => {
  const today = new Date().toISOString().slice(0, 10)
  for (const key of ['workspace', 'instance', 'other_tenant'] as const) {
    const window = windowOf(dayAfter(today, -366), today)
    const reviews = new Map((await readAllReviews(window, key)).map((review) => [review.pr_url, review]))
    const entries = await readWhole(window, key)
    assert.ok(reviews.size > entries.length, 'the demo has merged pull requests without findings')
    for (const { pr_url, coderabbit_comments: comments } of entries) {
      const accepted = comments.filter((comment) => comment.accepted === true).length
      const counters = reviews.get(pr_url)?.coderabbit_comments
      assert.deepEqual(counters?.total, { posted: comments.length, accepted }, pr_url)
      for (const severity of severities) {
        const posted = comments.filter((comment) => comment.severity === severity).length
        assert.equal(counters?.severity[severity]?.posted, posted)
      }
    }
  }
})

test('the demo has merged and closed reviews of every tenant [P5-reviews-1]', async () => {
  const today = new Date().toISOString().slice(0, 10)
  for (const key of ['workspace', 'instance', 'other_tenant'] as const) {
    for (const status of ['merged', 'closed']) {
      const { data } = await readReviews(`${windowOf(dayAfter(today, -366), today)}&status=${status}`, key)
      assert.ok(data.length > 5, `${key} ${status}`)
      for (const review of data) assert.equal(review['status'], status)
    }
  }
})

test('names in reviews are those of the write: a name that changes later changes no review [P5-reviews-5]', async () => {
  const day = nextDay()
  const repository = { id: '77700123', name: 'named-then' }
  const rename = (name: string) =>
    createEvent('inventory.changed', new Date().toISOString(), {
      repositories: [
        { organization: { provider: 'github', id: home.org_id }, id: repository.id, name, active: true },
      ],
    })
  const organization = { provider: 'github', id: home.org_id }
  const listed = async () =>
    (await listRepositories('workspace', home.id)).repositories.map(({ name }) => name)
  await send([rename('named-then')])
  await eventually('the repository is listed', async () => (await listed()).includes('named-then'))
  await store(mergedOn(day, { organization, repository }))
  await send([rename('named-now')])
  await eventually('the repository is renamed', async () => (await listed()).includes('named-now'))
  const review = await reviewOf(day)
  assert.equal(review['repository_name'], 'named-then')
  assert.equal(review['organization_name'], home.name)
})

test('reviews and review comments have the same pr_url, so that they can be joined [S-named-5]', async () => {
  const day = nextDay()
  const pullRequests: PullRequest[] = [mergedOn(day), mergedOn(day)]
  await store(...pullRequests)
  assert.deepEqual(await told(windowOf(day)), urlsOf((await read(windowOf(day))).data))
})

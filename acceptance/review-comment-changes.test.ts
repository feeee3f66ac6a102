import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Reply } from '../cli/src/conformance/http.ts'
import {
  asLines,
  type Comment,
  calendarOf,
  changesPath,
  dayAfter,
  type Entry,
  type Event,
  finalized,
  findingOf,
  mergedOn,
  outcomeOf,
  type PullRequest,
  readWhole,
  store,
  storeSequentially,
  windowOf,
} from './metrics-data.ts'
import { assertPage, at, call, demo, home, type KeyName, organizationsOf, uuidPattern } from './service.ts'

type Change = {
  pull_request_key: string | null
  position: number
  kind: string
  pr_url: string
  organization_id: string
  organization_name?: string
  repository_id: string
  repository_name?: string | null
  number?: number
  author_id?: string | null
  merged_at?: string | null
  counted_on?: string
  findings?: (Comment & { finding_id: string; reviewer: string | null })[]
  finding_id?: string
  accepted?: boolean | null
  at: string
}
type Feed = { data: Change[]; next_cursor: string; has_more: boolean }

const nextDay = calendarOf(2017)
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

function ask(query = '', key: KeyName = 'workspace'): Promise<Reply> {
  return call(`${changesPath}?${query}`, { key: demo.keys[key] })
}

async function page(query = '', key: KeyName = 'workspace'): Promise<Feed> {
  const reply = await ask(query, key)
  assertPage(reply)
  return reply.body as Feed
}

/** Everything from a cursor on, and the cursor at its end. */
async function follow(
  cursor: string | null,
  key: KeyName = 'workspace',
  more = '',
): Promise<[Change[], string]> {
  const changes: Change[] = []
  let next = cursor
  for (let has_more = true; has_more; ) {
    const feed: Feed = await page(next === null ? more : `cursor=${next}${more}`, key)
    changes.push(...feed.data)
    ;({ next_cursor: next, has_more } = feed)
  }
  assert.ok(next)
  return [changes, next]
}

/** The changes that the given work brought, markers of the tests left out. */
async function changesOf(pullRequests: PullRequest[], work: () => Promise<void>): Promise<Change[]> {
  const [, cursor] = await follow(null)
  await work()
  const [changes] = await follow(cursor)
  return changes.filter(({ pr_url }) => pullRequests.some(({ url }) => url === pr_url))
}

const kindsOf = (changes: Change[]) => changes.map(({ kind, pr_url }) => [kind, pr_url])

test('a page of changes has exactly data, next_cursor and has_more [P5-changes-2]', async () => {
  const reply = await ask('limit=1')
  assertPage(reply)
  assert.deepEqual(Object.keys(reply.body as object), ['data', 'next_cursor', 'has_more'])
})

test('a merged pull request is a written record, with the ids of its findings [P5-changes-2 P11-day-1 P11-feed-3 P11-times-2]', async () => {
  const day = nextDay()
  const pullRequest = mergedOn(day)
  const [written, ...others] = await changesOf([pullRequest], () => store(pullRequest))
  assert.deepEqual(others, [])
  assert.ok(written)
  assert.ok(Number.isSafeInteger(written.position))
  assert.match(written.pull_request_key ?? '', uuidPattern)
  const { position: _, pull_request_key: __, ...record } = written
  assert.deepEqual(record, {
    kind: 'written',
    pr_url: pullRequest.url,
    organization_id: home.org_id,
    organization_name: home.name,
    repository_id: pullRequest.repository.id,
    repository_name: at(home.repositories, 0).name,
    number: pullRequest.number,
    author_id: '90001',
    merged_at: `${day}T12:00:00.000Z`,
    counted_on: day,
    findings: pullRequest.findings.map(({ id, url, severity, category }) => {
      return { finding_id: id, url, severity, category, accepted: null, reviewer: null }
    }),
    at: `${day}T12:01:00.000Z`,
  })
})

test('a change of accepted is an outcome record, with the id of its finding [P5-changes-2]', async () => {
  const day = nextDay()
  const pullRequest = mergedOn(day)
  await store(pullRequest)
  const outcome = outcomeOf(pullRequest, 1, false, `${day}T15:00:00.000Z`)
  const [change, ...others] = await changesOf([pullRequest], () => store(outcome))
  assert.deepEqual(others, [])
  assert.ok(change)
  assert.match(change.pull_request_key ?? '', uuidPattern)
  const { position: _, pull_request_key: __, ...record } = change
  assert.deepEqual(record, {
    kind: 'outcome',
    pr_url: pullRequest.url,
    organization_id: home.org_id,
    repository_id: pullRequest.repository.id,
    finding_id: at(pullRequest.findings, 1).id,
    accepted: false,
    at: `${day}T15:00:00.000Z`,
  })
})

test('an outcome that changes nothing is not a record [P5-changes-2]', async () => {
  const day = nextDay()
  const pullRequest = mergedOn(day)
  await store(pullRequest)
  const outcome = outcomeOf(pullRequest, 0, true, `${day}T15:00:00.000Z`)
  const changes = await changesOf([pullRequest], () =>
    storeSequentially(
      outcome,
      outcome,
      outcomeOf(pullRequest, 0, true, `${day}T16:00:00.000Z`),
      outcomeOf(pullRequest, 0, false, `${day}T14:00:00.000Z`),
    ),
  )
  assert.deepEqual(
    changes.map(({ kind, accepted }) => [kind, accepted]),
    [['outcome', true]],
  )
})

test('a pull request that is no longer an entry is a removed record [P5-changes-2]', async () => {
  const day = nextDay()
  const [closed, emptied] = [mergedOn(day), mergedOn(day)]
  await store(closed, emptied)
  const later = `${dayAfter(day, 1)}T12:00:00.000Z`
  const changes = await changesOf([closed, emptied], () =>
    storeSequentially(
      finalized({ ...closed, status: 'closed', merged_at: null, closed_at: later }, later),
      finalized({ ...emptied, findings: [] }, later),
    ),
  )
  assert.deepEqual(kindsOf(changes), [
    ['removed', closed.url],
    ['removed', emptied.url],
  ])
  for (const change of changes) {
    assert.deepEqual(Object.keys(change), [
      'pull_request_key',
      'position',
      'kind',
      'pr_url',
      'organization_id',
      'repository_id',
      'at',
    ])
    assert.equal(change.at, later)
  }
})

test('a rewritten pull request is returned again, at the end [P5-changes-2]', async () => {
  const day = nextDay()
  const [again, other] = [mergedOn(day), mergedOn(day)]
  const changes = await changesOf([again, other], () =>
    storeSequentially(again, other, finalized({ ...again, author: null }, `${day}T13:00:00.000Z`)),
  )
  // Its earlier place is empty: it is told as it is now.
  assert.deepEqual(kindsOf(changes), [
    ['written', other.url],
    ['written', again.url],
  ])
})

test('a changed counted_on is a removed and then a written; an unchanged one is a written [P11-feed-4]', async () => {
  const day = nextDay()
  const pullRequest = mergedOn(day)
  await store(pullRequest)
  const recordsAfter = async (event: Event) => {
    const changes = await changesOf([pullRequest], () => store(event))
    return changes.map(({ kind, counted_on, pull_request_key }) => [kind, counted_on, pull_request_key])
  }
  const keyed = await recordsAfter(finalized({ ...pullRequest, author: null }, `${day}T13:00:00.000Z`))
  const key = keyed[0]?.[2]
  assert.match(key ?? '', uuidPattern)
  assert.deepEqual(keyed, [['written', day, key]])
  const later = dayAfter(day, 1)
  assert.deepEqual(
    await recordsAfter(finalized({ ...pullRequest, merged_at: null }, `${later}T12:00:00.000Z`)),
    [
      ['removed', undefined, key],
      ['written', later, key],
    ],
  )
})

test('pull_request_key distinguishes what two organizations send of one URL, and survives a transfer [P11-feed-1]', async () => {
  const day = nextDay()
  const [here, there] = [home, at(organizationsOf('workspace'), 1)]
  const ofOrganization = ({ org_id, repositories }: typeof home) => ({
    organization: { provider: 'github', id: org_id },
    repository: { id: at(repositories, 0).repository_id },
  })
  const one = mergedOn(day, ofOrganization(here))
  const other = { ...one, ...ofOrganization(there), findings: [findingOf(one.url, 3)] }
  const both = await changesOf([one], () => store(one, other))
  assert.deepEqual(kindsOf(both), [
    ['written', one.url],
    ['written', one.url],
  ])
  const [first, second] = both
  assert.ok(first && second)
  assert.notEqual(first.pull_request_key, second.pull_request_key)
  assert.deepEqual(
    both.map(({ organization_id }) => organization_id),
    [here.org_id, there.org_id],
  )
  const { organization } = ofOrganization(there)
  const moved = { ...one, organization, url: `${one.url}0` }
  const transfer = await changesOf([one, moved], () =>
    storeSequentially(
      finalized(moved, `${day}T13:00:00.000Z`),
      outcomeOf(moved, 0, true, `${day}T14:00:00.000Z`),
    ),
  )
  assert.deepEqual(
    transfer.map(({ kind, organization_id, pull_request_key }) => [kind, organization_id, pull_request_key]),
    [
      ['removed', here.org_id, first.pull_request_key],
      ['written', there.org_id, first.pull_request_key],
      ['outcome', there.org_id, first.pull_request_key],
    ],
  )
})

test('counted_from filters written records only, and its cursors belong to it [P11-feed-5]', async () => {
  const day = nextDay()
  const later = dayAfter(day, 1)
  const [early, late, moving] = [mergedOn(day), mergedOn(later), mergedOn(later)]
  const [, cursor] = await follow(null, 'workspace', `&counted_from=${later}`)
  await store(early, late, moving)
  await storeSequentially(
    outcomeOf(early, 0, true),
    finalized({ ...moving, merged_at: `${day}T12:00:00.000Z` }, `${later}T13:00:00.000Z`),
  )
  const [changes] = await follow(cursor, 'workspace', `&counted_from=${later}`)
  const known = new Set([early, late, moving].map(({ url }) => url))
  assert.deepEqual(kindsOf(changes.filter(({ pr_url }) => known.has(pr_url))), [
    ['written', late.url],
    ['outcome', early.url],
    ['removed', moving.url],
  ])
  const [all] = await follow(null)
  const [filtered] = await follow(null, 'workspace', '&counted_from=2026-01-01')
  assert.ok(filtered.length < all.length)
  assert.deepEqual(
    filtered,
    all.filter(({ kind, counted_on }) => kind !== 'written' || (counted_on ?? '') >= '2026-01-01'),
  )
  assertError(await ask(`cursor=${cursor}`), 400, 'INVALID_CURSOR')
  assertError(await ask(`cursor=${cursor}&counted_from=${day}`), 400, 'INVALID_CURSOR')
})

test('NDJSON of the changes has up to 100,000 records, and a last line with next_cursor and has_more [P11-feed-6]', async () => {
  const lines = async (query: string) => {
    const reply = await call(`${changesPath}?${query}`, { key: demo.keys.workspace, headers: asLines })
    assert.equal(reply.status, 200, reply.text)
    assert.match(reply.headers.get('content-type') ?? '', /^application\/x-ndjson\b/)
    const values = reply.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    const end = values.pop() as Omit<Feed, 'data'>
    assert.deepEqual(Object.keys(end), ['next_cursor', 'has_more'])
    return { data: values as Change[], ...end }
  }
  const [all] = await follow(null)
  assert.ok(all.length > 1000)
  const whole = await lines('limit=100000')
  assert.deepEqual([whole.data, whole.has_more], [all, false])
  const some = await lines('limit=1001')
  assert.deepEqual([some.data, some.has_more], [all.slice(0, 1001), true])
  assert.deepEqual((await page(`limit=3&cursor=${some.next_cursor}`)).data, all.slice(1001, 1004))
  const end = await lines(`cursor=${whole.next_cursor}`)
  assert.deepEqual([end.data, end.has_more, end.next_cursor], [[], false, whole.next_cursor])
  assertError(
    await call(`${changesPath}?limit=100001`, { key: demo.keys.workspace, headers: asLines }),
    400,
    'INVALID_REQUEST',
  )
})

test('a pull request without findings, or closed, is no change [P5-changes-2]', async () => {
  const day = nextDay()
  const closed = mergedOn(day, { status: 'closed', merged_at: null, closed_at: `${day}T12:00:00.000Z` })
  const empty = mergedOn(day, { findings: [] })
  const changes = await changesOf([closed, empty], () => store(closed, empty, outcomeOf(closed, 0, true)))
  assert.deepEqual(changes, [])
})

test('positions grow from change to change, and times are YYYY-MM-DDTHH:MM:SS.sssZ [P1-lists-4 P1-times-1 P5-changes-2]', async () => {
  const [changes] = await follow(null, 'organization')
  assert.ok(changes.length > 0)
  let last = 0
  for (const change of changes) {
    assert.ok(change.position > last, `${change.position} after ${last}`)
    assert.match(change.at, time)
    assert.ok(['written', 'outcome', 'removed'].includes(change.kind))
    last = change.position
  }
})

test('without a cursor the changes begin at the beginning, and paging gives each once [P5-changes-1]', async () => {
  const [whole] = await follow(null, 'other_tenant')
  assert.ok(whole.length > 10)
  assert.deepEqual((await page('limit=5', 'other_tenant')).data, whole.slice(0, 5))
  const [inPages] = await follow(null, 'other_tenant', '&limit=37')
  assert.deepEqual(inPages, whole)
})

test('a cursor is always returned, even at the end, and continues with later changes [P5-changes-2]', async () => {
  const [, end] = await follow(null)
  const quiet = await page(`cursor=${end}`)
  assert.deepEqual([quiet.data, quiet.has_more], [[], false])
  assert.equal(typeof quiet.next_cursor, 'string')
  const pullRequest = mergedOn(nextDay())
  await store(pullRequest)
  for (const cursor of [end, quiet.next_cursor]) {
    const [changes] = await follow(cursor)
    assert.deepEqual(kindsOf(changes).slice(0, 1), [['written', pullRequest.url]])
  }
})

test('has_more says whether another page can be read now [P5-changes-2]', async () => {
  const [whole] = await follow(null, 'other_tenant')
  const start = (await page(`limit=${whole.length > 1003 ? 1000 : 1}`, 'other_tenant')).next_cursor
  const rest = whole.slice(whole.length > 1003 ? 1000 : 1)
  assert.ok(rest.length > 1 && rest.length <= 1000, `${rest.length} changes are left`)
  const just = await page(`limit=${rest.length}&cursor=${start}`, 'other_tenant')
  assert.deepEqual([just.data.length, just.has_more], [rest.length, false])
  const fewer = await page(`limit=${rest.length - 1}&cursor=${start}`, 'other_tenant')
  assert.deepEqual([fewer.data.length, fewer.has_more], [rest.length - 1, true])
})

test('org_id narrows the changes of a workspace token, and is ignored for other keys [S-what-12 P5-changes-1]', async () => {
  for (const { org_id } of organizationsOf('workspace')) {
    const [changes] = await follow(null, 'workspace', `&org_id=${org_id}`)
    assert.ok(changes.length > 0)
    assert.deepEqual(new Set(changes.map(({ organization_id }) => organization_id)), new Set([org_id]))
  }
  const [own] = await follow(null, 'organization')
  const [ignoring] = await follow(null, 'user', '&org_id=nobody')
  assert.deepEqual(ignoring, own)
  assertError(await ask('org_id=nobody'), 404, 'ORGANIZATION_NOT_FOUND')
})

test('every key gets the changes of its organizations and of no other [P2-kinds-2]', async () => {
  const expected: [KeyName, string[]][] = [
    ['workspace', organizationsOf('workspace').map(({ org_id }) => org_id)],
    ['organization', [home.org_id]],
    ['legacy', [home.org_id]],
    ['instance', organizationsOf('instance').map(({ org_id }) => org_id)],
    ['instance_narrow', [at(organizationsOf('instance'), 0).org_id]],
    ['other_tenant', [at(organizationsOf('organization'), 0).org_id]],
  ]
  for (const [key, ids] of expected) {
    const [changes] = await follow(null, key)
    assert.deepEqual(new Set(changes.map(({ organization_id }) => organization_id)), new Set(ids), key)
  }
})

test('the changes refuse what review comments refuse: keys, plan, metrics that are off [P2-kinds-2 P5-place-8]', async () => {
  assertError(await call(changesPath), 401, 'UNAUTHORIZED')
  for (const [key, status, code] of [
    ['expired', 401, 'UNAUTHORIZED'],
    ['ingest', 401, 'UNAUTHORIZED'],
    ['agentic', 403, 'KEY_KIND_NOT_ALLOWED'],
    ['workspace_demoted_owner', 403, 'OWNER_NOT_ADMIN'],
    ['lower_plan', 403, 'ENTERPRISE_REQUIRED'],
    ['metrics_off', 403, 'METRICS_UNAVAILABLE'],
  ] as const) {
    assertError(await ask('', key), status, code, key)
  }
})

test('the changes take cursor, limit, counted_from and org_id, and no other parameter [P5-changes-1 P11-feed-5]', async () => {
  for (const query of [
    'start_date=2026-01-01',
    'end_date=2026-01-31',
    'repository_ids=1',
    'user_ids=1',
    'organization_ids=12',
    'format=json',
    'status=merged',
    'kind=outcome',
    'counted_from=2026-02-30',
    'counted_from=yesterday',
    'counted_from=',
    'counted_from=2026-01-01&counted_from=2026-01-01',
    'limit=0',
    'limit=1001',
    'limit=1e3',
    'limit=05',
    'limit=5&limit=5',
  ]) {
    assertError(await ask(query), 400, 'INVALID_REQUEST', query)
    assertError(await ask(query, 'instance'), 400, 'INVALID_REQUEST', query)
  }
  assertError(await ask('org_id='), 400, 'INVALID_REQUEST')
})

test('a cursor of changes is bound to its scope and endpoint, not to the key or the limit [P1-cursor-7 P1-cursor-9 P5-changes-1]', async () => {
  const { next_cursor, data } = await page('limit=3', 'organization')
  assert.equal(data.length, 3)
  const [rest] = await follow(next_cursor, 'organization')
  for (const key of ['user', 'legacy'] as const) {
    assert.deepEqual((await page(`limit=7&cursor=${next_cursor}`, key)).data, rest.slice(0, 7))
  }
  for (const [query, key] of [
    [`cursor=${next_cursor}`, 'workspace'],
    [`cursor=${next_cursor}`, 'other_tenant'],
    [`cursor=${next_cursor}A`, 'organization'],
    ['cursor=', 'organization'],
    ['cursor=0', 'organization'],
    [`cursor=${next_cursor}&counted_from=2026-01-01`, 'organization'],
  ] as const) {
    assertError(await ask(query, key), 400, 'INVALID_CURSOR', query)
  }
})

test('a copy that follows the changes is equal to the pages read whole [P5-changes-2 P11-feed-1]', async () => {
  const day = nextDay()
  const [kept, changed, moved, closed] = [mergedOn(day), mergedOn(day), mergedOn(day), mergedOn(day)]
  const copy: Copy = new Map()
  let cursor = await applyAll(copy, null)
  await store(kept, changed, moved, closed, outcomeOf(kept, 0, false))
  cursor = await applyAll(copy, cursor)
  const later = `${dayAfter(day, 1)}T12:00:00.000Z`
  await storeSequentially(
    outcomeOf(changed, 0, true),
    { ...moved, merged_at: later, author: null },
    finalized({ ...closed, status: 'closed', merged_at: null, closed_at: later }, later),
    outcomeOf(moved, 1, true),
    outcomeOf(changed, 1, null),
    finalized({ ...closed, merged_at: later }, `${dayAfter(day, 2)}T12:00:00.000Z`),
  )
  await applyAll(copy, cursor)
  const all = await readWhole(windowOf('0001-01-01', '9999-12-31'))
  assert.equal(copy.size, all.length)
  const byUrl = (one: Entry, other: Entry) => (one.pr_url < other.pr_url ? -1 : 1)
  assert.deepEqual([...copy.values()].toSorted(byUrl), all.toSorted(byUrl))
})

type Copy = Map<string | null, Entry>

/** What a warehouse does with the feed. */
async function applyAll(copy: Copy, cursor: string | null): Promise<string> {
  const [changes, end] = await follow(cursor)
  for (const change of changes) apply(copy, change)
  return end
}

const findings = new Map<string | null, Change['findings']>()

function apply(copy: Copy, change: Change): void {
  const {
    pull_request_key: key,
    pr_url,
    organization_id,
    repository_id,
    author_id = null,
    merged_at = null,
  } = change
  switch (change.kind) {
    case 'written':
      findings.set(key, change.findings)
      break
    case 'removed':
      findings.delete(key)
      copy.delete(key)
      return
    case 'outcome': {
      // Told before the place where its pull request is written now: that place has it.
      const known = copy.get(key)
      if (known === undefined) return
      const place = findings.get(key)?.findIndex(({ finding_id }) => finding_id === change.finding_id) ?? -1
      const comment = known.coderabbit_comments[place]
      if (comment !== undefined) comment.accepted = change.accepted ?? null
      return
    }
    default:
      assert.fail(`a change of the kind ${change.kind}`)
  }
  const coderabbit_comments = (change.findings ?? []).map(({ url, severity, category, accepted }) => {
    return { url, severity, category, accepted }
  })
  copy.set(key, { pr_url, organization_id, repository_id, author_id, merged_at, coderabbit_comments })
}

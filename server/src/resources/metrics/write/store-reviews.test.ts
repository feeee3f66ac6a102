import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { createDatabase } from '../../../../test/database.ts'
import { openTenant } from '../../../../test/fixture.ts'
import { deliveryArbitrary, expectPullRequests } from '../../../../test/metrics/review-histories.ts'
import {
  createEventGenerator,
  createTestWriter,
  type ReviewTarget,
  storeEvents,
  toReviewTarget,
} from '../../../../test/pull-requests.ts'
import { rootScope } from '../../../access/scope.ts'
import { UNRESOLVED_REASON } from '../../../bus/queue/organizations.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { ProviderOrganizationId } from '../../../ids.ts'
import { type PullRequestKey, toPullRequestKey } from '../../../metrics-store/write/pull-request-sql.ts'
import { createOrganization } from '../../organizations/manage.ts'
import type { OutcomeEvent, ReviewEvent } from './review-payload.ts'
import { type Documents, renderDocuments } from './rows.ts'
import { readFindings, readPullRequests } from './sql.ts'

const reviewer = createEventGenerator()
const tables =
  'pull_request, finding, finding_week, metrics_day, outcome, review_comment_change, metrics_head, metrics_placement'

const { database, superuser, tenant, use } = await openTenant()
const isolated = use(await createDatabase())
const writer = use(createTestWriter(database, { stores: { isolated } }))
const [home, neighbour] = tenant.workspace.organizations
assert.ok(neighbour)
const [root, first, second, workplace] = [tenant.workspace.root, home, neighbour, toReviewTarget(home)]
beforeEach(() => superuser.query(`truncate ${tables}`))

const store = (events: readonly ReviewEvent[]) => storeEvents(writer, root, events)

async function read<Row extends object>(text: string): Promise<Row[]> {
  return (await superuser.query<Row>(text)).rows
}

/** Everything that is stored of metrics, but for the head, which advances with every message. */
async function snapshot() {
  const [rows, findings, weeks, outcomes, changes] = await Promise.all([
    read('select * from pull_request order by pull_request_key'),
    read('select * from finding order by pull_request_key, ordinal'),
    read('select * from finding_week w order by w::text'),
    read('select * from outcome order by pull_request_key, finding_id, event_id'),
    read('select * from review_comment_change order by position'),
  ])
  return { rows, findings, weeks, outcomes, changes }
}

/** The stored pull requests, as the writer reads them, with their documents. */
async function readStored() {
  const scope = rootScope(root)
  const pullRequests = await read<Documents & PullRequestKey>(
    'select pull_request_key, entry, review from pull_request order by position',
  )
  const [rows, findings] = await inTransaction(writer.stores.pool('shared'), scope, (tx) =>
    Promise.all([readPullRequests(scope, tx, pullRequests), readFindings(scope, tx, pullRequests)]),
  )
  const byKey = Map.groupBy(findings, ({ pull_request_key }) => pull_request_key)
  return pullRequests.map(({ pull_request_key, entry, review }) => {
    const row = rows.find((candidate) => candidate.pull_request_key === pull_request_key)
    return {
      row: row ?? assert.fail('the row is not read'),
      findings: byKey.get(pull_request_key) ?? [],
      documents: { entry, review },
    }
  })
}

test('a pull request is stored with the values of its event', async () => {
  const event = reviewer.finalized(workplace, { reviewers: ['first', 'with "quotes", {braces} and \\'] })
  const { payload } = event
  assert.deepEqual(await store([event]), [])
  const [{ row, findings, documents } = assert.fail('nothing is stored')] = await readStored()
  const pull_request_key = toPullRequestKey(root, payload)
  assert.deepEqual(row, {
    pull_request_key,
    provider: 'github',
    host: 'github.com',
    repository_id: payload.repository.id,
    number: payload.number,
    organization_id: first.id,
    instance_id: null,
    provider_organization_id: first.orgId,
    organization_name: first.name,
    repository_name: payload.repository.name,
    url: payload.url,
    author_id: payload.author?.id,
    author_username: payload.author?.username,
    status: 'merged',
    created_at: payload.created_at,
    ready_for_review_at: payload.ready_for_review_at,
    first_human_review_at: payload.first_human_review_at,
    last_commit_at: payload.last_commit_at,
    merged_at: payload.merged_at,
    closed_at: payload.closed_at,
    review_iterations: payload.review_iterations,
    estimated_complexity: payload.estimated_complexity,
    estimated_review_minutes: payload.estimated_review_minutes,
    reviewers: payload.reviewers,
    day: payload.merged_at?.slice(0, 10),
    position: 1,
    event_id: event.id,
    event_at: event.occurred_at,
    counted: true,
  })
  const unknown = {
    accepted: null,
    source: null,
    rule: null,
    evidence: null,
    decided_at: null,
    file: null,
    start_line: null,
    end_line: null,
    commit: null,
    posted_at: null,
    posted_as: null,
    raw_severity: null,
    bot_key: null,
    parser: null,
    sketch: null,
  }
  assert.deepEqual(
    findings,
    payload.findings.map(({ id, ...finding }, ordinal) => {
      return { pull_request_key, ordinal, finding_id: id, ...finding, ...unknown }
    }),
  )
  const { rowCount } = await superuser.query(
    `select from finding f join pull_request p using (root_id, pull_request_key, organization_id, repository_id, author_id, day, counted)
     where f.instance_id is not distinct from p.instance_id`,
  )
  assert.equal(rowCount, findings.length, 'findings repeat the columns of their pull request')
  assert.equal(
    documents.entry,
    JSON.stringify({
      pr_url: payload.url,
      organization_id: first.orgId,
      repository_id: payload.repository.id,
      author_id: payload.author?.id,
      merged_at: payload.merged_at,
      coderabbit_comments: payload.findings.map(({ url, severity, category }) => {
        return { url, severity, category, accepted: null }
      }),
    }),
  )
})

test('a repository name that the event omits comes from the inventory of its organization', async () => {
  const [known] = first.repositories
  assert.ok(known)
  const unnamed = (target: ReviewTarget, id: string) =>
    reviewer.finalized(target, { repository: { id, name: null }, number: 1_000_000 })
  const events = [unnamed(workplace, known.repositoryId), unnamed(workplace, 'unknown')]
  assert.deepEqual(await store(events), [])
  const select = 'select repository_name as name from pull_request order by position'
  assert.deepEqual(await read(select), [{ name: known.name }, { name: null }])
  const [theirs] = second.repositories
  assert.ok(theirs)
  await store([unnamed(workplace, theirs.repositoryId)])
  assert.deepEqual((await read(select)).at(-1), { name: null }, 'another organization has that repository')
})

test('duplicates change nothing, whether sent alone or concurrently', async () => {
  const pullRequests = Array.from({ length: 5 }, () => reviewer.finalized(workplace))
  const outcomes = pullRequests.map((event) => reviewer.outcome(event, { accepted: true }))
  const events = [...outcomes.slice(2), ...pullRequests, ...outcomes.slice(0, 2)]
  await store(events)
  const stored = await snapshot()
  assert.deepEqual([stored.rows.length, stored.outcomes.length], [5, 5])
  assert.equal(stored.findings.length, pullRequests.flatMap(({ payload }) => payload.findings).length)
  await store(events)
  await Promise.all([...events.map((event) => store([event])), store(events.toReversed())])
  assert.deepEqual(await snapshot(), stored)
})

const groupOfWeek = 'root_id, organization_id, instance_id, week, reviewer, severity, category'
const countedWeeks = `select ${groupOfWeek}, posted, accepted, not_accepted from finding_week where posted <> 0
   order by ${groupOfWeek}`
/** What `finding_week` must have, from the findings alone. */
const computedWeeks = `select root_id, organization_id, coalesce(instance_id, '00000000-0000-0000-0000-000000000000') as instance_id,
     date_trunc('week', day)::date as week, coalesce(reviewer, '') as reviewer, coalesce(severity::text, '') as severity,
     coalesce(category::text, '') as category, count(*)::int as posted, (count(*) filter (where accepted))::int as accepted,
     (count(*) filter (where not accepted))::int as not_accepted
   from finding where counted group by 1, 2, 3, 4, 5, 6, 7 order by ${groupOfWeek}`

test('the stored state matches the model for any history, with its documents and weeks [P5-place-4]', async () => {
  const organizations = [first, second].map(({ orgId, name }) => ({
    provider: 'github',
    host: 'github.com',
    id: orgId,
    name,
  }))
  const [one, other] = organizations
  assert.ok(one && other)
  const property = fc.asyncProperty(deliveryArbitrary([one, other]), async (batches) => {
    await superuser.query(`truncate ${tables}`)
    for (const batch of batches) assert.deepEqual(await store(batch), [])
    const rows = await read<{ number: number }>(
      `select number::int, event_id, provider_organization_id, status, day::text, entry::json, review::json,
         coalesce((select json_agg(json_build_object('finding_id', finding_id, 'url', f.url, 'severity', severity,
             'category', category, 'reviewer', reviewer, 'accepted', accepted, 'source', source, 'rule', rule) order by ordinal)
           from finding f where f.root_id = p.root_id and f.pull_request_key = p.pull_request_key), '[]') as findings
       from pull_request p`,
    )
    const stored = rows.map(({ number, ...row }) => [number, row] as const)
    assert.deepEqual(new Map(stored), expectPullRequests(batches.flat()))
    for (const { documents, ...pullRequest } of await readStored())
      assert.deepEqual(documents, renderDocuments(pullRequest))
    assert.deepEqual(await read(countedWeeks), await read(computedWeeks))
    const { rowCount } = await superuser.query(
      `select from finding f join pull_request p using (root_id, pull_request_key)
       where (f.organization_id, f.repository_id, f.author_id, f.day, f.counted)
         is distinct from (p.organization_id, p.repository_id, p.author_id, p.day, p.counted)`,
    )
    assert.equal(rowCount, 0, 'findings repeat the columns of their pull request')
    const outside = await superuser.query(
      `select from pull_request p left join metrics_day d using (root_id, day)
       where (position between first_position and last_position) is not true`,
    )
    assert.equal(outside.rowCount, 0, 'every position is within the bounds of its day')
  })
  await fc.assert(property, { numRuns: 60 })
})

test('details, rule and evidence are stored in columns of their own and survive another outcome [P14-fields-1]', async () => {
  const event = reviewer.finalized(workplace, { occurred_at: '2026-03-01T00:00:00.000Z' })
  const [finding] = event.payload.findings
  assert.ok(finding)
  const details = { file: 'src/a.ts', start_line: 3, end_line: 3, sketch: 'AAEAAg' }
  const evidence = [{ kind: 'commit', at: '2026-03-01T12:00:00.000Z' }]
  const outcomeAt = (hour: number, fields: Partial<OutcomeEvent['payload']>) =>
    reviewer.outcome(event, {
      finding_id: finding.id,
      occurred_at: `2026-03-02T0${hour}:00:00.000Z`,
      ...fields,
    })
  await store([
    {
      ...event,
      payload: { ...event.payload, findings: [{ ...finding, details }], reviewers: ['first', 'second'] },
    },
  ])
  await store([outcomeAt(1, { accepted: true, source: 'detector', rule: 'suggestion', evidence })])
  await store([outcomeAt(2, { accepted: false, source: 'person' })])
  const readFirst = async () => {
    const [{ row, findings } = assert.fail('nothing is stored')] = await readStored()
    assert.deepEqual(row.reviewers, ['first', 'second'])
    const { accepted, source, rule, evidence: stated, decided_at, ...stored } = findings[0] ?? assert.fail()
    assert.deepEqual({ ...stored, ...details }, stored)
    return { accepted, source, rule, evidence: stated, decided_at }
  }
  assert.deepEqual(await readFirst(), {
    accepted: false,
    source: 'person',
    rule: null,
    evidence: null,
    decided_at: '2026-03-02T02:00:00.000Z',
  })
  await store([outcomeAt(3, { accepted: null, source: 'person' })])
  assert.deepEqual(await readFirst(), {
    accepted: true,
    source: 'detector',
    rule: 'suggestion',
    evidence,
    decided_at: '2026-03-02T03:00:00.000Z',
  })
  assert.deepEqual(await read('select rule, evidence from outcome where rule is not null'), [
    { rule: 'suggestion', evidence },
  ])
})

test('every outcome is stored with its source, its time and the value before it, and a rewrite keeps them all [P5-place-4]', async () => {
  const event = reviewer.finalized(workplace, { occurred_at: '2026-03-01T00:00:00.000Z' })
  const finding_id = event.payload.findings[0]?.id ?? assert.fail('the pull request has a finding')
  const outcomeAt = (hour: number, accepted: boolean | null, source: 'detector' | 'person' | 'provider') =>
    reviewer.outcome(event, { finding_id, accepted, source, occurred_at: `2026-03-02T0${hour}:00:00.000Z` })
  for (const one of [
    event,
    outcomeAt(1, true, 'detector'),
    outcomeAt(2, false, 'person'),
    outcomeAt(3, null, 'provider'),
    reviewer.finalized(workplace, { ...event.payload, occurred_at: '2026-03-03T00:00:00.000Z' }),
  ])
    assert.deepEqual(await store([one]), [])
  const outcomes = await read<{ source: string; accepted: boolean | null; accepted_before: boolean | null }>(
    'select source, accepted, accepted_before, at from outcome order by at',
  )
  assert.deepEqual(outcomes, [
    { source: 'detector', accepted: true, accepted_before: null, at: new Date('2026-03-02T01:00:00Z') },
    { source: 'person', accepted: false, accepted_before: true, at: new Date('2026-03-02T02:00:00Z') },
    { source: 'provider', accepted: null, accepted_before: false, at: new Date('2026-03-02T03:00:00Z') },
  ])
})

test('closed pull requests and those without findings are stored without an entry', async () => {
  const closed = reviewer.finalized(workplace, { status: 'closed', merged_at: null })
  const clean = reviewer.finalized(workplace, { findings: [] })
  await store([closed, clean])
  const rows = await read(`select event_id, status, entry from pull_request order by position`)
  assert.deepEqual(rows, [
    { event_id: closed.id, status: 'closed', entry: null },
    { event_id: clean.id, status: 'merged', entry: null },
  ])
})

test('a message with many pull requests is stored in several transactions, in order', async () => {
  const events = Array.from({ length: 450 }, () => reviewer.finalized(workplace))
  await store(events)
  const rows = await read<{ event_id: string }>('select event_id from pull_request order by position')
  assert.deepEqual(
    rows.map(({ event_id }) => event_id),
    events.map(({ id }) => id),
  )
  const [transactions] = await read('select count(distinct xmin::text)::int as n from pull_request')
  assert.deepEqual(transactions, { n: 3 })
})

test('ids and names are stored unchanged, whatever characters they contain', async () => {
  const odd = [`{"a,b"}`, `\\'";--`, 'null', 'NULL', '\\N', ' ', '…\u{1f600}', '$1', '\u2028', '\\x1f']
  const events = odd.flatMap((text, index) => {
    const finding = { id: text, url: 'https://a/"\\', severity: null, category: null, reviewer: text }
    const fields = { repository: { id: text, name: text }, author: { id: text, username: text } }
    const event = reviewer.finalized(workplace, {
      ...fields,
      findings: [finding],
      reviewers: [text],
      event_id: `${text}${index}`,
    })
    return [event, reviewer.outcome(event, { event_id: text, accepted: true })]
  })
  await store(events)
  await store(events)
  const rows = await read(
    `select p.repository_id as a, p.author_id as b, repository_name as c, o.finding_id as d, o.event_id as e,
       f.finding_id as f, reviewers[1] as g, f.reviewer as h, f.accepted,
       entry::json -> 'coderabbit_comments' -> 0 ->> 'url' as url
     from pull_request p join outcome o using (root_id, pull_request_key)
     join finding f using (root_id, pull_request_key) order by position`,
  )
  const expected = odd.map((text) => {
    const stored = { a: text, b: text, c: text, d: text, e: text, f: text, g: text, h: text }
    return { ...stored, accepted: true, url: 'https://a/"\\' }
  })
  assert.deepEqual(rows, expected)
})

test('the head records the size of the largest entry ever written', async () => {
  const largest = async () =>
    (await read<{ largest_entry: number }>('select largest_entry from metrics_head'))[0]
  const large = reviewer.finalized(workplace, { author: { id: 'ü'.repeat(150), username: null } })
  await store([large])
  const [{ bytes } = { bytes: 0 }] = await read<{ bytes: number }>(
    'select octet_length(entry)::int as bytes from pull_request',
  )
  assert.deepEqual(await largest(), { largest_entry: bytes })
  const occurred_at = new Date(Date.parse(large.occurred_at) + 1).toISOString()
  await store([reviewer.finalized(workplace, { ...large.payload, findings: [], occurred_at })])
  assert.deepEqual(await largest(), { largest_entry: bytes })
})

test('a reader that continues after the last position misses nothing under sixteen concurrent writers', async () => {
  const crowd = createTestWriter(database, { connections: 17 })
  const pool = crowd.stores.pool('shared')
  await storeEvents(crowd, root, [reviewer.finalized(workplace)])
  const events = Array.from({ length: 16 * 20 * 3 }, () => reviewer.finalized(workplace))
  const seen: string[] = []
  let last = 1
  let writing = true

  async function follow(): Promise<void> {
    for (let more = true; more; ) {
      more = writing
      const { rows } = await superuser.query<{ event_id: string; position: string }>(
        'select event_id, position from pull_request where position > $1 order by position',
        [last],
      )
      for (const { event_id, position } of rows) {
        seen.push(event_id)
        last = Number(position)
      }
    }
  }

  async function write(lane: number): Promise<void> {
    for (let turn = 0; turn < 20; turn++) {
      const from = (lane * 20 + turn) * 3
      await storeEvents(crowd, root, events.slice(from, from + 3))
    }
  }

  const following = follow()
  await Promise.all(Array.from({ length: 16 }, (_, lane) => write(lane)))
  writing = false
  await following
  assert.ok(pool.totalCount > 8, 'they did write at the same time')
  await crowd.close()
  assert.equal(seen.length, new Set(seen).size)
  assert.deepEqual(seen.toSorted(), events.map(({ id }) => id).sort())
})

test('a failed transaction stores nothing, and a redelivered message is stored', async () => {
  await superuser.query(
    `create function fail() returns trigger language plpgsql as $$ begin raise 'planted'; end $$;
     create trigger fail before insert on outcome for each row execute function fail()`,
  )
  const event = reviewer.finalized(workplace)
  const events = [event, reviewer.outcome(event, { accepted: false })]
  await assert.rejects(store(events), /planted/)
  assert.deepEqual(await snapshot(), { rows: [], findings: [], weeks: [], outcomes: [], changes: [] })
  assert.deepEqual(await read('select * from metrics_head'), [])
  await superuser.query('drop trigger fail on outcome; drop function fail')
  assert.deepEqual(await store(events), [])
  const { rows, outcomes } = await snapshot()
  assert.deepEqual([rows.length, outcomes.length], [1, 1])
})

test('events are retried while their root moves, then stored in the new store', async () => {
  const event = reviewer.finalized(workplace)
  await store([event])
  const later = reviewer.finalized(workplace)
  const waits = { name: 'RetryLaterError' }
  for (const state of ['moved', 'incoming']) {
    await superuser.query('update metrics_head set state = $1', [state])
    await assert.rejects(store([later]), waits)
  }
  await superuser.query(`update metrics_head set state = 'active'`)
  await superuser.query(
    `insert into metrics_placement (root_id, store, moving_to) values ($1, 'shared', 'isolated')`,
    [root],
  )
  await assert.rejects(store([later]), waits)
  await superuser.query(`update metrics_placement set store = 'isolated', moving_to = null`)
  assert.deepEqual(await store([later]), [])
  assert.equal((await snapshot()).rows.length, 1)
  const other = isolated.superuser()
  const { rows } = await other.query('select event_id from pull_request')
  await other.end()
  assert.deepEqual(rows, [{ event_id: later.id }])
})

test('events of an unknown organization are deferred and stored once it is known; the others are stored', async () => {
  const id = '123456' as ProviderOrganizationId
  const event = reviewer.finalized(workplace)
  const early = reviewer.finalized({ ...workplace, organization: { id, name: 'Later' } })
  const events = [early, event, reviewer.outcome(early)]
  assert.deepEqual(await store(events), [
    { event: events[0], reason: UNRESOLVED_REASON },
    { event: events[2], reason: UNRESOLVED_REASON },
  ])
  assert.equal((await snapshot()).rows.length, 1)
  await tenant.change(root, (change) =>
    createOrganization(change, { name: 'Later', providerOrganizationId: id, subscription: null }),
  )
  assert.deepEqual(await store(events), [])
  const { rows, outcomes } = await snapshot()
  assert.deepEqual([rows.length, outcomes.length], [2, 1])
})

test('a credential cannot write for other organizations or change their pull requests', async () => {
  const theirs = reviewer.finalized(toReviewTarget(second))
  await store([theirs])
  const untouched = await snapshot()
  const occurred_at = new Date(Date.parse(theirs.occurred_at) + 1).toISOString()
  const organization = { provider: 'github', host: 'github.com', id: first.orgId, name: first.name }
  const taking = reviewer.finalized(workplace, { ...theirs.payload, organization, occurred_at })
  const judging = reviewer.outcome(taking, { accepted: true, occurred_at })
  const own = reviewer.finalized(workplace)
  const left = await storeEvents(writer, root, [taking, judging, own, theirs], [first.id])
  assert.deepEqual(
    left.map(({ event, reason }) => [event.id, reason]),
    [theirs, taking, judging].map(({ id }) => [id, UNRESOLVED_REASON]),
  )
  const { rows } = await snapshot()
  assert.equal(rows.length, 2)
  assert.ok(rows.some((row) => JSON.stringify(row) === JSON.stringify(untouched.rows[0])))
})

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
import { UNRESOLVED_REASON } from '../../../bus/queue/organizations.ts'
import type { ProviderOrganizationId } from '../../../ids.ts'
import { createOrganization } from '../../organizations/manage.ts'
import type { OutcomeEvent, ReviewEvent } from './review-payload.ts'

const reviewer = createEventGenerator()
const tables =
  'pull_request, review, review_day, outcome, review_comment_change, metrics_head, metrics_placement'

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
  const [rows, outcomes, changes] = await Promise.all([
    read('select p.*, findings::text, facts::text from pull_request p order by repository_id, number'),
    read('select * from outcome order by number, finding_id, event_id'),
    read('select * from review_comment_change order by position'),
  ])
  return { rows, outcomes, changes }
}

test('a pull request is stored with the values of its event', async () => {
  const event = reviewer.finalized(workplace)
  const { payload } = event
  assert.deepEqual(await store([event]), [])
  const times = (column: string) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`
  const [row] = await read<Record<string, unknown>>(
    `select *, ${times('merged_at')}, ${times('closed_at')}, ${times('event_at')}, day::text from pull_request`,
  )
  assert.ok(row)
  const { facts, findings, entry, week, ...columns } = row
  assert.deepEqual(columns, {
    root_id: root,
    provider: 'github',
    host: 'github.com',
    repository_id: payload.repository.id,
    number: String(payload.number),
    organization_id: first.id,
    instance_id: null,
    provider_organization_id: first.orgId,
    url: payload.url,
    author_id: payload.author?.id,
    status: 'merged',
    merged_at: payload.merged_at,
    closed_at: payload.closed_at,
    day: payload.merged_at?.slice(0, 10),
    position: '1',
    event_id: event.id,
    event_at: event.occurred_at,
    details: null,
  })
  assert.ok(Number(week) > 300)
  assert.deepEqual(facts, {
    author_username: payload.author?.username,
    organization_name: first.name,
    repository_name: payload.repository.name,
    created_at: payload.created_at,
    ready_for_review_at: payload.ready_for_review_at,
    first_human_review_at: payload.first_human_review_at,
    last_commit_at: payload.last_commit_at,
    review_iterations: payload.review_iterations,
    estimated_complexity: payload.estimated_complexity,
    estimated_review_minutes: payload.estimated_review_minutes,
  })
  assert.deepEqual(
    findings,
    payload.findings.map(({ id, ...finding }) => ({ finding_id: id, ...finding, accepted: null })),
  )
  assert.equal(
    entry,
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
  const select = `select facts ->> 'repository_name' as name from pull_request order by position`
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
  await store(events)
  await Promise.all([...events.map((event) => store([event])), store(events.toReversed())])
  assert.deepEqual(await snapshot(), stored)
})

test('the stored state matches the model for any history [P5-place-4]', async () => {
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
    const rows = await read<{ number: number; entry: string | null }>(
      `select p.number::int, event_id, provider_organization_id, p.status, p.day::text, findings, p.entry,
         r.entry::json as review
       from pull_request p left join review r using (root_id, organization_id, repository_id, status, day, position)`,
    )
    const stored = rows.map(({ number, entry, ...row }) => {
      return [number, { ...row, entry: entry === null ? null : (JSON.parse(entry) as unknown) }] as const
    })
    assert.deepEqual(new Map(stored), expectPullRequests(batches.flat()))
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
  const readDetails = async () =>
    (await read<{ details: unknown }>(`select details from pull_request`))[0]?.details
  const stored = { finding_id: finding.id, ...details }
  assert.deepEqual(await readDetails(), {
    reviewers: ['first', 'second'],
    findings: [{ ...stored, outcome: { accepted: false, source: 'person' } }],
  })
  await store([outcomeAt(3, { accepted: null, source: 'person' })])
  assert.deepEqual(await readDetails(), {
    reviewers: ['first', 'second'],
    findings: [{ ...stored, outcome: { accepted: true, source: 'detector', rule: 'suggestion', evidence } }],
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
      event_id: `${text}${index}`,
    })
    return [event, reviewer.outcome(event, { event_id: text, accepted: true })]
  })
  await store(events)
  await store(events)
  const rows = await read(
    `select repository_id as a, author_id as b, facts ->> 'repository_name' as c, o.finding_id as d, o.event_id as e,
       findings -> 0 ->> 'finding_id' as f, findings -> 0 ->> 'accepted' as accepted,
       entry::json -> 'coderabbit_comments' -> 0 ->> 'url' as url
     from pull_request join outcome o using (repository_id) order by position`,
  )
  const expected = odd.map((text) => {
    return { a: text, b: text, c: text, d: text, e: text, f: text, accepted: 'true', url: 'https://a/"\\' }
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
  assert.deepEqual(await snapshot(), { rows: [], outcomes: [], changes: [] })
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

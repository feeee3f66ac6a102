import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { startService } from '../../../../test/call.ts'
import { openTenant } from '../../../../test/fixture.ts'
import {
  createEventGenerator,
  createTestWriter,
  rebuildFindingCounts,
  storeEvents,
  toReviewTarget,
} from '../../../../test/pull-requests.ts'
import { rootScope } from '../../../access/scope.ts'
import { connectMetricsStores } from '../../../db/stores.ts'
import { rebuildCounts, rebuildStaleCounts } from '../../../metrics-store/counts/rebuild.ts'
import { createLog } from '../../../observe/log.ts'
import { createOrganization } from '../../organizations/manage.ts'
import { definitions } from '../schema.ts'
import { computeAcceptance } from './rates.ts'

const { database, superuser, tenant, use } = await openTenant()
const writer = use(createTestWriter(database))

test('rates, bounds and Wilson intervals match docs/metrics.md [P5-summary-2]', () => {
  assert.deepEqual(computeAcceptance({ posted: 100, accepted: 8, notAccepted: 2 }), {
    posted: 100,
    accepted: 8,
    not_accepted: 2,
    unknown: 90,
    rate: 0.8,
    rate_low: 0.08,
    rate_high: 0.98,
    interval_low: 0.490162,
    interval_high: 0.943318,
  })
  const none = computeAcceptance({ posted: 3, accepted: 0, notAccepted: 0 })
  assert.deepEqual(
    [none.rate, none.rate_low, none.rate_high, none.interval_low, none.interval_high],
    [null, 0, 1, null, null],
  )
  const all = computeAcceptance({ posted: 4, accepted: 4, notAccepted: 0 })
  assert.deepEqual([all.interval_low, all.interval_high], [0.510109, 1])
  assert.equal(computeAcceptance({ posted: 4, accepted: 0, notAccepted: 4 }).interval_low, 0)
  const emptySum = computeAcceptance({ posted: 0, accepted: 0, notAccepted: 0 })
  assert.deepEqual([emptySum.rate, emptySum.rate_low, emptySum.rate_high], [null, null, null])
})

test('docs/metrics.md contains every definition id [P5-summary-2]', async () => {
  const page = await readFile(new URL('../../../../../docs/metrics.md', import.meta.url), 'utf8')
  for (const id of Object.values(definitions)) assert.ok(page.includes(`\n## \`${id}\``), id)
})

type StoredTally = [string | null, ...number[]][]

/** As what is counted; the order of reviewers and cells means nothing. */
function parse(tally: string): unknown[] {
  const cells = (JSON.parse(tally) as StoredTally).flatMap(([reviewer, ...numbers]) =>
    Array.from({ length: numbers.length / 4 }, (_, workplace) => [
      reviewer,
      ...numbers.slice(4 * workplace, 4 * workplace + 4),
    ]),
  )
  return cells.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

const selectCounts = `select concat_ws(' ', root_id, organization_id, instance_id, grain, period, repository_id, author_id) as name, tally
   from finding_count`
const selectReviews =
  "select concat_ws(' ', root_id, repository_id, number) as name, tally from review where tally is not null"

/** Counts findings by `name`, an expression over the row `p` of the pull request and its `grain`. */
const computeTallies = (grains: string, name: string) => `
  with cell as (
    select ${name} as name, f.reviewer, c.cell, count(*) as posted, count(*) filter (where f.accepted) as accepted,
      count(*) filter (where not f.accepted) as not_accepted
    from (select *, coalesce(author_id, '') as author, day - date '0001-01-01' as d from pull_request) p
    cross join lateral json_to_recordset(p.findings) as f (severity text, category text, accepted boolean, reviewer text)
    cross join lateral (select
      16 * coalesce(array_position(array['critical', 'major', 'minor', 'trivial', 'info'], f.severity) - 1, 15)
      + coalesce(array_position(array['data_integrity_and_integration', 'functional_correctness',
          'maintainability_and_code_quality', 'performance_and_scalability', 'security_and_privacy',
          'stability_and_availability'], f.category) - 1, 15) as cell) c
    cross join lateral (${grains}) g
    where p.entry is not null group by 1, 2, 3
  )
  select name, json_agg(json_build_array(reviewer, cell, posted, accepted, not_accepted))::text as tally from cell group by 1`
const computeReviews = computeTallies('select', `concat_ws(' ', root_id, p.repository_id, number)`)
const computeCounts = computeTallies(
  `values ('block', d - d % 28, p.repository_id, author), ('repository', d - d % 7, p.repository_id, ''),
     ('author', d - d % 7, '', author), ('total', d - d % 7, '', '')`,
  `concat_ws(' ', root_id, organization_id, instance_id, g.column1, g.column2, g.column3, g.column4)`,
)

async function stored(text: string): Promise<Map<string, unknown>> {
  const { rows } = await superuser.query<{ name: string; tally: string }>(text)
  return new Map(rows.map(({ name, tally }) => [name, parse(tally)]))
}

async function countAll(): Promise<void> {
  await rebuildFindingCounts(writer)
  const { rows } = await superuser.query('select from stale_finding_count')
  assert.equal(rows.length, 0)
}

test('the counts of the worker are those that SQL computes from the findings', async () => {
  for (const { root, organizations } of [tenant.workspace, tenant.instance]) {
    const reviewer = createEventGenerator({ seed: organizations.length, days: 60 })
    const workplaces = organizations.map((organization) => toReviewTarget(organization))
    const events = Array.from({ length: 60 }, (_, number) => {
      const workplace = workplaces[number % workplaces.length]
      assert.ok(workplace)
      const author = number % 5 === 0 ? { author: null } : {}
      return reviewer.finalized(workplace, { status: number % 7 === 0 ? 'closed' : 'merged', ...author })
    })
    const outcomes = events.map((event) => reviewer.outcome(event))
    assert.deepEqual(await storeEvents(writer, root, [...events, ...outcomes]), [])
  }
  assert.equal((await stored(selectCounts)).size, 0)
  await countAll()
  const counts = await stored(selectCounts)
  const reviews = await stored(selectReviews)
  assert.ok(counts.size > 100 && reviews.size > 80)
  assert.deepEqual(reviews, await stored(computeReviews))
  assert.deepEqual(counts, await stored(computeCounts))
})

test('a summary groups by organization; ids of two providers that are equal form one group', async () => {
  const { root, organizations } = tenant.workspace
  const [first, second] = organizations.map((organization) => toReviewTarget(organization))
  assert.ok(first && second)
  await tenant.change(root, (change) =>
    createOrganization(change, {
      name: 'Elsewhere',
      providerOrganizationId: organizations[0].orgId,
      provider: 'gitlab',
      subscription: null,
    }),
  )
  const elsewhere = { ...first, provider: 'gitlab', host: 'gitlab.com' }
  const reviewer = createEventGenerator({ seed: 12 })
  const targets = [first, elsewhere, second, second, elsewhere]
  const day = '2030-01-15'
  const events = targets.map((target, index) =>
    reviewer.finalized(target, {
      number: 1000 + index,
      merged_at: `${day}T00:00:00.000Z`,
      occurred_at: `${day}T00:00:00.000Z`,
    }),
  )
  assert.deepEqual(await storeEvents(writer, root, events), [])
  const service = startService(database, { LIMIT_METRICS: 'off' })
  const key = await tenant.createKey('workspace')
  const counts = Map.groupBy(events, ({ payload }) => payload.organization.id)
  const expected = [...counts]
    .map(([organization, some]) => ({
      group: { organization },
      posted: some.reduce((sum, { payload }) => sum + payload.findings.length, 0),
    }))
    .sort((a, b) => (a.group.organization < b.group.organization ? -1 : 1))
  assert.equal(expected.length, 2)
  for (const counted of [false, true]) {
    if (counted) await countAll()
    // Whole weeks are read from the counts, the other days from the pull requests.
    for (const window of [
      'start_date=2030-01-15&end_date=2030-01-15',
      'start_date=2030-01-01&end_date=2030-02-28',
    ]) {
      const { text } = await service.call(`/v1/metrics/summary?${window}&group_by=organization`, {
        key: key.value,
      })
      const { data } = JSON.parse(text) as { data: { group: object; posted: number }[] }
      assert.deepEqual(
        data.map(({ group, posted }) => ({ group, posted })),
        expected,
      )
    }
  }
  await service.stop()
})

test('a removed pull request leaves no count row', async () => {
  const { root, organizations } = tenant.alone
  const workplace = toReviewTarget(organizations[0])
  const reviewer = createEventGenerator({ seed: 99 })
  const event = reviewer.finalized(workplace, { occurred_at: '2026-05-01T00:00:00.000Z' })
  await storeEvents(writer, root, [event])
  await countAll()
  const readRows = async () =>
    [...(await stored(selectCounts)).keys()].filter((name) => name.startsWith(root))
  assert.equal((await readRows()).length, 4)
  const { payload } = event
  await storeEvents(writer, root, [
    {
      ...event,
      id: 'closed',
      occurred_at: '2026-05-02T00:00:00.000Z',
      payload: { ...payload, status: 'closed' },
    },
  ])
  await countAll()
  assert.deepEqual(await readRows(), [])
})

test('blocks written within the last minute are not rebuilt', async () => {
  const { root, organizations } = tenant.alone
  const workplace = toReviewTarget(organizations[0])
  await storeEvents(writer, root, [createEventGenerator({ seed: 7 }).finalized(workplace, { number: 7 })])
  await rebuildStaleCounts({ stores: writer.stores, log: createLog('test', 'silent'), now: () => new Date() })
  const { rows } = await superuser.query('select from stale_finding_count where root_id = $1', [root])
  assert.equal(rows.length, 1)
  await countAll()
})

test('a block of a root that has moved is not rebuilt', async () => {
  const { root, organizations } = tenant.alone
  const workplace = toReviewTarget(organizations[0])
  await storeEvents(writer, root, [createEventGenerator({ seed: 8 }).finalized(workplace, { number: 8 })])
  const { rows } = await superuser.query<Parameters<typeof rebuildCounts>[2]>(
    'select organization_id, instance_id, block from stale_finding_count where root_id = $1',
    [root],
  )
  const [stale] = rows
  assert.ok(stale)
  const pool = writer.stores.pool('shared')
  await superuser.query("update metrics_head set state = 'moved' where root_id = $1", [root])
  assert.equal(await rebuildCounts(pool, rootScope(root), stale), false)
  await superuser.query("update metrics_head set state = 'active' where root_id = $1", [root])
  assert.equal(await rebuildCounts(pool, rootScope(root), stale), true)
  assert.equal(await rebuildCounts(pool, rootScope(root), stale), false)
})

test('an unavailable store does not stop the others', async () => {
  const { root, organizations } = tenant.alone
  const workplace = toReviewTarget(organizations[0])
  await storeEvents(writer, root, [createEventGenerator({ seed: 9 }).finalized(workplace, { number: 9 })])
  const urls = new Map([
    ['away', 'postgres://nobody@127.0.0.1:1/nothing'],
    ['shared', database.urls.worker],
  ])
  const stores = connectMetricsStores(urls, 'test', 1)
  await rebuildFindingCounts({ ...writer, stores })
  await stores.close()
  const { rows } = await superuser.query('select from stale_finding_count where root_id = $1', [root])
  assert.equal(rows.length, 0)
})

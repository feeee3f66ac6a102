import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import fc from 'fast-check'
import { startService } from '../../../../test/call.ts'
import { openTenant } from '../../../../test/fixture.ts'
import {
  createEventGenerator,
  createTestWriter,
  storeEvents,
  toReviewTarget,
} from '../../../../test/pull-requests.ts'
import { addDays } from '../../../metrics-store/day.ts'
import { createOrganization } from '../../organizations/manage.ts'
import { definitions } from '../schema.ts'
import { computeAcceptance } from './rates.ts'

const { database, superuser, tenant, use } = await openTenant()
const writer = use(createTestWriter(database))
const service = use(startService(database, { LIMIT_METRICS: 'off' }))

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

interface SummaryRow {
  readonly group: Readonly<Record<string, string | null>>
  readonly posted: number
  readonly accepted: number
  readonly not_accepted: number
}

async function summarize(key: string, query: string): Promise<SummaryRow[]> {
  const { status, text } = await service.call(`/v1/metrics/summary?${query}`, { key })
  assert.equal(status, 200, text)
  return (JSON.parse(text) as { data: SummaryRow[] }).data
}

type Kind = 'workspace' | 'instance'

/** The same sums from the findings alone, as the owner of the tables. */
async function computeSums(
  kind: Kind,
  from: string,
  to: string,
  keys: readonly string[],
): Promise<SummaryRow[]> {
  const { rows } = await superuser.query<SummaryRow>(
    `select json_build_object(${keys.map((key) => `'${key}', ${columnsByKey[key]}`).join(', ')}) as group,
       count(*)::int as posted, (count(*) filter (where accepted))::int as accepted,
       (count(*) filter (where not accepted))::int as not_accepted
     from finding f join organization o on o.id = f.organization_id
     where f.root_id = $1 and day between $2 and $3 and counted group by ${keys.map((key) => columnsByKey[key]).join(', ')}`,
    [tenant[kind].root, from, to],
  )
  return rows
}

const columnsByKey: Readonly<Record<string, string>> = {
  week: `date_trunc('week', day)::date::text`,
  organization: 'o.provider_organization_id',
  reviewer: 'reviewer',
  severity: 'severity::text',
  category: 'category::text',
}

const inOrder = (rows: readonly SummaryRow[]) =>
  rows
    .map(({ group, posted, accepted, not_accepted }) =>
      JSON.stringify({ group, posted, accepted, not_accepted }),
    )
    .sort()

test('a summary of counted weeks is that of their findings, where a window begins and ends within a week or has no whole one', async () => {
  for (const { root, organizations } of [tenant.workspace, tenant.instance]) {
    const reviewer = createEventGenerator({
      seed: organizations.length,
      days: 40,
      end: new Date('2026-03-02T00:00:00Z'),
    })
    const workplaces = organizations.map((organization) => toReviewTarget(organization))
    const events = Array.from({ length: 60 }, (_, number) => {
      const workplace = workplaces[number % workplaces.length] ?? assert.fail()
      return reviewer.finalized(workplace, { status: number % 7 === 0 ? 'closed' : 'merged' })
    })
    const outcomes = events.flatMap((event) => [reviewer.outcome(event), reviewer.outcome(event)])
    assert.deepEqual(await storeEvents(writer, root, [...events, ...outcomes]), [])
  }
  const callers = [
    { kind: 'workspace', key: (await tenant.createKey('workspace')).value },
    { kind: 'instance', key: (await tenant.createKey('instance')).value },
  ] as const
  const day = (offset: number) => addDays('2026-02-02', offset)
  const windowArbitrary = fc.tuple(fc.integer({ min: -21, max: 28 }), fc.nat(40))
  const keysArbitrary = fc.subarray(Object.keys(columnsByKey), { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(
      windowArbitrary,
      keysArbitrary,
      fc.constantFrom(...callers),
      async ([first, days], keys, { kind, key }) => {
        const [from, to] = [day(first), day(first + days)]
        const window = `start_date=${from}&end_date=${to}`
        const sums = await summarize(key, `${window}&group_by=${keys.join(',')}`)
        assert.deepEqual(inOrder(sums), inOrder(await computeSums(kind, from, to, keys)))
        // A repository is no column of the counted weeks, so these are read finding by finding.
        const byRepository = await summarize(key, `${window}&group_by=${[...keys, 'repository'].join(',')}`)
        assert.deepEqual(addUp(sums), addUp(byRepository))
      },
    ),
    {
      numRuns: 60,
      examples: [
        [[0, 6], ['week'], callers[0]],
        [[1, 12], ['week'], callers[0]],
      ],
    },
  )
})

const addUp = (rows: readonly SummaryRow[]) =>
  (['posted', 'accepted', 'not_accepted'] as const).map((field) =>
    rows.reduce((sum, row) => sum + row[field], 0),
  )

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
  const { value: key } = await tenant.createKey('workspace')
  const counts = Map.groupBy(events, ({ payload }) => payload.organization.id)
  const expected = [...counts]
    .map(([organization, some]) => ({
      group: { organization },
      posted: some.reduce((sum, { payload }) => sum + payload.findings.length, 0),
    }))
    .sort((a, b) => (a.group.organization < b.group.organization ? -1 : 1))
  assert.equal(expected.length, 2)
  // Whole weeks are read from the counts, the other days from the findings.
  for (const window of [
    'start_date=2030-01-15&end_date=2030-01-15',
    'start_date=2030-01-01&end_date=2030-02-28',
  ]) {
    const data = await summarize(key, `${window}&group_by=organization`)
    assert.deepEqual(
      data.map(({ group, posted }) => ({ group, posted })),
      expected,
    )
  }
})

test('a pull request that is closed later counts in no week', async () => {
  const { root, organizations } = tenant.alone
  const reviewer = createEventGenerator({ seed: 99 })
  const event = reviewer.finalized(toReviewTarget(organizations[0]), {
    occurred_at: '2026-05-01T00:00:00.000Z',
  })
  await storeEvents(writer, root, [event, reviewer.outcome(event, { accepted: true })])
  const { value: key } = await tenant.createKey('user', { of: 'alone' })
  const day = addDays(event.payload.merged_at?.slice(0, 10) ?? '', 0)
  const query = `start_date=${addDays(day, -14)}&end_date=${addDays(day, 14)}&group_by=week`
  assert.deepEqual(
    (await summarize(key, query)).map(({ posted, accepted }) => [posted, accepted]),
    [[event.payload.findings.length, 1]],
  )
  await storeEvents(writer, root, [
    {
      ...event,
      id: 'closed',
      occurred_at: '2026-05-02T00:00:00.000Z',
      payload: { ...event.payload, status: 'closed' },
    },
  ])
  assert.deepEqual(await summarize(key, query), [])
})

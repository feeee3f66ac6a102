import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { openDatabase } from '../../test/fixture.ts'
import type { Scope } from '../access/scope.ts'
import { connect } from '../db/connect.ts'
import { connectMetricsStores } from '../db/stores.ts'
import { Refusal } from '../errors.ts'
import type { InstanceId, OrganizationId, RootId } from '../ids.ts'
import { type MetricsReadTarget, readAllPages, readMetricsPage } from './page.ts'
import type { MetricsWindow } from './page-sql.ts'
import { type MetricsSource, mcpUsageSource, reviewCommentsSource, reviewSources } from './source-sql.ts'

const ROWS = 6000
const MIB = 1024 * 1024
const root = randomUUID() as RootId
const instance = randomUUID() as InstanceId
const organizations = Array.from({ length: 12 }, () => randomUUID() as OrganizationId)

const day = (offset: number) => new Date(Date.UTC(2021, 0, 1 + offset)).toISOString().slice(0, 10)

const { database, superuser, use } = await openDatabase()
const stores = use(connectMetricsStores(new Map([['shared', database.urls.api]]), 'test', 2))
await superuser.query(
  `insert into metrics_head (root_id, position, largest_entry, largest_review, largest_mcp)
   values ($1, $2, 300, 300, 300)`,
  [root, ROWS],
)
// Dates in random order over five years; every tenth pull request is no entry; a foreign root beside it.
for (const [owner, rows] of [
  [root, ROWS],
  [randomUUID(), 500],
]) {
  await superuser.query(
    `insert into pull_request (root_id, pull_request_key, provider, host, repository_id, number, organization_id, instance_id,
       provider_organization_id, organization_name, url, author_id, status, reviewers, day, position, event_id, event_at, counted,
       entry, review)
     select $1, gen_random_uuid(), 'github', 'github.com', (n % 40)::text, n, ($3::uuid[])[1 + n % 12],
       case when n % 12 < 4 then $4::uuid end, '1', 'One', 'https://github.com/a/b/pull/' || n, (n % 90)::text,
       case when n % 7 = 0 then 'closed' else 'merged' end, '{}', date '2021-06-01' + (n * 7919) % 1900, n, 'e' || n, now(),
       n % 10 > 0, case when n % 10 > 0 then '{"n":' || n || ',"text":"' || repeat('é', n % 100) || '"}' end,
       '{"n":' || n || ',"text":"' || repeat('ü', n % 90) || '"}'
     from generate_series(1, $2::int) n`,
    [owner, rows, organizations, instance],
  )
}
await superuser.query(
  `insert into metrics_day select root_id, day, min(position), max(position) from pull_request group by 1, 2`,
)
await superuser.query(
  `insert into mcp_usage
   select root_id, pull_request_key, repository_id, organization_id, instance_id, author_id, case when used then day end,
     case when used then position end, '[]', case when used then '{"n":' || number || '}' end
   from (select *, number % 3 > 0 as used from pull_request) p`,
)
await superuser.query(
  `insert into mcp_day select root_id, day, min(position), max(position)
   from mcp_usage where entry is not null group by 1, 2`,
)
await superuser.query('vacuum analyze')

/** What the rows of each must be, said once more. */
const countedReview = `format('{"counted_on":"%s",%s', to_char(day, 'YYYY-MM-DD'), ltrim(review, '{'))`
const sources: readonly [string, MetricsSource, string, string][] = [
  ['review comments', reviewCommentsSource, 'entry is not null', 'entry'],
  ['merged reviews', reviewSources.merged, `status <> 'closed'`, countedReview],
  ['closed reviews', reviewSources.closed, `status <> 'merged'`, countedReview],
  ['reviews', reviewSources.all, 'true', countedReview],
  ['MCP usage', mcpUsageSource, 'position is not null', 'entry'],
]

const optionalList = <Value>(values: fc.Arbitrary<Value>, maxLength: number) =>
  fc.option(fc.array(values, { minLength: 1, maxLength }))
const anyWindow: fc.Arbitrary<MetricsWindow> = fc
  .record({
    from: fc.integer({ min: 0, max: 2100 }),
    days: fc.oneof(fc.constantFrom(0, 29, 364, 1200, 4000), fc.integer({ min: 0, max: 500 })),
    repositories: optionalList(fc.nat({ max: 45 }).map(String), 10),
    authors: optionalList(fc.nat({ max: 95 }).map(String), 10),
  })
  .map(({ from, days, ...filters }) => ({ startDate: day(from), endDate: day(from + days), ...filters }))
const anyScope: fc.Arbitrary<Scope> = fc.record({
  root: fc.constant(root),
  organizations: optionalList(fc.constantFrom(...organizations), 10),
  instance: fc.option(fc.constant(instance)),
})

function toReadTarget(
  source: MetricsSource,
  scope: Scope,
  window: MetricsWindow,
  inactive: readonly OrganizationId[] = [],
): MetricsReadTarget {
  return { stores, placement: { store: 'shared', preparing: false, inactive }, source, scope, window }
}

/** What the contract says, in the plainest statement. */
async function readExpected(
  source: MetricsSource,
  scope: Scope,
  window: MetricsWindow,
  inactive: readonly string[],
  after_: number,
) {
  const [, , condition, entrySql] = sources.find(([, one]) => one === source) ?? assert.fail()
  const { rows } = await superuser.query<{ entry: string }>(
    `select ${entrySql} as entry from ${source.table} where root_id = $1 and ${condition} and position > $2
       and day between $3::date and $4::date and organization_id <> all ($5::uuid[])
       and ($6::uuid[] is null or organization_id = any ($6)) and ($7::uuid is null or instance_id = $7)
       and ($8::text[] is null or repository_id = any ($8)) and ($9::text[] is null or author_id = any ($9))
     order by position`,
    [
      root,
      after_,
      window.startDate,
      window.endDate,
      inactive,
      scope.organizations,
      scope.instance,
      window.repositories,
      window.authors,
    ],
  )
  return rows.map(({ entry }) => entry)
}

test('a page equals the result of a plain statement for every source, scope, window and filter', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...sources.map(([, source]) => source)),
      anyScope,
      anyWindow,
      fc.nat({ max: ROWS }),
      fc.integer({ min: 1, max: 300 }),
      fc.subarray(organizations, { maxLength: 3 }),
      async (source, scope, window, from, rows, inactive) => {
        const slice = { after: from, rows, separator: ',' } as const
        const page = await readMetricsPage(toReadTarget(source, scope, window, inactive), slice, 16 * MIB)
        const all = await readExpected(source, scope, window, inactive, from)
        assert.equal(Buffer.concat(page.chunks).toString(), all.slice(0, rows).join(','))
        assert.equal(page.more, all.length > rows)
      },
    ),
    { numRuns: 600 },
  )
})

test('consecutive pages and NDJSON lines return every entry once', async () => {
  const scope: Scope = { root, organizations: null, instance: null }
  const window = { startDate: '2021-01-01', endDate: '2027-12-31', repositories: null, authors: null }
  const all = await readExpected(reviewCommentsSource, scope, window, [], 0)
  const read: string[] = []
  for (let from: number | null = 0; from !== null; ) {
    const slice = { after: from, rows: 700, separator: '\n' } as const
    const page = await readMetricsPage(toReadTarget(reviewCommentsSource, scope, window), slice, 16 * MIB)
    read.push(...Buffer.concat(page.chunks).toString().split('\n'))
    from = page.more ? page.last : null
  }
  assert.deepEqual(read, all)
  const lines: string[] = []
  const whole = { after: 0, rows: 100_000, separator: '\n' } as const
  for await (const { chunks } of readAllPages(
    toReadTarget(reviewCommentsSource, scope, window),
    whole,
    MIB / 8,
  ))
    lines.push(...Buffer.concat(chunks).toString().split('\n'))
  assert.deepEqual(lines, all)
})

test('a page that is too large is refused before a row is read; a smaller one is returned', async () => {
  const scope: Scope = { root, organizations: null, instance: null }
  const window = { startDate: '2021-01-01', endDate: '2027-12-31', repositories: null, authors: null }
  for (const [, source] of sources) await check(source)

  async function check(source: MetricsSource): Promise<void> {
    const all = await readExpected(source, scope, window, [], 0)
    const bytes = all.slice(0, 100).reduce((sum, entry) => sum + Buffer.byteLength(entry) + 1, 0)
    const slice = { after: 0, rows: 100, separator: ',' } as const
    const page = await readMetricsPage(toReadTarget(source, scope, window), slice, bytes)
    assert.equal(Buffer.concat(page.chunks).toString(), all.slice(0, 100).join(','))
    const isTooLarge = (error: unknown) => error instanceof Refusal && error.code === 'RESPONSE_TOO_LARGE'
    await assert.rejects(readMetricsPage(toReadTarget(source, scope, window), slice, bytes - 1), isTooLarge)
  }
})

test('a moving or moved root and an unavailable store return an error with Retry-After', async () => {
  const scope: Scope = { root: randomUUID() as RootId, organizations: null, instance: null }
  const window = { startDate: '2021-01-01', endDate: '2027-12-31', repositories: null, authors: null }
  const slice = { after: 0, rows: 10, separator: ',' } as const
  const refusedWith = (code: string) => (error: unknown) =>
    error instanceof Refusal && error.code === code && Number(error.headers['retry-after']) >= 1
  const target = toReadTarget(reviewCommentsSource, scope, window)
  const { chunks, more, last } = await readMetricsPage(target, slice, MIB)
  assert.deepEqual({ chunks, more, last }, { chunks: [], more: false, last: null })
  const preparing = { ...target, placement: { ...target.placement, preparing: true } }
  await assert.rejects(readMetricsPage(preparing, slice, MIB), refusedWith('METRICS_PREPARING'))
  await superuser.query(`insert into metrics_head (root_id, position, state) values ($1, 1, 'moved')`, [
    scope.root,
  ])
  await assert.rejects(readMetricsPage(target, slice, MIB), refusedWith('METRICS_PREPARING'))
  const unreachablePool = connect({ url: 'postgres://nobody@127.0.0.1:1/none', name: 'test', connections: 1 })
  const unreachable = { ...target, stores: { ...stores, copyingPool: () => unreachablePool } }
  await assert.rejects(
    readMetricsPage(unreachable, slice, MIB),
    refusedWith('METRICS_TEMPORARILY_UNAVAILABLE'),
  )
  await unreachablePool.end()
})

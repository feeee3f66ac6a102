import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { startService, type TestService } from '../../../../test/call.ts'
import { makeDatabase, type TestDatabase } from '../../../../test/database.ts'
import { connect, type Pool } from '../../../db/connect.ts'
import { connectMetricsStores, type MetricsStores } from '../../../db/stores.ts'
import { demoRoots, instance, workspace } from '../cast.ts'
import { type DemoKeys, seedKeys } from '../keys.ts'
import { seedTenants } from '../tenants.ts'
import { type History, seedHistory } from './seed.ts'

interface Entry {
  readonly pr_url: string
  readonly organization_id: string
  readonly merged_at: string | null
  readonly coderabbit_comments: { readonly url: string; readonly accepted: boolean | null }[]
}

interface Installed {
  readonly database: TestDatabase
  readonly pool: Pool
  readonly stores: MetricsStores
  readonly superuser: pg.Pool
}

const firstDay = '2025-06-10'
const today = new Date('2026-06-10T10:00:00Z')
const yesterday = '2026-06-09'
const year = { days: 365, now: today }
const installed: Installed[] = []
let full: Installed
let written: number
let keys: DemoKeys
let service: TestService

before(async () => {
  full = await install()
  written = await seed(full, year)
  const ring = [{ id: 'a', secret: createSecretKey(Buffer.alloc(32, 1)) }]
  keys = (await seedKeys({ pool: full.pool, now: () => new Date() }, ring, {})).keys
  service = startService(full.database, { LIMIT_METRICS: 'off' })
})
after(async () => {
  await service.stop()
  for (const { database, pool, stores, superuser } of installed) {
    await Promise.all([pool.end(), stores.close(), superuser.end()])
    await database.drop()
  }
})

async function install(): Promise<Installed> {
  const database = await makeDatabase()
  const pool = connect({ url: database.urls.worker, name: 'test', connections: 2 })
  const stores = connectMetricsStores(new Map([['shared', database.urls.worker]]), 'test', 1)
  const made = { database, pool, stores, superuser: database.superuser() }
  installed.push(made)
  await seedTenants({ pool, now: () => today })
  return made
}

interface Choice extends Partial<History> {
  readonly days: number
  readonly now: Date
}

function seed({ pool, stores }: Installed, { days, now, say = () => {} }: Choice): Promise<number> {
  return seedHistory({ pool, now: () => now }, { stores, days, say })
}

async function rows<Row extends pg.QueryResultRow>({ superuser }: Installed, sql: string): Promise<Row[]> {
  return (await superuser.query<Row>(sql)).rows
}

const tables = ['metrics_head', 'pull_request', 'outcome', 'review_comment_change', 'organization']

/** One digest a table. */
function digest(of: Installed, columns = 'rows::text'): Promise<unknown[]> {
  return Promise.all(
    tables.map((table) =>
      rows(
        of,
        `select count(*), md5(string_agg(t, '' order by t)) from
      (select ${columns} as t from ${table} rows) texts`,
      ),
    ),
  )
}

async function readAll(key: string, query: string): Promise<Entry[]> {
  const entries: Entry[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`
    const answer = await service.call(`/v1/metrics/review-comments?${query}${more}`, { key })
    assert.equal(answer.status, 200, answer.text)
    const page = answer.body as unknown as { data: Entry[]; next_cursor: string | null }
    entries.push(...page.data)
    cursor = page.next_cursor
  }
  return entries
}

const countBy = (entries: readonly Entry[]) =>
  new Map([...Map.groupBy(entries, (entry) => entry.organization_id)].map(([id, of]) => [id, of.length]))

test('the keys of the demo find entries of every active organization, and of no other', async () => {
  const wholeYear = `start_date=${firstDay}&end_date=${yesterday}`
  for (const [key, root] of [
    [keys.workspace, workspace],
    [keys.instance, instance],
  ] as const) {
    const active = root.organizations.filter(({ inactive }) => !inactive).map(({ orgId }) => orgId)
    for (const query of [wholeYear, `start_date=2026-05-11&end_date=${yesterday}`]) {
      const found = countBy(await readAll(key, query))
      assert.deepEqual([...found.keys()].sort(), [...active].sort())
      for (const count of found.values()) assert.ok(count >= 20, `only ${count} entries`)
    }
  }
  assert.ok((await readAll(keys.other_tenant, wholeYear)).length > 300)
  assert.equal(
    (await service.call(`/v1/metrics/review-comments?${wholeYear}`, { key: keys.lower_plan })).status,
    403,
  )
  const off = await service.call(`/v1/metrics/review-comments?${wholeYear}`, { key: keys.metrics_off })
  assert.equal(off.body.error?.code, 'METRICS_UNAVAILABLE')
  const kept = await rows(
    full,
    `select count(*)::int as hidden from pull_request p join organization o
    on o.id = p.organization_id where not o.active having count(*) > 50`,
  )
  assert.equal(kept.length, 1, 'the inactive organization has rows that nobody sees')
})

test('entries look like those of their provider', async () => {
  const entries = await readAll(keys.workspace, `start_date=2026-05-11&end_date=${yesterday}`)
  const github = entries.find(({ organization_id }) => organization_id === '41207731')
  assert.match(github?.pr_url ?? '', /^https:\/\/github\.com\/meridian-platform\/[a-z-]+\/pull\/\d+$/)
  assert.match(github?.coderabbit_comments[0]?.url ?? '', /\/pull\/\d+#discussion_r\d{10}$/)
  const gitlab = entries.find(({ organization_id }) => organization_id === '7730452')
  assert.match(
    gitlab?.pr_url ?? '',
    /^https:\/\/gitlab\.com\/meridian-mobile\/[a-z-]+\/-\/merge_requests\/\d+$/,
  )
  const [own] = await readAll(keys.instance, `start_date=2026-06-01&end_date=${yesterday}`)
  assert.match(own?.coderabbit_comments[0]?.url ?? '', /^https:\/\/git\.halden\.example\.com\/.*#note_\d+$/)
})

test('the year is believable: its size, its weeks, its seasons, its growth', async () => {
  assert.ok(written >= 6000 && written <= 10_000, `${written} pull requests`)
  const [figures] = await rows<Record<string, number>>(
    full,
    `select count(*)::int as all,
      min(day)::text as first, max(day)::text as last, count(distinct root_id)::int as roots,
      avg((extract(isodow from day) > 5)::int)::float as weekend,
      avg((day between '2025-12-21' and '2026-01-03')::int)::float as year_end,
      (count(*) filter (where day >= '2026-04-10'))::float / count(*) filter (where day < '2025-08-10') as growth
    from pull_request`,
  )
  assert.ok(figures)
  assert.equal(figures['all'], written)
  assert.deepEqual([figures['first'], figures['last']], [firstDay, yesterday])
  assert.equal(figures['roots'], demoRoots.length)
  within(figures['weekend'], 0.02, 0.1)
  within(figures['year_end'], 0.001, 0.015)
  within(figures['growth'], 1.15, 2)
})

test('pull requests have every fate, and their times are in order', async () => {
  const [fates] = await rows<Record<string, number>>(
    full,
    `select
      avg((status = 'closed')::int)::float as closed,
      avg((status = 'merged' and merged_at is null)::int)::float as timeless,
      avg((author_id is null)::int)::float as unknown,
      avg((event_id like '%-2')::int)::float as reopened,
      avg((json_array_length(findings) = 0)::int)::float as without,
      max(json_array_length(findings)) as most,
      count(distinct author_id)::int as authors,
      min((facts->>'estimated_complexity')::int) as least_complex,
      max((facts->>'estimated_complexity')::int) as most_complex,
      count(*) filter (where facts->>'created_at' > facts->>'ready_for_review_at'
        or facts->>'ready_for_review_at' > facts->>'last_commit_at'
        or facts->>'first_human_review_at' > facts->>'last_commit_at'
        or (facts->>'last_commit_at')::timestamptz > coalesce(closed_at, event_at))::int as confused
    from pull_request`,
  )
  assert.ok(fates)
  within(fates['closed'], 0.05, 0.12)
  within(fates['timeless'], 0.002, 0.015)
  within(fates['unknown'], 0.005, 0.02)
  within(fates['reopened'], 0.005, 0.025)
  within(fates['without'], 0.1, 0.35)
  within(fates['authors'], 40, 70)
  assert.deepEqual(
    [fates['most'], fates['least_complex'], fates['most_complex'], fates['confused']],
    [25, 1, 5, 0],
  )
})

test('repositories differ in what is found in them, and authors in what they heed', async () => {
  const found = await rows<{
    name: string
    grave: number
    secure: number
    accepted: number
    unknown: number
  }>(
    full,
    `select facts->>'repository_name' as name,
      avg((f->>'severity' in ('critical', 'major'))::int)::float as grave,
      avg((f->>'category' = 'security_and_privacy')::int)::float as secure,
      avg((f->>'accepted' = 'true')::int)::float as accepted,
      avg((f->>'accepted' is null)::int)::float as unknown
    from pull_request, json_array_elements(findings) f where entry is not null group by 1`,
  )
  const of = (name: string) => found.find((repository) => repository.name === name)
  within(of('bootloader')?.grave, 0.25, 0.5)
  within(of('portfolio-site')?.grave, 0.01, 0.12)
  within(of('patient-portal')?.secure, 0.15, 0.4)
  within(of('design-tokens')?.secure, 0, 0.08)
  for (const { name, accepted, unknown } of found) {
    within(accepted, 0.2, 0.7, name)
    within(unknown, 0.05, 0.4, name)
  }
  const sources = await rows(
    full,
    `select source, count(distinct accepted) > 1 as both from outcome group by 1 order by 1`,
  )
  assert.deepEqual(
    sources,
    ['detector', 'person', 'provider'].map((source) => ({ source, both: true })),
  )
  const habits = await rows<{ heeded: number }>(
    full,
    `select avg((f->>'accepted' = 'true')::int)::float as heeded
    from pull_request, json_array_elements(findings) f where entry is not null and author_id is not null
    group by author_id having count(*) > 300 order by 1`,
  )
  within((habits.at(-1)?.heeded ?? 0) - (habits[0]?.heeded ?? 0), 0.15, 0.6)
})

test('seeding again adds nothing, on another day neither', async () => {
  const rowsBefore = await digest(full)
  const said: string[] = []
  const again = { ...year, say: (line: string) => void said.push(line) }
  assert.equal(await seed(full, again), 0)
  assert.equal(await seed(full, { ...again, now: new Date('2026-06-13T10:00:00Z') }), 0)
  assert.deepEqual(said, [])
  assert.deepEqual(await digest(full), rowsBefore)
})

test('another database gets the same rows of the same day', async () => {
  const [one, other] = [await install(), await install()]
  const days = { days: 10, now: today }
  assert.equal(await seed(one, days), await seed(other, days))
  assert.deepEqual(await digest(one), await digest(other))
})

test('a seeding that was cut off is taken up on another day as it was meant', async () => {
  const cut = await install()
  await seed(cut, { days: 20, now: today })
  const columns = "(to_jsonb(rows) - 'position' - 'entry' - 'arrival')::text"
  const whole = await digest(cut, columns)
  await rows(cut, `delete from pull_request where day > '2026-06-05'`)
  await rows(cut, `delete from review where day > '2026-06-05'`)
  await rows(cut, `delete from outcome where at > '2026-06-05'`)
  await rows(cut, `update organization set active = true`)
  assert.ok((await seed(cut, { days: 20, now: new Date('2026-06-12T10:00:00Z') })) > 0)
  const [, pullRequests, outcomes, , organizations] = await digest(cut, columns)
  assert.deepEqual([pullRequests, outcomes, organizations], [whole[1], whole[2], whole[4]])
})

function within(value: number | undefined, least: number, most: number, of = ''): void {
  assert.ok(
    value !== undefined && value >= least && value <= most,
    `${of} ${value} is not in ${least}–${most}`,
  )
}

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { makeDatabase, type TestDatabase } from '../../../test/database.ts'
import {
  makeReviewer,
  openWriter,
  storeEvents,
  type TestWriter,
  workplaceOf,
} from '../../../test/pull-requests.ts'
import { makeTenant, type Tenant } from '../../../test/tenant.ts'
import { readMigrations } from '../../db/migrate.ts'
import { parseTally } from '../../metrics/counts/tally.ts'
import { definitions } from '../../metrics/definitions.ts'
import { rateOf } from './rates.ts'

let database: TestDatabase
let tenant: Tenant
let writer: TestWriter

before(async () => {
  database = await makeDatabase()
  tenant = await makeTenant(database)
  writer = openWriter(database)
})
after(async () => {
  await Promise.all([tenant.close(), writer.close()])
  await database.drop()
})

test('rates, their bounds and Wilson’s interval, as docs/metrics.md says', () => {
  assert.deepEqual(rateOf({ posted: 100, accepted: 8, notAccepted: 2 }), {
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
  const none = rateOf({ posted: 3, accepted: 0, notAccepted: 0 })
  assert.deepEqual(
    [none.rate, none.rate_low, none.rate_high, none.interval_low, none.interval_high],
    [null, 0, 1, null, null],
  )
  const all = rateOf({ posted: 4, accepted: 4, notAccepted: 0 })
  assert.deepEqual([all.interval_low, all.interval_high], [0.510109, 1])
  assert.equal(rateOf({ posted: 4, accepted: 0, notAccepted: 4 }).interval_low, 0)
  const nothing = rateOf({ posted: 0, accepted: 0, notAccepted: 0 })
  assert.deepEqual([nothing.rate, nothing.rate_low, nothing.rate_high], [null, null, null])
})

test('every definition that the code names is in the published dictionary', async () => {
  const page = await readFile(new URL('../../../../docs/metrics.md', import.meta.url), 'utf8')
  for (const id of Object.values(definitions)) assert.ok(page.includes(`\n## \`${id}\``), id)
})

/** As what is counted; the order of reviewers and cells means nothing. */
async function storedCounts(): Promise<Map<string, unknown>> {
  const superuser = database.superuser()
  const { rows } = await superuser.query<{ name: string; counts: string }>(
    `select concat_ws(' ', root_id, organization_id, instance_id, grain, period, repository_id, author_id, number) as name, counts
     from finding_count`,
  )
  await superuser.end()
  return new Map(rows.map(({ name, counts }) => [name, parseTally(counts)]))
}

test('the migration counts what is stored as the writer does', async () => {
  for (const { root, organizations } of [tenant.workspace, tenant.instance]) {
    const reviewer = makeReviewer({ seed: organizations.length, days: 60 })
    const places = organizations.map((organization) => workplaceOf(organization))
    const events = Array.from({ length: 60 }, (_, number) => {
      const place = places[number % places.length]
      assert.ok(place)
      const author = number % 5 === 0 ? { author: null } : {}
      return reviewer.finalized(place, { status: number % 7 === 0 ? 'closed' : 'merged', ...author })
    })
    const outcomes = events.map((event) => reviewer.outcome(event))
    assert.deepEqual(await storeEvents(writer, root, [...events, ...outcomes]), [])
  }
  const written = await storedCounts()
  assert.ok(written.size > 100)
  const migration = (await readMigrations()).find(({ name }) => name === '0016_summary.sql')
  const superuser = database.superuser()
  await superuser.query('drop table finding_count')
  await superuser.query(migration?.sql ?? '')
  await superuser.end()
  assert.deepEqual(await storedCounts(), written)
})

test('what is taken back leaves no row', async () => {
  const { root, organizations } = tenant.alone
  const place = workplaceOf(organizations[0])
  const reviewer = makeReviewer({ seed: 99 })
  const event = reviewer.finalized(place, { occurred_at: '2026-05-01T00:00:00.000Z' })
  await storeEvents(writer, root, [event])
  const rowsOf = async () => [...(await storedCounts()).keys()].filter((name) => name.startsWith(root))
  assert.equal((await rowsOf()).length, 5)
  const { payload } = event
  await storeEvents(writer, root, [
    {
      ...event,
      id: 'closed',
      occurred_at: '2026-05-02T00:00:00.000Z',
      payload: { ...payload, status: 'closed' },
    },
  ])
  assert.deepEqual(await rowsOf(), [])
})

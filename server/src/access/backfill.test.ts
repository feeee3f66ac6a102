import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { openTenant } from '../../test/fixture.ts'
import { connect, statement } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { parseMigration, readMigrations } from '../db/migration-files.ts'
import { type Backfill, renderProgress, runBackfill, runBackfills } from './backfill.ts'
import { readBackfillUnscoped, restartBackfillUnscoped } from './backfill-sql.ts'

const { database, superuser, use } = await openTenant()
const worker = use(connect({ url: database.urls.worker, name: 'test', connections: 4 }))
// The expand step of a release: a column that version N−1 does not write.
await superuser.query('alter table organization add column label text')
beforeEach(async () => {
  await superuser.query('delete from backfill; update organization set label = null')
})

const fillLabels = statement(
  'test.fill-labels',
  `update organization set label = upper(name) where id in (
     select id from organization where root_id = $1 and id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
     order by id limit 1)
   returning id`,
)

/** One organization a batch. */
const backfill: Backfill = {
  name: 'fill-labels',
  async runBatch(scope, tx, last) {
    const rows = await tx.query<{ id: string }>(fillLabels, [scope.root, last])
    return { changed: rows.length, next: rows[0]?.id ?? null }
  },
}

const always = { shouldContinue: () => true }

async function countMissing(): Promise<number> {
  const { rows } = await superuser.query<{ count: number }>(
    'select count(*)::int as count from organization where label is null',
  )
  return rows[0]?.count ?? -1
}

async function countAll(table: 'organization' | 'root'): Promise<number> {
  const { rows } = await superuser.query<{ count: number }>(`select count(*)::int as count from ${table}`)
  return rows[0]?.count ?? -1
}

test('a backfill that is interrupted continues where it was, in every tenant root', async () => {
  const organizations = await countAll('organization')
  let batches = 0
  while (!(await runBackfill(worker, backfill, { shouldContinue: () => ++batches % 3 !== 0 }))) {
    const progress = await readBackfillUnscoped(worker, backfill.name)
    assert.equal(progress?.changed, organizations - (await countMissing()))
    assert.ok(batches < 10 * organizations)
  }
  const progress = await readBackfillUnscoped(worker, backfill.name)
  assert.ok(progress !== undefined)
  assert.deepEqual(
    [progress.done, progress.total, progress.changed, await countMissing()],
    [await countAll('root'), await countAll('root'), organizations, 0],
  )
  const roots = await countAll('root')
  assert.equal(
    renderProgress(progress, Date.now()),
    `fill-labels: ${roots} of ${roots} tenant roots, ${organizations} rows, finished`,
  )
})

test('workers that run a backfill at once repeat no batch', async () => {
  const run = async () => {
    while (!(await runBackfill(worker, backfill, always)));
  }
  await Promise.all([run(), run(), run()])
  const progress = await readBackfillUnscoped(worker, backfill.name)
  assert.equal(progress?.changed, await countAll('organization'))
  assert.equal(await countMissing(), 0)
})

test('a batch that fails changes nothing, and the next run repeats it', async () => {
  const failing: Backfill = {
    ...backfill,
    async runBatch(scope, tx, last) {
      await backfill.runBatch(scope, tx, last)
      throw new Error('failed')
    },
  }
  await assert.rejects(runBackfills(worker, [failing]), /failed/)
  assert.equal(await countMissing(), await countAll('organization'))
  await runBackfills(worker, [backfill])
  assert.equal(await countMissing(), 0)
})

test('a contract file waits for its backfill and for the word that version N−1 is gone', async () => {
  const migrations = [
    ...(await readMigrations()),
    parseMigration(
      '9001_drop_label.sql',
      '-- migrate: contract after fill-labels\nalter table organization drop column label',
    ),
  ]
  const said: string[] = []
  const say = (line: string) => said.push(line)
  assert.equal(await migrate(database.urls.owner, { migrations, say }), 0)
  assert.deepEqual(said, ['left out 9001_drop_label.sql: it is applied by database migrate --contract'])
  await assert.rejects(
    migrate(database.urls.owner, { migrations, contract: { finishedBackfills: new Set() } }),
    /9001_drop_label\.sql waits for the backfill fill-labels, which is not finished/,
  )
  await runBackfills(worker, [backfill])
  // Version N−1 writes one more row in the old form.
  await superuser.query(
    'update organization set label = null where id = (select min(id::text)::uuid from organization)',
  )
  await restartBackfillUnscoped(worker, backfill.name)
  await runBackfills(worker, [backfill])
  assert.equal(await countMissing(), 0)
  const contract = { finishedBackfills: new Set([backfill.name]) }
  assert.equal(await migrate(database.urls.owner, { migrations, contract }), 1)
  await assert.rejects(superuser.query('select label from organization'), { code: '42703' })
  await superuser.query('alter table organization add column label text')
})

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { openTenant } from '../../test/fixture.ts'
import { createEventGenerator, storeEvents, toReviewTarget } from '../../test/pull-requests.ts'
import { createStores } from '../../test/stores.ts'
import { emit } from '../bus/emit.ts'
import { commands } from '../commands.ts'
import { moveMetrics } from '../metrics-store/move.ts'
import { createLog } from '../observe/log.ts'
import { IncompleteError } from './command.ts'
import { createAdminContext } from './context.ts'
import { explainFailure } from './output.ts'
import { runCommand } from './program.ts'

const { database, superuser, tenant, use } = await openTenant()
const stores = use(await createStores(database))

type Settings = Readonly<Record<string, string>>

async function run(args: readonly string[], settings: Settings = {}) {
  const progress: string[] = []
  const env = { WORKER_DATABASE_URL: database.urls.worker, METRICS_STORES: stores.setting, ...settings }
  const admin = createAdminContext(env, (line) => progress.push(line))
  try {
    return { answer: await runCommand(admin, commands, args), failure: '', progress }
  } catch (error) {
    return { answer: '', failure: explainFailure(error), progress }
  } finally {
    await admin.close()
  }
}

async function json<Answer>(...args: string[]): Promise<Answer> {
  const { answer, failure } = await run([...args, '--json'])
  assert.equal(failure, '')
  return JSON.parse(answer) as Answer
}

async function assertRefused(args: string[], pattern: RegExp, settings: Settings = {}): Promise<void> {
  const { failure } = await run(args, settings)
  assert.match(failure, pattern)
  assert.doesNotMatch(failure, /\n\s+at /)
}

const runMoves = () =>
  moveMetrics({
    database: tenant.pool,
    stores: stores.stores,
    log: createLog('test', 'silent'),
    now: () => new Date(),
    emitEvent: emit,
  })

test('a move is requested, shown and awaited', async () => {
  const { root } = tenant.workspace
  assert.match((await run(['metrics', 'list'])).answer, /all metrics are in "shared"/)
  const dry = await json<object>('metrics', 'move', root, 'isolated', '--dry-run')
  assert.deepEqual(dry, { from: 'shared', store: 'isolated', dry_run: true })
  assert.match((await run(['metrics', 'status', root])).answer, /^In "shared"\./)
  await json('metrics', 'move', '--root', root, '--store', 'isolated')
  const waiting = await run(['metrics', 'status', root])
  assert.match(waiting.answer, /From "shared" to "isolated": waiting for the worker\./)
  await assertRefused(['metrics', 'move', root, 'shared'], /being moved from "shared" to "isolated". Wait/)
  await assertRefused(['metrics', 'move', root, 'isolated'], /being moved from/)
  await runMoves()
  const { store, stage, rows_copied } = await json<Record<string, unknown>>('metrics', 'status', root)
  assert.deepEqual({ store, stage, rows_copied }, { store: 'isolated', stage: 'active', rows_copied: null })
  const listed = await json<{ id: string; store: string }[]>('metrics', 'list')
  assert.deepEqual(
    listed.map((row) => [row.id, row.store]),
    [[root, 'isolated']],
  )
  await assertRefused(['metrics', 'move', root, 'isolated'], /are already in "isolated"/)

  const moved = run(['metrics', 'move', root, 'shared', '--wait'])
  const finished = new AbortController()
  void moved.then(() => finished.abort())
  while (!finished.signal.aborted) await runMoves()
  assert.match((await moved).answer, /were moved from "isolated" to "shared"/)
})

test('a move that cannot succeed is rejected', async () => {
  const { root } = tenant.alone
  await assertRefused(
    ['metrics', 'move', root, 'nowhere'],
    /no store "nowhere".*Known stores: shared, isolated/,
  )
  await assertRefused(['metrics', 'move', root, 'shared'], /are already in "shared"/)
  await assertRefused(['metrics', 'move', root], /--store is required/)
  await assertRefused(['metrics', 'move', root, 'isolated', 'now'], /Too many arguments for 'move'/)
  await assertRefused(
    ['metrics', 'move', root, 'isolated', '--store', 'isolated'],
    /--store is given more than once/,
  )
  const unreachable = { METRICS_STORES: 'unreachable=postgres://127.0.0.1:1/x' }
  await assertRefused(['metrics', 'move', root, 'unreachable'], /cannot be reached/, unreachable)
  await assertRefused(['metrics', 'move', root, 'unreachable'], /METRICS_STORES must/, {
    METRICS_STORES: 'invalid',
  })
  assert.match(
    (await run(['metrics', 'move', '--help'])).answer,
    /metrics move \[options\] \[root\] \[store\]/,
  )
})

test('expired metrics are counted by a dry run, and removed without it [P16-retention-1]', async () => {
  const [organization] = tenant.workspace.organizations
  const generator = createEventGenerator({ findings: 2 })
  const merged = (time: string) => generator.finalized(toReviewTarget(organization), { merged_at: time })
  const writer = {
    database: tenant.pool,
    stores: stores.stores,
    organizationCache: new Map(),
    now: () => new Date(),
  }
  const events = ['2019-01-01T00:00:00.000Z', '2019-02-02T00:00:00.000Z', new Date().toISOString()].map(
    merged,
  )
  assert.deepEqual(await storeEvents(writer, organization.root, events), [])
  const settings = { METRICS_RETENTION_MONTHS: '24' }
  const expire = async (...args: string[]) => {
    const { answer, failure } = await run(['metrics', 'expire', ...args, '--json'], settings)
    assert.equal(failure, '')
    const rows = JSON.parse(answer) as { store: string; before: string; pull_requests: number }[]
    for (const row of rows) assert.match(row.before, /^\d{4}-\d\d-01$/)
    return rows.map(({ store, pull_requests }) => [store, pull_requests])
  }
  const both = [
    ['shared', 2],
    ['isolated', 0],
  ]
  assert.deepEqual(await expire('--dry-run'), both)
  assert.deepEqual(await expire('--dry-run'), both)
  assert.deepEqual(await expire(), both)
  assert.deepEqual(await expire(), [
    ['shared', 0],
    ['isolated', 0],
  ])
  await assertRefused(['metrics', 'expire', '--dry-run'], /METRICS_RETENTION_MONTHS is not set/)
})

test('metrics are turned off and on for an organization and for an instance', async () => {
  const [organization] = tenant.workspace.organizations
  const named = ['--root', organization.root, '--organization', organization.orgId]
  const off = ['organization', 'metrics', ...named, '--switch', 'off']
  assert.match((await run([...off, '--dry-run'])).answer, /would be turned off/)
  assert.equal((await json<{ changed: boolean }>(...off)).changed, true)
  assert.match((await run(off)).answer, /are already off/)
  assert.equal(
    (await json<{ changed: boolean }>('organization', 'metrics', ...named, '--switch', 'on')).changed,
    true,
  )
  const { root, instance } = tenant.instance
  const silent = ['instance', 'metrics', '--root', root, '--instance', instance, '--sends', 'off']
  assert.equal((await json<{ changed: boolean }>(...silent)).changed, true)
  assert.match((await run(silent)).answer, /are already off/)
  await assertRefused(silent.with(5, root), /no instance with the id/)
  const { rows } = await superuser.query<{ action: string }>(
    `select action from audit_log where root_id = any ($1) and action like '%_metrics_%' order by at, position`,
    [[organization.root, root]],
  )
  assert.deepEqual(
    rows.map(({ action }) => action).filter((action) => !action.startsWith('metrics_')),
    ['organization_metrics_disabled', 'organization_metrics_enabled', 'instance_metrics_disabled'],
  )
})

test('bootstrap, migrate and check include the metrics stores', async () => {
  const names = ['main', 'store'].map((name) => `test_${name}_${randomBytes(8).toString('hex')}`)
  const [main = '', store = ''] = names
  const at = (url: string, name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href
  const address = Object.assign(new URL(at(database.superuserUrl, store)), { username: '', password: '' })
  const settings = {
    BOOTSTRAP_DATABASE_URL: at(database.superuserUrl, 'postgres'),
    OWNER_DATABASE_URL: at(database.urls.owner, main),
    AUTH_DATABASE_URL: at(database.urls.auth, main),
    API_DATABASE_URL: at(database.urls.api, main),
    WORKER_DATABASE_URL: at(database.urls.worker, main),
    REPORT_DATABASE_URL: at(database.urls.report, main),
    METRICS_STORES: `isolated=${address.href}`,
  }
  try {
    const made = await run(['database', 'bootstrap', '--json'], settings)
    assert.equal(made.failure, '')
    assert.deepEqual(JSON.parse(made.answer), { stores: ['isolated'] })
    const first = await run(['database', 'migrate'], settings)
    assert.ok(first.progress.includes('applying 0001_baseline.sql'))
    assert.ok(first.progress.includes('metrics store isolated: applying 0001_baseline.sql'))
    assert.match((await run(['database', 'migrate'], settings)).answer, /up to date/)
    for (const name of names) {
      const report = new pg.Client({ connectionString: at(database.urls.report, name) })
      await report.connect()
      assert.deepEqual((await report.query('select from report.finding')).rows, [])
      await report.end()
    }
    const checkIsolation = async () => {
      const admin = createAdminContext(settings, () => {})
      const failed = runCommand(admin, commands, ['doctor', '--json'])
      const error = await failed.catch((err: unknown) => err)
      await admin.close()
      assert.ok(error instanceof IncompleteError)
      const findings = JSON.parse(error.rendered) as { check: string; found: string }[]
      return findings.map(({ check, found }) => `${check}: ${found}`).join('\n')
    }
    assert.doesNotMatch(await checkIsolation(), /pull_request/)
    const unguarded = new pg.Client({ connectionString: at(database.superuserUrl, store) })
    await unguarded.connect()
    await unguarded.query('alter table pull_request disable row level security')
    await unguarded.end()
    assert.match(await checkIsolation(), /policies: no isolation: pull_request/)
  } finally {
    for (const name of names) await superuser.query(`drop database if exists ${name} with (force)`)
  }
})

test('every positional argument of a command is one of its options', () => {
  for (const { name, positionals = [], options } of commands) {
    for (const positional of positionals) assert.ok(positional in options, `${name} ${positional}`)
  }
})

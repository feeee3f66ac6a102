import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { makeDatabase, type TestDatabase } from '../../test/database.ts'
import { makeStores, type TestStores } from '../../test/stores.ts'
import { makeTenant, type Tenant } from '../../test/tenant.ts'
import { emit } from '../bus/emit.ts'
import { commands } from '../commands.ts'
import { moveMetrics } from '../metrics-store/move.ts'
import { makeLog } from '../observe/log.ts'
import { createAdminContext } from './context.ts'
import { explainFailure } from './line/explain.ts'
import { runCommand } from './line/run.ts'

let database: TestDatabase
let stores: TestStores
let tenant: Tenant
let superuser: pg.Client

before(async () => {
  database = await makeDatabase()
  stores = await makeStores(database)
  tenant = await makeTenant(database)
  superuser = new pg.Client({ connectionString: database.superuserUrl })
  await superuser.connect()
})
after(async () => {
  await Promise.all([tenant.close(), superuser.end()])
  await stores.drop()
  await database.drop()
})

type Settings = Readonly<Record<string, string>>

async function run(args: readonly string[], settings: Settings = {}) {
  const said: string[] = []
  const env = { WORKER_DATABASE_URL: database.urls.worker, METRICS_STORES: stores.setting, ...settings }
  const admin = createAdminContext(env, (line) => said.push(line))
  try {
    return { answer: await runCommand(admin, commands, args), failure: '', said }
  } catch (error) {
    return { answer: '', failure: explainFailure(error), said }
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
    log: makeLog('test', 'silent'),
    now: () => new Date(),
    emitEvent: emit,
  })

test('a move is asked for, shown and waited for', async () => {
  const { root } = tenant.workspace
  assert.match((await run(['metrics', 'list'])).answer, /all metrics are in "shared"/)
  const dry = await json<object>('metrics', 'move', root, 'isolated', '--dry-run')
  assert.deepEqual(dry, { from: 'shared', store: 'isolated', dry_run: true })
  assert.match((await run(['metrics', 'status', root])).answer, /^In "shared"\./)
  await json('metrics', 'move', '--root', root, '--store', 'isolated')
  const waiting = await run(['metrics', 'status', root])
  assert.match(waiting.answer, /From "shared" to "isolated": waiting for the worker\./)
  await assertRefused(['metrics', 'move', root, 'shared'], /on their way from "shared" to "isolated". Wait/)
  await assertRefused(['metrics', 'move', root, 'isolated'], /on their way/)
  await runMoves()
  const { store, stage, rows_copied } = await json<Record<string, unknown>>('metrics', 'status', root)
  assert.deepEqual({ store, stage, rows_copied }, { store: 'isolated', stage: 'here', rows_copied: null })
  const listed = await json<{ id: string; store: string }[]>('metrics', 'list')
  assert.deepEqual(
    listed.map((row) => [row.id, row.store]),
    [[root, 'isolated']],
  )
  await assertRefused(['metrics', 'move', root, 'isolated'], /are in "isolated" already/)

  const moved = run(['metrics', 'move', root, 'shared', '--wait'])
  const ended = new AbortController()
  void moved.then(() => ended.abort())
  while (!ended.signal.aborted) await runMoves()
  assert.match((await moved).answer, /were moved from "isolated" to "shared"/)
})

test('a move that could not end well is refused', async () => {
  const { root } = tenant.alone
  await assertRefused(
    ['metrics', 'move', root, 'nowhere'],
    /no metrics store "nowhere".*There are: shared, isolated/,
  )
  await assertRefused(['metrics', 'move', root, 'shared'], /are in "shared" already/)
  await assertRefused(['metrics', 'move', root], /--store is missing/)
  await assertRefused(['metrics', 'move', root, 'isolated', 'now'], /a word too many/)
  await assertRefused(['metrics', 'move', root, 'isolated', '--store', 'isolated'], /--store is given twice/)
  const unreachable = { METRICS_STORES: 'away=postgres://127.0.0.1:1/x' }
  await assertRefused(['metrics', 'move', root, 'away'], /cannot be reached/, unreachable)
  await assertRefused(['metrics', 'move', root, 'away'], /METRICS_STORES must be/, {
    METRICS_STORES: 'away',
  })
  assert.match((await run(['metrics', 'move', '--help'])).answer, /metrics move ROOT STORE \[OPTIONS\]/)
})

test('metrics are switched off and on, for an organization and for an instance', async () => {
  const [organization] = tenant.workspace.organizations
  const named = ['--root', organization.root, '--organization', organization.orgId]
  const off = ['organization', 'metrics', ...named, '--switch', 'off']
  assert.match((await run([...off, '--dry-run'])).answer, /would be switched off/)
  assert.equal((await json<{ changed: boolean }>(...off)).changed, true)
  assert.match((await run(off)).answer, /switched off already/)
  assert.equal(
    (await json<{ changed: boolean }>('organization', 'metrics', ...named, '--switch', 'on')).changed,
    true,
  )
  const { root, instance } = tenant.instance
  const silent = ['instance', 'metrics', '--root', root, '--instance', instance, '--sends', 'off']
  assert.equal((await json<{ changed: boolean }>(...silent)).changed, true)
  assert.match((await run(silent)).answer, /switched off already/)
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

test('the databases of an installation are made, migrated and checked with its metrics stores', async () => {
  const names = ['main', 'store'].map((name) => `test_${name}_${randomBytes(8).toString('hex')}`)
  const [main = '', store = ''] = names
  const at = (url: string, name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href
  const address = Object.assign(new URL(at(database.superuserUrl, store)), { username: '', password: '' })
  const settings = {
    BOOTSTRAP_DATABASE_URL: at(database.superuserUrl, 'postgres'),
    OWNER_DATABASE_URL: at(database.urls.owner, main),
    DOOR_DATABASE_URL: at(database.urls.door, main),
    API_DATABASE_URL: at(database.urls.api, main),
    WORKER_DATABASE_URL: at(database.urls.worker, main),
    METRICS_STORES: `isolated=${address.href}`,
  }
  try {
    const made = await run(['database', 'bootstrap', '--json'], settings)
    assert.equal(made.failure, '')
    assert.deepEqual(JSON.parse(made.answer), { stores: ['isolated'] })
    const first = await run(['database', 'migrate'], settings)
    assert.ok(first.said.includes('applying 0001_isolation.sql'))
    assert.ok(first.said.includes('metrics store isolated: applying 0007_metrics.sql'))
    assert.match((await run(['database', 'migrate'], settings)).answer, /up to date/)
    assert.match((await run(['database', 'check', '--json'], settings)).answer, /isolated/)
    const unguarded = new pg.Client({ connectionString: at(database.superuserUrl, store) })
    await unguarded.connect()
    await unguarded.query('alter table pull_request disable row level security')
    await unguarded.end()
    await assertRefused(['database', 'check'], /no row-level security: pull_request/, settings)
  } finally {
    for (const name of names) await superuser.query(`drop database if exists ${name} with (force)`)
  }
})

test('every word of a command is one of its options', () => {
  for (const { name, words = [], options } of commands) {
    for (const word of words) assert.ok(word in options, `${name} ${word}`)
  }
})

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { busUrl, createBus } from '../../test/bus.ts'
import { startService } from '../../test/call.ts'
import { openTenant } from '../../test/fixture.ts'
import { createStores } from '../../test/stores.ts'
import { commands } from '../commands.ts'
import type { RootId } from '../ids.ts'
import { createAdminContext } from './context.ts'
import { explainFailure } from './output.ts'
import { runCommand } from './program.ts'

const entry = fileURLToPath(new URL('../admin.ts', import.meta.url))
const ROWS = 60_000

const { database, superuser, tenant, use } = await openTenant()
const made = use(await createBus())
const others = use(await createStores(database))
const service = use(startService(database))
const env = {
  WORKER_DATABASE_URL: database.urls.worker,
  METRICS_STORES: others.setting,
  NATS_URL: busUrl,
  BUS_PREFIX: made.prefix,
}

async function run(...args: string[]) {
  const progress: string[] = []
  const context = createAdminContext(env, (line) => progress.push(line))
  try {
    return { stdout: await runCommand(context, commands, args), stderr: progress.join('\n') }
  } catch (error) {
    return { stdout: '', stderr: explainFailure(error) }
  } finally {
    await context.close()
  }
}

function start(...args: string[]): ChildProcess {
  return spawn(process.execPath, [entry, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function count(table: string, root: RootId): Promise<number> {
  const column = table === 'root' ? 'id' : 'root_id'
  const { rows } = await superuser.query<{ n: number }>(
    `select count(*)::int as n from ${table} where ${column} = $1`,
    [root],
  )
  return rows[0]?.n ?? -1
}

async function readRootName(root: RootId): Promise<string> {
  const { rows } = await superuser.query<{ name: string }>('select name from root where id = $1', [root])
  return rows[0]?.name ?? ''
}

test('person erase counts rows first and erases them when --confirm repeats the e-mail', async () => {
  const { root, admin } = tenant.alone
  const { rows } = await superuser.query<{ email: string }>('select email from person where id = $1', [admin])
  const email = rows[0]?.email ?? ''
  const of = ['person', 'erase', '--root', root, '--person', email]
  for (const args of [of, [...of, '--dry-run'], [...of, '--dry-run', '--confirm', email]]) {
    const { stdout } = await run(...args)
    assert.match(stdout, /^Nothing was erased/)
    assert.match(stdout, /\n {2}membership +1\n/)
    assert.match(stdout, new RegExp(`without_admin +${tenant.alone.organizations[0].id}`))
  }
  assert.match((await run(...of, '--confirm', 'me@example.com')).stderr, /--confirm must be the e-mail/)
  assert.equal(await count('membership', root), 1)
  const { stdout, stderr } = await run(...of, '--confirm', email.toUpperCase())
  assert.match(stdout, /^Erased person/, stderr)
  assert.match(stderr, /run it again/)
  assert.equal(await count('membership', root), 0)
  assert.match((await run(...of, '--confirm', email)).stderr, /no person with the id or e-mail/)
  const again = ['person', 'erase', '--root', root, '--person', admin, '--confirm', admin]
  assert.match((await run(...again)).stdout, /^Erased/)
  assert.doesNotMatch((await run('person', 'list', '--root', root)).stdout, new RegExp(email))
})

test('root delete counts rows first and rejects a wrong --confirm', async () => {
  const { root } = tenant.workspace
  const name = await readRootName(root)
  for (const more of [[], ['--dry-run'], ['--dry-run', '--confirm', name]]) {
    const { stdout, stderr } = await run('root', 'delete', '--root', root, ...more)
    assert.match(stdout, /database +person +\d/)
    assert.match(stderr, /^Nothing was deleted. To delete/)
  }
  const { stderr } = await run('root', 'delete', '--root', root, '--confirm', 'workspace')
  assert.match(stderr, /--confirm must be the exact name/)
  assert.equal(await count('root', root), 1)
  assert.match((await run('root', 'deleted')).stdout, /No tenant roots have been deleted/)
})

test('an interrupted deletion is completed by the next run; keys are rejected from its start', async () => {
  const { root } = tenant.workspace
  const name = await readRootName(root)
  const key = await tenant.createKey('user')
  await superuser.query(
    `insert into inventory_removal select $1, $2, n::text, '', now() from generate_series(1, ${ROWS}) n`,
    [root, tenant.workspace.organizations[0].id],
  )
  const killed = start('root', 'delete', '--root', root, '--confirm', name)
  const exited = once(killed, 'exit')
  while ((await count('inventory_removal', root)) === ROWS) await sleep(2)
  killed.kill('SIGKILL')
  await exited
  const left = await count('inventory_removal', root)
  assert.ok(left > 0 && left < ROWS, `${left} rows are left: the deletion was killed in the middle`)
  assert.equal(await count('account', root), 0)
  assert.ok((await count('audit_log', root)) > 0)
  assert.equal((await service.call('/v1/organizations', { key: key.value })).status, 401)
  assert.match((await run('root', 'deleted')).stdout, new RegExp(`${root} .* - +- +-`))

  const { stdout, stderr } = await run('root', 'delete', '--root', name, '--confirm', name)
  assert.match(stdout, /^Deleted workspace/, stderr)
  for (const table of ['root', 'inventory_removal', 'audit_log', 'api_key', 'organization'])
    assert.equal(await count(table, root), 0, table)
  assert.equal(await count('root_tombstone', root), 1)
  assert.equal((await service.call('/v1/organizations', { key: key.value })).status, 401)
  assert.match((await run('root', 'deleted')).stdout, /[0-9a-f]{64}/)
  assert.match((await run('root', 'delete', '--root', root)).stderr, /tenant root/)
})

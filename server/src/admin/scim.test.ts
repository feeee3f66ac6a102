import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { startService, type TestService } from '../../test/call.ts'
import { makeDatabase, type TestDatabase } from '../../test/database.ts'
import { createScimCaller } from '../../test/scim.ts'
import { makeTenant, type Tenant } from '../../test/tenant.ts'
import { commands } from '../commands.ts'
import { createAdminContext } from './context.ts'
import { runCommand } from './program.ts'

let database: TestDatabase
let superuser: pg.Pool
let tenant: Tenant
let service: TestService

before(async () => {
  database = await makeDatabase()
  superuser = database.superuser()
  tenant = await makeTenant(database)
  service = startService(database)
})
after(async () => {
  await Promise.all([service.stop(), tenant.close(), superuser.end()])
  await database.drop()
})

async function run(...args: readonly string[]): Promise<string> {
  const admin = createAdminContext({ WORKER_DATABASE_URL: database.urls.worker }, () => {})
  try {
    const [group = '', verb = '', ...rest] = args
    return await runCommand(admin, commands, [group, verb, '--root', tenant.workspace.root, ...rest])
  } finally {
    await admin.close()
  }
}

interface Issued {
  readonly id: string
  readonly value: string
}

async function issue(name: string): Promise<Issued> {
  const text = await run('scim-credential', 'create', '--name', name, '--expires-in-days', '366', '--json')
  return JSON.parse(text) as Issued
}

test('a credential is shown once, stored as a hash, listed without its value and revoked for good', async () => {
  const { id, value } = await issue('Okta')
  assert.match(value, /^sch_scm_[0-9A-Za-z]{36}$/)
  const call = createScimCaller(service, value)
  assert.equal((await call('GET', '/Users')).status, 200)
  const { rows } = await superuser.query<{ row: string }>(
    'select s::text || (select string_agg(c.clear::text, $$ $$) from audit_clear c) as row from scim_credential s where id = $1',
    [id],
  )
  assert.ok(!rows[0]?.row.includes(value))
  const listed = await run('scim-credential', 'list', '--json')
  assert.ok(listed.includes(id) && /"state": ?"active"/.test(listed) && !listed.includes(value), listed)
  await run('scim-credential', 'revoke', '--credential', id, '--dry-run')
  assert.equal((await call('GET', '/Users')).status, 200, 'a dry run revokes nothing')
  await run('scim-credential', 'revoke', '--credential', id)
  assert.equal((await call('GET', '/Users')).status, 401)
  assert.match(await run('scim-credential', 'revoke', '--credential', id), /already revoked/)
  const { rows: actions } = await superuser.query<{ action: string }>(
    'select action from audit_log where resource_id = $1 order by position',
    [id],
  )
  assert.deepEqual(
    actions.map(({ action }) => action),
    ['scim_credential_created', 'scim_credential_revoked'],
  )
})

test('a credential must expire within 366 days', async () => {
  for (const days of [[], ['--expires-in-days', '367'], ['--expires-in-days', '0']])
    await assert.rejects(run('scim-credential', 'create', '--name', 'x', ...days), /expires-in-days/)
})

test('a group is mapped to a role of an organization, never to one of billing or of the workspace', async () => {
  const call = createScimCaller(service, (await issue('Entra')).value)
  await call('POST', '/Groups', { displayName: 'Reviewers' })
  const [{ id }] = tenant.workspace.organizations
  const target = ['--group', 'reviewers', '--organization', id]
  await run('scim-group', 'map', ...target, '--role', 'cr_admin', '--dry-run')
  assert.ok(!(await run('scim-group', 'list', '--json')).includes('cr_admin'))
  await run('scim-group', 'map', ...target, '--role', 'cr_admin')
  assert.ok((await run('scim-group', 'list', '--json')).includes('cr_admin'))
  for (const role of ['cr_billing_admin', 'workspace_admin'])
    await assert.rejects(run('scim-group', 'map', ...target, '--role', role))
  await assert.rejects(
    run('scim-group', 'map', '--group', 'Nobody', '--organization', id, '--role', 'cr_admin'),
    /push it/,
  )
  assert.match(await run('scim-group', 'unmap', ...target), /Unmapped/)
  assert.match(await run('scim-group', 'unmap', ...target), /gives no role/)
})

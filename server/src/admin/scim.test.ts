import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../../test/call.ts'
import { openTenant } from '../../test/fixture.ts'
import { createScimCaller } from '../../test/scim.ts'
import { commands } from '../commands.ts'
import { createAdminContext } from './context.ts'
import { runCommand } from './program.ts'

const { database, superuser, tenant, use } = await openTenant()
const service = use(startService(database))

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

test('a credential is shown once, stored as a hash, listed without its value and revoked permanently [P13-scim-1]', async () => {
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

test('a credential must expire within 366 days [P13-scim-1]', async () => {
  for (const days of [[], ['--expires-in-days', '367'], ['--expires-in-days', '0']])
    await assert.rejects(run('scim-credential', 'create', '--name', 'x', ...days), /expires-in-days/)
})

test('a group is mapped to a role of an organization, never to one of billing or of the workspace [P13-scim-8]', async () => {
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

test('scim-user link gives a workspace admin an account of the provider, which SCIM then manages [P13-scim-10]', async () => {
  const { value, id: credential } = await issue('Link')
  const call = createScimCaller(service, value)
  const { root, admin } = tenant.workspace
  const link = (externalId: string, ...more: string[]) =>
    run('scim-user', 'link', '--person', admin, '--user-name', 'chief', '--external-id', externalId, ...more)
  const insertIdentity = `insert into identity (root_id, issuer, subject, person_id, linked_at, last_used_at)
     values ($1, 'https://id.example.com', $3, $2, now(), now())`
  const countIdentities = async () => {
    const { rowCount } = await superuser.query('select from identity where person_id = $1', [admin])
    return rowCount
  }
  await superuser.query(insertIdentity, [root, admin, 'former-account'])
  await link('account-1', '--dry-run')
  assert.equal(await countIdentities(), 1)
  assert.equal((await call('GET', `/Users/${admin}`)).status, 404)
  await link('account-1')
  assert.equal(await countIdentities(), 0, 'the operator names the only account')
  const filter = encodeURIComponent('userName eq "chief"')
  const { body: list } = await call('GET', `/Users?filter=${filter}`)
  assert.equal(list.Resources[0]?.id, admin, 'the provider finds the user')
  const title = { Operations: [{ op: 'add', path: 'title', value: 'Chief' }] }
  assert.equal((await call('PATCH', `/Users/${admin}`, title)).status, 200)
  const rebind = { Operations: [{ op: 'replace', path: 'externalId', value: 'account-2' }] }
  assert.equal((await call('PATCH', `/Users/${admin}`, rebind)).status, 400)

  await superuser.query(insertIdentity, [root, admin, 'account-1'])
  await link('account-2', '--email', 'Chief@example.com')
  assert.equal((await call('PATCH', `/Users/${admin}`, rebind)).status, 200)
  const { rows } = await superuser.query(
    `select email, workspace_admin, (select count(*)::int from identity where person_id = p.id) as identities
     from person p where id = $1`,
    [admin],
  )
  assert.deepEqual(rows, [{ email: 'chief@example.com', workspace_admin: true, identities: 0 }])
  const audited = await superuser.query<{ action: string }>(
    `select action from audit_log where root_id = $1 and resource_id = $2 and actor_id is distinct from $3 order by position`,
    [root, admin, credential],
  )
  const actions = audited.rows.map(({ action }) => action)
  for (const action of [
    'person_scim_linked',
    'person_scim_changed',
    'person_identity_unlinked',
    'person_changed',
  ])
    assert.ok(actions.includes(action), `${action}: ${actions.join()}`)

  await assert.rejects(
    run('scim-user', 'link', '--person', admin, '--user-name', 'x', '--external-id', 'y', '--email', 'none'),
    /e-mail address/,
  )
  const { body: other } = await call('POST', '/Users', { userName: 'other', externalId: 'account-3' })
  await assert.rejects(link('account-3'), /externalId/)
  await call('DELETE', `/Users/${other.id}`)
})

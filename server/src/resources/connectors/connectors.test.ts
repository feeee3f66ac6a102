import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startService } from '../../../test/call.ts'
import { openTenant } from '../../../test/fixture.ts'
import { limitsOff } from '../../../test/limits-off.ts'
import { plantSession } from '../../../test/planted/sessions.ts'

const path = '/v1/connectors'
const privateKey = 'secret-private-key-of-the-app'
const webhookSecret = 'secret-of-the-webhook'
const body = {
  provider: 'github',
  mode: 'hooks',
  account: 'acme',
  credential: { app_id: '1', installation_id: '2', private_key: privateKey },
  webhook_secret: webhookSecret,
}

const { database, superuser, tenant, use } = await openTenant()
const service = use(startService(database, { ...limitsOff, PUBLIC_URL: 'https://scholiast.example.com' }))

async function createConnector(key: string, account = `acme-${randomUUID().slice(0, 8)}`): Promise<string> {
  const created = await service.call(path, { method: 'POST', key, body: { ...body, account } })
  assert.equal(created.status, 201, created.text)
  return (created.body as unknown as { id: string }).id
}

test('secrets are stored encrypted and appear in no response, audit row or event [P14-connectors-3]', async () => {
  const { value: key } = await tenant.createKey('user', { role: 'cr_admin' })
  await createConnector(key)
  const listed = await service.call(path, { key })
  const { rows } = await superuser.query<{ dump: string }>(
    `select (select json_agg(c)::text from connector c) || (select json_agg(a)::text from audit_log a)
       || coalesce((select json_agg(a)::text from audit_clear a), '')
       || coalesce((select json_agg(i)::text from idempotent_request i), '')
       || coalesce((select json_agg(i)::text from outbox i), '') as dump`,
  )
  for (const text of [listed.text, rows[0]?.dump ?? ''])
    for (const secret of [privateKey, webhookSecret, Buffer.from(privateKey).toString('hex')])
      assert.ok(!text.includes(secret))
  assert.ok(rows[0]?.dump.includes('connector_created'))
})

test('an organization has one connector for an account, also if two requests arrive at once [P14-connectors-4]', async () => {
  const { value: key } = await tenant.createKey('user', { role: 'cr_admin' })
  const { value: other } = await tenant.createKey('user', { of: 'alone', role: 'cr_admin' })
  const send = (account: string) => service.call(path, { method: 'POST', key, body: { ...body, account } })
  const replies = await Promise.all(['once', 'Once', 'ONCE'].map(send))
  assert.deepEqual(replies.map(({ status, body: { error } }) => `${status} ${error?.code}`).toSorted(), [
    '201 undefined',
    '409 CONNECTOR_EXISTS',
    '409 CONNECTOR_EXISTS',
  ])
  const elsewhere = await createConnector(other, 'once')
  assert.equal((await service.call(`${path}/${elsewhere}`, { method: 'DELETE', key: other })).status, 204)
})

test('another tenant’s connector does not exist for anybody else', async () => {
  const { value: key } = await tenant.createKey('user', { role: 'cr_admin' })
  const { value: other } = await tenant.createKey('user', { of: 'alone', role: 'cr_admin' })
  const id = await createConnector(key)
  const foreign = await service.call(`${path}/${id}`, { method: 'DELETE', key: other })
  const unknown = await service.call(`${path}/0197a000-0000-7000-8000-000000000000`, {
    method: 'DELETE',
    key: other,
  })
  assert.deepEqual([foreign.status, foreign.text], [404, unknown.text])
  assert.deepEqual((await service.call(path, { key: other })).body.data, [])
})

test('deleting a connector deletes everything that it stored', async () => {
  const { value: key } = await tenant.createKey('user', { role: 'cr_admin' })
  const id = await createConnector(key)
  const values = [tenant.workspace.root, tenant.workspace.organizations[0].id, id]
  await superuser.query(
    `insert into connector_pull_request (root_id, organization_id, connector_id, repository_id, number)
     values ($1, $2, $3, '1', 1)`,
    values,
  )
  await superuser.query(
    `insert into connector_delivery values ($1, $2, $3, 'd', 'push', '1', 1, now())`,
    values,
  )
  assert.equal((await service.call(`${path}/${id}`, { method: 'DELETE', key })).status, 204)
  const { rows } = await superuser.query(
    `select 1 from connector where id = $1 union all select 1 from connector_pull_request where connector_id = $1
     union all select 1 from connector_delivery where connector_id = $1`,
    [id],
  )
  assert.deepEqual(rows, [])
})

test('in a session, creating and deleting connectors needs a recent sign-in [P14-connectors-1]', async () => {
  const { root, admin, organizations } = tenant.workspace
  const old = await plantSession(superuser, root, admin, { authenticated: '11 minutes' })
  const fresh = await plantSession(superuser, root, admin, { authenticated: '9 minutes' })
  const send = (cookie: string, method: 'GET' | 'POST' | 'DELETE', url: string) =>
    service.call(url, {
      method,
      headers: {
        cookie: `__Host-scholiast=${cookie}`,
        'x-scholiast-organization': organizations[0].id,
        'sec-fetch-site': 'same-origin',
      },
      ...(method === 'POST' && { body }),
    })
  const created = await send(fresh.cookie, 'POST', path)
  assert.equal(created.status, 201, created.text)
  const { id } = created.body as unknown as { id: string }
  assert.equal((await send(old.cookie, 'GET', path)).status, 200)
  for (const [method, url] of [
    ['POST', path],
    ['DELETE', `${path}/${id}`],
  ] as const)
    assert.equal((await send(old.cookie, method, url)).body.error?.code, 'REAUTHENTICATION_REQUIRED', method)
  assert.equal((await send(fresh.cookie, 'DELETE', `${path}/${id}`)).status, 204)
})

test('without CONNECTOR_KEYS no connector can be created', async () => {
  const { value: key } = await tenant.createKey('user', { role: 'cr_admin' })
  const bare = startService(database, { ...limitsOff, CONNECTOR_KEYS: '' })
  try {
    const refused = await bare.call(path, { method: 'POST', key, body })
    assert.equal(refused.status, 400)
    assert.match(refused.text, /CONNECTOR_KEYS/)
  } finally {
    await bare.stop()
  }
})

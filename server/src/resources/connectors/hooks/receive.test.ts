import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { connect as connectSocket, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService, type TestResponse } from '../../../../test/call.ts'
import { openTenant } from '../../../../test/fixture.ts'
import { limitsOff } from '../../../../test/limits-off.ts'
import type { TestOrganization } from '../../../../test/tenant.ts'

const secret = 'secret-of-the-webhook'
const otherSecret = 'secret-of-the-other-webhook'

const { database, superuser, tenant, use } = await openTenant()
const service = use(startService(database, limitsOff))
const own = await connectOrganization('workspace', tenant.workspace.organizations[0], secret)
const foreign = await connectOrganization('alone', tenant.alone.organizations[0], otherSecret)

/** With the repository 77. */
async function connectOrganization(
  of: 'workspace' | 'alone',
  { root, id: organization }: TestOrganization,
  webhook_secret: string,
): Promise<string> {
  const { value: key } = await tenant.createKey('user', { of, role: 'cr_admin' })
  const credential = { app_id: '1', installation_id: '2', private_key: 'PEM' }
  const body = { provider: 'github', mode: 'hooks', account: 'acme', credential, webhook_secret }
  const created = await service.call('/v1/connectors', { method: 'POST', key, body })
  assert.equal(created.status, 201, created.text)
  const { id } = created.body as unknown as { id: string }
  await superuser.query(
    `insert into connector_repository (root_id, organization_id, connector_id, repository_id, full_name, private,
       readers_due_at, poll_due_at, sweep_due_at, backfill_since)
     values ($1, $2, $3, '77', 'acme/r', true, now(), now(), now(), now())`,
    [root, organization, id],
  )
  return id
}

const payloadOf = (number: number) =>
  JSON.stringify({
    action: 'edited',
    repository: { id: 77 },
    pull_request: { number, title: 'a title that is not stored' },
  })

interface Hook {
  readonly payload?: string
  readonly signedWith?: string
  readonly delivery?: string
  readonly headers?: Record<string, string>
}

function send(connector: string, hook: Hook = {}, to = service): Promise<TestResponse> {
  const { payload = payloadOf(1), signedWith = secret, delivery = randomUUID(), headers = {} } = hook
  const signature = createHmac('sha256', signedWith).update(payload).digest('hex')
  return to.call(`/hooks/${connector}`, {
    method: 'POST',
    payload,
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'pull_request',
      'x-github-delivery': delivery,
      'x-hub-signature-256': `sha256=${signature}`,
      ...headers,
    },
  })
}

async function readRows(connector: string): Promise<{ deliveries: number; marks: number[] }> {
  const { rows } = await superuser.query<{ deliveries: number; marks: number[] }>(
    `select (select count(*)::int from connector_delivery where connector_id = $1) as deliveries,
       array(select marks::int from connector_pull_request
         where connector_id = $1 and dirty_since is not null order by number) as marks`,
    [connector],
  )
  return rows[0] ?? { deliveries: -1, marks: [] }
}

test('a delivery is stored once, without its body, and marks its pull requests [P14-hooks-1]', async () => {
  const delivery = randomUUID()
  for (let attempt = 0; attempt < 3; attempt++)
    assert.equal((await send(own, { delivery, payload: payloadOf(11) })).status, 202)
  assert.deepEqual(await readRows(own), { deliveries: 1, marks: [1] })
  assert.equal((await send(own, { payload: payloadOf(11) })).status, 202)
  assert.deepEqual(await readRows(own), { deliveries: 2, marks: [2] })
  const { rows } = await superuser.query<{ dump: string }>(
    `select json_agg(d)::text || (select json_agg(p)::text from connector_pull_request p) as dump from connector_delivery d`,
  )
  assert.ok(rows[0]?.dump.includes('"pull_request"') && !rows[0].dump.includes('title'))
})

test('a hook about an alert makes the alerts of its repository due once, and leaves no text', async () => {
  const headers = { 'x-github-event': 'code_scanning_alert' }
  const readDue = async () => {
    const { rows } = await superuser.query<{ repository_id: string; due_at: Date; marks: string }>(
      'select repository_id, due_at, marks from connector_code_scanning where connector_id = $1',
      [own],
    )
    return rows
  }
  const payload = JSON.stringify({ action: 'created', repository: { id: 77 }, alert: { number: 1 } })
  assert.equal((await send(own, { payload, headers })).status, 202)
  const [first] = await readDue()
  assert.equal((await send(own, { payload, headers })).status, 202)
  assert.deepEqual(await readDue(), [{ ...first, marks: '2' }])
  const unknown = JSON.stringify({ action: 'created', repository: { id: 78 }, alert: { number: 1 } })
  assert.equal((await send(own, { payload: unknown, headers })).status, 202)
  assert.equal((await readDue()).length, 1)
})

test('a hook about members makes the inventory due, and one about an unknown repository marks nothing', async () => {
  await superuser.query(`update connector set inventory_due_at = now() + interval '1 day' where id = $1`, [
    own,
  ])
  const earlier = await readRows(own)
  const payload = JSON.stringify({ repository: { id: 78 }, pull_request: { number: 1 } })
  assert.equal((await send(own, { payload, headers: { 'x-github-event': 'member' } })).status, 202)
  assert.deepEqual((await readRows(own)).marks, earlier.marks)
  const { rows } = await superuser.query<{ due: boolean }>(
    'select inventory_due_at <= now() as due from connector where id = $1',
    [own],
  )
  assert.deepEqual(rows, [{ due: true }])
})

test('a hook about access makes the readers of its repository due, or those of all within an hour', async () => {
  const hooks: [string, object, number][] = [
    ['member', { repository: { id: 77 } }, 0],
    ['team', { repository: { id: 77 } }, 0],
    ['team', {}, 60],
    ['membership', {}, 60],
    ['member', { repository: { id: 78 } }, 24 * 60],
  ]
  for (const [kind, body, minutes] of hooks) {
    await superuser.query(`update connector_repository set readers_due_at = now() + interval '1 day'`)
    const payload = JSON.stringify({ action: 'added', ...body })
    assert.equal((await send(own, { payload, headers: { 'x-github-event': kind } })).status, 202)
    const { rows } = await superuser.query<{ due: boolean; early: boolean }>(
      `select readers_due_at <= now() + $2 * interval '1 minute' as due,
         readers_due_at <= now() + ($2 - 10) * interval '1 minute' as early
       from connector_repository where connector_id = $1`,
      [own, minutes],
    )
    assert.deepEqual(rows, [{ due: true, early: false }], `${kind} ${payload}`)
  }
})

test('forged hooks are 401 and store nothing [P14-hooks-2]', async () => {
  const earlier = [await readRows(own), await readRows(foreign)]
  const unknown = await send(randomUUID())
  const wrong = `sha256=${'0'.repeat(64)}`
  const forged: [string, Hook][] = [
    [own, { signedWith: 'another secret' }],
    // Signed with the secret of another tenant's connector, in both directions.
    [own, { signedWith: otherSecret }],
    [foreign, { signedWith: secret }],
    [own, { headers: { 'x-hub-signature-256': wrong } }],
    [own, { headers: { 'x-hub-signature-256': '' } }],
    [own, { headers: { 'x-hub-signature-256': 'sha256=' } }],
    [own, { headers: { 'x-hub-signature-256': wrong, 'x-gitlab-token': secret } }],
    [own, { headers: { 'content-type': 'text/plain', 'x-hub-signature-256': wrong } }],
    ['not-a-uuid', {}],
  ]
  for (const [connector, hook] of forged) {
    const { status, text, headers } = await send(connector, hook)
    assert.deepEqual([status, text], [401, unknown.text], JSON.stringify(hook))
    assert.deepEqual(Object.keys(headers), Object.keys(unknown.headers))
  }
  assert.deepEqual([await readRows(own), await readRows(foreign)], earlier)
})

test('the token of GitLab does not open a connector of GitHub', async () => {
  const reply = await service.call(`/hooks/${own}`, {
    method: 'POST',
    payload: '{"object_kind":"merge_request"}',
    headers: { 'content-type': 'application/json', 'x-gitlab-token': secret },
  })
  assert.equal(reply.status, 401)
})

test('a signed body that is no hook is 400, and one of more than 25 MiB is 413', async () => {
  assert.equal((await send(own, { payload: 'no JSON' })).status, 400)
  assert.equal((await send(own, { payload: `"${' '.repeat(25 * 1024 ** 2)}"` })).status, 413)
})

test('a backlog of marks is bounded', async () => {
  const { root, id } = tenant.alone.organizations[0]
  await superuser.query(
    `insert into connector_pull_request (root_id, organization_id, connector_id, repository_id, number, dirty_since, marks)
     select $1, $2, $3, '77', n, now(), 1 from generate_series(1, 10000) n`,
    [root, id, foreign],
  )
  assert.equal((await send(foreign, { signedWith: otherSecret, payload: payloadOf(20_000) })).status, 202)
  assert.equal((await readRows(foreign)).marks.length, 10_000)
})

test('bodies without a valid signature take memory of hooks of that tenant only', async (t) => {
  const share = 8 * 1024 ** 2
  const limited = startService(database, {
    ...limitsOff,
    BODY_BYTES_PER_ROOT: String(share),
    MIN_BYTES_PER_SECOND: '0',
  })
  const port = Number(new URL(await limited.listen()).port)
  const head =
    `POST /hooks/${own} HTTP/1.1\r\nhost: x\r\nx-hub-signature-256: sha256=${'0'.repeat(64)}\r\n` +
    `content-length: ${25 * 1024 ** 2}\r\n\r\n`
  const sockets: Socket[] = []
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    await limited.stop()
  })
  const deadline = performance.now() + 30_000
  // Until they fill the memory of the tenant's hooks.
  while ((await send(own, {}, limited)).status !== 503) {
    assert.ok(performance.now() < deadline, 'hooks are refused')
    const socket = connectSocket({ port, host: '127.0.0.1' })
    sockets.push(socket)
    socket.on('error', () => {})
    socket.write(head)
    socket.write(Buffer.alloc(share, ' '))
    await sleep(50)
  }
  const { value: key } = await tenant.createKey('user')
  assert.equal((await limited.call('/v1/organizations', { key })).status, 200)
  assert.equal((await send(foreign, { signedWith: otherSecret }, limited)).status, 202)
})

import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertError, type Reply } from '../cli/src/conformance/http.ts'
import { assertPage, call, demo, type KeyName } from './service.ts'
import { strict } from './windows.ts'

const path = '/v1/connectors'
const json = { 'content-type': 'application/json' }
const secret = 'a secret of at least sixteen characters'.replaceAll(' ', '-')
const privateKey = 'a private key that nobody reads back'

const fields = [
  'id',
  'provider',
  'host',
  'mode',
  'write_back',
  'bots',
  'status',
  'error',
  'repositories',
  'backfill',
  'last_event_at',
  'lag_seconds',
  'unparsed_comments',
]

type Connector = { id: string; backfill: object } & Record<string, unknown>

/** An organization has one connector for each account. */
const newConnector = (mode: 'hooks' | 'polling') => ({
  provider: 'github',
  mode,
  account: `meridian-${mode}`,
  credential: { app_id: '1', installation_id: '2', private_key: privateKey },
  ...(mode === 'hooks' && { webhook_secret: secret }),
})

function post(body: unknown, key: KeyName = 'user'): Promise<Reply> {
  return call(path, { method: 'POST', key: demo.keys[key], headers: json, body: JSON.stringify(body) })
}

async function create(mode: 'hooks' | 'polling'): Promise<Connector> {
  const reply = await post(newConnector(mode))
  assert.equal(reply.status, 201, reply.text)
  return reply.body as Connector
}

const remove = (id: string, key: KeyName = 'user') =>
  call(`${path}/${id}`, { method: 'DELETE', key: demo.keys[key] })

function sendHook(id: string, body: string, headers: Record<string, string> = {}): Promise<Reply> {
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  return call(`/hooks/${id}`, {
    method: 'POST',
    headers: {
      ...json,
      'x-github-event': 'pull_request',
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': signature,
      ...headers,
    },
    body,
  })
}

test('a connector has exactly the fields of the contract, is listed by id and is deleted [P14-connectors-1 P14-connectors-3]', async () => {
  const made = [await create('polling'), await create('hooks')]
  try {
    for (const one of made) {
      assert.deepEqual(Object.keys(one), fields)
      assert.deepEqual(Object.keys(one.backfill), ['done', 'total', 'seconds_left'])
    }
    const listed = await call(path, { key: demo.keys.user })
    assertPage(listed)
    assert.ok(!listed.text.includes(privateKey) && !listed.text.includes(secret), 'no secret is returned')
    const ids = (listed.body as { data: Connector[] }).data.map(({ id }) => id)
    assert.deepEqual(ids, ids.toSorted())
    for (const { id } of made) assert.ok(ids.includes(id))
    assertError(await remove(made[0]?.id ?? '', 'other_tenant'), 404, 'NOT_FOUND')
  } finally {
    for (const { id } of made) assert.equal((await remove(id)).status, 204)
  }
  assertError(await remove(made[0]?.id ?? ''), 404, 'NOT_FOUND')
})

test('a connector of another provider, a host that is not listed and missing secrets are 400 [P14-connectors-1]', async () => {
  const valid = newConnector('hooks')
  for (const body of [
    { ...valid, host: 'git.example.com' },
    { ...valid, provider: 'gitlab', credential: { token: 'glpat-1' } },
    { ...valid, credential: { token: 'glpat-1' } },
    { ...valid, webhook_secret: undefined },
    { ...valid, webhook_secret: 'short' },
    { ...valid, mode: 'polling' },
    { ...valid, mode: 'push' },
    { ...valid, unknown: 1 },
  ])
    assertError(await post(body), 400, 'INVALID_REQUEST', JSON.stringify(body))
})

test('a connector writes back only if it was created so, and only at GitHub [P14-connectors-1]', async () => {
  const created = await post({ ...newConnector('polling'), write_back: true })
  assert.equal(created.status, 201, created.text)
  const { id, write_back } = created.body as Connector
  try {
    assert.equal(write_back, true)
    const { body } = await call(path, { key: demo.keys.user })
    const listed = (body as { data: Connector[] }).data.find((one) => one.id === id)
    assert.equal(listed?.['write_back'], true)
  } finally {
    await remove(id)
  }
  const other = await create('polling')
  await remove(other.id)
  assert.equal(other['write_back'], false)
  const gitlab = {
    provider: 'gitlab',
    mode: 'polling',
    account: 'meridian',
    credential: { token: 'glpat-1' },
  }
  const refused = await post({ ...gitlab, write_back: true })
  assertError(refused, 400, 'INVALID_REQUEST')
  assert.match(refused.text, /write_back is only for GitHub/)
  assertError(await post({ ...newConnector('polling'), write_back: 'yes' }), 400, 'INVALID_REQUEST')
})

test('a connector names custom bots, each account once [P14-connectors-1]', async () => {
  const bots = [
    { account_id: '4711', reviewer: 'acme-review' },
    { account_id: '4712', reviewer: 'rabbit-of-ours', format: 'coderabbit' },
  ]
  const created = await post({ ...newConnector('polling'), bots })
  assert.equal(created.status, 201, created.text)
  const { id } = created.body as Connector
  try {
    const { body } = await call(path, { key: demo.keys.user })
    const listed = (body as { data: Connector[] }).data.find((one) => one.id === id)
    assert.deepEqual([(created.body as Connector)['bots'], listed?.['bots']], [bots, bots])
  } finally {
    await remove(id)
  }
  for (const invalid of [
    [bots[0], { ...bots[1], account_id: '4711' }],
    [{ ...bots[0], account_id: 'acme-review' }],
    [{ ...bots[0], format: 'unheard-of' }],
    [{ account_id: '4711' }],
    Array.from({ length: 51 }, (_, index) => ({ account_id: String(index + 1), reviewer: 'acme-review' })),
  ])
    assertError(await post({ ...newConnector('polling'), bots: invalid }), 400, 'INVALID_REQUEST')
})

test('account is a name of the provider, and an organization has one connector for each: 409 CONNECTOR_EXISTS [P14-connectors-4]', async () => {
  for (const account of ['../x', '.', 'a/../b', '-a', 'a.b', 'a/b', 'x'.repeat(40), ''])
    assertError(await post({ ...newConnector('polling'), account }), 400, 'INVALID_REQUEST', account)
  const { id } = await create('polling')
  try {
    for (const account of ['meridian-polling', 'Meridian-Polling'])
      assertError(await post({ ...newConnector('polling'), account }), 409, 'CONNECTOR_EXISTS', account)
  } finally {
    await remove(id)
  }
  await remove((await create('polling')).id)
})

test('connectors are for user keys of every plan [P14-connectors-1]', async () => {
  assertPage(await call(path, { key: demo.keys.lower_plan }))
  assertError(await call(path, { key: demo.keys.legacy }), 410, 'LEGACY_API_KEY')
  for (const key of ['organization', 'workspace', 'instance', 'agentic'] as const)
    assertError(await call(path, { key: demo.keys[key] }), 403, 'KEY_KIND_NOT_ALLOWED', key)
})

test('connectors allow 60 requests in 60 s [P14-connectors-2]', async () => {
  const reply = await call(path, { key: demo.keys.lower_plan, base: strict() })
  assert.equal(reply.headers.get('ratelimit-policy'), '"connectors";q=60;w=60')
})

test('a signed hook is 202, a replayed one too, and one of more than 25 MiB is 413 [P14-hooks-1]', async () => {
  const { id } = await create('hooks')
  try {
    const body = JSON.stringify({ action: 'closed', repository: { id: 1 }, pull_request: { number: 2 } })
    const delivery = { 'x-github-delivery': randomUUID() }
    assert.equal((await sendHook(id, body, delivery)).status, 202)
    assert.equal((await sendHook(id, body, delivery)).status, 202)
    assertError(await sendHook(id, ' '.repeat(25 * 1024 ** 2 + 1)), 413, 'PAYLOAD_TOO_LARGE')
  } finally {
    await remove(id)
  }
})

test('an unknown connector and a bad signature are the same 401 [P14-hooks-2]', async () => {
  const { id } = await create('hooks')
  try {
    const replies = [
      await sendHook(id, '{}', { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }),
      await sendHook(randomUUID(), '{}'),
      await sendHook('no-uuid', '{}'),
    ]
    for (const reply of replies) {
      assertError(reply, 401, 'UNAUTHORIZED')
      assert.equal(reply.text, replies[0]?.text)
    }
  } finally {
    await remove(id)
  }
})

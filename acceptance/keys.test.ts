import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertError, comparable } from '../cli/src/conformance/http.ts'
import { read as readAudit } from './audit-data.ts'
import {
  ask,
  inDays,
  type Key,
  keysPath,
  listKeys,
  type MadeKey,
  madeIn,
  platform,
  readSelf,
  remove,
  terminals,
  withKey,
} from './keys-data.ts'
import { eventually } from './metrics-data.ts'
import { call, demo, uuidPattern } from './service.ts'
import { assertWindow, strict } from './windows.ts'

const { user, workspace, organization, legacy, agentic, instance, other_tenant, lower_plan } = demo.keys
const momentPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const token = (fields: object = {}) => ({ kind: 'workspace', name: 'CI', expires_at: inDays(30), ...fields })
const few = ['api_key:read', 'api_key:write', 'api_key:delete', 'metrics:read']

test('keys are listed without their values: prefix, last four, kind, owner, permissions, created, expires and last used [P9-1]', async () => {
  await withKey(user, { kind: 'agentic', name: 'For an agent', expires_at: inDays(3) }, async (made) => {
    const { data } = await listKeys(user)
    for (const key of data) {
      assert.deepEqual(Object.keys(key).sort(), [
        'created_at',
        'expires_at',
        'id',
        'kind',
        'last_four',
        'last_used_at',
        'name',
        'org_id',
        'owner',
        'permissions',
        'prefix',
      ])
      assert.match(key.id, uuidPattern)
      assert.match(key.created_at, momentPattern)
      assert.match(key.last_used_at ?? key.created_at, momentPattern)
    }
    const { value, ...facts } = made
    assert.deepEqual(
      data.find(({ id }) => id === made.id),
      facts,
    )
    assert.equal(facts.name, 'For an agent')
    assert.equal(facts.owner?.name, 'Amara Okafor')
    assert.ok(value.startsWith(facts.prefix) && value.endsWith(facts.last_four))
    for (const text of Object.values(demo.keys)) assert.ok(!JSON.stringify(data).includes(text))
  })
})

test('a user key lists the keys of its organization, a workspace token those of the workspace, workspace tokens too [P9-1]', async () => {
  const own = (await listKeys(user)).data
  assert.deepEqual([...new Set(own.map(({ kind }) => kind))].sort(), [
    'agentic',
    'legacy',
    'organization',
    'user',
  ])
  assert.ok(own.every(({ org_id }) => org_id === platform))
  const all = (await listKeys(workspace)).data
  assert.ok(own.every(({ id }) => all.some((key) => key.id === id)))
  assert.ok(all.some(({ kind, org_id }) => kind === 'workspace' && org_id === null))
  assert.deepEqual(
    (await listKeys(workspace, `?org_id=${platform}`)).data.map(({ id }) => id),
    own.map(({ id }) => id),
  )
  const others = (await listKeys(other_tenant)).data.map(({ id }) => id)
  assert.ok(others.length > 0 && all.every(({ id }) => !others.includes(id)))
})

test('keys have limits of 1 to 100, and paging one by one gives every key once, in order [P9-1]', async () => {
  for (const limit of ['0', '101', '-1', '1.5', 'x'])
    assertError(await ask(workspace, 'GET', `?limit=${limit}`), 400, 'INVALID_REQUEST', limit)
  const whole = await listKeys(workspace, '?limit=100')
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await listKeys(workspace, `?limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    ids.push(...page.data.map(({ id }) => id))
    cursor = page.next_cursor
  }
  assert.deepEqual(
    ids,
    whole.data.map(({ id }) => id),
  )
  assert.deepEqual(ids, ids.toSorted())
  const { next_cursor } = await listKeys(workspace, '?limit=1')
  assertError(await ask(user, 'GET', `?cursor=${next_cursor}`), 400, 'INVALID_CURSOR')
})

test('creating a key is 201; it works immediately, and its value is shown only then [S-auth-14 P1-idem-6 P1-code-21 P2-format-6 P9-2]', async () => {
  const headers = { 'idempotency-key': randomUUID() }
  const body = { kind: 'user', name: 'Nightly export' }
  const made = madeIn(await ask(user, 'POST', '', body, headers))
  const { id, kind, name } = await readSelf(made.value)
  assert.deepEqual([id, kind, name], [made.id, 'user', 'Nightly export'])
  const { value, ...facts } = made
  const repeated = await ask(user, 'POST', '', body, headers)
  assert.deepEqual([repeated.status, repeated.body], [201, facts])
  assertError(await ask(user, 'POST', '', { kind: 'agentic' }, headers), 409, 'IDEMPOTENCY_KEY_REUSED')
  for (const holder of [user, workspace]) assert.ok(!JSON.stringify(await listKeys(holder)).includes(value))
  await remove(made.id, user)
})

test('workspace tokens are made, listed and deleted with a workspace token of a workspace admin only [S-auth-12 P2-kinds-11]', async () => {
  await withKey(workspace, token(), async (made) => {
    assert.deepEqual([made.kind, made.org_id, made.owner?.name], ['workspace', null, 'Ingrid Solheim'])
    assert.ok((await listKeys(workspace)).data.some(({ id }) => id === made.id))
    assert.ok((await listKeys(made.value)).data.some(({ id }) => id === made.id))
    assert.ok((await listKeys(user)).data.every(({ kind }) => kind !== 'workspace'))
    assertError(await ask(user, 'DELETE', `/${made.id}`), 404, 'NOT_FOUND')
    assertError(await ask(user, 'POST', `/${made.id}/rotate`, {}), 404, 'NOT_FOUND')
  })
  assertError(await ask(user, 'POST', '', token()), 403, 'KEY_KIND_NOT_ALLOWED')
  const { workspace_demoted_owner: demoted } = demo.keys
  for (const [method, body] of [['GET'], ['POST', token()]] as const)
    assertError(await ask(demoted, method, '', body), 403, 'OWNER_NOT_ADMIN')
})

test('a workspace token takes a name and an expiry of 1 to 366 days [S-auth-13 P2-format-7]', async () => {
  for (const wrong of [
    { name: undefined },
    { name: '' },
    { name: ' ' },
    { expires_at: undefined },
    { expires_at: null },
    { expires_at: inDays(0.99) },
    { expires_at: inDays(-1) },
    { expires_at: '2027-02-30T00:00:00Z' },
    { org_id: platform },
  ])
    assertError(await ask(workspace, 'POST', '', token(wrong)), 400, 'INVALID_REQUEST', JSON.stringify(wrong))
  const beyond = await ask(workspace, 'POST', '', token({ expires_at: inDays(366.01) }))
  assert.ok([400, 403].includes(beyond.status), 'and never beyond the one that makes it')
  for (const days of [1.001, 364])
    await withKey(workspace, token({ expires_at: inDays(days) }), async () => {})
})

test('outside of Enterprise SSO workspaces there are no workspace tokens [S-auth-6 P2-format-7]', async () => {
  for (const key of [other_tenant, lower_plan]) {
    assertError(await ask(key, 'POST', '', token()), 403, 'KEY_KIND_NOT_ALLOWED')
    assert.ok((await listKeys(key)).data.every(({ kind }) => kind !== 'workspace'))
  }
})

test('for keys of an organization an expiry and a name are optional [P2-format-8]', async () => {
  for (const kind of ['organization', 'user', 'agentic']) {
    await withKey(user, { kind }, async (made) => {
      assert.deepEqual([made.kind, made.expires_at, made.org_id], [kind, null, platform])
      assert.equal((await readSelf(made.value)).kind, kind)
    })
    const expires_at = inDays(0.5)
    await withKey(user, { kind, expires_at }, async (made) => assert.equal(made.expires_at, expires_at))
  }
  for (const kind of ['legacy', 'instance', 'ingest', 'other', undefined])
    assertError(await ask(user, 'POST', '', { kind }), 400, 'INVALID_REQUEST', kind)
  assertError(await ask(user, 'POST', '', { kind: 'user', owner: randomUUID() }), 400, 'INVALID_REQUEST')
})

test('a workspace token says which organization a key is bound to [P2-perm-3]', async () => {
  await withKey(workspace, { kind: 'organization', org_id: terminals }, async (made) => {
    assert.equal(made.org_id, terminals)
    const { organizations } = await readSelf(made.value)
    assert.deepEqual(
      organizations.first.map(({ name }) => name),
      ['Meridian Terminals'],
    )
  })
  assertError(await ask(workspace, 'POST', '', { kind: 'user' }), 400, 'ORG_ID_REQUIRED')
  for (const org_id of ['58801264', '9000009', '1'])
    assertError(await ask(workspace, 'POST', '', { kind: 'user', org_id }), 404, 'ORGANIZATION_NOT_FOUND')
})

test('the owner of a new key is the owner of the key that created it [P2-perm-2]', async () => {
  const [amara, ingrid] = [(await readSelf(user)).owner, (await readSelf(workspace)).owner]
  await withKey(user, { kind: 'organization' }, async ({ owner, value }) => {
    assert.deepEqual([owner, (await readSelf(value)).owner], [amara, amara])
  })
  await withKey(workspace, { kind: 'user', org_id: terminals }, async ({ owner, value }) => {
    assert.deepEqual([owner, (await readSelf(value)).owner], [ingrid, ingrid])
  })
})

test('a key never creates one with more permissions, a wider scope or a later expiry than its own [P2-perm-3]', async () => {
  const expires_at = inDays(2)
  await withKey(user, { kind: 'user', permissions: few, expires_at }, async ({ id, value }) => {
    const more = { kind: 'user', permissions: ['metrics:read', 'learning:read'] }
    assertError(await ask(value, 'POST', '', more), 403, 'PERMISSION_DENIED')
    assertError(
      await ask(value, 'POST', '', { kind: 'user', expires_at: inDays(3) }),
      403,
      'PERMISSION_DENIED',
    )
    assertError(await ask(value, 'POST', '', token({ expires_at: inDays(1.5) })), 403, 'KEY_KIND_NOT_ALLOWED')
    await withKey(value, { kind: 'user', org_id: terminals }, async (made) => {
      assert.deepEqual(
        [made.permissions.toSorted(), made.expires_at, made.org_id],
        [few.toSorted(), expires_at, platform],
      )
    })
    await withKey(user, { kind: 'user' }, async (stronger) => {
      assertError(await ask(value, 'POST', `/${stronger.id}/rotate`, {}), 403, 'PERMISSION_DENIED')
    })
    const later = { expires_at: inDays(3), overlap_days: 1 }
    assertError(await ask(value, 'POST', `/${id}/rotate`, later), 403, 'PERMISSION_DENIED')
    const next = madeIn(await ask(value, 'POST', `/${id}/rotate`, { overlap_days: 1 }))
    assert.deepEqual([next.permissions.toSorted(), next.expires_at], [few.toSorted(), expires_at])
    await remove(next.id, user)
  })
})

test('a key is replaced by one like it, and works for 0 to 7 days more [P9-3]', async () => {
  type Rotated = MadeKey & { replaces: { id: string; ends_at: string } }
  await withKey(user, { kind: 'organization', name: 'CI', permissions: few }, async (old) => {
    for (const overlap_days of [-1, 8, 1.5, '1', null])
      assertError(await ask(user, 'POST', `/${old.id}/rotate`, { overlap_days }), 400, 'INVALID_REQUEST')
    const next = madeIn<Rotated>(await ask(user, 'POST', `/${old.id}/rotate`, { overlap_days: 7 }))
    const like = ({ name, kind, owner, permissions, org_id }: Key) => [name, kind, owner, permissions, org_id]
    assert.deepEqual(like(next), like(old))
    assert.equal(next.replaces.id, old.id)
    assert.ok(Math.abs(Date.parse(next.replaces.ends_at) - Date.parse(inDays(7))) < 60_000)
    for (const { value, id } of [old, next]) assert.equal((await readSelf(value)).id, id)
    // Every field is optional, so the body is too.
    const last = madeIn(await ask(user, 'POST', `/${next.id}/rotate`))
    assertError(await ask(next.value, 'GET', '/self'), 401, 'UNAUTHORIZED')
    assert.equal((await readSelf(last.value)).id, last.id)
    assertError(await ask(user, 'POST', `/${next.id}/rotate`, {}), 400, 'INVALID_REQUEST', 'it has ended')
    await remove(last.id, user)
  })
})

test('only its owner can replace a key [P2-perm-2 P9-3]', async () => {
  const own = (await listKeys(user)).data.find(({ kind }) => kind === 'organization')
  assertError(
    await ask(workspace, 'POST', `/${own?.id}/rotate`, { overlap_days: 7 }),
    403,
    'PERMISSION_DENIED',
  )
  assert.equal((await readSelf(organization)).kind, 'organization')
})

test('regenerating a legacy key gives a user key [S-version-3 P2-format-10 P9-3]', async () => {
  const { id } = await readSelf(legacy)
  const next = madeIn(await ask(user, 'POST', `/${id}/rotate`, { overlap_days: 7 }))
  assert.deepEqual([next.kind, (await readSelf(next.value)).kind], ['user', 'user'])
  assert.equal((await readSelf(legacy)).kind, 'legacy')
  await remove(next.id, user)
})

test('a deleted key is 401 at the next request, on every node, and deleting it again is 204 [P2-ends-1 P9-4]', async () => {
  const made = madeIn(await ask(user, 'POST', '', { kind: 'user' }))
  const nodes = [demo.base_url, strict()]
  const opens = () =>
    Promise.all(
      nodes.map((base) => call(`${keysPath}/self`, { key: made.value, base }).then((r) => r.status)),
    )
  assert.deepEqual(await opens(), [200, 200])
  await remove(made.id, made.value)
  assert.deepEqual(await opens(), [401, 401])
  await remove(made.id, user)
  assert.ok((await listKeys(user)).data.every(({ id }) => id !== made.id))
})

test('another tenant’s key is answered exactly like one that does not exist [P1-exist-1 P1-code-16 P9-4]', async () => {
  const foreign = (await readSelf(other_tenant)).id
  for (const holder of [user, workspace]) {
    for (const [method, place, body] of [
      ['DELETE', '', undefined],
      ['POST', '/rotate', {}],
    ] as const) {
      const [known, unknown] = [
        await ask(holder, method, `/${foreign}${place}`, body),
        await ask(holder, method, `/${randomUUID()}${place}`, body),
      ]
      assertError(known, 404, 'NOT_FOUND')
      assert.deepEqual(comparable(known), comparable(unknown))
    }
  }
  assert.equal((await readSelf(other_tenant)).id, foreign)
  assertError(await ask(user, 'DELETE', '/not-a-uuid'), 400, 'INVALID_REQUEST')
})

test('organization, instance and agentic keys cannot manage keys; a legacy key is 410, no key 401 [P2-kinds-11]', async () => {
  const requests = [
    ['GET', ''],
    ['POST', '', { kind: 'user' }],
    ['POST', `/${randomUUID()}/rotate`, {}],
    ['DELETE', `/${randomUUID()}`],
  ] as const
  for (const [method, place, body] of requests) {
    for (const key of [organization, instance, agentic])
      assertError(await ask(key, method, place, body), 403, 'KEY_KIND_NOT_ALLOWED', method)
    assertError(await ask(legacy, method, place, body), 410, 'LEGACY_API_KEY', method)
    assertError(await call(keysPath + place, { method }), 401, 'UNAUTHORIZED', method)
  }
})

test('keys need api_key:read, api_key:write and api_key:delete [P1-code-10 P9-2]', async () => {
  for (const held of ['api_key:read', 'api_key:write', 'api_key:delete']) {
    await withKey(user, { kind: 'user', permissions: [held] }, async ({ value }) => {
      for (const [needed, method, place, body] of [
        ['api_key:read', 'GET', ''],
        ['api_key:write', 'POST', `/${randomUUID()}/rotate`, {}],
        ['api_key:write', 'POST', '', { kind: 'user', permissions: ['billing:read'] }],
        ['api_key:delete', 'DELETE', `/${randomUUID()}`],
      ] as const) {
        const reply = await ask(value, method, place, body)
        if (needed !== held) assertError(reply, 403, 'PERMISSION_DENIED', `${held} ${method}`)
        else assert.ok(reply.status === 200 || reply.status === 404 || place === '', reply.text)
      }
    })
  }
})

test('the audit log records who created, rotated and deleted which keys [P9-2]', async () => {
  const name = randomUUID()
  const made = madeIn(await ask(user, 'POST', '', { kind: 'user', name }))
  const next = madeIn(await ask(user, 'POST', `/${made.id}/rotate`, {}))
  await remove(next.id, user)
  const { data } = await readAudit('resource_types=api_key&page_size=3', 'organization')
  assert.deepEqual(
    data.map(({ action }) => action),
    ['api_key_revoked', 'api_key_rotated', 'api_key_created'],
  )
  for (const { resourceSummary, actor } of data) {
    assert.ok(resourceSummary.includes(name), resourceSummary)
    assert.equal(actor.name, 'Demo: user')
  }
  for (const { value } of [made, next]) assert.ok(!JSON.stringify(data).includes(value))
})

test('keys allow 10 requests in 60 s [P1-limit-10]', async () => {
  let asked = 0
  await assertWindow('"keys";q=10;w=60', () => {
    asked += 1
    return call(asked % 2 === 0 ? keysPath : `${keysPath}/self`, { key: lower_plan, base: strict() })
  })
})

test('the list shows when a key was last used, within a minute [P9-1]', async () => {
  await withKey(user, { kind: 'agentic' }, async ({ id, value }) => {
    const used = async () => (await listKeys(user)).data.find((key) => key.id === id)?.last_used_at ?? null
    assert.equal(await used(), null)
    const began = Date.now()
    assertError(await ask(value, 'GET'), 403, 'KEY_KIND_NOT_ALLOWED')
    const ended = Date.now()
    await eventually('its use is listed', async () => (await used()) !== null)
    const at = Date.parse((await used()) ?? '')
    assert.ok(at >= began - 1000 && at <= ended + 1000, String(await used()))
  })
})

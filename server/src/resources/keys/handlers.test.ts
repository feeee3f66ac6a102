import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startService, type TestResponse } from '../../../test/call.ts'
import { openTenant } from '../../../test/fixture.ts'
import { createTenant, type TestKey } from '../../../test/tenant.ts'
import { waitForLocks } from '../../../test/wait.ts'
import { allPermissions } from '../../access/permissions.ts'
import type { KeyId } from '../../ids.ts'
import { DAY_MS } from '../../time.ts'
import { deactivatePerson, reactivatePerson } from '../people/manage.ts'
import { createKey } from './manage.ts'
import { getKeyState, readKeys } from './sql.ts'

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

const { database, superuser, tenant, use } = await openTenant()
const service = use(startService(database, { LIMIT_KEYS: 'off' }))

interface CreatedKey {
  readonly id: KeyId
  readonly value: string
  readonly kind: string
  readonly org_id: string | null
  readonly owner: { readonly cr_user_id: string } | null
  readonly permissions: readonly string[]
  readonly expires_at: string | null
  readonly replaces: { readonly id: string; readonly ends_at: string }
}

const post = ({ value }: { value: string }, path: string, body: object) =>
  service.call(`/v1/keys${path}`, { key: value, method: 'POST', body })
const rotate = (key: { value: string }, id: string, body: object = {}) => post(key, `/${id}/rotate`, body)
const remove = ({ value }: { value: string }, id: string) =>
  service.call(`/v1/keys/${id}`, { key: value, method: 'DELETE' })

function expectCreated(response: TestResponse): CreatedKey {
  assert.equal(response.status, 201, response.text)
  return response.body as unknown as CreatedKey
}

async function readListedKeys(key: TestKey, query = ''): Promise<CreatedKey[]> {
  const all: CreatedKey[] = []
  let cursor: string | null = null
  do {
    const at: string = cursor === null ? query : `${query}${query ? '&' : '?'}cursor=${cursor}`
    const { body, status, text } = await service.call(`/v1/keys${at}`, { key: key.value })
    assert.equal(status, 200, text)
    const page = body as unknown as { data: CreatedKey[]; next_cursor: string | null }
    all.push(...page.data)
    cursor = page.next_cursor
  } while (cursor !== null)
  return all
}

function expectRefusal(
  { status, body, text }: TestResponse,
  expected: number,
  code: string,
  says: RegExp,
): void {
  assert.deepEqual([status, body.error?.code], [expected, code], text)
  assert.match(body.error?.message ?? '', says)
}

test('a new key has at most the permissions of the key that creates it, and all of them by default [P2-perm-3]', async () => {
  const few = ['api_key:write', 'metrics:read', 'api_key:read'] as const
  for (const kind of ['user', 'workspace'] as const) {
    const key = await tenant.createKey(kind, { permissions: few })
    const body = { kind: 'organization', org_id: tenant.workspace.organizations[0].orgId }
    assert.deepEqual(expectCreated(await post(key, '', body)).permissions.toSorted(), [...few].sort())
    const less = expectCreated(
      await post(key, '', { ...body, permissions: ['metrics:read', 'metrics:read'] }),
    )
    assert.deepEqual(less.permissions, ['metrics:read'])
    const more = await post(key, '', { ...body, permissions: ['metrics:read', 'learning:read'] })
    expectRefusal(more, 403, 'PERMISSION_DENIED', /lacks learning:read/)
  }
})

test('a new key expires no later than the key that creates it, and at the same time by default [P2-perm-3]', async () => {
  const maker = expectCreated(
    await post(await tenant.createKey('user'), '', { kind: 'user', expires_at: inDays(10) }),
  )
  assert.equal(expectCreated(await post(maker, '', { kind: 'user' })).expires_at, maker.expires_at)
  const expires_at = inDays(9)
  assert.equal(expectCreated(await post(maker, '', { kind: 'agentic', expires_at })).expires_at, expires_at)
  const later = new Date(Date.parse(maker.expires_at ?? '') + 1).toISOString()
  expectRefusal(
    await post(maker, '', { kind: 'user', expires_at: later }),
    403,
    'PERMISSION_DENIED',
    /expires later/,
  )
  assert.equal(
    expectCreated(await post(await tenant.createKey('user'), '', { kind: 'user' })).expires_at,
    null,
  )
})

test('a user key creates keys for its own organization and never a workspace token [P2-perm-3]', async () => {
  const [own, sibling] = tenant.workspace.organizations
  assert.ok(sibling)
  const key = await tenant.createKey('user')
  const created = expectCreated(await post(key, '', { kind: 'organization', org_id: sibling.orgId }))
  assert.deepEqual([created.org_id, created.owner?.cr_user_id], [own.orgId, key.owner])
  const token = { kind: 'workspace', name: 'CI', expires_at: inDays(30) }
  expectRefusal(await post(key, '', token), 403, 'KEY_KIND_NOT_ALLOWED', /workspace token/)
})

test('a workspace token creates workspace tokens with a name and a lifetime of 1 to 366 days within its own', async () => {
  const key = await tenant.createKey('workspace')
  const token = { kind: 'workspace', name: 'CI', expires_at: inDays(20) }
  const created = expectCreated(await post(key, '', token))
  assert.deepEqual([created.kind, created.org_id, created.owner?.cr_user_id], ['workspace', null, key.owner])
  for (const [body, says] of [
    [{ ...token, name: undefined }, /name/],
    [{ ...token, expires_at: undefined }, /expires_at/],
    [{ ...token, expires_at: inDays(0.9) }, /1 to 366/],
    [{ ...token, expires_at: inDays(-1) }, /past/],
    [{ ...token, org_id: tenant.workspace.organizations[0].orgId }, /org_id/],
  ] as const)
    expectRefusal(await post(key, '', body), 400, 'INVALID_REQUEST', says)
  expectRefusal(
    await post(key, '', { ...token, expires_at: inDays(31) }),
    403,
    'PERMISSION_DENIED',
    /expires later/,
  )
  expectRefusal(await post(key, '', { kind: 'user' }), 400, 'ORG_ID_REQUIRED', /org_id/)
})

test('a workspace token is refused on every endpoint after SSO is switched off [S-auth-6]', async () => {
  const other = await createTenant(database)
  const key = await other.createKey('workspace')
  await superuser.query('update root set sso = false where id = $1', [other.workspace.root])
  const response = await post(key, '', { kind: 'workspace', name: 'CI', expires_at: inDays(20) })
  expectRefusal(response, 403, 'KEY_KIND_NOT_ALLOWED', /Workspace tokens require SSO/)
  const self = await service.call('/v1/keys/self', { key: key.value })
  expectRefusal(self, 403, 'KEY_KIND_NOT_ALLOWED', /Workspace tokens require SSO/)
  await superuser.query('update root set sso = true where id = $1', [other.workspace.root])
  assert.equal((await service.call('/v1/keys/self', { key: key.value })).status, 200)
  await other.close()
})

test('a user key lists keys of its organization, a workspace token those of the workspace, without inactive keys', async () => {
  const other = await createTenant(database)
  const [first, second] = other.workspace.organizations
  assert.ok(second)
  const bound: TestKey[] = []
  for (const kind of ['user', 'organization', 'legacy', 'agentic'] as const)
    bound.push(await other.createKey(kind))
  const beside = await other.createKey('organization', { organization: second.id })
  const token = await other.createKey('workspace')
  await other.createKey('ingest')
  await other.createKey('user', { revoked: true })
  await other.createKey('user', { expired: true })
  const idsOf = async (key: TestKey, query?: string) => (await readListedKeys(key, query)).map(({ id }) => id)
  const ids = (...keys: TestKey[]) => keys.map(({ id }) => id).toSorted()
  const [user] = bound
  assert.ok(user)
  assert.deepEqual(await idsOf(user), ids(...bound))
  assert.deepEqual(await idsOf(user, '?limit=1'), ids(...bound))
  assert.deepEqual(await idsOf(user, `?org_id=${second.orgId}`), ids(...bound))
  assert.deepEqual(await idsOf(token), ids(...bound, beside, token))
  assert.deepEqual(await idsOf(token, `?org_id=${second.orgId}`), ids(beside))
  assert.deepEqual(await idsOf(token, `?org_id=${first.orgId}&limit=3`), ids(...bound))
  await other.close()
})

test('an instance key covers several organizations and is hidden from keys bound to its home organization', async () => {
  const { value, root } = await tenant.createKey('user', { of: 'instance' })
  const instanceKey = await tenant.createKey('instance')
  const key = { value, root } as TestKey
  assert.ok((await readListedKeys(key)).every(({ kind }) => kind !== 'instance'))
  expectRefusal(await remove(key, instanceKey.id), 404, 'NOT_FOUND', /No key/)
  expectRefusal(await rotate(key, instanceKey.id), 404, 'NOT_FOUND', /No key/)
})

test('keys of another organization, another tenant or a wider scope and unknown keys return the same 404', async () => {
  const [, second] = tenant.workspace.organizations
  assert.ok(second)
  const key = await tenant.createKey('user')
  const hidden = [
    await tenant.createKey('user', { of: 'alone' }),
    await tenant.createKey('user', { organization: second.id }),
    await tenant.createKey('workspace'),
    await tenant.createKey('ingest'),
    { id: randomUUID() },
  ]
  for (const ask of [rotate, remove] as const) {
    const texts = new Set<string>()
    for (const { id } of hidden) {
      const response = await ask(key, id)
      expectRefusal(response, 404, 'NOT_FOUND', /No key/)
      texts.add(response.text)
    }
    assert.equal(texts.size, 1)
  }
  for (const { id } of hidden.slice(0, -1)) {
    const { rows } = await superuser.query('select from api_key where id = $1 and revoked_at is null', [id])
    assert.equal(rows.length, 1)
  }
})

test('only the owner can rotate a key, with a key that has its permissions and does not expire earlier', async () => {
  const key = await tenant.createKey('user')
  const somebodyElses = await tenant.createKey('organization', { role: 'cr_member' })
  expectRefusal(await rotate(key, somebodyElses.id), 403, 'PERMISSION_DENIED', /owner/)
  const weak = await tenant.createKey('user', { permissions: ['api_key:write'] })
  expectRefusal(await rotate(weak, key.id), 403, 'PERMISSION_DENIED', /more permissions/)
  const short = expectCreated(await post(key, '', { kind: 'user', expires_at: inDays(5) }))
  const lasting = await tenant.createKey('organization')
  const expires_at = inDays(6)
  expectRefusal(await rotate(short, lasting.id, { expires_at }), 403, 'PERMISSION_DENIED', /expires later/)
  const capped = expectCreated(await rotate(short, lasting.id, { overlap_days: 7 }))
  assert.equal(capped.expires_at, short.expires_at)
  assert.equal(capped.replaces.id, lasting.id)
  const end = Date.parse(capped.replaces.ends_at)
  assert.ok(Math.abs(end - Date.now() - 7 * DAY_MS) < 60_000)
})

test('a rotation needs no body, because every field is optional', async () => {
  const key = await tenant.createKey('user')
  const url = `/v1/keys/${key.id}/rotate`
  const next = expectCreated(await service.call(url, { key: key.value, method: 'POST' }))
  assert.equal((await service.call('/v1/keys/self', { key: next.value })).status, 200)
  const text = { 'content-type': 'text/plain' }
  const other = await service.call(`/v1/keys/${next.id}/rotate`, {
    key: next.value,
    method: 'POST',
    headers: text,
    payload: 'x',
  })
  assert.equal(other.status, 415)
})

test('a key that rotates itself expires after the overlap, and its successor does not outlive it', async () => {
  const key = await tenant.createKey('workspace')
  const next = expectCreated(await rotate(key, key.id, { overlap_days: 1 }))
  assert.deepEqual([next.kind, next.permissions.length], ['workspace', allPermissions.length])
  const { rows } = await superuser.query<{ first_end: Date; now_ends: Date }>(
    `select created_at + interval '30 days' as first_end, expires_at as now_ends from api_key where id = $1`,
    [key.id],
  )
  assert.ok(Date.parse(next.expires_at ?? '') <= (rows[0]?.first_end.getTime() ?? 0) + 1)
  assert.equal(next.replaces.ends_at, rows[0]?.now_ends.toISOString())
  const last = expectCreated(await rotate(next, next.id))
  assert.equal((await service.call('/v1/keys', { key: next.value })).status, 401)
  assert.equal((await service.call('/v1/keys', { key: last.value })).status, 200)
})

test('a key that is revoked during its request creates nothing, and the 401 is not stored for replay [P1-idem-7]', async () => {
  const key = await tenant.createKey('user')
  const client = await superuser.connect()
  await client.query('begin')
  await client.query('update api_key set revoked_at = now() where id = $1', [key.id])
  const headers = { 'idempotency-key': randomUUID() }
  const request = { method: 'POST', body: { kind: 'user' }, headers } as const
  const asking = service.call('/v1/keys', { ...request, key: key.value })
  await waitForLocks(superuser)
  await client.query('commit')
  client.release()
  expectRefusal(await asking, 401, 'UNAUTHORIZED', /no longer active/)
  const another = await tenant.createKey('user')
  expectCreated(await service.call('/v1/keys', { ...request, key: another.value }))
})

test('two keys that rotate each other at the same time do not deadlock, and one of them wins', async () => {
  for (let round = 0; round < 5; round++) {
    const [one, other] = [await tenant.createKey('user'), await tenant.createKey('user')]
    const responses = await Promise.all([rotate(one, other.id), rotate(other, one.id)])
    assert.deepEqual(responses.map(({ status }) => String(status)).toSorted(), ['201', '401'])
  }
})

test('creating, rotating and deleting a key each write one audit row and one event with the calling key', async () => {
  const key = await tenant.createKey('user')
  const created = expectCreated(await post(key, '', { kind: 'user', name: 'Traced' }))
  const next = expectCreated(await rotate(key, created.id))
  assert.equal((await remove(key, next.id)).status, 204)
  assert.equal((await remove(key, next.id)).status, 204, 'again')
  const { rows } = await superuser.query<{ action: string; actor_id: string; resource_id: string }>(
    `select action, actor_id, resource_id from audit_log where root_id = $1 and resource_id = any ($2) order by position`,
    [key.root, [created.id, next.id]],
  )
  assert.deepEqual(rows, [
    { action: 'api_key_created', actor_id: key.id, resource_id: created.id },
    { action: 'api_key_rotated', actor_id: key.id, resource_id: next.id },
    { action: 'api_key_revoked', actor_id: key.id, resource_id: next.id },
  ])
  const { rows: events } = await superuser.query<{ type: string }>(
    `select type from outbox where root_id = $1 and payload->>'key_id' = any ($2) order by id`,
    [key.root, [created.id, next.id]],
  )
  assert.deepEqual(
    events.map(({ type }) => type),
    ['key.created', 'key.rotated', 'key.revoked'],
  )
})

test('only the first response contains the value: no list, stored response or row does [P1-idem-6]', async () => {
  const key = await tenant.createKey('user')
  const options = {
    key: key.value,
    method: 'POST',
    body: { kind: 'agentic' },
    headers: { 'idempotency-key': randomUUID() },
  } as const
  const first = expectCreated(await service.call('/v1/keys', options))
  const repeat = await service.call('/v1/keys', options)
  const { value, ...rest } = first
  assert.deepEqual([repeat.status, repeat.body], [201, rest])
  const found = (await readListedKeys(key)).find(({ id }) => id === first.id)
  assert.ok(found && !JSON.stringify(found).includes(value))
  for (const table of ['api_key', 'idempotent_request', 'audit_log', 'audit_clear', 'outbox']) {
    const { rows } = await superuser.query(`select from ${table} t where strpos(t::text, $1) > 0`, [value])
    assert.equal(rows.length, 0, table)
  }
})

test('a key of a lower plan can be managed, and a legacy key is rotated to a user key', async () => {
  const { lower } = tenant
  const admin = await tenant.createKey('user', { of: 'lower' })
  const legacy = await tenant.change(lower.root, (change) =>
    createKey(change, { kind: 'legacy', organization: lower.organizations[0].id, owner: lower.admin }),
  )
  const next = expectCreated(await rotate(admin, legacy.id))
  assert.equal(next.kind, 'user')
  assert.equal((await service.call('/v1/keys/self', { key: legacy.value })).status, 401)
})

test('an expiry after the year 9999 returns 400', async () => {
  const key = await tenant.createKey('user')
  const expires_at = '9999-12-31T23:59:59-12:00'
  expectRefusal(
    await post(key, '', { kind: 'user', expires_at }),
    400,
    'INVALID_REQUEST',
    /expires_at must be/,
  )
  expectRefusal(await rotate(key, key.id, { expires_at }), 400, 'INVALID_REQUEST', /expires_at must be/)
})

test('keys of a deactivated person are not listed as living [P11-inactive-4]', async () => {
  const { root } = tenant.workspace
  const [reader, key] = [
    await tenant.createKey('workspace'),
    await tenant.createKey('user', { role: allPermissions }),
  ]
  const owner = key.owner ?? assert.fail('a user key has an owner')
  const isListed = async () => (await readListedKeys(reader)).some(({ id }) => id === key.id)
  const readState = () =>
    tenant.change(root, async ({ scope, tx }) => {
      const page = { after: null, limit: 100, kind: null, organization: null, owner }
      const [listed] = await readKeys(scope, tx, page)
      return listed && getKeyState(listed, new Date())
    })
  assert.deepEqual([await isListed(), await readState()], [true, 'active'])
  await tenant.change(root, (change) => deactivatePerson(change, owner))
  assert.deepEqual([await isListed(), await readState()], [false, 'inactive'])
  await tenant.change(root, (change) => reactivatePerson(change, owner))
  assert.deepEqual([await isListed(), await readState()], [true, 'active'])
})

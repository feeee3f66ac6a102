import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { assertError, type Reply } from '../cli/src/conformance/http.ts'
import { read as readAudit } from './audit-data.ts'
import { platform, terminals } from './keys-data.ts'
import { changeSeats, personOf, post, readUsers, withNewcomers } from './people-data.ts'
import { assertPage, at, boundOrganization, call, demo, type KeyName } from './service.ts'
import { askInNewWindow, strict } from './windows.ts'

const path = '/v1/users/offboarding'

type Receipt = {
  root_id: string
  at: string
  previous_hash: string
  rows: { id: string; action: string; position: number; digest: string; hash: string }[]
  head: { position: number; hash: string }
}
type Result = {
  person: { cr_user_id: string; name: string; email: string | null; active: boolean }
  sessions: number
  keys: { id: string; kind: string; name: string; last_used_at: string | null; ends: boolean }[]
  seats: number
  roles: {
    organization_id: string | null
    organization: { id: string } | null
    organization_name: string | null
    user_id: string | null
    role_name: string
    role_type: string
  }[]
  pending_learnings: number
  executed: boolean
  receipt: Receipt | null
}

async function offboard(key: KeyName, body: object): Promise<Result> {
  const reply = await post(path, key, body)
  assertPage(reply)
  return reply.body as Result
}

async function codeOf(key: KeyName, body: object): Promise<string> {
  const reply: Reply = await post(path, key, body)
  const { error } = reply.body as { error?: { code: string; message: string } }
  assert.ok(error !== undefined && error.message !== '', reply.text)
  return `${reply.status} ${error.code}`
}

const sha256 = (...parts: (string | Buffer)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex')

/** The rows follow each other from the hash before the first one to the head, and the log has them with these digests. */
async function assertCovered(receipt: Receipt, key: KeyName): Promise<void> {
  let previous = receipt.previous_hash
  const { data } = await readAudit('page_size=100', key)
  for (const { id, action, position, digest, hash } of receipt.rows) {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64BE(BigInt(position))
    assert.equal(sha256(Buffer.from(previous, 'hex'), bytes, Buffer.from(digest, 'hex')), hash)
    previous = hash
    const row = data.find((entry) => entry.id === id) ?? assert.fail(`${action} is not in the log`)
    assert.deepEqual([row.action, row.position, row.hash], [action, position, hash])
    assert.equal(sha256(row.content), digest)
  }
  assert.deepEqual(receipt.head, { position: at(receipt.rows, -1).position, hash: previous })
}

test('a dry run is the default, shows what would end, and changes nothing [P12-offboarding-1]', async () => {
  const { id: organization, provider_organization_id, name } = await boundOrganization('other_tenant')
  await withNewcomers('other_tenant', 1, async ([id = '']) => {
    await changeSeats('other_tenant', 'assign', [id])
    const shown = await offboard('other_tenant', { member: { user_id: id } })
    assert.deepEqual(shown, {
      person: { cr_user_id: shown.person.cr_user_id, name: id, email: `${id}@example.com`, active: true },
      sessions: 0,
      keys: [],
      seats: 1,
      roles: [
        {
          organization_id: provider_organization_id,
          organization: { id: organization },
          organization_name: name,
          user_id: id,
          role_name: at(shown.roles, 0).role_name,
          role_type: at(shown.roles, 0).role_type,
        },
      ],
      pending_learnings: 0,
      executed: false,
      receipt: null,
    })
    assert.deepEqual(await offboard('other_tenant', { member: { user_id: id }, dry_run: true }), shown)
    const listed = (await readUsers('other_tenant')).users.find(({ user_id }) => user_id === id)
    assert.deepEqual([listed?.seat_assigned, listed?.active], [true, true])
    await changeSeats('other_tenant', 'unassign', [id])
  })
})

test('in a root of a single organization everything ends as shown, and the receipt names the audit rows and the head [P12-offboarding-4 P12-offboarding-6]', async () => {
  await withNewcomers('other_tenant', 1, async ([id = '']) => {
    await changeSeats('other_tenant', 'assign', [id])
    const member = { email: `${id}@EXAMPLE.com` }
    const shown = await offboard('other_tenant', { member })
    const { executed, receipt, ...done } = await offboard('other_tenant', { member, dry_run: false })
    assert.equal(executed, true)
    const person = { ...shown.person, active: false }
    assert.deepEqual({ ...done, executed: false, receipt: null }, { ...shown, person })
    assert.ok(receipt !== null)
    assert.deepEqual(
      receipt.rows.map(({ action }) => action),
      ['seat_unassigned', 'person_left', 'person_deactivated', 'person_offboarded'],
    )
    await assertCovered(receipt, 'other_tenant')
    const { users } = await readUsers('other_tenant')
    assert.ok(!users.some(({ user_id }) => user_id === id))
    const again = await offboard('other_tenant', { member: { cr_user_id: done.person.cr_user_id } })
    assert.deepEqual([again.person.active, again.seats, again.roles], [false, 0, []])
  })
})

test('a caller of one organization ends the membership of that organization only [P12-offboarding-2]', async () => {
  await withNewcomers('instance', 1, async ([id = '']) => {
    await changeSeats('instance', 'assign', [id])
    const { person, seats, sessions, roles, receipt } = await offboard('instance', {
      member: { user_id: id },
      dry_run: false,
    })
    assert.deepEqual([seats, sessions, roles.length, person.active], [0, 0, 1, true])
    assert.deepEqual(
      receipt?.rows.map(({ action }) => action),
      ['person_left', 'person_offboarded'],
    )
    assert.equal(await codeOf('instance', { member: { user_id: id } }), '404 NOT_FOUND')
  })
})

test('an admin of one organization neither finds nor changes what a person has in another [P12-offboarding-2]', async () => {
  const mei = await personOf('mei.tanaka@example.com')
  const own = await offboard('user', { member: { cr_user_id: mei.cr_user_id } })
  assert.deepEqual(
    own.roles.map(({ user_id }) => user_id),
    mei.accounts.filter(({ org_id }) => org_id === platform).map(({ user_id }) => user_id),
  )
  assert.deepEqual([own.sessions, own.seats], [0, 0])
  const whole = await offboard('workspace', { member: { email: 'mei.tanaka@example.com' } })
  assert.equal(whole.roles.length, mei.accounts.length)
  const narrowed = await offboard('workspace', { member: { cr_user_id: mei.cr_user_id }, org_id: platform })
  assert.deepEqual(narrowed.roles, own.roles)
  // A member of another organization of the workspace, a person of another tenant, and nobody are the same.
  for (const email of ['tobias.lindqvist@example.com', 'hannah.brandt@example.com', 'nobody@example.com'])
    assert.equal(await codeOf('user', { member: { email }, dry_run: false }), '404 NOT_FOUND')
  const elsewhere = { member: { email: 'mei.tanaka@example.com' }, org_id: terminals }
  assert.equal(await codeOf('workspace', elsewhere), '404 NOT_FOUND')
  assert.deepEqual(await personOf('mei.tanaka@example.com'), mei)
})

test('billing admins are PROTECTED_ROLE and the last admin is LAST_ADMIN, in a dry run too [P12-offboarding-3]', async () => {
  for (const dry_run of [true, false]) {
    const priya = { member: { email: 'priya.raman@example.com' }, dry_run }
    assert.equal(await codeOf('user', priya), '409 PROTECTED_ROLE')
    assert.equal(await codeOf('workspace', priya), '409 PROTECTED_ROLE')
    const tobias = { member: { email: 'tobias.lindqvist@example.com' }, dry_run }
    assert.equal(await codeOf('workspace', tobias), '409 LAST_ADMIN')
    assert.equal(await codeOf('workspace', { ...tobias, org_id: terminals }), '409 LAST_ADMIN')
  }
})

test('a key used within 7 days must be in confirm_keys, else the request is 409 KEY_IN_USE and nothing ends [P12-offboarding-5]', async () => {
  const member = { email: 'amara.okafor@example.com' }
  assert.equal((await call('/v1/keys/self', { key: demo.keys.user })).status, 200)
  const shown = await offboard('workspace', { member })
  assert.ok(shown.keys.some(({ last_used_at }) => last_used_at !== null))
  assert.ok(shown.keys.every(({ ends }) => ends))
  assert.ok(shown.keys.length >= 4)
  assert.equal(await codeOf('workspace', { member, dry_run: false }), '409 KEY_IN_USE')
  const others = shown.keys.filter(({ last_used_at }) => last_used_at === null).map(({ id }) => id)
  assert.equal(await codeOf('workspace', { member, dry_run: false, confirm_keys: others }), '409 KEY_IN_USE')
  assert.equal((await call('/v1/keys/self', { key: demo.keys.user })).status, 200)
  // Keys that are bound to another organization stay, and a workspace token sees that.
  const narrowed = await offboard('workspace', { member, org_id: terminals })
  assert.deepEqual(
    narrowed.keys.map(({ id, ends }) => [id, ends]),
    shown.keys.map(({ id }) => [id, false]),
  )
})

test('one of email, cr_user_id and user_id names the person; a workspace token needs org_id with user_id [P12-offboarding-1]', async () => {
  for (const body of [
    {},
    { member: {} },
    { member: { email: 'a@example.com', user_id: '1' } },
    { member: { cr_user_id: 'a' } },
    { member: { user_id: '1' }, confirm_keys: ['a'] },
    { member: { user_id: '1' }, more: 1 },
    { member: { user_id: '1' }, dry_run: 'false' },
  ])
    assert.equal(await codeOf('user', body), '400 INVALID_REQUEST', JSON.stringify(body))
  const mei = { member: { user_id: '17549942' } }
  assert.equal(await codeOf('workspace', mei), '400 ORG_ID_REQUIRED')
  assert.equal((await offboard('workspace', { ...mei, org_id: platform })).person.name, 'Mei Tanaka')
})

test('dry runs count in a window of their own, 60 in 60 s; an offboarding counts as a change of seats [P12-offboarding-1]', async () => {
  const member = { email: 'nobody@example.com' }
  const shown = await askInNewWindow(() => post(path, 'other_tenant', { member }, strict()))
  assertError(shown, 404, 'NOT_FOUND')
  assert.equal(shown.headers.get('ratelimit-policy'), '"offboarding-dry-runs";q=60;w=60')
  const done = await post(path, 'other_tenant', { member, dry_run: false }, strict())
  assert.equal(done.headers.get('ratelimit-policy'), '"seats";q=10;w=60')
})

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startService } from '../../../../test/call.ts'
import { openTenant } from '../../../../test/fixture.ts'
import { limitsOff } from '../../../../test/limits-off.ts'
import { plantSession } from '../../../../test/planted/sessions.ts'
import { addMember } from '../../../../test/seats/test-seats.ts'
import type { KeyKind } from '../../../access/key-format.ts'
import type { OrganizationId, PersonId } from '../../../ids.ts'
import { createKey } from '../../keys/manage.ts'
import { addPerson } from '../manage.ts'
import type { OffboardingResult } from './schema.ts'

const { database, superuser, tenant, use } = await openTenant()
const service = use(startService(database, limitsOff))
const { root } = tenant.workspace
const [one, two] = tenant.workspace.organizations
assert.ok(two)
const [first, second] = [one, two]
const workspaceToken = (await tenant.createKey('workspace')).value
const firstAdmin = (await tenant.createKey('user')).value

interface Leaver {
  readonly id: PersonId
  readonly account: string
  readonly email: string
  readonly keys: Readonly<Record<'first' | 'agentic' | 'second' | 'workspace', { id: string; value: string }>>
}

/** Member of both organizations and workspace admin, with keys, a session, a seat and a proposed Learning in each. */
async function addLeaver(): Promise<Leaver> {
  const account = randomUUID()
  const email = `${account}@example.com`
  const leaver = await tenant.change(root, async (change) => {
    const id = await addPerson(change, {
      email,
      name: 'Ada Lindgren',
      workspaceAdmin: true,
      accounts: [{ provider: 'github', host: 'github.com', accountId: account, username: account }],
      memberships: [first, second].map(({ id: organization }) => {
        return { organization, role: { system: 'cr_admin' } as const }
      }),
    })
    const bound = (kind: Exclude<KeyKind, 'workspace' | 'instance'>, organization: OrganizationId) =>
      createKey(change, { kind, organization, owner: id, name: `${kind} key` })
    const expiresAt = new Date(change.at.getTime() + 30 * 86_400_000)
    const keys = {
      first: await bound('user', first.id),
      agentic: await bound('agentic', first.id),
      second: await bound('organization', second.id),
      workspace: await createKey(change, { kind: 'workspace', owner: id, name: 'job', expiresAt }),
    }
    return { id, account, email, keys }
  })
  await superuser.query(`insert into seat (root_id, person_id) values ($1, $2)`, [root, leaver.id])
  await plantSession(superuser, root, leaver.id)
  for (const { id } of [first, second])
    await superuser.query(
      `insert into learning (root_id, organization_id, id, repository_id, state, text, content_hash, redactor_version,
         source, author_id, created_at, updated_at)
       values ($1, $2, $3, '1', 'pending', 'Close what you open.', $4, 1, 'agent', $5, now(), now())`,
      [root, id, randomUUID(), randomBytes(32), account],
    )
  return leaver
}

async function send(key: string, body: object) {
  const response = await service.call('/v1/users/offboarding', { key, method: 'POST', body })
  return { ...response, body: response.body as unknown as OffboardingResult & { error?: { code: string } } }
}

async function readStatuses({ keys }: Leaver) {
  const statuses: Record<string, number> = {}
  for (const [name, { value }] of Object.entries(keys))
    statuses[name] = (await service.call('/v1/keys/self', { key: value })).status
  return statuses
}

test('a workspace token offboards from the whole root, and nothing of the person works afterwards [P12-offboarding-4]', async () => {
  const leaver = await addLeaver()
  const member = { email: leaver.email }
  const { body: shown } = await send(workspaceToken, { member })
  assert.deepEqual(
    [shown.sessions, shown.seats, shown.keys.length, shown.roles.length, shown.pending_learnings],
    [1, 1, 4, 3, 2],
  )
  const { body: done } = await send(workspaceToken, { member, dry_run: false })
  const person = { ...shown.person, active: false }
  assert.deepEqual({ ...done, executed: false, receipt: null }, { ...shown, person })
  assert.deepEqual(await readStatuses(leaver), { first: 401, agentic: 401, second: 401, workspace: 401 })
  const { rows } = await superuser.query<Record<string, unknown>>(
    `select p.active, p.workspace_admin,
       (select count(*)::int from session where person_id = p.id and ended_at is null) as sessions,
       (select count(*)::int from seat where person_id = p.id) as seats,
       (select count(*)::int from membership where person_id = p.id) as roles,
       (select count(*)::int from learning where author_id = $2 and state = 'pending') as learnings
     from person p where id = $1`,
    [leaver.id, leaver.account],
  )
  assert.deepEqual(rows, [
    { active: false, workspace_admin: false, sessions: 0, seats: 0, roles: 0, learnings: 2 },
  ])
})

test('an admin of one organization cannot offboard from the workspace, whatever the request says', async () => {
  const leaver = await addLeaver()
  for (const org_id of [undefined, second.orgId, 'ALL']) {
    const { body } = await send(firstAdmin, {
      member: { cr_user_id: leaver.id },
      ...(org_id !== undefined && { org_id }),
    })
    assert.deepEqual(
      new Map(body.keys.map(({ id, ends }) => [id, ends])),
      new Map([leaver.keys.first.id, leaver.keys.agentic.id].map((id) => [id, true])),
    )
    assert.deepEqual(
      body.roles.map(({ organization_id, organization }) => [organization_id, organization?.id]),
      [[first.orgId, first.id]],
    )
    assert.deepEqual([body.sessions, body.seats, body.pending_learnings], [0, 0, 1])
    assert.doesNotMatch(JSON.stringify(body), new RegExp(second.id))
  }
  const { body } = await send(firstAdmin, { member: { user_id: leaver.account }, dry_run: false })
  assert.equal(body.executed, true)
  assert.deepEqual(await readStatuses(leaver), { first: 401, agentic: 401, second: 200, workspace: 200 })
  const { status } = await send(firstAdmin, { member: { email: leaver.email }, dry_run: false })
  assert.equal(status, 404, 'no longer a member')
})

test('a key in use ends only if it is confirmed', async () => {
  const leaver = await addLeaver()
  const member = { email: leaver.email }
  const setLastUse = (id: string, ago: string) =>
    superuser.query(`update api_key set last_used_at = now() - $2::interval where id = $1`, [id, ago])
  await setLastUse(leaver.keys.first.id, '6 days')
  await setLastUse(leaver.keys.agentic.id, '8 days')
  const refused = await send(workspaceToken, { member, dry_run: false })
  assert.equal(refused.body.error?.code, 'KEY_IN_USE')
  assert.match(refused.text, new RegExp(leaver.keys.first.id))
  assert.doesNotMatch(refused.text, new RegExp(leaver.keys.agentic.id))
  assert.equal((await readStatuses(leaver))['second'], 200, 'nothing has ended')
  // A request of another organization does not end it, so it needs no confirmation; reading the statuses has used the other.
  const elsewhere = { member, org_id: second.orgId, dry_run: false, confirm_keys: [leaver.keys.second.id] }
  assert.equal((await send(workspaceToken, elsewhere)).status, 200)
  // All of them, because reading the statuses has used the others.
  const confirm_keys = [...Object.values(leaver.keys).map(({ id }) => id.toUpperCase()), randomUUID()]
  assert.equal((await send(workspaceToken, { member, dry_run: false, confirm_keys })).status, 200)
})

test('a key that another node served a moment ago is in use [P12-offboarding-5]', async () => {
  const leaver = await addLeaver()
  const node = startService(database)
  assert.equal((await node.call('/v1/keys/self', { key: leaver.keys.agentic.value })).status, 200)
  const body = { member: { email: leaver.email }, dry_run: false }
  const refused = await send(workspaceToken, body)
  assert.equal(refused.body.error?.code, 'KEY_IN_USE')
  assert.match(refused.text, new RegExp(leaver.keys.agentic.id))
  await node.stop()
  assert.equal((await send(workspaceToken, { ...body, confirm_keys: [leaver.keys.agentic.id] })).status, 200)
})

test('the last workspace admin cannot be offboarded', async () => {
  const { workspace } = tenant
  await superuser.query(`update person set workspace_admin = false where root_id = $1 and id <> $2`, [
    root,
    workspace.admin,
  ])
  await superuser.query(
    `update membership set system_role = 'cr_member' where root_id = $1 and person_id = $2`,
    [root, workspace.admin],
  )
  const { body } = await send(workspaceToken, { member: { cr_user_id: workspace.admin } })
  assert.equal(body.error?.code, 'LAST_ADMIN')
})

async function endSessions(key: string, person: string) {
  const { status, body } = await service.call(`/v1/users/${person}/sessions`, { key, method: 'DELETE' })
  return status === 200 ? (body as unknown as { ended: number }).ended : `${status} ${body.error?.code}`
}

test('sessions of a person end for a workspace token and for keys of an organization of the person, and are audited [P11-sessions-1]', async () => {
  const { id } = await addLeaver()
  const { id: other } = await addLeaver()
  for (let n = 0; n < 2; n++) await plantSession(superuser, root, id)
  await plantSession(superuser, root, id, { ended: '1 second' })
  assert.equal(await endSessions(workspaceToken, id), 3)
  assert.equal(await endSessions(workspaceToken, id), 0)
  await plantSession(superuser, root, id)
  assert.equal(await endSessions(firstAdmin, id), '409 PROTECTED_ROLE', 'a workspace admin')
  await superuser.query('update person set workspace_admin = false where id = $1', [id])
  assert.equal(await endSessions(firstAdmin, id.toUpperCase()), 1)
  const { rows } = await superuser.query<{ organization_id: string | null; metadata: { person_id: string } }>(
    `select organization_id, metadata from audit_log
     where root_id = $1 and action = 'session_ended' and metadata->>'person_id' = $2 order by position`,
    [root, id],
  )
  assert.deepEqual(
    rows.map(({ organization_id }) => organization_id),
    [null, null, null, first.id],
  )
  const open = await superuser.query(`select from session where person_id = $1 and ended_at is null`, [other])
  assert.equal(open.rowCount, 1, 'those of somebody else go on')
})

test('people outside the key’s scope are 404, and their sessions continue [P11-sessions-1]', async () => {
  const [{ person: elsewhere }, { admin: foreign, root: foreignRoot }] = [
    await addMember(tenant, [second]),
    tenant.alone,
  ]
  await plantSession(superuser, root, elsewhere)
  await plantSession(superuser, foreignRoot, foreign)
  const cases = [
    [firstAdmin, elsewhere],
    [firstAdmin, foreign],
    [workspaceToken, foreign],
    [workspaceToken, randomUUID()],
  ] as const
  for (const [key, person] of cases) assert.equal(await endSessions(key, person), '404 NOT_FOUND')
  assert.equal(await endSessions(workspaceToken, elsewhere), 1)
  const { value: alone } = await tenant.createKey('user', { of: 'alone' })
  assert.equal(await endSessions(alone, foreign), 1)
})

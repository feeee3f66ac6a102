import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService, type TestResponse } from '../../../test/call.ts'
import { openTenant } from '../../../test/fixture.ts'
import type { TestOrganization } from '../../../test/tenant.ts'
import { waitFor, waitForLocks } from '../../../test/wait.ts'
import type { ChangeContext } from '../../access/change-context.ts'
import { connect } from '../../db/connect.ts'
import type { PersonId } from '../../ids.ts'
import { createLog } from '../../observe/log.ts'
import { addPerson, deactivatePerson, setRole } from '../people/manage.ts'
import type { Role } from '../people/sql.ts'
import { createRole } from '../roles/manage.ts'
import { deleteFinishedRoleJobs, runRoleJobs } from './run-jobs.ts'

const { database, superuser, tenant, use } = await openTenant({ organizations: 4 })
const service = use(startService(database, { LIMIT_ROLES: 'off' }))
const workerPool = use(connect({ url: database.urls.worker, name: 'test-worker', connections: 2 }))
const instanceKey = (await tenant.createKey('instance')).value

const createJobContext = () => ({
  database: workerPool,
  log: createLog('test', 'silent'),
  now: () => new Date(),
})

interface Member {
  readonly id: PersonId
  readonly account: string
}

/** A member of some organizations, with one role in each. */
async function join(
  organizations: readonly TestOrganization[],
  roleIn: (organization: TestOrganization) => Role,
): Promise<Member> {
  const account = String(randomInt(1e9, 1e10))
  const [first] = organizations
  assert.ok(first)
  const host = first.instance === null ? 'github.com' : `git-${first.root.slice(0, 8)}.example.com`
  const id = await tenant.change(first.root, (tenantChange) =>
    addPerson(tenantChange, {
      email: `${account}@example.com`,
      name: account,
      accounts: [{ provider: 'github', host, accountId: account, username: account }],
      memberships: organizations.map((organization) => ({
        organization: organization.id,
        role: roleIn(organization),
      })),
    }),
  )
  return { id, account }
}

async function readMemberRoles(member: Member): Promise<(string | null)[]> {
  const { rows } = await superuser.query<{ system_role: string | null }>(
    'select system_role from membership where person_id = $1 order by organization_id',
    [member.id],
  )
  return rows.map(({ system_role }) => system_role)
}

async function countAudits(member: Member): Promise<number> {
  const { rows } = await superuser.query<{ count: number }>(
    `select count(*)::int as count from audit_log where action = 'person_role_changed' and metadata->'person_ids' ? $1`,
    [member.id],
  )
  return rows[0]?.count ?? 0
}

function change(key: string, body: object, headers: Record<string, string> = {}): Promise<TestResponse> {
  return service.call('/v1/users/roles', { method: 'POST', key, body, headers })
}

/** Runs the worker until the request is answered. */
async function whileWorking(request: Promise<TestResponse>): Promise<TestResponse> {
  const waiting = new Set([request])
  const done = request.finally(() => waiting.delete(request))
  while (waiting.size > 0) {
    await runRoleJobs(createJobContext())
    await sleep(20)
  }
  return done
}

interface Failure {
  readonly user_id: string
  readonly id: string
  readonly code: string
  readonly message: string
}

/** The users that failed and their codes; every failure has exactly the four fields of the contract. */
const codes = ({ body }: TestResponse) =>
  (body as unknown as { failed: Failure[] }).failed.map((failure) => {
    const { user_id, code, message } = failure
    assert.ok(message)
    assert.deepEqual(failure, { user_id, id: user_id, code, message })
    return [user_id, code]
  })
const succeeded = ({ body }: TestResponse) => (body as unknown as { succeeded: string[] }).succeeded
const everyone = () => tenant.instance.organizations

test('the last active admin in the order of the request stays, and inactive admins do not count', async () => {
  const { organizations } = tenant.alone
  const key = (await tenant.createKey('organization', { of: 'alone' })).value
  const second = await join(organizations, () => ({ system: 'cr_admin' }))
  const asleep = await join(organizations, () => ({ system: 'cr_admin' }))
  await tenant.change(tenant.alone.root, (tenantChange) => deactivatePerson(tenantChange, asleep.id))
  const { rows } = await superuser.query<{ account_id: string }>(
    'select account_id from membership where person_id = $1',
    [tenant.alone.admin],
  )
  const admin = rows[0]?.account_id ?? ''
  const response = await change(key, { role: 'cr_member', user_ids: [second.account, asleep.account, admin] })
  assert.deepEqual(succeeded(response), [second.account, asleep.account])
  assert.deepEqual(codes(response), [[admin, 'LAST_ADMIN']])
  assert.deepEqual(await readMemberRoles(second), ['cr_member'])
})

test('a deactivated person is not promoted, in one organization and in all, and can be demoted [P11-inactive-3]', async () => {
  const asleep = await join(everyone(), ({ id }) => ({
    system: id === tenant.instance.organizations[0].id ? 'cr_admin' : 'cr_member',
  }))
  await tenant.change(tenant.instance.root, (tenantChange) => deactivatePerson(tenantChange, asleep.id))
  const user_ids = [asleep.account]
  for (const org_id of [tenant.instance.organizations[0].orgId, 'ALL']) {
    const response = await whileWorking(change(instanceKey, { role: 'cr_admin', user_ids, org_id }))
    assert.deepEqual(codes(response), [[asleep.account, 'USER_INACTIVE']])
  }
  const demoted = await whileWorking(change(instanceKey, { role: 'cr_member', user_ids, org_id: 'ALL' }))
  assert.deepEqual(succeeded(demoted), user_ids)
  assert.deepEqual(new Set(await readMemberRoles(asleep)), new Set(['cr_member']))
  const promote = (tenantChange: ChangeContext) =>
    setRole(tenantChange, {
      person: asleep.id,
      organization: tenant.instance.organizations[0].id,
      role: { system: 'cr_admin' },
    })
  await assert.rejects(tenant.change(tenant.instance.root, promote), /is deactivated/)
})

test('a request writes one audit row, and none if nothing changes', async () => {
  const [organization] = tenant.workspace.organizations
  const organizations = [organization]
  const key = (await tenant.createKey('user')).value
  const role = await tenant.change(tenant.workspace.root, (tenantChange) =>
    createRole(tenantChange, organization.id, { name: randomUUID() }),
  )
  const [one, two] = [
    await join(organizations, () => ({ custom: role })),
    await join(organizations, () => ({ system: 'cr_member' })),
  ]
  for (const _ of [1, 2]) {
    const response = await change(key, { role: 'cr_admin', user_ids: [one.account, two.account] })
    assert.equal(response.status, 200)
  }
  assert.deepEqual(
    [await readMemberRoles(one), await countAudits(one), await countAudits(two)],
    [['cr_admin'], 1, 1],
  )
})

test('ALL: a user succeeds if all of their organizations do, and no organization is changed twice [S-roles-9]', async () => {
  const [first, second, third] = everyone()
  assert.ok(second && third)
  const anywhere = await join(everyone(), () => ({ system: 'cr_member' }))
  const billing = await join([first, second], ({ id }) => ({
    system: id === second.id ? 'cr_billing_admin' : 'cr_member',
  }))
  const body = {
    role: 'cr_admin',
    user_ids: ['nobody', anywhere.account, billing.account],
    org_id: 'aLL',
  }
  const response = await whileWorking(change(instanceKey, body, { 'idempotency-key': 'all-1' }))
  assert.equal(response.status, 200)
  assert.deepEqual(succeeded(response), [anywhere.account])
  assert.deepEqual(codes(response), [
    ['nobody', 'USER_NOT_FOUND'],
    [billing.account, 'PROTECTED_ROLE'],
  ])
  assert.deepEqual(await readMemberRoles(anywhere), Array(4).fill('cr_admin'))
  assert.deepEqual([await countAudits(anywhere), await countAudits(billing)], [4, 1])
  const again = await change(instanceKey, body, { 'idempotency-key': 'all-1' })
  assert.equal(again.headers['idempotency-replayed'], 'true')
  assert.equal(again.text, response.text)
})

test('ALL changes only authorized and active organizations', async () => {
  const [first, second, third, fourth] = everyone()
  assert.ok(second && third && fourth)
  const authorized = [first.id, second.id, third.id]
  const { value } = await tenant.createKey('instance', { authorized })
  const member = await join(everyone(), () => ({ system: 'cr_member' }))
  await superuser.query('update organization set active = false where id = $1', [third.id])
  try {
    const body = { role: 'cr_admin', user_ids: [member.account], org_id: 'ALL' }
    assert.deepEqual(succeeded(await whileWorking(change(value, body))), [member.account])
    const { rows } = await superuser.query<{ organization_id: string }>(
      `select organization_id from membership where person_id = $1 and system_role = 'cr_admin'`,
      [member.id],
    )
    const changed = rows.map(({ organization_id }) => organization_id).sort()
    assert.deepEqual(changed, [first.id, second.id].sort())
  } finally {
    await superuser.query('update organization set active = true where id = $1', [third.id])
  }
})

test('the same Idempotency-Key joins a running job, and a different request with it returns 409 [P3-roles-5]', async () => {
  const member = await join(everyone(), () => ({ system: 'cr_member' }))
  const body = { role: 'cr_admin', user_ids: [member.account], org_id: 'ALL' }
  const headers = { 'idempotency-key': 'joined' }
  const one = change(instanceKey, body, headers)
  await waitForJob()
  const two = change(instanceKey, body, headers)
  const other = await change(instanceKey, { ...body, role: 'cr_member' }, headers)
  assert.equal(other.body.error?.code, 'IDEMPOTENCY_KEY_REUSED')
  const [first, second] = await Promise.all([whileWorking(one), two])
  assert.deepEqual([first.status, first.text], [second.status, second.text])
  assert.equal(await countAudits(member), 4)
})

test('three jobs run at a time; a fourth returns 429, and a retry does not count as a fourth [P1-limit-15]', async () => {
  const member = await join(everyone(), () => ({ system: 'cr_member' }))
  const body = { role: 'cr_member', user_ids: [member.account], org_id: 'ALL' }
  const running: Promise<TestResponse>[] = []
  for (const name of ['a', 'b', 'c']) {
    running.push(change(instanceKey, body, { 'idempotency-key': name }))
    await waitForJob(running.length)
  }
  const refused = await change(instanceKey, body)
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers['retry-after']) >= 1)
  running.push(change(instanceKey, body, { 'idempotency-key': 'a' }))
  const lastResponse = await whileWorking(Promise.all(running).then((all) => all.at(-1) as TestResponse))
  assert.equal(lastResponse.status, 200)
})

test('a custom role is given under the rules of other roles [P12-role-members-1]', async () => {
  const { root, organizations } = tenant.workspace
  const [organization, other] = organizations
  assert.ok(other)
  const [role, foreign] = await tenant.change(root, async (tenantChange) => [
    await createRole(tenantChange, organization.id, { name: 'Librarian' }),
    await createRole(tenantChange, other.id, { name: 'Librarian' }),
  ])
  const { value: key } = await tenant.createKey('user')
  const assign = (id: string, user_ids: readonly string[]) =>
    service.call(`/v1/roles/${id}/members`, { method: 'POST', key, body: { user_ids } })
  const member = await join([organization, other], () => ({ system: 'cr_member' }))
  const billing = await join([organization], () => ({ system: 'cr_billing_admin' }))
  const inactive = await join([organization], () => ({ system: 'cr_member' }))
  await tenant.change(root, (tenantChange) => deactivatePerson(tenantChange, inactive.id))

  const response = await assign(role, [member.account, billing.account, inactive.account])
  assert.equal(response.status, 200, response.text)
  assert.deepEqual(succeeded(response), [member.account, inactive.account])
  assert.match(response.text, /"code":"PROTECTED_ROLE"/)
  assert.deepEqual(new Set(await readMemberRoles(member)), new Set(['cr_member', null]), 'one organization')
  const { rows } = await superuser.query<{ metadata: { role: string; users: number; before: object } }>(
    `select metadata from audit_log where root_id = $1 and action = 'person_role_changed' order by position desc limit 1`,
    [root],
  )
  assert.equal(rows[0]?.metadata.role, role)
  assert.equal(rows[0]?.metadata.users, 2)
  const audited = async () =>
    (
      await superuser.query(`select from audit_log where root_id = $1 and action = 'person_role_changed'`, [
        root,
      ])
    ).rowCount
  const count = await audited()
  assert.equal((await assign(role, [member.account])).status, 200)
  assert.equal(await audited(), count, 'nothing changed, nothing recorded')
  assert.equal((await assign(foreign, [member.account])).status, 404, 'a role of a sibling')
  assert.match((await assign('cr_admin', [inactive.account])).text, /"code":"USER_INACTIVE"/)
})

/** Memberships of the organization cannot be changed while the work runs. */
async function whileBroken(organization: TestOrganization, work: () => Promise<void>): Promise<void> {
  await superuser.query(
    `create or replace function refuse_change() returns trigger language plpgsql as
       $$ begin raise exception 'broken'; end $$;
     create trigger refuse_change before update on membership for each row
       when (old.organization_id = '${organization.id}') execute function refuse_change()`,
  )
  try {
    await work()
  } finally {
    await superuser.query('drop trigger refuse_change on membership')
  }
}

test('a server failure is 500 INTERNAL_ERROR with the request id and nothing else, and no role changes [S-err-17]', async () => {
  const [first] = everyone()
  const member = await join([first], () => ({ system: 'cr_member' }))
  const body = { role: 'cr_admin', user_ids: [member.account] }
  await whileBroken(first, async () => {
    const response = await change(instanceKey, body, { 'x-request-id': 'roles-7' })
    const message = response.body.error?.message ?? ''
    assert.deepEqual([response.status, response.body], [500, { error: { code: 'INTERNAL_ERROR', message } }])
    assert.match(message, /roles-7/)
    assert.doesNotMatch(response.text, /broken|membership/)
    assert.deepEqual(await readMemberRoles(member), ['cr_member'])
  })
  assert.deepEqual(succeeded(await change(instanceKey, body)), [member.account])
})

test('three role changes of an organization run at a time; a fourth returns 429 with Retry-After 1 [P1-limit-15]', async () => {
  const [first] = everyone()
  const member = await join([first], () => ({ system: 'cr_member' }))
  const body = { role: 'cr_admin', user_ids: [member.account] }
  const holder = await superuser.connect()
  await holder.query('begin')
  await holder.query('select from membership where person_id = $1 for update', [member.id])
  const running = [1, 2, 3].map(() => change(instanceKey, body))
  await waitForLocks(superuser, 3)
  const fourth = await change(instanceKey, body)
  assert.deepEqual(
    [fourth.status, fourth.body.error?.code, fourth.headers['retry-after']],
    [429, 'RATE_LIMIT_EXCEEDED', '1'],
  )
  await holder.query('rollback')
  holder.release()
  for (const response of await Promise.all(running)) assert.deepEqual(succeeded(response), [member.account])
})

test('an organization that cannot be changed fails only its members [S-err-17 P3-seats-4]', async () => {
  const [first, second] = everyone()
  assert.ok(second)
  const here = await join([first], () => ({ system: 'cr_member' }))
  const both = await join([first, second], () => ({ system: 'cr_member' }))
  await whileBroken(second, async () => {
    const body = { role: 'cr_admin', user_ids: [here.account, both.account], org_id: 'ALL' }
    const response = await whileWorking(change(instanceKey, body))
    assert.deepEqual(succeeded(response), [here.account])
    assert.deepEqual(codes(response), [[both.account, 'INTERNAL_ERROR']])
    assert.deepEqual(await readMemberRoles(here), ['cr_admin'])
  })
})

test('finished jobs are deleted after two days', async () => {
  await superuser.query(`update role_job set created_at = created_at - interval '49 hours'`)
  await deleteFinishedRoleJobs(createJobContext())
  const { rows } = await superuser.query('select from role_job union all select from role_job_user')
  assert.deepEqual(rows, [])
})

async function waitForJob(count = 1): Promise<void> {
  await waitFor(`${count} jobs are created`, async () => {
    const { rowCount } = await superuser.query('select from role_job where finished_at is null')
    return rowCount === count
  })
}

for (const [how, statement] of [
  ['revoked', 'update api_key set revoked_at = now() where id = $1'],
  ['expired', 'update api_key set expires_at = now() where id = $1'],
] as const) {
  test(`a job stops when its key is ${how}, and reports the users that it did not change everywhere`, async () => {
    const key = await tenant.createKey('instance')
    const member = await join(everyone(), () => ({ system: 'cr_member' }))
    const request = change(key.value, { role: 'cr_admin', user_ids: [member.account], org_id: 'ALL' })
    await waitFor('the job exists', async () => {
      const { rowCount } = await superuser.query('select from role_job where key_id = $1', [key.id])
      return rowCount === 1
    })
    await superuser.query(statement, [key.id])
    const response = await whileWorking(request)
    assert.deepEqual(codes(response), [[member.account, 'INTERNAL_ERROR']])
    assert.deepEqual(
      await readMemberRoles(member),
      everyone().map(() => 'cr_member'),
    )
    assert.equal(await countAudits(member), 0)
  })
}

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { plantPullRequest } from '../../../test/planted/pull-request.ts'
import { createTestWriter } from '../../../test/pull-requests.ts'
import { createSeats } from '../../../test/seats/test-seats.ts'
import { deprovisionPerson } from '../people/deprovision.ts'
import { createLink, hashLink, redeemLink } from '../people/links/manage.ts'
import { deactivatePerson, reactivatePerson, setRole } from '../people/manage.ts'
import { createRole } from '../roles/manage.ts'

interface User {
  readonly user_id: string
  readonly cr_user_id: string
  readonly seat_assigned: boolean
}
interface Page {
  readonly users: readonly User[]
  readonly next_cursor: string | null
}

const seats = await createSeats()

async function read(key: string, query: string): Promise<Page> {
  const { status, text, body } = await seats.service.call(`/v1/users?${query}`, { key })
  assert.equal(status, 200, text)
  return body as unknown as Page
}

async function readAll(key: string, query: string): Promise<{ users: User[]; pages: number }> {
  const users: User[] = []
  let cursor = ''
  for (let pages = 1; ; pages += 1) {
    const page = await read(key, `${query}${cursor}`)
    users.push(...page.users)
    if (page.next_cursor === null) return { users, pages }
    cursor = `&cursor=${page.next_cursor}`
  }
}

/** Numbered members of the workspace's first organization; every thousandth has a seat. */
async function plant(count: number): Promise<void> {
  const { root, organizations } = seats.tenant.workspace
  await seats.superuser.query(
    `with p as (
       insert into person (root_id, id, email, name)
       select $1, gen_random_uuid(), n || '@many.example.com', lpad(n::text, 8, '0') from generate_series(1, $3::int) n
       returning root_id, id, name
     ), m as (
       insert into membership (root_id, organization_id, account_id, person_id, system_role)
       select root_id, $2, 'm' || name, id, 'cr_member' from p
     )
     insert into seat (root_id, person_id) select root_id, id from p where name::int % 1000 = 0`,
    [root, organizations[0].id, count],
  )
}

test('a custom role counts as member and has its own name; a workspace admin always counts as admin [P3-users-2]', async () => {
  const { tenant, superuser, addMember } = seats
  const { root, organizations } = tenant.alone
  const { value: key } = await tenant.createKey('user', { of: 'alone' })
  const { account, person } = await addMember(organizations[0])
  await tenant.change(root, async (change) => {
    const custom = await createRole(change, organizations[0].id, { name: 'Auditor', permissions: [] })
    await setRole(change, { person, organization: organizations[0].id, role: { custom } })
  })
  const listed = async (query: string) =>
    (await read(key, query)).users.find(({ user_id }) => user_id === account)
  const expected = {
    user_id: account,
    active: true,
    seat_assigned: false,
    role_name: 'Auditor',
    role_type: 'custom',
    name: account,
    username: account,
    email: `${account}@example.com`,
    seat_requested_at: null,
    last_active_at: null,
  }
  assert.deepEqual(await listed('role_filter=member'), { ...expected, role: 'cr_member' })
  assert.equal(await listed('role_filter=admin'), undefined)
  await superuser.query('update person set workspace_admin = true where id = $1', [person])
  assert.deepEqual(await listed('role_filter=admin'), { ...expected, role: 'cr_admin' })
  assert.equal(await listed('role_filter=member'), undefined)
})

test('last_active_at is the latest sign-in, key use or pull request; without metrics the last is left out [P12-users-2]', async () => {
  const { tenant, superuser, addMember } = seats
  const { root, organizations } = tenant.workspace
  const [organization, other] = organizations
  assert.ok(other)
  const { value: key } = await tenant.createKey('user')
  const { account, person } = await addMember(organization)
  const lastActive = async () => {
    const user = (await readAll(key, 'limit=100')).users.find(({ user_id }) => user_id === account)
    return (user as User & { readonly last_active_at: string | null }).last_active_at
  }
  const run = (text: string, ...values: readonly unknown[]) =>
    superuser.query(text, [root, person, ...values])
  assert.equal(await lastActive(), null)
  const writer = createTestWriter(seats.database)
  await plantPullRequest(writer, other, { day: '2026-02-20', word: 'elsewhere', authorId: account })
  await plantPullRequest(writer, organization, {
    day: '2026-02-10',
    word: 'newer',
    authorId: account,
    number: 2,
  })
  await plantPullRequest(writer, organization, {
    day: '2026-02-03',
    word: 'older',
    authorId: account,
    number: 3,
  })
  await writer.close()
  assert.equal(await lastActive(), '2026-02-10T12:00:00.000Z', 'of the organization that is listed')

  const owned = await tenant.createKey('user')
  await run(
    `update api_key set owner_id = $2, last_used_at = '2026-02-09Z' where root_id = $1 and id = $3`,
    owned.id,
  )
  assert.equal(await lastActive(), '2026-02-10T12:00:00.000Z')
  await superuser.query('update organization set metrics_enabled = false where id = $1', [organization.id])
  assert.equal(await lastActive(), '2026-02-09T00:00:00.000Z', 'metrics are disabled')
  await superuser.query('update organization set metrics_enabled = true where id = $1', [organization.id])
  await superuser.query(
    `insert into metrics_placement (root_id, store, moving_to) values ($1, 'shared', 'elsewhere')`,
    [root],
  )
  assert.equal(await lastActive(), '2026-02-09T00:00:00.000Z', 'metrics are being moved')
  await superuser.query('delete from metrics_placement where root_id = $1', [root])

  await run(
    `insert into identity (root_id, issuer, subject, person_id, linked_at, last_used_at)
     values ($1, 'https://id.example.com', $2::uuid::text, $2, '2026-01-01Z', '2026-02-11T08:00:00.5Z')`,
  )
  assert.equal(await lastActive(), '2026-02-11T08:00:00.500Z')
  await run(
    `insert into session (root_id, id, hash, person_id, method, user_agent, created_at, authenticated_at, last_used_at, expires_at)
     values ($1, gen_random_uuid(), sha256($2::uuid::text::bytea), $2, 'passkey', '', '2026-02-12Z', '2026-02-12Z', '2026-02-14Z',
       '2026-02-15Z')`,
  )
  assert.equal(await lastActive(), '2026-02-12T00:00:00.000Z')
})

test('a link that a deactivation ended is no activity, and a link that was used is [P12-users-2]', async () => {
  const { tenant, addMember } = seats
  const { root, organizations } = tenant.workspace
  const { value: key } = await tenant.createKey('user')
  const { account, person } = await addMember(organizations[0])
  const lastActive = async () => {
    const user = (await readAll(key, 'limit=100')).users.find(({ user_id }) => user_id === account)
    return (user as User & { readonly last_active_at: string | null }).last_active_at
  }
  const makeLink = () =>
    tenant.change(root, (change) => createLink(change, person, { purpose: 'sign_in', minutes: 10 }))
  await makeLink()
  await tenant.change(root, (change) =>
    deprovisionPerson(change, person, { organization: null, roles: 'keep' }),
  )
  assert.equal(await lastActive(), null)
  await tenant.change(root, (change) => reactivatePerson(change, person))
  const { value } = await makeLink()
  const hash = hashLink(value) ?? assert.fail()
  const usedAt = new Date(Date.now() + 60_000)
  await tenant.change(root, ({ scope, tx }) =>
    redeemLink(scope, tx, { hash, purpose: 'sign_in', address: '192.0.2.1' }, usedAt),
  )
  assert.equal(await lastActive(), usedAt.toISOString())
})

test('seat_requested_at is the time of an open request [P12-users-1]', async () => {
  const { tenant, superuser, addMember, createSeatRequest, applyEvents } = seats
  const { root, organizations } = tenant.alone
  const { value: key } = await tenant.createKey('user', { of: 'alone' })
  const { account, person } = await addMember(organizations[0])
  await seats.setMode(organizations[0], 'manual')
  await applyEvents(root, [createSeatRequest(organizations[0], account)])
  const { rows } = await superuser.query<{ requested_at: Date }>(
    'select requested_at from seat_request where person_id = $1',
    [person],
  )
  const user = (await read(key, '')).users.find(({ user_id }) => user_id === account)
  const { seat_requested_at } = user as User & { readonly seat_requested_at: string | null }
  assert.equal(seat_requested_at, rows[0]?.requested_at.toISOString())
})

test('a selective filter returns pages of bounded cost and misses no user [P3-users-2]', async () => {
  const { tenant } = seats
  await plant(21_500)
  const { value: organization } = await tenant.createKey('organization')
  const { value: workspace } = await tenant.createKey('workspace')
  for (const [key, name] of [
    [organization, 'user_id'],
    [workspace, 'cr_user_id'],
  ] as const) {
    const assigned = await readAll(key, 'seat_filter=assigned')
    assert.equal(assigned.users.length, 21)
    assert.equal(assigned.pages, 3)
    const ids = assigned.users.map((user) => user[name])
    assert.deepEqual(ids, [...new Set(ids)].sort())
    assert.ok(assigned.users.every(({ seat_assigned }) => seat_assigned))
    const { users } = await readAll(key, 'role_filter=admin&limit=1')
    assert.equal(users.length, 1)
    assert.equal((await readAll(key, 'role_filter=admin&seat_filter=assigned')).users.length, 0)
    const unassigned = await read(key, 'seat_filter=unassigned')
    assert.equal(unassigned.users.length, 100)
  }
})

test('an unfiltered page is full, and paging returns every user once', async () => {
  const { tenant, superuser } = seats
  const { root, organizations } = tenant.workspace
  const of = randomUUID()
  await superuser.query(
    `insert into organization (root_id, id, provider, host, provider_organization_id, name)
     values ($1, $2, 'github', 'github.com', 'few', 'few')`,
    [root, of],
  )
  await superuser.query(
    `insert into membership (root_id, organization_id, account_id, person_id, system_role)
     select root_id, $2, account_id, person_id, 'cr_member' from membership
     where root_id = $1 and organization_id = $3 order by account_id limit 300`,
    [root, of, organizations[0].id],
  )
  const { value: key } = await tenant.createKey('workspace')
  const { users, pages } = await readAll(key, 'org_id=few')
  assert.deepEqual([new Set(users.map(({ user_id }) => user_id)).size, pages], [300, 3])
})

test('both listings say who is deactivated and carry the name of the role; each organization of the person has the audit row [P11-inactive-1 P11-inactive-5]', async () => {
  const { tenant, superuser, addMember } = seats
  const { root, organizations } = tenant.workspace
  const [bound, token] = [await tenant.createKey('user'), await tenant.createKey('workspace')]
  const { account, person } = await addMember(organizations[0])
  await tenant.change(root, async (change) => {
    const custom = await createRole(change, organizations[0].id, { name: 'Librarian', permissions: [] })
    await setRole(change, { person, organization: organizations[0].id, role: { custom } })
    await deactivatePerson(change, person)
  })
  type Listed = User & {
    readonly active: boolean
    readonly role_name: string
    readonly accounts: readonly { readonly role_name: string }[]
  }
  const member = (await readAll(bound.value, 'limit=100')).users.find(({ user_id }) => user_id === account)
  assert.deepEqual([(member as Listed).active, (member as Listed).role_name], [false, 'Librarian'])
  const { users } = await readAll(token.value, 'limit=100')
  const inWorkspace = users.find(({ cr_user_id }) => cr_user_id === person) as Listed
  assert.equal(inWorkspace.active, false)
  assert.deepEqual(
    inWorkspace.accounts.map(({ role_name }) => role_name),
    ['Librarian'],
  )
  const { rows } = await superuser.query(
    `select organization_id, metadata->'before' as before, metadata->'after' as after from audit_log
     where action = 'person_deactivated' and resource_id = $1`,
    [person],
  )
  const changed = { before: { active: true }, after: { active: false } }
  assert.deepEqual(rows, [{ organization_id: organizations[0].id, ...changed }])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../cli/src/conformance/http.ts'
import { createEvent, dayAfter, eventually, send } from './metrics-data.ts'
import { askUsers, personOf, readActiveUsers, readPeople, readUsers, type UsersPage } from './people-data.ts'
import { assertPage, at, call, demo, home, type KeyName, organizationsOf, uuidPattern } from './service.ts'
import { assertWindow, strict } from './windows.ts'

const bound: KeyName[] = ['organization', 'user', 'instance', 'other_tenant']
const terminals = '41207915'

test('a users page has exactly the seats of the tenant, the mode, the users and next_cursor [S-what-9 P3-users-3 P3-seats-5]', async () => {
  for (const key of bound) {
    assert.deepEqual(Object.keys(await readUsers(key)).sort(), [
      'next_cursor',
      'seat_assignment_mode',
      'seats_assigned',
      'seats_purchased',
      'users',
    ])
  }
  assert.equal((await readUsers('organization')).seats_purchased, 40)
  assert.equal((await readUsers('instance')).seats_purchased, 25)
})

test('a user has exactly the fields of its seat and role, then name, username, email, seat_requested_at and last_active_at [P3-users-3 P11-inactive-1 P12-users-1]', async () => {
  for (const key of bound) {
    for (const user of (await readActiveUsers(key)).users) {
      assert.deepEqual(Object.keys(user), [
        'user_id',
        'active',
        'seat_assigned',
        'role',
        'role_name',
        'role_type',
        'name',
        'username',
        'email',
        'seat_requested_at',
        'last_active_at',
      ])
      assert.equal(typeof user.seat_assigned, 'boolean')
      assert.equal(user.active, true)
      assert.match(user.role, /^cr_(admin|member|billing_admin)$/)
      assert.match(user.role_type, /^(system|custom)$/)
      assert.notEqual(user.name, '')
    }
  }
})

test('the users of an organization have the name, e-mail and username that the people of the workspace have [P12-users-1]', async () => {
  const mei = await personOf('mei.tanaka@example.com')
  const account = at(mei.accounts, 0)
  const user = (await readUsers('organization')).users.find(({ user_id }) => user_id === account.user_id)
  assert.deepEqual([user?.name, user?.email, user?.username], [mei.name, mei.email, account.username])
})

test('last_active_at is the last merge or close of an authored pull request, or a later use of an owned key [P12-users-2]', async () => {
  const mei = at((await personOf('mei.tanaka@example.com')).accounts, 0).user_id
  const today = new Date().toISOString().slice(0, 10)
  const window = `start_date=${dayAfter(today, -364)}&end_date=${today}&user_ids=${mei}`
  const reviews = await call(`/v1/metrics/reviews?${window}`, { key: demo.keys.organization })
  assertPage(reviews)
  const { data } = reviews.body as { data: { merged_at: string | null; closed_at: string | null }[] }
  const times = data.map(({ merged_at, closed_at }) => merged_at ?? closed_at ?? '')
  const { users } = await readActiveUsers('organization')
  assert.equal(users.find(({ user_id }) => user_id === mei)?.last_active_at, times.toSorted().at(-1))
  const amara = at((await personOf('amara.okafor@example.com')).accounts, 0).user_id
  const used = users.find(({ user_id }) => user_id === amara)?.last_active_at ?? ''
  assert.ok(used > dayAfter(today, -1), 'the owner of the key')
})

test('users come by account id, each member of the organization once [P1-lists-3]', async () => {
  const { users } = await readUsers('organization')
  const ids = users.map(({ user_id }) => user_id)
  assert.equal(ids.length, 4)
  assert.deepEqual(ids, [...new Set(ids)].sort())
})

test('organization and user keys list their organization, and ignore org_id [P3-users-2]', async () => {
  const own = await readUsers('organization')
  assert.deepEqual(await readUsers('user'), own)
  assert.deepEqual(await readUsers('user', `?org_id=${terminals}`), own)
  assert.deepEqual(await readUsers('organization', '?org_id=nobody'), own)
})

test('an instance key lists the users of its home organization, and ignores org_id [P2-instance-2 P2-instance-4]', async () => {
  const users = await readUsers('instance')
  assert.equal(users.users.length, 3)
  assert.deepEqual(await readUsers('instance', '?org_id=27'), users)
})

test('org_id gives a workspace token the users of one organization, as its own key sees them [S-what-12 S-what-13 S-named-1]', async () => {
  assert.deepEqual(await readUsers('workspace', `?org_id=${home.org_id}`), await readUsers('organization'))
  assertError(await askUsers('workspace', '?org_id=nobody'), 404, 'ORGANIZATION_NOT_FOUND')
})

test('limit is 1 to 100, and paging one by one gives every user once, in order [P1-lists-3 P3-users-2]', async () => {
  const all = (await readUsers('organization')).users
  const collected: UsersPage['users'] = []
  let query = '?limit=1'
  for (;;) {
    const page = await readUsers('organization', query)
    assert.equal(page.users.length, 1)
    collected.push(...page.users)
    if (page.next_cursor === null) break
    query = `?limit=1&cursor=${page.next_cursor}`
  }
  assert.deepEqual(collected, all)
  assert.deepEqual((await readUsers('organization', '?limit=100')).users, all)
  for (const limit of ['0', '101', '1e1', 'x'])
    assertError(await askUsers('organization', `?limit=${limit}`), 400, 'INVALID_REQUEST')
})

test('a users cursor is bound to its filters and its organization, not to the limit [P3-users-2]', async () => {
  const { next_cursor } = await readUsers('organization', '?limit=1')
  const { users } = await readUsers('organization', `?limit=2&cursor=${next_cursor}`)
  assert.equal(users.length, 2)
  for (const [key, query] of [
    ['organization', `?cursor=${next_cursor}&seat_filter=unassigned`],
    ['other_tenant', `?cursor=${next_cursor}`],
    ['workspace', `?cursor=${next_cursor}&org_id=${terminals}`],
    ['organization', '?cursor='],
  ] as const) {
    assertError(await askUsers(key, query), 400, 'INVALID_CURSOR', query)
  }
  const same = await readUsers('workspace', `?limit=2&org_id=${home.org_id}&cursor=${next_cursor}`)
  assert.deepEqual(same.users, users)
})

test('role_filter parts the users into admins and members [P3-users-2]', async () => {
  const { users } = await readUsers('organization')
  const admins = (await readUsers('organization', '?role_filter=admin')).users
  const members = (await readUsers('organization', '?role_filter=member')).users
  assert.deepEqual(
    admins,
    users.filter(({ role }) => role === 'cr_admin'),
  )
  assert.deepEqual(
    members,
    users.filter(({ role }) => role !== 'cr_admin'),
  )
  assert.equal(admins.length, 2)
  assert.deepEqual((await readUsers('organization', '?role_filter=all')).users, users)
  assertError(await askUsers('organization', '?role_filter=owner'), 400, 'INVALID_REQUEST')
})

test('other filters, and parameters that are not known, are 400 [P3-users-1]', async () => {
  for (const query of ['?seat_filter=some', '?page=1', '?seat_filter=all&seat_filter=all', '?seat_filter=']) {
    assertError(await askUsers('organization', query), 400, 'INVALID_REQUEST', query)
  }
})

test('a workspace token without org_id gets the people of the workspace, without a mode [S-named-1 S-auth-23 P3-users-4 P11-inactive-1]', async () => {
  const page = await readPeople()
  assert.deepEqual(Object.keys(page).sort(), ['next_cursor', 'seats_assigned', 'seats_purchased', 'users'])
  assert.equal(page.seats_purchased, 40)
  for (const person of page.users) {
    assert.deepEqual(Object.keys(person).sort(), [
      'accounts',
      'active',
      'cr_user_id',
      'email',
      'name',
      'seat_assigned',
    ])
    assert.equal(person.active, true)
    assert.match(person.cr_user_id, uuidPattern)
    for (const account of person.accounts) {
      assert.deepEqual(Object.keys(account).sort(), [
        'org_id',
        'provider',
        'role',
        'role_name',
        'user_id',
        'username',
      ])
      assert.notEqual(account.role_name, '')
    }
  }
})

test('a person is one row with an account in each active organization of the workspace [P3-users-4]', async () => {
  const { users } = await readPeople()
  const emails = users.flatMap(({ email }) => email ?? [])
  assert.equal(new Set(emails).size, emails.length)
  const mei = await personOf('mei.tanaka@example.com')
  assert.deepEqual(
    mei.accounts.map(({ org_id, provider, role }) => [org_id, provider, role]),
    [
      [home.org_id, 'github', 'cr_member'],
      ['7730452', 'gitlab', 'cr_member'],
    ],
  )
  const listed = (await readUsers('organization')).users.map(({ user_id }) => user_id)
  assert.ok(listed.includes(at(mei.accounts, 0).user_id))
  assert.deepEqual((await personOf('jonas.weber@example.com')).accounts, [])
  const known = new Set(organizationsOf('workspace').map(({ org_id }) => org_id))
  for (const { accounts } of users) for (const { org_id } of accounts) assert.ok(known.has(org_id))
})

test('the people of a workspace are paged and filtered as users are [P3-users-4]', async () => {
  const { users } = await readPeople()
  const first = await readPeople('?limit=2')
  const rest = await readPeople(`?cursor=${first.next_cursor}`)
  assert.deepEqual([...first.users, ...rest.users], users)
  assert.deepEqual(
    users.map(({ cr_user_id }) => cr_user_id),
    users.map(({ cr_user_id }) => cr_user_id).sort(),
  )
  const admins = (await readPeople('?role_filter=admin')).users
  const members = (await readPeople('?role_filter=member')).users
  assert.deepEqual(admins.map(({ email }) => String(email)).sort(), [
    'amara.okafor@example.com',
    'ingrid.solheim@example.com',
    'tobias.lindqvist@example.com',
  ])
  assert.equal(admins.length + members.length, users.length)
})

test('a workspace admin counts as Admin in each organization, whatever the role there [P2-people-3]', async () => {
  const ingrid = await personOf('ingrid.solheim@example.com')
  const account = ingrid.accounts.find(({ org_id }) => org_id === home.org_id)?.user_id
  const membership = { organization: { provider: 'github', id: terminals }, account_id: account }
  const sendActive = (active: boolean) =>
    send([
      createEvent('inventory.changed', new Date().toISOString(), {
        memberships: [{ ...membership, active }],
      }),
    ])
  const listed = async (query = '') =>
    (await readUsers('workspace', `?org_id=${terminals}${query}`)).users.find(
      ({ user_id }) => user_id === account,
    )
  await sendActive(true)
  await eventually('she is a member', async () => (await listed()) !== undefined)
  const user = await listed('&role_filter=admin')
  assert.deepEqual([user?.role, user?.role_name, user?.role_type], ['cr_admin', 'cr_member', 'system'])
  assert.equal(await listed('&role_filter=member'), undefined)
  await sendActive(false)
  await eventually('she has left', async () => (await listed()) === undefined)
})

test('email may be null in the workspace listing: each account without one is its own person [P13-email-1]', async () => {
  const organization = { provider: 'github', id: terminals }
  const accounts = ['no-email-1', 'no-email-2'].map((id) => {
    return {
      provider: 'github',
      id,
      username: id,
      name: 'Without Email',
      ...(id.endsWith('2') && { email: null }),
    }
  })
  const sendActive = (active: boolean) => {
    const memberships = accounts.map(({ id }) => ({ organization, account_id: id, active }))
    return send([createEvent('inventory.changed', new Date().toISOString(), { accounts, memberships })])
  }
  const listed = async () => {
    const { users } = await readPeople()
    return users.filter(({ accounts: [account] }) => account?.user_id.startsWith('no-email-'))
  }
  await sendActive(true)
  await eventually('they are members', async () => (await listed()).length === 2)
  assert.deepEqual(
    (await listed()).map(({ email, name }) => [email, name]),
    [
      [null, 'Without Email'],
      [null, 'Without Email'],
    ],
  )
  await sendActive(false)
  await eventually('they have left', async () => (await listed()).length === 0)
})

test('users need Enterprise and an Admin’s key: legacy 410, agentic and lower plans 403 [S-what-3 P2-kinds-6 P3-users-1]', async () => {
  assertError(await askUsers('legacy'), 410, 'LEGACY_API_KEY')
  assertError(await askUsers('agentic'), 403, 'KEY_KIND_NOT_ALLOWED')
  assertError(await askUsers('lower_plan'), 403, 'ENTERPRISE_REQUIRED')
  assertError(await askUsers('workspace_demoted_owner'), 403, 'OWNER_NOT_ADMIN')
  assertError(await call('/v1/users'), 401, 'UNAUTHORIZED')
})

test('users are 10 in 60 s [P1-limit-10]', async () => {
  await assertWindow('"users";q=10;w=60', () => askUsers('metrics_off', '', strict()))
  assert.equal((await call('/v1/organizations', { key: demo.keys.metrics_off, base: strict() })).status, 200)
})

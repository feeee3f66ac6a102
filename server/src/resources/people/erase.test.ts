import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createBus, createWorkerContext } from '../../../test/bus.ts'
import { startService } from '../../../test/call.ts'
import type { TestDatabase } from '../../../test/database.ts'
import { openTenant } from '../../../test/fixture.ts'
import { inventoryEvent } from '../../../test/inventory.ts'
import { plantOrganizationLearnings } from '../../../test/planted/learnings.ts'
import {
  createEventGenerator,
  createTestWriter,
  storeEvents,
  toReviewTarget,
} from '../../../test/pull-requests.ts'
import { createStores } from '../../../test/stores.ts'
import { exportAudit } from '../../access/audit/export.ts'
import { verifyExport } from '../../access/audit/verify.ts'
import { writeAuditEntry } from '../../access/audit.ts'
import { rootScope } from '../../access/scope.ts'
import type { KeyId } from '../../ids.ts'
import { inventory } from '../inventory/event.ts'
import { createKey } from '../keys/manage.ts'
import { erasePerson } from './erase.ts'
import { addPerson, findPerson, reactivatePerson } from './manage.ts'
import { mergePeople } from './merge.ts'

// Words that occur nowhere else: any remaining trace of the person contains one of them.
const words = ['zephyrine', 'quixley']
const accountId = '90210'
const account = { provider: 'github', host: 'github.com', accountId, username: 'zephyrine-at-work' }
const email = 'zephyrine@quixley.example'
const accountPayload = { provider: 'github', id: accountId, username: account.username, email }
const address = '203.0.113.77'

let start: { readonly last: number; readonly rows: number }

const { database, superuser, tenant, use } = await openTenant()
const testBus = use(await createBus())
const others = use(await createStores(database))
const { root } = tenant.workspace
const service = use(startService(database, { TRUSTED_PROXIES: '127.0.0.1' }))
const [home] = tenant.workspace.organizations
const person = await tenant.change(root, (change) =>
  addPerson(change, {
    email,
    name: 'Zephyrine Quixley',
    accounts: [account],
    memberships: tenant.workspace.organizations.map(({ id }) => {
      return { organization: id, role: { system: 'cr_admin' } as const }
    }),
  }),
)
const request = { kind: 'user', organization: home.id, owner: person, expiresAt: null } as const
const ownKey = await tenant.change(root, (change) =>
  createKey(change, { ...request, name: 'zephyrine’s laptop' }),
)
const admin = await tenant.createKey('workspace')
const { stores } = others
const { bus } = testBus
const now = () => new Date()
const erasureContext = { database: tenant.pool, stores, bus, now, dryRun: false, reportProgress: () => {} }
await createActivity()

/** Creates data about the person in every store. */
async function createActivity(): Promise<void> {
  await superuser.query(`insert into metrics_placement values ($1, 'isolated')`, [root])
  const writer = createTestWriter(database, { stores: { isolated: others.isolated } })
  const author = { id: accountId, username: account.username }
  const workplace = toReviewTarget(home)
  const reviewer = createEventGenerator()
  const events = [author, author, { id: '4', username: 'somebody-else' }].map((by, index) =>
    reviewer.finalized(workplace, { author: by, number: index + 1 }),
  )
  assert.deepEqual(await storeEvents(writer, root, events), [])
  await writer.close()
  await plantOrganizationLearnings(tenant.pool, home, [
    { text: 'Close what you open.', author: accountId },
    { text: 'Name what you mean.', author: '4' },
  ])
  await superuser.query(`update learning set author_username = $1 where author_id = $2`, [
    account.username,
    accountId,
  ])
  const seats = { action: 'assign', members: [{ email }] }
  await callExpecting('/v1/users/seats', admin.value, seats, 200, '198.51.100.5')
  await callExpecting('/v1/roles', ownKey.value, { name: 'Reviewers' }, 201, address)
  const letter = {
    root,
    events: [inventoryEvent({ accounts: [{ ...accountPayload, name: 'Zephyrine Quixley' }] })],
  }
  const other = {
    root,
    events: [
      inventoryEvent({
        accounts: [{ ...accountPayload, id: '5', username: 'five', email: 'f@e.example', name: 'Five' }],
      }),
    ],
  }
  // The second one without its root, as a message that is not ours.
  for (const [subject, body] of [
    [`dead.ingest.${root}.5`, letter],
    [`archive.${root}.5`, letter],
    ['dead.ingest', other],
  ] as const)
    await testBus.bus.jetstream.publish(testBus.bus.subject(subject), JSON.stringify(body))
}

async function callExpecting(
  url: string,
  key: string,
  body: object,
  status: number,
  from: string,
): Promise<void> {
  const response = await service.call(url, {
    method: 'POST',
    key,
    body,
    headers: { 'x-forwarded-for': from },
  })
  assert.equal(response.status, status, response.text)
}

/** The tables that contain one of the words, with the number of rows. */
async function findTraces(of: TestDatabase, sought: readonly string[]): Promise<Record<string, number>> {
  const pool = of.superuser()
  const { rows: tables } = await pool.query<{ name: string }>(
    `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace
       and relkind in ('r', 'p') and not relispartition order by 1`,
  )
  const found: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await pool.query<{ n: number }>(
      `select count(*)::int as n from ${name} t where exists (
         select from unnest($1::text[]) word where strpos(lower(t::text), word) > 0)`,
      [sought],
    )
    if (rows[0]?.n) found[name] = rows[0].n
  }
  await pool.end()
  return found
}

async function readDeadLetters(): Promise<string[]> {
  return (await testBus.messages('DEAD')).map((message) => message.string())
}

function verify() {
  return verifyExport(exportAudit(tenant.pool, rootScope(root), true), () => Promise.resolve(null))
}

const readUsersText = async () => (await service.call('/v1/users?limit=100', { key: admin.value })).text
const readAuditLogText = async () =>
  (await service.call('/v1/audit-logs?page_size=100', { key: admin.value })).text

test('a dry run reports what would change and changes nothing', async () => {
  start = await verify()
  const state = await findTraces(database, words)
  assert.deepEqual(Object.keys(state).toSorted(), ['account', 'api_key', 'audit_clear', 'learning', 'person'])
  assert.deepEqual(await findTraces(others.isolated, words), { pull_request: 2 })
  const { rows, withoutAdmin } = await erasePerson({ ...erasureContext, dryRun: true }, root, person)
  assert.deepEqual(rows, {
    person: 1,
    account: 1,
    membership: 2,
    repository_access: 0,
    seat: 1,
    seat_request: 1,
    api_key: 1,
    session: 0,
    identity: 0,
    passkey: 0,
    sign_in_link: 0,
    scim_user: 0,
    audit_clear: rows['audit_clear'],
    learning: 1,
    pull_request: 2,
    dead_letters: 1,
    archive: 1,
  })
  assert.ok((rows['audit_clear'] ?? 0) >= 4)
  assert.deepEqual(withoutAdmin, [])
  assert.deepEqual(await findTraces(database, words), state)
  assert.deepEqual(await verify(), start)
})

test('no store contains a word of an erased person, and data of others is unchanged', async () => {
  assert.match(await readUsersText(), /Zephyrine Quixley/)
  assert.match(await readAuditLogText(), /203\.0\.113\.77/)
  const rehearsed = await erasePerson({ ...erasureContext, dryRun: true }, root, person)
  const { rows } = await erasePerson(erasureContext, root, person)
  assert.deepEqual(rows, rehearsed.rows)
  assert.deepEqual(await findTraces(database, [...words, address]), {})
  assert.deepEqual(await findTraces(others.isolated, words), {})
  assert.ok(
    (await findTraces(database, ['198.51.100.5']))['audit_clear'],
    'the actor of changes to the person is retained',
  )
  assert.deepEqual(await findTraces(others.isolated, ['somebody-else']), { pull_request: 1 })
  const text = (await readDeadLetters()).join('\n')
  assert.doesNotMatch(text, /zephyrine|quixley/i)
  assert.match(text, /"username":"five","email":"f@e.example","name":"Five"/)
  assert.match(text, new RegExp(`"id":"${accountId}","username":"erased"`))
})

test('ids are retained: pull requests, the Learning, the key and the audit rows', async () => {
  const isolated = others.isolated.superuser()
  const { rows } = await isolated.query(
    `select author_username, review::json ->> 'author_id' as id, review::json -> 'author_username' as username
     from pull_request where author_id = $1`,
    [accountId],
  )
  await isolated.end()
  const erased = { author_username: null, id: accountId, username: null }
  assert.deepEqual(rows, [erased, erased])
  const { rows: learnings } = await superuser.query('select author_username from learning order by author_id')
  assert.deepEqual(learnings, [{ author_username: '4' }, { author_username: null }])
  const { rows: keys } = await superuser.query<{ revoked: boolean }>(
    'select revoked_at is not null as revoked from api_key where owner_id = $1',
    [person],
  )
  assert.deepEqual(keys, [{ revoked: true }])
})

test('the audit chain stays valid, and the remaining clear values match their hashes [P4-8]', async () => {
  const verdict = await verify()
  assert.ok(verdict.rows > start.rows)
  const { rows } = await superuser.query<{ action: string }>(
    'select action from audit_log where root_id = $1 and position > $2 order by position',
    [root, start.last],
  )
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['person_left', 'person_left', 'seat_unassigned', 'api_key_revoked', 'person_erased'],
  )
})

test('over HTTP the key is refused, and the user list and the audit log contain no name', async () => {
  assert.equal((await service.call('/v1/users', { key: ownKey.value })).status, 401)
  assert.doesNotMatch(await readUsersText(), /zephyrine|quixley/i)
  assert.doesNotMatch(await readUsersText(), new RegExp(person))
  const log = await readAuditLogText()
  assert.doesNotMatch(log, /zephyrine|quixley|203\.0\.113\.77/i)
  assert.match(log, /"resourceSummary":"\(erased\) was added"/)
  assert.match(log, /"action":"person_erased"/)
  const assigned = { action: 'assign', members: [{ cr_user_id: person }] }
  const response = await service.call('/v1/users/seats', { method: 'POST', key: admin.value, body: assigned })
  assert.match(response.text, /USER_NOT_FOUND/)
})

test('later events about the person do not restore any data', async () => {
  const context = createWorkerContext(tenant.pool, testBus.bus)
  const [organization] = tenant.workspace.organizations
  const at = { provider: 'github', id: organization.orgId }
  const event = {
    ...inventoryEvent({
      accounts: [{ ...accountPayload, name: 'Zephyrine Quixley' }],
      memberships: [{ organization: at, account_id: accountId }],
      repository_access: [
        {
          organization: at,
          repository_id: organization.repositories[0]?.repositoryId,
          account_id: accountId,
          granted: true,
        },
      ],
    }),
    occurred_at: new Date().toISOString(),
  }
  const batch = { root, credential: randomUUID() as KeyId, organizations: null, events: [event] }
  assert.deepEqual(await inventory.handle(context, batch), [])
  assert.deepEqual(await findTraces(database, words), {})
  const reactivation = tenant.change(root, (change) => reactivatePerson(change, person))
  await assert.rejects(reactivation, /is erased/)
})

test('erasing again changes nothing, and a person who returns is a new one', async () => {
  const { last } = await verify()
  const { rows } = await erasePerson(erasureContext, root, person)
  assert.deepEqual(new Set(Object.values(rows)), new Set([0]))
  assert.equal((await verify()).last, last)
  const again = { email, name: 'Zephyrine Quixley', accounts: [account], memberships: [] }
  const id = await tenant.change(root, (change) => addPerson(change, again))
  assert.notEqual(id, person)
  const found = await tenant.change(root, ({ scope, tx }) => findPerson(scope, tx, email))
  assert.equal(found.id, id)
})

test('addresses of records that were merged into the person are erased too', async () => {
  const from = ['203.0.113.81', '203.0.113.82', '203.0.113.83']
  const people = await Promise.all(
    from.map((ip) =>
      tenant.change(root, async (change) => {
        const own = `${randomUUID()}@example.com`
        const id = await addPerson(change, { email: own, name: 'Merged', accounts: [], memberships: [] })
        const entry = {
          action: 'session_started',
          resourceId: randomUUID(),
          organization: null,
          actor: { kind: 'person', id, address: ip },
          metadata: { person_id: id },
          person: id,
        } as const
        await writeAuditEntry(change.tx, change.scope, entry, change.at)
        return id
      }),
    ),
  )
  const [first, second, kept] = people
  assert.ok(first && second && kept)
  await tenant.change(root, (change) => mergePeople(change, { keep: second, duplicate: first }))
  await tenant.change(root, (change) => mergePeople(change, { keep: kept, duplicate: second }))
  assert.notDeepEqual(await findTraces(database, from), {})
  await erasePerson(erasureContext, root, kept)
  assert.deepEqual(await findTraces(database, from), {})
})

test('nothing is erased during a move of metrics', async () => {
  await superuser.query(`update metrics_placement set moving_to = 'shared' where root_id = $1`, [root])
  const { last } = await verify()
  await assert.rejects(erasePerson(erasureContext, root, tenant.workspace.admin), /being moved/)
  assert.equal((await verify()).last, last)
})

test('a person is erased from tables that were filled just now and have no statistics', async () => {
  const { root: filled, organizations } = tenant.alone
  const [{ id: organization }] = organizations
  const author = { provider: 'github', host: 'github.com', accountId: '777', username: 'nadia' }
  const memberships = [{ organization, role: { system: 'cr_member' } as const }]
  const nadia = await tenant.change(filled, (change) =>
    addPerson(change, { email: 'nadia@example.com', name: 'Nadia Haddad', accounts: [author], memberships }),
  )
  for (const table of ['learning', 'pull_request'])
    await superuser.query(`alter table ${table} set (autovacuum_enabled = off)`)
  const values = [filled, organization, author.accountId, author.username]
  // The person wrote one of fifty. A batch has 5,000 rows, so these are two.
  const each = `from generate_series(1, 6000) n, lateral (select case when n % 50 = 0 then $3 else 'other' end as author_id,
    case when n % 50 = 0 then $4 else 'somebody' end as username) a`
  await superuser.query(
    `insert into learning (root_id, organization_id, id, repository_id, state, text, content_hash, redactor_version, source,
       author_id, author_username, created_at, updated_at)
     select $1, $2, gen_random_uuid(), '1', 'pending', 'Learning ' || n, sha256(n::text::bytea), 1, 'chat',
       author_id, username, now(), now() ${each}`,
    values,
  )
  await superuser.query(
    `insert into pull_request (root_id, pull_request_key, provider, host, repository_id, number, organization_id,
       provider_organization_id, organization_name, url, author_id, author_username, status, merged_at, reviewers, day, position,
       event_id, event_at, counted, review)
     select $1, gen_random_uuid(), 'github', 'github.com', 'r' || n % 20, n, $2, '1', 'o', 'https://github.com/' || n, author_id,
       username, 'merged', now(), '{}', '2026-01-01', n, n, now(), false, '{"author_username":"' || username || '"}' ${each}`,
    values,
  )
  const { rows } = await erasePerson(erasureContext, filled, nadia)
  assert.deepEqual([rows['learning'], rows['pull_request']], [120, 120])
  assert.deepEqual(await findTraces(database, ['nadia']), {})
  const { rows: kept } = await superuser.query(
    `select (select count(*)::int from learning where author_username = 'somebody') as learnings,
       (select count(*)::int from pull_request where author_username = 'somebody'
         and review = '{"author_username":"somebody"}') as pull_requests`,
  )
  assert.deepEqual(kept, [{ learnings: 5880, pull_requests: 5880 }])
})

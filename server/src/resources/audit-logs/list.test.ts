import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startService } from '../../../test/call.ts'
import { openTenant } from '../../../test/fixture.ts'
import type { TestRoot } from '../../../test/tenant.ts'
import type { Action } from '../../access/audit/catalogue.ts'
import { type Actor, type AuditEntry, writeAuditEntries } from '../../access/audit.ts'
import { rootScope } from '../../access/scope.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { OrganizationId } from '../../ids.ts'
import { DAY_MS } from '../../time.ts'
import { addPerson } from '../people/manage.ts'
import { createScimCredential } from '../people/scim/credentials.ts'
import { createRole } from '../roles/manage.ts'
import { relativeTime } from './render.ts'

interface Entry {
  readonly id: string
  readonly action: string
  readonly resourceType: string
  readonly resourceSummary: string
  readonly actor: { readonly name: string; readonly subtitle: string | null; readonly isBot: boolean }
  readonly ipAddress: string | null
  readonly metadata: Record<string, unknown>
  readonly createdAt: string
}
interface Option {
  readonly value: string
  readonly count: number
}
interface Page {
  readonly data: readonly Entry[]
  readonly next_cursor: string
  readonly has_more?: boolean
  readonly warnings: readonly { readonly value: string }[]
  readonly pagination: {
    readonly total_count: number
    readonly total_pages: number
    readonly has_next_page: boolean
  }
  readonly filter_options: { readonly actions: readonly Option[]; readonly resource_types: readonly Option[] }
}

const start = Date.parse('2031-03-01T00:00:00.000Z')

const { database, superuser, tenant, use } = await openTenant()
const service = use(startService(database, { LIMIT_AUDIT: 'off' }))

function createEntry(
  action: Action,
  organization: OrganizationId | null,
  over: Partial<AuditEntry> = {},
): AuditEntry {
  const actor: Actor = { kind: 'operator', id: null }
  return { action, resourceId: 'r', organization, actor, metadata: {}, ...over }
}

async function write(of: TestRoot, at: number, ...entries: readonly AuditEntry[]): Promise<void> {
  const scope = rootScope(of.root)
  await inTransaction(service.apiPool, scope, (tx) => writeAuditEntries(tx, scope, entries, new Date(at)))
}

async function read(query: string, key: string): Promise<Page> {
  const { status, text } = await service.call(`/v1/audit-logs?${query}`, { key })
  assert.equal(status, 200, text)
  return JSON.parse(text) as Page
}

/** Reads all numbered pages. */
async function readAll(query: string, key: string): Promise<Entry[]> {
  const entries: Entry[] = []
  for (let page = 1; ; page++) {
    const { data, pagination } = await read(`${query}&page=${page}&page_size=37`, key)
    entries.push(...data)
    if (!pagination.has_next_page) return entries
  }
}

/** Writes random rows by several actors over six days and returns them as the expected result. */
async function writeRandomly(of: TestRoot, actors: readonly Actor[], rows: number) {
  const names = [
    'role_created',
    'role_deleted',
    'seat_assigned',
    'api_key_revoked',
    'learning_created',
  ] as const
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item
  const written: {
    at: number
    action: Action
    organization: OrganizationId | null
    actor: Actor
    n: number
  }[] = []
  while (written.length < rows) {
    const at = start + Math.floor(Math.random() * 6 * DAY_MS)
    const first = written.length
    const batch = Array.from({ length: 1 + Math.floor(Math.random() * 5) }, (_, index) => {
      const organization = Math.random() < 0.2 ? null : pick(of.organizations).id
      return { at, action: pick(names), organization, actor: pick(actors), n: first + index }
    })
    written.push(...batch)
    const entries = batch.map(({ action, organization, actor, n: index }) =>
      createEntry(action, organization, { actor, metadata: { n: index } }),
    )
    await write(of, at, ...entries)
  }
  return written
}

test('filters, alone and combined, return and count the matching rows by page number and by cursor [P4-3]', async () => {
  const { workspace } = tenant
  const [person, key] = [workspace.admin, await tenant.createKey('user')]
  const actors: Actor[] = [
    { kind: 'person', id: person },
    { kind: 'key', id: key.id },
    { kind: 'operator', id: null },
    { kind: 'service', id: null },
  ]
  const written = await writeRandomly(workspace, actors, 400)
  const token = (await tenant.createKey('workspace')).value
  const bound = (await tenant.createKey('organization')).value
  const [first] = workspace.organizations
  const all = `date_from=2031-03-01&date_to=2031-03-06`
  const noon = start + 2 * DAY_MS + DAY_MS / 2
  const iso = (ms: number) => new Date(ms).toISOString()
  type Written = (typeof written)[number]
  const cases: [string, (row: Written) => boolean, string?][] = [
    [all, () => true],
    [`${all}&actions=role_created,seat_assigned`, ({ action }) => /role_created|seat/.test(action)],
    [`${all}&resource_types=role`, ({ action }) => action.startsWith('role')],
    [
      `${all}&resource_types=role,api_key&actions=role_deleted,learning_created`,
      (row) => row.action === 'role_deleted',
    ],
    [`${all}&actions=unknown_thing`, () => false],
    [`${all}&search=OPERATOR`, ({ actor }) => actor.kind === 'operator'],
    // The owner of the key too.
    [`${all}&search=person%20`, ({ actor }) => actor.kind === 'person' || actor.kind === 'key'],
    [
      `${all}&search=user+key&actions=role_created`,
      (row) => row.actor.kind === 'key' && row.action === 'role_created',
    ],
    ['date_from=2031-03-02&date_to=2031-03-03', ({ at }) => at >= start + DAY_MS && at < start + 3 * DAY_MS],
    [`date_from=${iso(noon)}&date_to=2031-03-06`, ({ at }) => at >= noon],
    [`date_from=2031-03-01&date_to=${iso(noon)}`, ({ at }) => at <= noon],
    [
      `date_from=${iso(noon)}&date_to=${iso(noon + 3_600_000)}`,
      ({ at }) => at >= noon && at <= noon + 3_600_000,
    ],
    [`date_from=${iso(noon)}&date_to=${iso(noon + DAY_MS)}`, ({ at }) => at >= noon && at <= noon + DAY_MS],
    [`${all}&org_id=${first.orgId}`, ({ organization }) => organization === first.id],
    [
      `${all}&org_id=${first.orgId}&actions=role_created&search=scholiast`,
      (row) => row.organization === first.id && row.action === 'role_created' && row.actor.kind === 'service',
    ],
    [all, ({ organization }) => organization === first.id, bound],
    [
      `${all}&actions=role_created`,
      (row) => row.organization === first.id && row.action === 'role_created',
      bound,
    ],
  ]
  for (const [query, matches, caller = token] of cases) {
    const expected = written.filter(matches).map(({ n }) => n)
    const numbered = (await readAll(query, caller)).map(({ metadata }) => metadata['n'])
    assert.deepEqual(numbered, expected.toReversed(), query)
    const { pagination, filter_options } = await read(query, caller)
    assert.equal(pagination.total_count, expected.length, query)
    const appended: unknown[] = []
    for (let cursor = 'start', more = true; more; ) {
      const page = await read(`${query}&cursor=${cursor}&page_size=23`, caller)
      appended.push(...page.data.map(({ metadata }) => metadata['n']))
      cursor = page.next_cursor
      more = page.has_more ?? assert.fail('has_more is missing')
    }
    assert.deepEqual(appended, expected, query)
    const counted = filter_options.actions.reduce((sum, { count }) => sum + count, 0)
    const ofTypes = filter_options.resource_types.reduce((sum, { count }) => sum + count, 0)
    assert.equal(counted, ofTypes)
    if (!/actions|types|search/.test(query)) assert.equal(counted, expected.length, query)
  }
})

test('counts without dates cover all rows in the scope', async () => {
  const token = (await tenant.createKey('workspace')).value
  const bound = (await tenant.createKey('organization')).value
  const [first] = tenant.workspace.organizations
  for (const [key, where] of [
    [token, 'true'],
    [bound, `organization_id = '${first.id}'`],
  ] as const) {
    const { rows } = await superuser.query<Option>(
      `select action as value, count(*)::int as count from audit_log where root_id = $1 and ${where} group by 1 order by 1`,
      [tenant.workspace.root],
    )
    const { filter_options, pagination } = await read('page_size=1', key)
    assert.deepEqual(
      filter_options.actions.map(({ value, count }) => ({ value, count })),
      rows,
    )
    assert.equal(
      pagination.total_count,
      rows.reduce((sum, { count }) => sum + count, 0),
    )
  }
})

test('an instance key reads the organizations it is authorized for, and their counts', async () => {
  const { instance } = tenant
  const [first, second] = instance.organizations
  const at = start + 10 * DAY_MS
  await write(
    instance,
    at,
    createEntry('role_created', first.id, { metadata: { n: 1 } }),
    createEntry('role_created', second?.id ?? null, { metadata: { n: 2 } }),
    createEntry('role_created', null, { metadata: { n: 3 } }),
  )
  const [whole, narrow, both] = await Promise.all([
    tenant.createKey('instance'),
    tenant.createKey('instance', { authorized: [first.id] }),
    tenant.createKey('instance', { authorized: instance.organizations.map(({ id }) => id) }),
  ])
  for (const [key, expected] of [
    [whole, [2, 1]],
    [both, [2, 1]],
    [narrow, [1]],
  ] as const) {
    for (const query of [
      'date_from=2031-03-11',
      'date_from=2031-03-10T12:00:00Z&actions=role_created&search=oper',
    ]) {
      const { data, pagination } = await read(query, key.value)
      assert.deepEqual(
        data.map(({ metadata }) => metadata['n']),
        expected,
      )
      assert.equal(pagination.total_count, expected.length)
    }
  }
})

test('the cursor of a numbered page neither skips nor repeats rows', async () => {
  const token = (await tenant.createKey('workspace')).value
  const { next_cursor } = await read('actions=seat_requested', token)
  const empty = await read(`actions=seat_requested&cursor=${next_cursor}`, token)
  assert.deepEqual([empty.data, empty.has_more], [[], false])
  assert.equal(typeof empty.next_cursor, 'string')
  await write(
    tenant.workspace,
    start + 20 * DAY_MS,
    createEntry('seat_requested', null),
    createEntry('seat_assigned', null),
  )
  const results = await read(`actions=seat_requested&cursor=${empty.next_cursor}`, token)
  assert.equal(results.data.length, 1)
})

test('names are current, and erased people and deleted keys have neutral names', async () => {
  const [ghost, lost] = [randomUUID(), randomUUID()]
  const at = start + 30 * DAY_MS
  await write(
    tenant.workspace,
    at,
    createEntry('role_created', null, {
      actor: { kind: 'person', id: ghost },
      personal: { name: 'Auditors' },
    }),
    createEntry('role_created', null, { actor: { kind: 'key', id: lost, address: '192.0.2.7' } }),
  )
  const token = (await tenant.createKey('workspace')).value
  const { data } = await read('date_from=2031-03-31&date_to=2031-03-31', token)
  assert.deepEqual(
    data.map(({ actor, ipAddress, resourceSummary }) => ({ ...actor, ipAddress, resourceSummary })),
    [
      {
        name: 'Deleted key',
        subtitle: null,
        isBot: true,
        avatarUrl: null,
        owner: null,
        ipAddress: '192.0.2.7',
        resourceSummary: 'Role (erased) was created',
      },
      {
        name: 'Erased person',
        subtitle: null,
        isBot: false,
        avatarUrl: null,
        owner: null,
        ipAddress: null,
        resourceSummary: 'Role Auditors was created',
      },
    ],
  )
  assert.equal((await read('date_from=2031-03-31&search=erased', token)).pagination.total_count, 1)
})

test('a summary names roles, people, organizations and Learnings, and an actor is a SCIM credential by its name [P4-3]', async () => {
  const { workspace } = tenant
  const [{ id: organization, name: organizationName, root }] = workspace.organizations
  const { credential, role, person } = await tenant.change(root, async (change) => ({
    role: await createRole(change, organization, { name: 'Release manager' }),
    person: await addPerson(change, {
      email: 'ines.duarte@example.com',
      name: 'Ines Duarte',
      accounts: [],
      memberships: [],
    }),
    credential: await createScimCredential(change, { name: 'Okta of Meridian', lifetimeDays: 30 }),
  }))
  const learnings = await Promise.all(
    (['shared', 'private'] as const).map(async (state) => {
      const { rows } = await superuser.query<{ id: string }>(
        `insert into learning (root_id, organization_id, id, repository_id, state, text, content_hash, redactor_version,
           source, position, created_at, updated_at)
         values ($1, $2, gen_random_uuid(), '1', $3, $4, sha256(convert_to($3::text, 'UTF8')), 1, 'api', $5, now(), now()) returning id`,
        [
          root,
          organization,
          state,
          'Close every\nfile that you open, also on an error.',
          state === 'shared' ? 1 : null,
        ],
      )
      return rows[0]?.id ?? assert.fail()
    }),
  )
  const [shared = '', hidden = ''] = learnings
  const deleted = randomUUID()
  const actor: Actor = { kind: 'key', id: credential.id }
  const entry = (action: Action, resourceId: string | null, metadata: AuditEntry['metadata'] = {}) =>
    createEntry(action, organization, { actor, resourceId, metadata })
  await write(
    workspace,
    start + 60 * DAY_MS,
    entry('person_role_changed', person, { role }),
    entry('person_role_changed', null, { role: deleted, users: 2 }),
    entry('person_role_changed', person, { role: 'cr_admin' }),
    entry('person_identity_linked', person, { issuer: 'https://id.example.com' }),
    entry('session_ended', randomUUID(), { person_id: person }),
    entry('organization_metrics_disabled', organization),
    entry('learning_created', shared),
    entry('learning_created', hidden),
    entry('learning_deleted', deleted),
  )
  const readSummaries = async (key: string) => {
    const { data } = await read('date_from=2031-04-30&date_to=2031-04-30&cursor=start', key)
    return data.map(({ resourceSummary }) => resourceSummary)
  }
  const token = (await tenant.createKey('workspace')).value
  const expected = [
    'Role of Ines Duarte is now Release manager',
    'Role of 2 people is now a deleted role',
    'Role of Ines Duarte is now cr_admin',
    'An account of https://id.example.com was linked to Ines Duarte',
    'A session of Ines Duarte ended',
    `Metrics of organization ${organizationName} were disabled`,
    'Learning “Close every file that you open, also on…” was created',
    `Learning ${hidden} was created`,
    `Learning ${deleted} was deleted`,
  ]
  assert.deepEqual(await readSummaries(token), expected)
  const auditor = await tenant.createKey('user', { role: ['audit_log:read'] })
  assert.deepEqual(
    await readSummaries(auditor.value),
    expected.with(6, `Learning ${shared} was created`),
    'without learning:read',
  )
  const found = await read('date_from=2031-04-30&search=okta', token)
  assert.equal(found.pagination.total_count, expected.length)
  const [first] = found.data
  assert.equal(first?.actor.name, 'Okta of Meridian')
  assert.match(first?.actor.subtitle ?? '', /^SCIM credential sch_scm_…\w{4}$/)
  assert.equal((await read('date_from=2031-04-30&search=deleted', token)).pagination.total_count, 0)
})

test('a search that matches more than 1,000 actors is refused', async () => {
  const many = Array.from({ length: 1001 }, () =>
    createEntry('role_created', null, { actor: { kind: 'key', id: randomUUID() } }),
  )
  await write(tenant.alone, start, ...many)
  const { value } = await tenant.createKey('workspace')
  assert.equal((await service.call('/v1/audit-logs?search=deleted', { key: value })).status, 200)
  await write(tenant.workspace, start + 40 * DAY_MS, ...many)
  const { status, body } = await service.call('/v1/audit-logs?search=deleted', { key: value })
  assert.deepEqual([status, body.error?.code], [400, 'INVALID_REQUEST'])
})

test('a role with audit_log:read reads the log without being Admin; a role or a key without it does not [P11-audit-5]', async () => {
  const auditor = await tenant.createKey('user', { role: ['audit_log:read'] })
  assert.equal((await service.call('/v1/audit-logs', { key: auditor.value })).status, 200)
  const member = await tenant.createKey('user', { role: ['metrics:read'] })
  const limited = await tenant.createKey('user', { permissions: ['metrics:read'] })
  for (const { value } of [member, limited]) {
    const { status, body } = await service.call('/v1/audit-logs', { key: value })
    assert.deepEqual([status, body.error?.code], [403, 'PERMISSION_DENIED'])
  }
})

test('an action that only a newer version knows is found by its name, without a warning [P11-audit-4]', async () => {
  const at = start + 51 * DAY_MS
  await write(tenant.workspace, at, createEntry('role_created', null))
  await superuser.query(
    `insert into audit_log (root_id, position, id, organization_id, at, action, resource_type, resource_id, actor_kind,
       actor_id, metadata, sealed, digest, previous_hash, hash)
     select root_id, position + 1000000, gen_random_uuid(), organization_id, at, 'robot_built', 'robot', resource_id,
       actor_kind, actor_id, metadata, sealed, digest, previous_hash, hash
     from audit_log where root_id = $1 order by position desc limit 1`,
    [tenant.workspace.root],
  )
  const token = (await tenant.createKey('workspace')).value
  for (const filter of ['actions=robot_built,robot_sold', 'resource_types=robot,android']) {
    const { data, warnings } = await read(`date_from=2031-04-21&${filter}`, token)
    assert.deepEqual(
      [data.map(({ action }) => action), warnings.map(({ value }) => value)],
      [['robot_built'], [filter.split(',')[1]]],
    )
  }
})

test('relative times are rendered in words [P4-3]', () => {
  const [minute, hour, day] = [60_000, 3_600_000, DAY_MS]
  const results: [number, string][] = [
    [-5, 'just now'],
    [59_999, 'just now'],
    [minute, '1 minute ago'],
    [59 * minute, '59 minutes ago'],
    [hour, '1 hour ago'],
    [2 * day - 1, '1 day ago'],
    [45 * day, '1 month ago'],
    [800 * day, '2 years ago'],
  ]
  for (const [ms, words] of results) assert.equal(relativeTime(ms), words)
})

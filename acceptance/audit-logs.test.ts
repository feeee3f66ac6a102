import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { assertError } from '../cli/src/conformance/http.ts'
import { type AuditEntry, ask, auditLogsPath, changeSomething, read } from './audit-data.ts'
import { firstRepository } from './learnings-data.ts'
import { postBatch, remove } from './learnings-writes.ts'
import { eventually } from './metrics-data.ts'
import { dismissalOf, flaw, newRepository, scanOf, tell } from './security-scans-data.ts'
import {
  at,
  call,
  demo,
  home,
  type KeyName,
  organizationsOf,
  organizationsPath,
  repositoriesPath,
  uuidPattern,
} from './service.ts'
import { assertWindow, strict } from './windows.ts'

const readers: KeyName[] = ['organization', 'user', 'workspace', 'instance', 'other_tenant']

before(changeSomething)

const ids = (entries: AuditEntry[]) => entries.map(({ id }) => id)
const encoded = encodeURIComponent

test('a numbered page has exactly data, pagination, filter_options and the cursor [S-what-9 P4-3]', async () => {
  for (const key of readers) {
    const page = await read('', key)
    assert.deepEqual(Object.keys(page).sort(), [
      'data',
      'filter_options',
      'next_cursor',
      'pagination',
      'warnings',
    ])
    assert.deepEqual(Object.keys(page.pagination), [
      'page',
      'page_size',
      'total_count',
      'total_pages',
      'has_next_page',
      'has_previous_page',
    ])
    assert.deepEqual(Object.keys(page.filter_options), ['actions', 'resource_types'])
  }
})

test('a row has exactly the named fields, and its actor too [P4-3 P11-audit-6]', async () => {
  for (const key of readers) {
    for (const row of (await read('page_size=100', key)).data) {
      const fields =
        'action actionLabel actor content createdAt hash id ipAddress metadata personalValues position relativeTime ' +
        'resourceSummary resourceType resourceTypeLabel'
      assert.equal(Object.keys(row).sort().join(' '), fields)
      assert.deepEqual(Object.keys(row.actor), ['name', 'subtitle', 'isBot', 'avatarUrl', 'owner'])
      assert.match(row.id, uuidPattern)
      assert.match(row.createdAt, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
      assert.match(row.relativeTime, /^(?:just now|\d+ (?:minute|hour|day|month|year)s? ago)$/)
      // A refused request names its route, whose parameters have braces too.
      const summary = row.resourceSummary.replaceAll(/\/v1\/\S+/g, 'route')
      for (const text of [row.actionLabel, row.resourceTypeLabel, summary, row.actor.name])
        assert.ok(text !== '' && !text.includes('{'), text)
      assert.equal(row.actor.avatarUrl, null)
    }
  }
})

test('actions are named resource_action [P4-4]', async () => {
  for (const key of readers) {
    for (const { action, resourceType } of (await read('page_size=100', key)).data) {
      assert.match(action, /^[a-z]+(?:_[a-z]+)+$/)
      assert.ok(action.startsWith(`${resourceType}_`), `${action} of ${resourceType}`)
    }
  }
})

test('a change shows what was changed, and by whom [P4-3]', async () => {
  const name = await changeSomething()
  const { data } = await read('actions=repository_changed&page_size=50')
  const row = data.find(({ resourceSummary }) => resourceSummary.includes(name))
  assert.equal(row?.actionLabel, 'Repository changed')
  assert.equal(row?.resourceTypeLabel, 'Repository')
  assert.equal(row?.actor.name, 'Demo: ingest')
  assert.equal(row?.actor.isBot, true)
  assert.equal(row?.relativeTime, 'just now')
})

test('what an event changes is done by its credential, and a person whom it names is claimed [P4-3]', async () => {
  const repository = newRepository()
  const [finding] = await tell(repository, [scanOf(repository, 1, [flaw()])], ({ length }) => length === 1)
  const { id } = finding ?? assert.fail('the finding is stored')
  const by = { id: randomUUID(), username: 'somebody' }
  await tell(repository, [dismissalOf(id, 2, { by })], ([one]) => one?.state === 'dismissed')
  await tell(repository, [scanOf(repository, 3, [])], ([one]) => one?.state === 'dismissed')
  const rowOf = async (query: string, isWanted: (entry: AuditEntry) => boolean) => {
    const { data } = await read(`${query}&page_size=100`)
    return data.find(isWanted) ?? assert.fail(`no row for ${query}`)
  }
  const dismissal = await rowOf('actions=security_finding_dismissed', (row) =>
    row.resourceSummary.includes(id),
  )
  assert.deepEqual([dismissal.actor.name, dismissal.actor.isBot], ['Demo: ingest', true])
  assert.deepEqual(dismissal.metadata['claimed'], ['dismissed_by'])
  assert.match(dismissal.resourceSummary, /dismissed by: somebody, claimed by the sender/)
  await eventually('the empty scan is in the audit log', async () => {
    const { data } = await read('actions=security_scan_applied&page_size=100')
    const counts = data.filter(({ metadata }) => metadata['repository_id'] === repository)
    return counts.length === 2 && counts.every(({ actor }) => actor.name === 'Demo: ingest')
  })
})

test('pages are numbered from 1, of 10 rows, newest first [P4-2]', async () => {
  const page = await read('')
  const { total_count, total_pages } = page.pagination
  assert.deepEqual(page.pagination, {
    page: 1,
    page_size: 10,
    total_count,
    total_pages: Math.ceil(total_count / 10),
    has_next_page: true,
    has_previous_page: false,
  })
  const whole = await read('page_size=100')
  const last = await read(`page_size=7&page=${Math.ceil(total_count / 7)}`)
  const second = await read('page=2&page_size=7')
  assert.deepEqual(ids(page.data), ids(whole.data).slice(0, 10))
  assert.deepEqual(ids(second.data), ids(whole.data).slice(7, 14))
  assert.equal(second.pagination.has_previous_page, true)
  assert.equal(last.pagination.has_next_page, false)
  assert.ok(last.data.length >= 1 && total_pages > 1)
})

test('a page behind the last one is empty, and still has its cursor [P4-2]', async () => {
  const { data, pagination, next_cursor } = await read('page=900')
  assert.deepEqual([data, pagination.has_next_page, pagination.has_previous_page], [[], false, true])
  assert.equal(typeof next_cursor, 'string')
})

test('page_size is 1 to 100, page at least 1, both plain digits [P4-2]', async () => {
  assert.equal((await read('page_size=1')).data.length, 1)
  for (const query of [
    'page_size=0',
    'page_size=101',
    'page=0',
    'page=-1',
    'page=1.0',
    'page_size=1e1',
    'page=+1',
  ])
    assertError(await ask(query), 400, 'INVALID_REQUEST', query)
})

test('page numbers reach 10,000 rows; beyond them the answer is 400 and names the cursor [P4-2]', async () => {
  for (const query of ['page=1000', 'page=100&page_size=100', 'page=10000&page_size=1']) await read(query)
  for (const query of ['page=1001', 'page=101&page_size=100', 'page=10001&page_size=1']) {
    const reply = await ask(query)
    assertError(reply, 400, 'INVALID_REQUEST', query)
    assert.match(reply.text, /use cursor/)
  }
})

test('filter options count what choosing them finds [P4-3]', async () => {
  for (const key of ['workspace', 'organization', 'instance', 'instance_narrow', 'other_tenant'] as const) {
    const { filter_options, pagination } = await read('', key)
    const sum = (options: { count: number }[]) => options.reduce((total, { count }) => total + count, 0)
    assert.equal(sum(filter_options.actions), pagination.total_count)
    assert.equal(sum(filter_options.resource_types), pagination.total_count)
    for (const { value, label, count } of filter_options.actions) {
      const found = await read(`actions=${value}&page_size=100`, key)
      assert.equal(found.pagination.total_count, count, value)
      for (const { action, actionLabel } of found.data)
        assert.deepEqual([action, actionLabel], [value, label])
    }
    for (const { value, label, count } of filter_options.resource_types) {
      const found = await read(`resource_types=${value}&page_size=100`, key)
      assert.equal(found.pagination.total_count, count, value)
      for (const row of found.data)
        assert.deepEqual([row.resourceType, row.resourceTypeLabel], [value, label])
    }
  }
})

test('actions and resource_types are lists of at most 50, and narrow together [P4-1]', async () => {
  const both = await read('actions=person_added,workspace_created&page_size=100')
  assert.deepEqual([...new Set(both.data.map(({ action }) => action))].sort(), [
    'person_added',
    'workspace_created',
  ])
  const one = await read('actions=person_added,workspace_created&resource_types=workspace')
  assert.deepEqual(
    one.data.map(({ action }) => action),
    ['workspace_created'],
  )
  assert.deepEqual((await read('actions=nothing_done')).data, [])
  const fifty = Array.from({ length: 50 }, (_, n) => `a_${n}`)
  for (const name of ['actions', 'resource_types']) {
    await read(`${name}=${fifty.join(',')}`)
    for (const bad of [[...fifty, 'x'].join(','), '', 'a,,b'])
      assertError(await ask(`${name}=${bad}`), 400, 'INVALID_REQUEST', name)
  }
})

test('search finds actors by a part of their name, in any case of letters, up to 200 characters [P4-1]', async () => {
  const all = (await read('search=OPERATOR&page_size=100')).data
  assert.ok(all.length > 0 && all.every(({ actor }) => actor.name === 'Operator'))
  const keys = await read(`search=${encoded('demo: INGEST')}&page_size=100`)
  assert.ok(keys.data.length > 0 && keys.data.every(({ actor }) => actor.name === 'Demo: ingest'))
  assert.equal(keys.pagination.total_count >= keys.data.length, true)
  for (const nobody of ['%25', '_', 'nobody of that name'])
    assert.deepEqual((await read(`search=${nobody}`)).data, [])
  await read(`search=${'x'.repeat(200)}`)
  for (const bad of ['', 'x'.repeat(201), '%00'])
    assertError(await ask(`search=${bad}`), 400, 'INVALID_REQUEST', bad)
})

test('date_from and date_to are days or moments, and both are inclusive [P4-1]', async () => {
  const newest = at((await read('page_size=1')).data, 0)
  const day = newest.createdAt.slice(0, 10)
  const exactly = `date_from=${newest.createdAt}&date_to=${newest.createdAt}`
  assert.ok(ids((await read(exactly)).data).includes(newest.id))
  assert.ok(ids((await read(`date_from=${day}&date_to=${day}`)).data).includes(newest.id))
  const offset = encoded(
    new Date(Date.parse(newest.createdAt) + 7_200_000).toISOString().replace('Z', '+02:00'),
  )
  assert.ok(ids((await read(`date_from=${offset}&date_to=${offset}`)).data).includes(newest.id))
  const earlier = new Date(Date.parse(newest.createdAt) - 1).toISOString()
  const until = await read(`date_to=${earlier}`)
  assert.ok(!ids(until.data).includes(newest.id))
  const after = await read(`date_from=${newest.createdAt}`)
  const { total_count } = (await read('')).pagination
  assert.ok(until.pagination.total_count + after.pagination.total_count >= total_count)
  assert.equal((await read('date_to=2020-01-01')).pagination.total_count, 0)
  assert.deepEqual((await read('date_to=2020-01-01')).filter_options, { actions: [], resource_types: [] })
})

test('an invalid date, or a window that ends before it begins, is 400 [P4-1]', async () => {
  for (const bad of [
    '2026-02-30',
    'yesterday',
    '2026-13-01',
    '2026-01-01T25:00:00Z',
    '2026-01-01T00:00:00',
    '',
  ])
    assertError(await ask(`date_from=${bad}`), 400, 'INVALID_REQUEST', bad)
  assertError(await ask('date_from=2026-01-02&date_to=2026-01-01'), 400, 'INVALID_REQUEST')
  assertError(await ask('date_from=1960-01-02&date_to=1960-01-01'), 400, 'INVALID_REQUEST')
  for (const far of ['date_from=0001-01-01', 'date_to=9999-12-31', 'date_to=9999-12-31T23:59:59.999Z'])
    await read(far)
})

test('unknown and repeated parameters are 400 [P4-1]', async () => {
  for (const query of ['limit=10', 'action=role_created', 'page=1&page=1', 'organization_ids=1'])
    assertError(await ask(query), 400, 'INVALID_REQUEST', query)
})

test('a workspace token reads the whole workspace, with org_id one organization [S-what-12 S-what-13 S-named-4 S-auth-23 P4-2]', async () => {
  const [, sibling] = organizationsOf('workspace')
  const whole = (await read('')).pagination.total_count
  const ofHome = await read(`org_id=${home.org_id}`)
  const ofSibling = await read(`org_id=github:${sibling?.org_id}&actions=organization_created`)
  assert.ok(ofHome.pagination.total_count > 0 && ofHome.pagination.total_count < whole)
  assert.equal(ofSibling.pagination.total_count, 1)
  assert.match(at(ofSibling.data, 0).resourceSummary, new RegExp(sibling?.name ?? '-'))
  // The entry belongs to no organization, so only the whole view has it.
  assert.equal((await read('actions=workspace_created')).pagination.total_count, 1)
  assert.deepEqual((await read(`actions=workspace_created&org_id=${home.org_id}`)).data, [])
})

test('other keys read their own organizations, whatever org_id says [S-named-4 S-auth-9 P2-instance-4 P4-2]', async () => {
  const [, sibling] = organizationsOf('workspace')
  const own = await read(`org_id=${home.org_id}&actions=organization_created`)
  for (const key of ['organization', 'user'] as const) {
    for (const query of ['', `&org_id=${sibling?.org_id}`, '&org_id=nobody'])
      assert.deepEqual(ids((await read(`actions=organization_created${query}`, key)).data), ids(own.data))
    assert.deepEqual((await read('actions=workspace_created', key)).data, [])
  }
  const created = (key: KeyName) => read('actions=organization_created&org_id=x', key)
  assert.equal((await created('instance')).data.length, organizationsOf('instance').length)
  assert.equal((await created('instance_narrow')).data.length, 1)
  assert.deepEqual((await read('actions=instance_created', 'instance')).data, [])
})

test('an organization that does not exist, or is another tenant’s, is 404 [P4-2]', async () => {
  const [other] = organizationsOf('organization')
  for (const id of ['nobody', other?.org_id, organizationsOf('instance')[0]?.org_id])
    assertError(await ask(`org_id=${id}`), 404, 'ORGANIZATION_NOT_FOUND', id)
})

test('audit logs are for Enterprise, and not for legacy and agentic keys [S-what-3 P2-kinds-8 P4-1]', async () => {
  assertError(await call(auditLogsPath), 401, 'UNAUTHORIZED')
  for (const key of ['expired', 'revoked', 'ingest'] as const)
    assertError(await ask('', key), 401, 'UNAUTHORIZED')
  assertError(await ask('page=0', 'legacy'), 410, 'LEGACY_API_KEY')
  assertError(await ask('page=0', 'agentic'), 403, 'KEY_KIND_NOT_ALLOWED')
  assertError(await ask('page=0', 'workspace_demoted_owner'), 403, 'OWNER_NOT_ADMIN')
  assertError(await ask('', 'lower_plan'), 403, 'ENTERPRISE_REQUIRED')
  assertError(await ask('page=0', 'lower_plan'), 400, 'INVALID_REQUEST')
})

test('refusals of a known caller are in the log: who, what, which code, and from where [P4-9 P4-12]', async () => {
  const [other] = organizationsOf('organization')
  const foreign = repositoriesPath(other?.id ?? '')
  const refused: [KeyName, string, string, string][] = [
    ['legacy', organizationsPath, 'LEGACY_API_KEY', `GET ${organizationsPath}`],
    ['agentic', auditLogsPath, 'KEY_KIND_NOT_ALLOWED', `GET ${auditLogsPath}`],
    ['organization', foreign, 'ORGANIZATION_NOT_FOUND', `GET ${repositoriesPath('{organization_id}')}`],
  ]
  for (const [key, path, code, route] of refused) {
    await call(path, { key: demo.keys[key] })
    const { data } = await read('actions=request_refused&page_size=100', 'organization')
    const row = data.find(({ metadata }) => metadata['code'] === code && metadata['route'] === route)
    assert.equal(row?.actor.name, `Demo: ${key}`, code)
    assert.equal(row?.resourceSummary, `${route} was refused with ${code}`)
    assert.match(row?.ipAddress ?? '', /^(?:::ffff:)?127\.0\.0\.1$/)
  }
})

test('a Learning that is written is in the log, with where the request came from and without its text [P4-12]', async () => {
  const learning = `Name a migration after what it brings, as in ${randomUUID()}.`
  const { results } = await postBatch([{ repository_id: firstRepository.repository_id, learning }])
  const id = results[0]?.id ?? assert.fail(JSON.stringify(results))
  const { data: written } = await read('actions=learning_created&page_size=100', 'organization')
  const created = written.find(({ metadata }) => metadata['resource_id'] === id)
  const summary = 'Learning “Name a migration after what it brings, as…” was created'
  assert.equal(created?.resourceSummary, summary, 'its first words, as long as it is there')
  assert.ok(!created.content.includes('migration'))
  assert.equal((await remove(id)).status, 204)
  const { data } = await read('resource_types=learning&page_size=100', 'organization')
  for (const [action, verb] of [
    ['learning_created', 'created'],
    ['learning_deleted', 'deleted'],
  ]) {
    const row = data.find((one) => one.action === action && one.resourceSummary.includes(id))
    assert.equal(row?.resourceSummary, `Learning ${id} was ${verb}`)
    assert.equal(row?.actor.name, 'Demo: user')
    assert.match(row?.ipAddress ?? '', /^(?:::ffff:)?127\.0\.0\.1$/)
    assert.ok(!JSON.stringify(row).includes('migration'))
  }
})

test('sixty requests in a minute are admitted, the next is 429 [P1-limit-13]', async () => {
  await assertWindow('"audit";q=60;w=60', () =>
    call(auditLogsPath, { key: demo.keys.metrics_off, base: strict() }),
  )
})

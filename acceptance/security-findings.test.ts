import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../cli/src/conformance/http.ts'
import { createEvent, eventually, ownOrganization, send } from './metrics-data.ts'
import {
  askFindings,
  findingFields,
  found,
  ownRepository,
  readFindingPages,
  readFindings,
  scanOf,
  securityPath,
  storeScan,
} from './security-data.ts'
import { at, call, demo, home, organizationsOf, uuidPattern } from './service.ts'
import { assertWindow, strict } from './windows.ts'

const titlesOf = (findings: readonly { title: unknown }[]) => findings.map(({ title }) => String(title))

test('a page of findings has exactly data and next_cursor, and a finding exactly its 16 fields [S-what-9 S-named-9 P1-lists-1 P6-4]', async () => {
  const repository = ownRepository()
  assert.deepEqual(await readFindings(`repo_id=${repository}`), { data: [], next_cursor: null })
  const scan = scanOf(repository, [found()])
  await storeScan(scan, 1)
  const page = await readFindings(`repo_id=${repository}`)
  assert.deepEqual(Object.keys(page), ['data', 'next_cursor'])
  const finding = at(page.data, 0)
  assert.deepEqual(Object.keys(finding), findingFields)
  const { scan_id, scanned_at } = scan.payload as Record<'scan_id' | 'scanned_at', string>
  const { id, ...rest } = finding
  assert.match(String(id), uuidPattern)
  assert.deepEqual(rest, {
    scan_id,
    organization_id: home.org_id,
    organization_name: home.name,
    repository_id: repository,
    repository_name: 'booking-api',
    severity: 'high',
    state: 'open',
    cwe: 'CWE-89',
    title: 'SQL built from a request parameter',
    description: 'The text of a query is put together from what a caller sent.',
    file_path: 'src/orders/search.ts',
    start_line: 12,
    end_line: 14,
    first_seen_at: scanned_at,
    last_seen_at: scanned_at,
  })
})

test('each severity is returned as it was sent, and what a scanner omitted is null [P6-4]', async () => {
  const repository = ownRepository()
  const severities = ['critical', 'high', 'medium', 'low', 'info']
  const findings = severities.map((severity) => found({ severity, title: severity }))
  const bare = { rule_id: 'x', severity: 'info', title: 'bare', file_path: 'a.ts' }
  await storeScan(scanOf(repository, [...findings, bare]), 6)
  const { data } = await readFindings(`repo_id=${repository}`)
  const told = new Map(data.map((finding) => [finding.title, finding]))
  for (const severity of severities) assert.equal(told.get(severity)?.severity, severity)
  const { cwe, start_line, end_line } = told.get('bare') ?? assert.fail()
  assert.deepEqual([cwe, start_line, end_line], [null, null, null])
})

test('open findings are returned unless state is fixed, dismissed or all [P6-2]', async () => {
  const repository = ownRepository()
  const [stays, goes, left] = ['stays', 'goes', 'left'].map((title) => found({ title }))
  assert.ok(stays && goes && left)
  await storeScan(scanOf(repository, [stays, goes, left]), 3)
  await storeScan(scanOf(repository, [stays, left]), 2)
  const { data } = await readFindings(`repo_id=${repository}`)
  const finding_id = data.find(({ title }) => title === 'left')?.id
  const payload = { organization: ownOrganization, finding_id, reason: 'wont_fix' }
  await send([createEvent('security_finding.dismissed', new Date().toISOString(), payload)])
  const told = async (state: string) =>
    titlesOf((await readFindings(`repo_id=${repository}${state}`)).data).sort()
  await eventually('a finding is dismissed', async () => (await told('')).length === 1)
  assert.deepEqual(await told(''), ['stays'])
  assert.deepEqual(await told('&state=open'), ['stays'])
  assert.deepEqual(await told('&state=fixed'), ['goes'])
  assert.deepEqual(await told('&state=dismissed'), ['left'])
  assert.deepEqual(await told('&state=all'), ['goes', 'left', 'stays'])
})

test('repo_id and scan_id narrow the findings, alone and together [P6-2]', async () => {
  const [one, other] = [ownRepository(), ownRepository()]
  const first = scanOf(one, [found({ title: 'a' }), found({ title: 'b' })])
  const { scan_id } = first.payload as { scan_id: string }
  await storeScan(first, 2)
  await storeScan(scanOf(other, [found({ title: 'c' })], { scan_id }), 1)
  await storeScan(scanOf(one, [found({ title: 'd' })], { complete: false }), 3)
  const told = async (query: string) => titlesOf((await readFindings(query)).data).sort()
  assert.deepEqual(await told(`repo_id=${one}`), ['a', 'b', 'd'])
  assert.deepEqual(await told(`scan_id=${scan_id}`), ['a', 'b', 'c'])
  assert.deepEqual(await told(`scan_id=${scan_id}&repo_id=${one}`), ['a', 'b'])
  assert.deepEqual(await told(`scan_id=${scan_id}&repo_id=nobody`), [])
  assert.deepEqual(await told('scan_id=nobody'), [])
})

test('pages follow the order of writing: what is found or changes later is on a later page [P1-lists-4 P6-2]', async () => {
  const repository = ownRepository()
  const goes = found({ title: 'goes' })
  const stay = Array.from({ length: 4 }, (_, n) => found({ title: `${n}`, file_path: `src/${n}.ts` }))
  await storeScan(scanOf(repository, [goes, ...stay]), 5)
  const query = `repo_id=${repository}&state=all`
  const first = await readFindings(`${query}&limit=3`)
  assert.equal(first.data.length, 3)
  const later = ['later', 'last'].map((title) => found({ title }))
  await storeScan(scanOf(repository, [...stay, ...later]), 6)
  const rest = await readFindingPages(`${query}&limit=2&cursor=${first.next_cursor}`)
  const told = rest.flat().map(({ title, state }) => [title, state])
  assert.ok(told.some(([title, state]) => title === 'goes' && state === 'fixed'))
  const all = new Set([...titlesOf(first.data), ...told.map(([title]) => String(title))])
  assert.deepEqual(all, new Set(['goes', '0', '1', '2', '3', 'later', 'last']))
})

test('a page has 100 findings unless limit says 1 to 1000 [P6-2]', async () => {
  const repository = ownRepository()
  const findings = Array.from({ length: 120 }, (_, n) =>
    found({ title: `${n}`, start_line: n + 1, end_line: n + 1 }),
  )
  await storeScan(scanOf(repository, findings), 120)
  const sizes = async (query: string) =>
    (await readFindingPages(`repo_id=${repository}${query}`)).map(({ length }) => length)
  assert.deepEqual(await sizes(''), [100, 20])
  assert.deepEqual(await sizes('&limit=119'), [119, 1])
  assert.deepEqual(await sizes('&limit=120'), [120])
  assert.deepEqual(await sizes('&limit=1000'), [120])
  for (const limit of ['0', '1001', '-1', '1e2', 'x', '']) {
    assertError(await askFindings(`limit=${limit}`), 400, 'INVALID_REQUEST', limit)
  }
})

test('unknown parameters and invalid values are 400 INVALID_REQUEST [P6-2]', async () => {
  for (const query of [
    'status=open',
    'repository_ids=1',
    `organization_ids=${home.org_id}`,
    'state=closed',
    'state=open,fixed',
    'format=xml',
    'format=',
    'repo_id=',
    'scan_id=',
    'repo_id=1&repo_id=2',
    'repo_id=%00',
  ]) {
    assertError(await askFindings(query), 400, 'INVALID_REQUEST', query)
  }
})

test('a cursor of the findings is bound to its filters and its scope, not to the limit or the key [P1-cursor-8 P6-2]', async () => {
  const repository = ownRepository()
  await storeScan(scanOf(repository, [found({ title: 'a' }), found({ title: 'b' })]), 2)
  const { next_cursor } = await readFindings(`repo_id=${repository}&limit=1`, 'user')
  const following = (query: string) => `${query}&cursor=${next_cursor}`
  for (const [query, key] of [
    [`repo_id=${repository}`, 'user'],
    [`repo_id=${repository}&state=open&limit=7`, 'organization'],
    [`repo_id=${repository}&org_id=${home.org_id}&format=json`, 'workspace'],
  ] as const) {
    assert.equal((await readFindings(following(query), key)).data.length, 1, query)
  }
  for (const [query, key] of [
    ['state=open', 'user'],
    [`repo_id=${repository}&state=all`, 'user'],
    [`repo_id=${repository}&scan_id=x`, 'user'],
    [`repo_id=${repository}`, 'workspace'],
    [`repo_id=${repository}`, 'other_tenant'],
  ] as const) {
    assertError(await askFindings(following(query), key), 400, 'INVALID_CURSOR', query)
  }
  for (const cursor of ['', 'x', `${next_cursor}A`]) {
    assertError(
      await askFindings(`repo_id=${repository}&cursor=${cursor}`, 'user'),
      400,
      'INVALID_CURSOR',
      cursor,
    )
  }
})

test('organization, user, workspace and instance keys of every plan read findings; legacy is 410, agentic 403 [S-named-8 P1-code-8 P2-kinds-9 P6-1]', async () => {
  for (const key of ['organization', 'user', 'workspace', 'instance', 'lower_plan'] as const) {
    await readFindings('', key)
  }
  assertError(await askFindings('', 'legacy'), 410, 'LEGACY_API_KEY')
  assertError(await askFindings('', 'agentic'), 403, 'KEY_KIND_NOT_ALLOWED')
  for (const key of ['expired', 'revoked', 'ingest'] as const) {
    assertError(await askFindings('', key), 401, 'UNAUTHORIZED', key)
  }
})

test('a key gets only the findings in its scope; org_id narrows a workspace token, and no other key [S-named-9 P6-2]', async () => {
  const repository = ownRepository()
  const sibling = at(organizationsOf('workspace'), 1)
  await storeScan(scanOf(repository, [found({ title: 'of home' })]), 1)
  const organization = { ...ownOrganization, id: sibling.org_id }
  await storeScan(scanOf(repository, [found({ title: 'of the sibling' })], { organization }), 2)
  const told = async (query: string, key: Parameters<typeof readFindings>[1]) =>
    titlesOf((await readFindings(`repo_id=${repository}${query}`, key)).data)
  assert.deepEqual(await told('', 'workspace'), ['of home', 'of the sibling'])
  assert.deepEqual(await told(`&org_id=${sibling.org_id}`, 'workspace'), ['of the sibling'])
  assert.deepEqual(await told(`&org_id=github:${home.org_id}`, 'workspace'), ['of home'])
  for (const key of ['user', 'organization'] as const) {
    assert.deepEqual(await told('', key), ['of home'])
    assert.deepEqual(await told(`&org_id=${sibling.org_id}`, key), ['of home'])
  }
  for (const key of ['other_tenant', 'instance', 'lower_plan'] as const) {
    assert.deepEqual(await told(`&org_id=${home.org_id}`, key), [], key)
  }
  assertError(await askFindings('org_id=nobody'), 404, 'ORGANIZATION_NOT_FOUND')
})

test('security findings admit 60 requests in 60 seconds, the next is 429 [P1-limit-13]', async () => {
  await assertWindow('"security";q=60;w=60', () =>
    call(securityPath, { base: strict(), key: demo.keys.metrics_off }),
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService, type TestResponse } from '../../../../test/call.ts'
import { createDatabase } from '../../../../test/database.ts'
import { openTenant } from '../../../../test/fixture.ts'
import { freePort } from '../../../../test/free-port.ts'
import { plantPullRequest } from '../../../../test/planted/pull-request.ts'
import { createTestWriter } from '../../../../test/pull-requests.ts'
import type { RootId } from '../../../ids.ts'
import { endpoints } from '../../../routes.ts'

const window = 'start_date=2026-01-01&end_date=2026-01-31'
const page = `/v1/metrics/review-comments?${window}`
const changes = '/v1/metrics/review-comments/changes'
const asLines = { headers: { accept: 'application/x-ndjson' } }
const reads = [
  ...endpoints
    .filter(({ method, readsMetrics }) => method === 'GET' && readsMetrics)
    .map(({ path, query }) => {
      const takesWindow = 'properties' in query && 'start_date' in (query.properties as object)
      return [takesWindow ? `${path}?${window}` : path, {}] as const
    }),
  [page, asLines] as const,
]

const { database, superuser, tenant, use } = await openTenant()
const isolated = use(await createDatabase())
const workspace = (await tenant.createKey('workspace')).value
const nowhere = `postgres://127.0.0.1:${await freePort()}/nowhere`
const service = use(
  startService(database, {
    LIMIT_METRICS: 'off',
    METRICS_STORES: `isolated=${isolated.urls.api},away=${nowhere}`,
  }),
)
const planter = createTestWriter(database)
for (const { organizations } of [tenant.workspace, tenant.instance]) {
  for (const organization of organizations)
    await plantPullRequest(planter, organization, { day: '2026-01-15', word: organization.orgId })
}
await planter.close()

const renderCode = ({ status, body }: TestResponse) => `${status} ${body.error?.code ?? 'none'}`
const run = (text: string, values: readonly unknown[]) => superuser.query(text, [...values])

/** Every way of reading metrics is answered alike; `also` is what such an answer must have. */
async function assertEveryRead(
  key: string,
  expected: string,
  { selector = '', also }: { selector?: string; also?: (answer: TestResponse) => void } = {},
): Promise<void> {
  for (const [path, call] of reads) {
    const url = selector === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${selector}`
    const answer = await service.call(url, { key, ...call })
    assert.equal(renderCode(answer), expected, url)
    also?.(answer)
  }
}

function assertRetryAfter({ headers }: TestResponse): void {
  assert.match(headers['retry-after'] ?? '', /^[1-9]\d{0,3}$/)
  assert.match(headers['content-type'] ?? '', /^application\/json\b/)
}

async function setPlacement(root: RootId, store: string, movingTo: string | null): Promise<void> {
  await run(
    `insert into metrics_placement (root_id, store, moving_to) values ($1, $2, $3)
     on conflict (root_id) do update set store = $2, moving_to = $3`,
    [root, store, movingTo],
  )
}

test('every endpoint of metrics is among the reads [S-err-8 P1-code-28 P5-place-6 P5-place-8]', () => {
  const paths = reads.map(([path]) => path.replace(/\?.*/, '').replace('/v1/metrics/', ''))
  assert.deepEqual(paths.toSorted(), [
    'findings',
    'mcp',
    'mcp/summary',
    'review-comments',
    'review-comments',
    'review-comments/changes',
    'reviewers',
    'reviewers/overlap',
    'reviews',
    'reviews/summary',
    'summary',
  ])
})

test('every request with an organization in scope whose metrics are disabled returns 403 METRICS_UNAVAILABLE [P5-place-7 P5-place-8]', async () => {
  const [on, off] = tenant.workspace.organizations
  assert.ok(off)
  const { value: own } = await tenant.createKey('user', { organization: off.id })
  const { value: sibling } = await tenant.createKey('user', { organization: on.id })
  await run('update organization set metrics_enabled = false where id = $1', [off.id])
  await assertEveryRead(workspace, '403 METRICS_UNAVAILABLE')
  await assertEveryRead(workspace, '403 METRICS_UNAVAILABLE', { selector: `org_id=${off.orgId}` })
  await assertEveryRead(own, '403 METRICS_UNAVAILABLE')
  await assertEveryRead(workspace, '200 none', { selector: `org_id=${on.orgId}` })
  await assertEveryRead(sibling, '200 none')
  await run('update organization set active = false where id = $1', [off.id])
  await assertEveryRead(workspace, '200 none')
  await run('update organization set active = true, metrics_enabled = true where id = $1', [off.id])
  await assertEveryRead(workspace, '200 none')
})

test('a self-hosted instance that does not send metrics returns 403 METRICS_UNAVAILABLE [S-rc-6 P5-place-7]', async () => {
  const { value } = await tenant.createKey('instance')
  const [home] = tenant.instance.organizations
  await assertEveryRead(value, '200 none')
  await run('update instance set sends_metrics = false where root_id = $1', [tenant.instance.root])
  await assertEveryRead(value, '403 METRICS_UNAVAILABLE')
  await assertEveryRead((await tenant.createKey('user', { of: 'instance' })).value, '403 METRICS_UNAVAILABLE')
  const filtered = await service.call(`${page}&organization_ids=${home.orgId}`, { key: value })
  assert.equal(renderCode(filtered), '403 METRICS_UNAVAILABLE')
  await run('update instance set sends_metrics = true where root_id = $1', [tenant.instance.root])
})

test('the availability of metrics is checked after organization selection and before the plan', async () => {
  const { root } = tenant.workspace
  await run('update organization set metrics_enabled = false where root_id = $1', [root])
  await run(`update subscription set plan = 'pro' where root_id = $1`, [root])
  await assertEveryRead(workspace, '404 ORGANIZATION_NOT_FOUND', { selector: 'org_id=nobody' })
  await assertEveryRead(workspace, '403 METRICS_UNAVAILABLE')
  await run('update organization set metrics_enabled = true where root_id = $1', [root])
  await assertEveryRead(workspace, '403 ENTERPRISE_REQUIRED')
  await run(`update subscription set plan = 'enterprise' where root_id = $1`, [root])
})

test('during a move requests return 503 METRICS_PREPARING with Retry-After and succeed later [S-named-7 S-err-8 P1-code-28 P5-place-6]', async () => {
  const { root } = tenant.workspace
  const { value: other } = await tenant.createKey('instance')
  await setPlacement(root, 'shared', 'isolated')
  await assertEveryRead(workspace, '503 METRICS_PREPARING', { also: assertRetryAfter })
  await assertEveryRead(other, '200 none')
  await setPlacement(root, 'shared', null)
  await assertEveryRead(workspace, '200 none')
})

test('a store that the root has left or has not reached returns 503 METRICS_PREPARING [P1-code-28 P5-place-6]', async () => {
  const { root } = tenant.workspace
  for (const state of ['moved', 'incoming']) {
    await run('update metrics_head set state = $2 where root_id = $1', [root, state])
    await assertEveryRead(workspace, '503 METRICS_PREPARING', { also: assertRetryAfter })
  }
  await run(`update metrics_head set state = 'active' where root_id = $1`, [root])
  await assertEveryRead(workspace, '200 none')
})

test('only an unreachable store returns 503 METRICS_TEMPORARILY_UNAVAILABLE with Retry-After [S-err-8 P1-code-28]', async () => {
  const { value: other } = await tenant.createKey('instance')
  await setPlacement(tenant.workspace.root, 'away', null)
  await assertEveryRead(workspace, '503 METRICS_TEMPORARILY_UNAVAILABLE', { also: assertRetryAfter })
  await assertEveryRead(other, '200 none')
  assert.equal(renderCode(await service.call('/v1/organizations', { key: workspace })), '200 none')
  await setPlacement(tenant.workspace.root, 'shared', null)
})

test('metrics are read only from the store of their root [P5-place-5]', async () => {
  const { root, organizations } = tenant.workspace
  const writer = createTestWriter(database, { stores: { isolated } })
  await setPlacement(root, 'isolated', null)
  const [organization] = organizations
  await plantPullRequest(writer, organization, { day: '2026-01-20', word: 'isolated', number: 9 })
  await writer.close()
  const dataOf = async (path: string) => {
    const { body } = await service.call(path, { key: workspace })
    return (body as unknown as { data: { pr_url: string }[] }).data.map(({ pr_url }) => pr_url)
  }
  const url = 'https://git.example.com/isolated/pull/9'
  assert.deepEqual(await dataOf(page), [url])
  assert.deepEqual(await dataOf(changes), [url, url])
  await setPlacement(root, 'shared', null)
  assert.equal((await dataOf(page)).length, organizations.length)
})

test('a root without any write returns an empty page and a changes cursor that works later [P5-changes-2]', async () => {
  const { value: key } = await tenant.createKey('user', { of: 'alone' })
  assert.equal((await service.call(page, { key })).text, '{"data":[],"next_cursor":null}')
  assert.equal((await service.call(page, { key, ...asLines })).text, '{"next_cursor":null}\n')
  const { body } = await service.call(changes, { key })
  const { data, next_cursor, has_more } = body as unknown as {
    data: unknown[]
    next_cursor: string
    has_more: boolean
  }
  assert.deepEqual([data, typeof next_cursor, has_more], [[], 'string', false])
  const writer = createTestWriter(database)
  await plantPullRequest(writer, tenant.alone.organizations[0], { day: '2026-01-15', word: 'first' })
  await writer.close()
  const later = await service.call(`${changes}?cursor=${next_cursor}`, { key })
  assert.equal((later.body as unknown as { data: unknown[] }).data.length, 2)
})

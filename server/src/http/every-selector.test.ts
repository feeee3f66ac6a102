import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService, type TestResponse } from '../../test/call.ts'
import { openTenant } from '../../test/fixture.ts'
import { plantFindings } from '../../test/planted/findings.ts'
import { plantOrganizationLearnings } from '../../test/planted/learnings.ts'
import { type PlantedPullRequest, plantPullRequest } from '../../test/planted/pull-request.ts'
import { createTestWriter } from '../../test/pull-requests.ts'
import type { TestOrganization, TestRoot } from '../../test/tenant.ts'
import type { KeyKind } from '../access/key-format.ts'
import { createOrganization } from '../resources/organizations/manage.ts'
import { endpoints } from '../routes.ts'
import type { Endpoint } from './endpoint.ts'

// Every route that is narrowed by org_id if at all, and says of each entry whose it is; those among them that also take
// organization_ids.
const returnsOrganization = ({ replies }: Endpoint) =>
  JSON.stringify(replies[200]?.body ?? null).includes('"organization_id"')
const narrowed = endpoints.filter(
  (endpoint) =>
    (endpoint.organization === 'optional' || endpoint.organization === 'filtered') &&
    returnsOrganization(endpoint),
)
const takes = ({ query }: Endpoint, name: string) =>
  'properties' in query && name in (query.properties as object)
const takingFilter = narrowed.filter((endpoint) => takes(endpoint, 'organization_ids'))
const filteredForInstances = takingFilter.filter(({ organization }) => organization !== 'filtered')
const filteredForEveryKey = takingFilter.filter(({ organization }) => organization === 'filtered')
const bound: readonly KeyKind[] = ['organization', 'user', 'legacy']
const isRefused = ({ keys }: Endpoint, kind: KeyKind) => keys[kind] !== 'allowed'

const { database, superuser, tenant, use } = await openTenant({ organizations: 3 })
const writer = use(createTestWriter(database))
for (const { organizations } of [tenant.workspace, tenant.instance, tenant.alone]) {
  for (const organization of organizations) await plant(organization)
}
const service = use(startService(database, { LIMIT_METRICS: 'off', LIMIT_SECURITY: 'off' }))

/** Something to tell for each of the routes. */
async function plant(organization: TestOrganization, over: Partial<PlantedPullRequest> = {}): Promise<void> {
  await plantPullRequest(writer, organization, { day: '2026-01-15', word: organization.orgId, ...over })
  const { repositoryId: repository } = over
  const learning = { text: `as is usual in ${organization.orgId}`, ...(repository && { repository }) }
  await plantOrganizationLearnings(tenant.pool, organization, [learning])
  await plantFindings(superuser, organization, [{ ...(repository && { repository_id: repository }) }])
}

function sendRequest(
  endpoint: Endpoint,
  key: string,
  selector: Record<string, string> = {},
): Promise<TestResponse> {
  const window = { start_date: '2026-01-01', end_date: '2026-01-31' }
  const search = new URLSearchParams({ ...(takes(endpoint, 'start_date') && window), ...selector })
  return service.call(`${endpoint.path}?${search.toString()}`, { key })
}

/** The organization ids of a page, or the code of a refusal. */
function getOrganizationIds({ status, body }: TestResponse): string[] | string {
  const { errors } = body as { errors?: { code: string }[] }
  if (status !== 200) return errors?.[0]?.code ?? body.error?.code ?? 'none'
  const { data } = body as unknown as { data: { organization_id: string }[] }
  return [...new Set(data.map(({ organization_id }) => organization_id))].sort()
}

const idsOf = (organizations: readonly TestOrganization[]) => organizations.map(({ orgId }) => orgId).sort()

function threeOf({ organizations }: TestRoot): [TestOrganization, TestOrganization, TestOrganization] {
  const [first, second, third] = organizations
  return [first, second ?? assert.fail(), third ?? assert.fail()]
}

test('without a selector a key gets every organization it is authorized for, and no other [S-rc-7 S-rc-8 S-rc-13]', async () => {
  const { workspace, instance, alone } = tenant
  const [home, other] = threeOf(instance)
  const expected: [KeyKind, string, string[]][] = [
    ['workspace', (await tenant.createKey('workspace')).value, idsOf(workspace.organizations)],
    ['instance', (await tenant.createKey('instance')).value, idsOf(instance.organizations)],
    ['instance', (await tenant.createKey('instance', { authorized: [home.id] })).value, [home.orgId]],
    [
      'instance',
      (await tenant.createKey('instance', { authorized: [home.id, other.id] })).value,
      idsOf([home, other]),
    ],
    ['user', (await tenant.createKey('user', { of: 'alone' })).value, idsOf(alone.organizations)],
  ]
  for (const organization of workspace.organizations) {
    for (const kind of bound) {
      expected.push([
        kind,
        (await tenant.createKey(kind, { organization: organization.id })).value,
        [organization.orgId],
      ])
    }
  }
  for (const endpoint of narrowed) {
    for (const [kind, key, ids] of expected) {
      if (isRefused(endpoint, kind)) continue
      assert.deepEqual(getOrganizationIds(await sendRequest(endpoint, key)), ids, endpoint.path)
    }
  }
})

test('org_id narrows a workspace token to one organization of it, with or without its provider [S-rc-8]', async () => {
  const { value } = await tenant.createKey('workspace')
  for (const endpoint of narrowed) {
    for (const { orgId } of tenant.workspace.organizations) {
      assert.deepEqual(getOrganizationIds(await sendRequest(endpoint, value, { org_id: orgId })), [orgId])
      assert.deepEqual(
        getOrganizationIds(await sendRequest(endpoint, value, { org_id: `github:${orgId}` })),
        [orgId],
      )
      assert.equal(
        getOrganizationIds(await sendRequest(endpoint, value, { org_id: `gitlab:${orgId}` })),
        'ORGANIZATION_NOT_FOUND',
      )
    }
    for (const { orgId } of [...tenant.instance.organizations, ...tenant.alone.organizations]) {
      assert.equal(
        getOrganizationIds(await sendRequest(endpoint, value, { org_id: orgId })),
        'ORGANIZATION_NOT_FOUND',
      )
    }
  }
})

test('org_id is ignored for keys that are bound to an organization or an instance, whatever it says [S-rc-8 S-auth-9]', async () => {
  const [first, sibling] = threeOf(tenant.workspace)
  const [home] = threeOf(tenant.instance)
  for (const endpoint of narrowed) {
    for (const org_id of [sibling.orgId, home.orgId, 'nobody', 'ALL']) {
      for (const kind of bound) {
        if (isRefused(endpoint, kind)) continue
        const { value } = await tenant.createKey(kind)
        assert.deepEqual(
          getOrganizationIds(await sendRequest(endpoint, value, { org_id })),
          [first.orgId],
          kind,
        )
      }
      const { value } = await tenant.createKey('instance')
      assert.deepEqual(
        getOrganizationIds(await sendRequest(endpoint, value, { org_id })),
        idsOf(tenant.instance.organizations),
      )
    }
  }
})

test('an org_id of two organizations at two providers is 400 ORG_ID_AMBIGUOUS, and provider:id says which [P2-provider-1 P2-provider-2]', async () => {
  const [first] = threeOf(tenant.workspace)
  const { value } = await tenant.createKey('workspace')
  const twin = await tenant.change(tenant.workspace.root, (change) =>
    createOrganization(change, {
      name: 'twin',
      provider: 'gitlab',
      providerOrganizationId: first.orgId,
      subscription: null,
    }),
  )
  await plant({ ...first, id: twin }, { provider: 'gitlab', repositoryId: 'of the twin' })
  for (const endpoint of narrowed) {
    assert.equal(
      getOrganizationIds(await sendRequest(endpoint, value, { org_id: first.orgId })),
      'ORG_ID_AMBIGUOUS',
    )
    for (const provider of ['github', 'gitlab']) {
      const { body } = await sendRequest(endpoint, value, { org_id: `${provider}:${first.orgId}` })
      const { data } = body as unknown as { data: { repository_id: string }[] }
      const repository = provider === 'github' ? first.repositories[0]?.repositoryId : 'of the twin'
      assert.ok(data.length > 0 && data.every(({ repository_id }) => repository_id === repository))
    }
  }
  await superuser.query('update organization set active = false where id = $1', [twin])
})

test('organization_ids narrow an instance key; those it does not know or that are not active do not match [S-rc-13]', async () => {
  const [home, other, third] = threeOf(tenant.instance)
  const { value } = await tenant.createKey('instance')
  const foreign = tenant.workspace.organizations[0].orgId
  await superuser.query('update organization set active = false where id = $1', [third.id])
  for (const endpoint of takingFilter) {
    const selected = async (...ids: string[]) =>
      getOrganizationIds(await sendRequest(endpoint, value, { organization_ids: ids.join() }))
    assert.deepEqual(await selected(home.orgId), [home.orgId])
    assert.deepEqual(await selected(`github:${home.orgId}`, home.orgId), [home.orgId])
    assert.deepEqual(await selected(other.orgId, home.orgId), idsOf([home, other]))
    assert.deepEqual(await selected('nobody', other.orgId, foreign, third.orgId), [other.orgId])
    const none = endpoint.organization === 'filtered' ? [] : 'ORGANIZATION_NOT_FOUND'
    for (const nothing of [['nobody'], [foreign], [third.orgId], ['nobody', foreign, third.orgId]]) {
      assert.deepEqual(await selected(...nothing), none)
    }
  }
  for (const endpoint of narrowed)
    assert.deepEqual(getOrganizationIds(await sendRequest(endpoint, value)), idsOf([home, other]))
  await superuser.query('update organization set active = true where id = $1', [third.id])
})

test('organization_ids never widen: one without authorization is 403 ORGANIZATION_OUT_OF_SCOPE [S-rc-14 P2-instance-6]', async () => {
  const [home, other] = threeOf(tenant.instance)
  const { value } = await tenant.createKey('instance', { authorized: [home.id] })
  for (const endpoint of filteredForInstances) {
    const selected = async (organization_ids: string) =>
      getOrganizationIds(await sendRequest(endpoint, value, { organization_ids }))
    assert.deepEqual(await selected(`${home.orgId},nobody`), [home.orgId])
    for (const ids of [other.orgId, `${home.orgId},${other.orgId}`]) {
      assert.equal(await selected(ids), 'ORGANIZATION_OUT_OF_SCOPE')
    }
  }
})

test('organization_ids of Learnings filter within the scope of every kind of key; others match nothing [P11-organizations-1]', async () => {
  const [first, second, third] = threeOf(tenant.workspace)
  const [home, other] = threeOf(tenant.instance)
  const foreign = tenant.alone.organizations[0].orgId
  const outside = ['nobody', foreign, home.orgId]
  const cases: [KeyKind, object, string[], string[]][] = [
    ...bound.map(
      (kind) =>
        [kind, {}, [second.orgId, ...outside], [first.orgId]] as [KeyKind, object, string[], string[]],
    ),
    ['workspace', {}, outside, idsOf([first, third])],
    ['instance', { authorized: [home.id] }, [other.orgId, first.orgId, 'nobody'], [home.orgId]],
  ]
  assert.deepEqual(
    filteredForEveryKey.map(({ operationId }) => operationId),
    ['listLearnings'],
  )
  for (const endpoint of filteredForEveryKey) {
    for (const [kind, options, others, own] of cases) {
      const { value } = await tenant.createKey(kind, options)
      const selected = async (...ids: string[]) =>
        getOrganizationIds(await sendRequest(endpoint, value, { organization_ids: ids.join() }))
      assert.deepEqual(await selected(...own), own, kind)
      assert.deepEqual(await selected(...others, ...own), own, kind)
      assert.deepEqual(await selected(...others), [], kind)
    }
    const { value } = await tenant.createKey('workspace')
    const both = async (org_id: string, organization_ids: string) =>
      getOrganizationIds(await sendRequest(endpoint, value, { org_id, organization_ids }))
    assert.deepEqual(await both(first.orgId, `${first.orgId},${second.orgId}`), [first.orgId])
    assert.deepEqual(await both(first.orgId, second.orgId), [])
    assert.deepEqual(await both('nobody', first.orgId), 'ORGANIZATION_NOT_FOUND')
  }
})

test('organization_ids are 400 for every other kind of key, also when they name its own organization [S-rc-14]', async () => {
  const [first] = threeOf(tenant.workspace)
  assert.ok(filteredForInstances.length > 0)
  for (const endpoint of filteredForInstances) {
    for (const kind of [...bound, 'workspace'] as const) {
      const { value } = await tenant.createKey(kind)
      // A kind of key that the endpoint rejects is rejected first.
      const refusal = endpoint.keys[kind]
      assert.equal(
        getOrganizationIds(await sendRequest(endpoint, value, { organization_ids: first.orgId })),
        refusal === 'allowed' ? 'INVALID_REQUEST' : refusal,
        kind,
      )
    }
  }
})

test('the data of an inactive organization is returned to nobody [S-rc-7]', async () => {
  const [first, second, third] = threeOf(tenant.workspace)
  const { value } = await tenant.createKey('workspace')
  const { value: own } = await tenant.createKey('user', { organization: second.id })
  await superuser.query('update organization set active = false where id = $1', [second.id])
  for (const endpoint of narrowed) {
    assert.deepEqual(getOrganizationIds(await sendRequest(endpoint, value)), idsOf([first, third]))
    assert.equal(
      getOrganizationIds(await sendRequest(endpoint, value, { org_id: second.orgId })),
      'ORGANIZATION_NOT_FOUND',
    )
    assert.equal(getOrganizationIds(await sendRequest(endpoint, own)), 'ORGANIZATION_NOT_FOUND')
  }
  await superuser.query('update organization set active = true where id = $1', [second.id])
})

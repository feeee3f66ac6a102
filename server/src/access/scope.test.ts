import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Type } from 'typebox'
import { startService, type TestResponse } from '../../test/call.ts'
import { openTenant } from '../../test/fixture.ts'
import type { Tenant } from '../../test/tenant.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { ok } from '../http/reply.ts'
import { organizations } from '../resources/organizations/route.ts'
import { closed } from '../shape.ts'
import type { KeyKind } from './key-format.ts'
import type { SelectionMode } from './scope.ts'

const Selectors = {
  org_id: Type.Optional(Type.String({ minLength: 1 })),
  organization_ids: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 10 })),
}

/** An endpoint that only tells what was selected for it. */
function probe(selection: SelectionMode, method: 'GET' | 'POST' = 'GET'): Endpoint {
  const byPath = selection === 'path'
  return {
    ...organizations,
    method,
    path: `/v1/${selection}${byPath ? '/{organization_id}' : ''}`,
    operationId: `${method} ${selection}`,
    keys: { ...organizations.keys, legacy: 'allowed' },
    organization: selection,
    params: byPath
      ? Type.Object({ organization_id: Type.String({ format: 'uuid' }) }, closed)
      : Type.Object({}, closed),
    query: Type.Object(method === 'GET' && !byPath ? Selectors : {}, closed),
    body: method === 'POST' ? Type.Object({ org_id: Selectors.org_id }, closed) : null,
    paging: null,
    replies: {},
    run: ({ scope, organization }) => Promise.resolve(ok({ ...scope, organization })),
  }
}

interface Named {
  readonly id: string
  readonly orgId: string
}

const { database, superuser, tenant, use } = await openTenant()
const selections = ['whole', 'optional', 'required', 'own', 'path'] as const
const probes = [...selections.map((selection) => probe(selection)), probe('required', 'POST')]
const service = use(startService(database, { LIMIT_ORGANIZATIONS: 'off' }, probes))
const [first, second] = tenant.workspace.organizations as unknown as [Named, Named]
const [home, beside] = tenant.instance.organizations as unknown as [Named, Named]

async function keyOf(kind: KeyKind, options?: Parameters<Tenant['createKey']>[1]): Promise<string> {
  return (await tenant.createKey(kind, options)).value
}
const callProbe = (key: string, url: string) => service.call(url, { key })

interface ReportedScope {
  readonly root: string
  readonly organizations: readonly string[] | null
  readonly instance: string | null
  readonly organization: string | null
}
function readReportedScope(response: TestResponse): ReportedScope {
  assert.equal(response.status, 200, response.text)
  return response.body as unknown as ReportedScope
}
function refused(response: TestResponse, status: number, code: string): void {
  assert.deepEqual([response.status, response.body.error?.code], [status, code])
}

/** One more organization in the workspace, or inside its root as a superuser makes it. */
async function addOrganization(
  root: string,
  provider: string,
  orgId: string,
  instance?: string,
): Promise<string> {
  const id = randomUUID()
  await superuser.query(
    `insert into organization (root_id, id, provider, host, provider_organization_id, name, instance_id)
     values ($1, $2, $3, $3 || '.example.com', $4, 'one more', $5)`,
    [root, id, provider, orgId, instance ?? null],
  )
  return id
}

async function whileInactive(id: string, work: () => Promise<void>): Promise<void> {
  await superuser.query('update organization set active = false where id = $1', [id])
  try {
    await work()
  } finally {
    await superuser.query('update organization set active = true where id = $1', [id])
  }
}

const boundKinds = ['organization', 'user', 'legacy', 'agentic'] as const

test('a key that is bound to an organization means it on every endpoint, and org_id is ignored', async () => {
  for (const kind of boundKinds) {
    const key = await keyOf(kind)
    for (const url of ['/v1/whole', '/v1/optional', '/v1/required', '/v1/own']) {
      for (const query of ['', `?org_id=${second.orgId}`, '?org_id=nobody']) {
        const { organizations: seen, organization } = readReportedScope(await callProbe(key, url + query))
        assert.deepEqual([seen, organization], [[first.id], first.id], `${kind} ${url}${query}`)
      }
    }
  }
})

test('a workspace token without org_id means the whole workspace, where org_id is optional', async () => {
  const key = await keyOf('workspace')
  for (const url of ['/v1/whole', '/v1/optional', '/v1/own']) {
    const expected = { root: tenant.workspace.root, organizations: null, instance: null, organization: null }
    assert.deepEqual(readReportedScope(await callProbe(key, url)), expected)
  }
})

test('a workspace token without org_id is refused where it is required', async () => {
  const key = await keyOf('workspace')
  refused(await callProbe(key, '/v1/required'), 400, 'ORG_ID_REQUIRED')
  refused(await service.call('/v1/required', { key, method: 'POST', body: {} }), 400, 'ORG_ID_REQUIRED')
})

test('org_id narrows a workspace token to one organization, in the query and in the body', async () => {
  const key = await keyOf('workspace')
  const query = `org_id=${second.orgId}`
  for (const response of [
    await callProbe(key, `/v1/optional?${query}`),
    await callProbe(key, `/v1/own?${query}`),
    await callProbe(key, `/v1/required?${query}`),
    await service.call('/v1/required', { key, method: 'POST', body: { org_id: second.orgId } }),
  ]) {
    const { organizations: seen, organization } = readReportedScope(response)
    assert.deepEqual([seen, organization], [[second.id], second.id])
  }
})

test('an org_id that is unknown, foreign, inactive or a UUID of ours is 404, and all are answered alike [P8-1]', async () => {
  const key = await keyOf('workspace')
  const foreign = tenant.alone.organizations[0].orgId
  await whileInactive(second.id, async () => {
    const texts = new Set<string>()
    for (const orgId of [
      'nobody',
      foreign,
      second.orgId,
      first.id,
      `gitlab:${first.orgId}`,
      ':',
      `:${first.orgId}`,
    ]) {
      for (const url of ['/v1/optional', '/v1/required']) {
        const response = await callProbe(key, `${url}?org_id=${orgId}`)
        refused(response, 404, 'ORGANIZATION_NOT_FOUND')
        texts.add(response.text)
      }
    }
    assert.equal(texts.size, 1)
  })
})

test('an org_id that two organizations of the workspace have is ambiguous, and provider:id tells them apart', async () => {
  const key = await keyOf('workspace')
  const twin = await addOrganization(tenant.workspace.root, 'gitlab', first.orgId)
  refused(await callProbe(key, `/v1/optional?org_id=${first.orgId}`), 400, 'ORG_ID_AMBIGUOUS')
  refused(await callProbe(key, `/v1/required?org_id=${first.orgId}`), 400, 'ORG_ID_AMBIGUOUS')
  assert.equal(
    readReportedScope(await callProbe(key, `/v1/required?org_id=gitlab:${first.orgId}`)).organization,
    twin,
  )
  assert.equal(
    readReportedScope(await callProbe(key, `/v1/required?org_id=github:${first.orgId}`)).organization,
    first.id,
  )
  await whileInactive(twin, async () => {
    assert.equal(
      readReportedScope(await callProbe(key, `/v1/required?org_id=${first.orgId}`)).organization,
      first.id,
    )
  })
  await superuser.query('delete from organization where id = $1', [twin])
})

test('an id that itself has a colon is an id first', async () => {
  const key = await keyOf('workspace')
  const id = await addOrganization(tenant.workspace.root, 'azure', 'github:77')
  assert.equal(readReportedScope(await callProbe(key, '/v1/required?org_id=github:77')).organization, id)
  assert.equal(
    readReportedScope(await callProbe(key, '/v1/required?org_id=azure:github:77')).organization,
    id,
  )
})

test('an instance key sees the organizations it is authorized for; org_id is ignored', async () => {
  const [whole, narrow] = await Promise.all([
    keyOf('instance'),
    keyOf('instance', { authorized: [tenant.instance.organizations[0].id] }),
  ])
  for (const query of ['', `?org_id=${beside.orgId}`]) {
    for (const url of ['/v1/whole', '/v1/optional']) {
      const {
        organizations: seen,
        instance,
        organization,
      } = readReportedScope(await callProbe(whole, url + query))
      assert.deepEqual([seen, instance, organization], [null, tenant.instance.instance, null])
      assert.deepEqual(readReportedScope(await callProbe(narrow, url + query)).organizations, [home.id])
    }
  }
})

test('where one organization is meant, an instance key means its home organization', async () => {
  const atHome = readReportedScope(
    await callProbe(await keyOf('instance'), `/v1/required?org_id=${beside.orgId}`),
  )
  assert.deepEqual([atHome.organizations, atHome.organization], [[home.id], home.id])
  const elsewhere = await keyOf('instance', {
    organization: tenant.instance.organizations[1]?.id ?? assert.fail(),
  })
  assert.equal(readReportedScope(await callProbe(elsewhere, '/v1/required')).organization, beside.id)
  assert.deepEqual(
    readReportedScope(await callProbe(elsewhere, '/v1/own')),
    readReportedScope(await callProbe(elsewhere, '/v1/required')),
  )
})

test('an instance key whose home organization is inactive is 404 where one organization is meant', async () => {
  const key = await keyOf('instance')
  await whileInactive(home.id, async () => {
    refused(await callProbe(key, '/v1/required'), 404, 'ORGANIZATION_NOT_FOUND')
    refused(await callProbe(key, '/v1/own'), 404, 'ORGANIZATION_NOT_FOUND')
    assert.equal((await callProbe(key, '/v1/optional')).status, 200)
  })
})

test('organization_ids narrows an instance key, and what is not of the instance counts as no match', async () => {
  const key = await keyOf('instance')
  const foreign = tenant.alone.organizations[0].orgId
  const filtered = async (ids: string) =>
    readReportedScope(await callProbe(key, `/v1/optional?organization_ids=${ids}`))
  assert.deepEqual((await filtered(beside.orgId)).organizations, [beside.id])
  assert.deepEqual((await filtered(`${beside.orgId},nobody,${foreign}`)).organizations, [beside.id])
  const both = (await filtered(`${home.orgId},${beside.orgId},${home.orgId}`)).organizations
  assert.deepEqual(both?.toSorted(), [home.id, beside.id].sort())
  assert.equal((await filtered(home.orgId)).instance, tenant.instance.instance)
})

test('organization_ids of which none matches is 404', async () => {
  const key = await keyOf('instance')
  const foreign = tenant.alone.organizations[0].orgId
  refused(await callProbe(key, '/v1/optional?organization_ids=nobody'), 404, 'ORGANIZATION_NOT_FOUND')
  refused(
    await callProbe(key, `/v1/optional?organization_ids=${foreign},${first.orgId}`),
    404,
    'ORGANIZATION_NOT_FOUND',
  )
  await whileInactive(beside.id, async () => {
    refused(
      await callProbe(key, `/v1/optional?organization_ids=${beside.orgId}`),
      404,
      'ORGANIZATION_NOT_FOUND',
    )
  })
})

test('organization_ids with one of the instance that the key is not authorized for is 403', async () => {
  const key = await keyOf('instance', { authorized: [tenant.instance.organizations[0].id] })
  for (const ids of [beside.orgId, `${home.orgId},${beside.orgId}`]) {
    refused(await callProbe(key, `/v1/optional?organization_ids=${ids}`), 403, 'ORGANIZATION_OUT_OF_SCOPE')
  }
  assert.deepEqual(
    readReportedScope(await callProbe(key, `/v1/optional?organization_ids=${home.orgId}`)).organizations,
    [home.id],
  )
})

test('organization_ids is refused for every other kind of key, before anything is looked up', async () => {
  for (const kind of [...boundKinds, 'workspace'] as const) {
    const key = await keyOf(kind)
    for (const ids of [first.orgId, 'nobody']) {
      refused(await callProbe(key, `/v1/optional?organization_ids=${ids}`), 400, 'INVALID_REQUEST')
    }
  }
})

test('two organizations of an instance that share an id are both meant by organization_ids', async () => {
  const twin = await addOrganization(tenant.instance.root, 'gitlab', beside.orgId, tenant.instance.instance)
  const { organizations: seen } = readReportedScope(
    await callProbe(await keyOf('instance'), `/v1/optional?organization_ids=${beside.orgId}`),
  )
  assert.deepEqual(seen?.toSorted(), [beside.id, twin].sort())
  await superuser.query('delete from organization where id = $1', [twin])
})

test('a path names an organization by our UUID, and only one that the key can see', async () => {
  const cases: [KeyKind, string[], string[]][] = [
    ['user', [first.id], [second.id, home.id]],
    ['organization', [first.id], [second.id, home.id]],
    ['workspace', [first.id, second.id], [home.id]],
    ['instance', [home.id, beside.id], [first.id]],
  ]
  for (const [kind, seen, hidden] of cases) {
    const key = await keyOf(kind)
    for (const id of seen) {
      const { organizations: scoped, organization } = readReportedScope(
        await callProbe(key, `/v1/path/${id}`),
      )
      assert.deepEqual([scoped, organization], [[id], id], kind)
      assert.equal(readReportedScope(await callProbe(key, `/v1/path/${id.toUpperCase()}`)).organization, id)
    }
    for (const id of [...hidden, tenant.alone.organizations[0].id, randomUUID()]) {
      refused(await callProbe(key, `/v1/path/${id}`), 404, 'ORGANIZATION_NOT_FOUND')
    }
    refused(await callProbe(key, `/v1/path/${first.orgId}`), 400, 'INVALID_REQUEST')
  }
})

test('a path to an organization of the instance that the key is not authorized for is 404', async () => {
  const key = await keyOf('instance', { authorized: [tenant.instance.organizations[0].id] })
  refused(await callProbe(key, `/v1/path/${beside.id}`), 404, 'ORGANIZATION_NOT_FOUND')
})

test('a key whose own organization is inactive is 404 wherever an organization is meant', async () => {
  const keys = await Promise.all(boundKinds.map((kind) => keyOf(kind)))
  await whileInactive(first.id, async () => {
    for (const key of keys) {
      for (const url of ['/v1/optional', '/v1/required', '/v1/own', `/v1/path/${first.id}`]) {
        refused(await callProbe(key, url), 404, 'ORGANIZATION_NOT_FOUND')
      }
      assert.equal((await callProbe(key, '/v1/whole')).status, 200)
    }
  })
})

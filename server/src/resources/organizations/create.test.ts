import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openTenant } from '../../../test/fixture.ts'
import type { InstanceId, OrganizationId, ProviderOrganizationId, RootId } from '../../ids.ts'
import { createInstance } from '../instances/manage.ts'
import { findRootUnscoped } from '../workspaces/manage.ts'
import { readRootsUnscoped } from '../workspaces/sql.ts'
import { findOrganizationByText } from './find.ts'
import {
  addRepository,
  createOrganization,
  deactivateOrganization,
  type NewOrganization,
  renameOrganization,
} from './manage.ts'
import { readAllOrganizations, readAllRepositories } from './sql.ts'

const { tenant } = await openTenant()

const subscription = { plan: 'enterprise', seats: 1, active: true } as const
const page = { after: null, limit: 100 }

function create(root: RootId, orgId: string, fields: Partial<NewOrganization> = {}): Promise<OrganizationId> {
  const providerOrganizationId = orgId as ProviderOrganizationId
  const organization = {
    name: `Organization ${orgId}`,
    providerOrganizationId,
    subscription: null,
    ...fields,
  }
  return tenant.change(root, (change) => createOrganization(change, organization))
}

async function stored(root: RootId, id: OrganizationId) {
  return tenant.change(root, ({ scope, tx }) => findOrganizationByText(scope, tx, id))
}

test('an id assigned by the provider is unique per provider and host [P2-provider-1]', async () => {
  const { root } = tenant.workspace
  await create(root, '70')
  await create(root, '70', { provider: 'gitlab' })
  await create(root, '70', { provider: 'gitlab', host: 'git.example.com' })
  await assert.rejects(create(root, '70'), /already has the organization 70 of github at github.com/)
})

test('an organization of an instance has the provider and host of the instance', async () => {
  const { root, instance } = tenant.instance
  const id = await create(root, '80', { provider: 'gitlab', host: 'elsewhere.example.com' })
  const organization = await stored(root, id)
  assert.equal(organization.instance_id, instance)
  assert.match(organization.host, /^git-/)

  const { root: workspace } = tenant.workspace
  const hosted = await tenant.change(workspace, (change) =>
    createInstance(change, {
      name: 'In-house',
      provider: 'gitlab',
      host: 'git.inside.example.com',
      sendsMetrics: false,
      subscription: null,
    }),
  )
  const inside = await stored(workspace, await create(workspace, '81', { instance: hosted }))
  assert.deepEqual(
    [inside.instance_id, inside.provider, inside.host],
    [hosted, 'gitlab', 'git.inside.example.com'],
  )
  await assert.rejects(create(workspace, '82', { instance: randomUUID() as InstanceId }), /no instance/)
})

test('a root that is a single organization cannot hold another one, and a root is created once', async () => {
  await assert.rejects(create(tenant.alone.root, '90'), /single organization/)
  await assert.rejects(create(tenant.alone.root, '90', { subscription }), /already/)
  await assert.rejects(create(randomUUID() as RootId, '90'), /No tenant root/)
  const instance = { name: 'X', provider: 'gitlab', host: 'x.example.com', sendsMetrics: false }
  for (const { root } of [tenant.instance, tenant.alone]) {
    const second = tenant.change(root, (change) =>
      createInstance(change, { ...instance, subscription: null }),
    )
    await assert.rejects(second, /own tenant root or belong to a workspace/)
  }
})

test('a single-organization root is renamed with its organization, a workspace is not', async () => {
  const { alone, workspace } = tenant
  const rename = (root: RootId, id: OrganizationId, name: string) =>
    tenant.change(root, (change) => renameOrganization(change, id, name))
  await rename(alone.root, alone.organizations[0].id, 'Renamed')
  assert.equal((await findRootUnscoped(tenant.pool, 'Renamed')).id, alone.root)
  await rename(workspace.root, workspace.organizations[0].id, 'Inner')
  await assert.rejects(findRootUnscoped(tenant.pool, 'Inner'), /No tenant root has the name/)
  await assert.rejects(rename(workspace.root, alone.organizations[0].id, 'Foreign'), /no organization/)
})

test('the operator lists inactive organizations and repositories in pages and finds them in four ways', async () => {
  const { root, organizations } = tenant.workspace
  const [first] = organizations
  await tenant.change(root, (change) => deactivateOrganization(change, first.id))
  await tenant
    .change(root, ({ scope, tx }) => readAllOrganizations(scope, tx, page))
    .then((found) => {
      assert.equal(found.find(({ id }) => id === first.id)?.active, false)
      assert.deepEqual(
        found.map(({ id }) => id),
        found.map(({ id }) => id).sort(),
      )
    })
  const archived = { providerRepositoryId: 'old', name: 'old', active: false }
  await tenant.change(root, (change) => addRepository(change, first.id, archived))
  await assert.rejects(
    tenant.change(root, (change) => addRepository(change, first.id, archived)),
    /already/,
  )
  const repositories = await tenant.change(root, ({ scope, tx }) =>
    readAllRepositories(scope, tx, first.id, page),
  )
  assert.deepEqual(
    repositories.filter(({ active }) => !active).map(({ name }) => name),
    ['old'],
  )
  for (const text of [first.id, first.orgId, `github:${first.orgId}`]) {
    const { id } = await tenant.change(root, ({ scope, tx }) => findOrganizationByText(scope, tx, text))
    assert.equal(id, first.id, text)
  }
  const ambiguous = tenant.change(root, ({ scope, tx }) => findOrganizationByText(scope, tx, '70'))
  await assert.rejects(ambiguous, /several organizations/)
})

test('tenant roots are listed by kind and page, and found by id or by a unique name', async () => {
  const all = await readRootsUnscoped(tenant.pool, { ...page, kind: null })
  const paged: string[] = []
  for (let from: string | null = null; ; ) {
    const [next] = await readRootsUnscoped(tenant.pool, { after: from, limit: 1, kind: null })
    if (next === undefined) break
    paged.push(next.id)
    from = next.id
  }
  assert.deepEqual(
    paged,
    all.map(({ id }) => id),
  )
  const workspaces = await readRootsUnscoped(tenant.pool, { ...page, kind: 'workspace' })
  assert.deepEqual(
    workspaces.map(({ id }) => id),
    [tenant.workspace.root],
  )
  const twins = [randomUUID(), randomUUID()] as RootId[]
  for (const root of twins) await create(root, '99', { name: 'Twin', subscription })
  await assert.rejects(findRootUnscoped(tenant.pool, 'Twin'), /Several tenant roots are named "Twin"/)
})

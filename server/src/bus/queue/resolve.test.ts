import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openTenant } from '../../../test/fixture.ts'
import { createEventGenerator, createTestWriter, toReviewTarget } from '../../../test/pull-requests.ts'
import type { TestOrganization } from '../../../test/tenant.ts'
import type { KeyId, OrganizationId, ProviderOrganizationId, RootId } from '../../ids.ts'
import {
  createOrganization,
  deactivateOrganization,
  renameOrganization,
} from '../../resources/organizations/manage.ts'
import { resolveEvents } from './resolve.ts'

let clock = Date.now()
const reviewer = createEventGenerator()

const { database, tenant, use } = await openTenant()
const writer = use({ ...createTestWriter(database), now: () => new Date(clock) })

function resolve(
  root: RootId,
  from: readonly TestOrganization[],
  organizations: readonly OrganizationId[] | null = null,
) {
  const events = from.map((organization) => reviewer.finalized(toReviewTarget(organization)))
  return resolveEvents(writer, { root, credential: randomUUID() as string as KeyId, organizations, events })
}

async function resolveIds(...args: Parameters<typeof resolve>): Promise<(string | null)[][]> {
  const { events } = await resolve(...args)
  return events.map(({ organization: { organization_id, instance_id } }) => [organization_id, instance_id])
}

test('events find the organizations of their own root, with the instance they belong to', async () => {
  const { workspace, instance, alone } = tenant
  for (const { root, organizations } of [workspace, instance, alone]) {
    const expected = organizations.map(({ id, instance: of }) => [id, of])
    assert.deepEqual(await resolveIds(root, organizations), expected)
    assert.deepEqual(await resolveIds(root, organizations), expected, 'remembered')
  }
  assert.deepEqual(await resolveIds(workspace.root, alone.organizations), [], 'of another root')
})

test('an organization is the one of its provider and host', async () => {
  const { root } = tenant.workspace
  const make = (provider: string, host: string) =>
    tenant.change(root, (change) =>
      createOrganization(change, {
        name: host,
        provider,
        host,
        providerOrganizationId: '70' as ProviderOrganizationId,
        subscription: null,
      }),
    )
  const hosts = [
    ['github', 'github.com'],
    ['gitlab', 'gitlab.com'],
    ['gitlab', 'git.example.com'],
  ] as const
  const ids = await Promise.all(hosts.map(([provider, host]) => make(provider, host)))
  const organization = { id: '70', name: 'Seventy' }
  const events = [...hosts, ['github', 'git.example.com'] as const].map(([provider, host]) =>
    reviewer.finalized({ provider, host, organization, repositories: [{ id: '1', name: 'r' }], authors: [] }),
  )
  const credential = randomUUID() as string as KeyId
  const resolved = await resolveEvents(writer, { root, credential, organizations: null, events })
  assert.deepEqual(
    resolved.events.map(({ organization: { organization_id } }) => organization_id),
    ids,
  )
  assert.deepEqual(
    resolved.deferred.map(({ event }) => event),
    [events[3]],
  )
})

test('what a credential does not name looks like what does not exist', async () => {
  const { root, organizations } = tenant.workspace
  const [first, second] = organizations
  assert.ok(second)
  const missing = { ...second, orgId: 'missing' as ProviderOrganizationId }
  const { events, deferred } = await resolve(root, [first, second, missing], [first.id])
  assert.deepEqual(
    events.map(({ organization }) => organization.organization_id),
    [first.id],
  )
  assert.equal(deferred.length, 2)
  assert.equal(deferred[0]?.reason, deferred[1]?.reason)
  assert.deepEqual((await resolve(root, [first], [])).events, [])
})

test('an inactive organization is found like any other', async () => {
  const { root, organizations } = tenant.instance
  const [first] = organizations
  await tenant.change(root, (change) => deactivateOrganization(change, first.id))
  clock += 5000
  assert.equal((await resolveIds(root, [first])).length, 1)
})

test('an organization is remembered as it was for some seconds, a missing one not at all', async () => {
  const { root, organizations } = tenant.workspace
  const [first] = organizations
  const nameOf = async () => (await resolve(root, [first])).events[0]?.organization.name
  const earlier = await nameOf()
  await tenant.change(root, (change) => renameOrganization(change, first.id, 'Renamed'))
  clock += 4999
  assert.equal(await nameOf(), earlier)
  clock += 1
  assert.equal(await nameOf(), 'Renamed')
  const orgId = randomUUID() as string as ProviderOrganizationId
  const late = { ...first, orgId }
  assert.equal((await resolveIds(root, [late])).length, 0)
  const organization = { name: 'Late', providerOrganizationId: orgId, subscription: null }
  await tenant.change(root, (change) => createOrganization(change, organization))
  assert.equal((await resolveIds(root, [late])).length, 1)
})

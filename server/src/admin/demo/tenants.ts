import type { ChangeContext } from '../../access/change-context.ts'
import { getCloudHost } from '../../access/provider-host.ts'
import type { ProviderOrganizationId } from '../../ids.ts'
import { createInstance } from '../../resources/instances/create.ts'
import { addRepository } from '../../resources/organizations/add-repository.ts'
import { deactivateOrganization, setOrganizationMetrics } from '../../resources/organizations/change.ts'
import { createOrganization } from '../../resources/organizations/create.ts'
import { addPerson } from '../../resources/people/add.ts'
import { grantRepositoryAccess } from '../../resources/people/grant-repository-access.ts'
import { createWorkspace } from '../../resources/workspaces/create.ts'
import { isRootUnscoped } from '../../resources/workspaces/find.ts'
import { type Operator, runChange } from '../operator.ts'
import { type DemoOrganization, type DemoPerson, type DemoRoot, demoRoots } from './cast.ts'
import {
  accountIdOf,
  instanceIdOf,
  organizationIdOf,
  personIdOf,
  repositoryIdOf,
  rootIdOf,
  usernameOf,
} from './ids.ts'

/** When the demo tenants came to be, on every machine. */
const founded = new Date('2026-01-05T09:00:00.000Z')

/** Founds the demo tenants that are missing, each with all it has in one transaction; answers how many. */
export async function seedTenants(operator: Operator): Promise<number> {
  const founder = { ...operator, now: () => founded }
  let made = 0
  for (const root of demoRoots) {
    const id = rootIdOf(root.name)
    if (!(await isRootUnscoped(operator.pool, id))) {
      await runChange(founder, id, (change) => found(change, root))
      made += 1
    }
    await runChange(operator, id, (change) => verifyAccess(change, root))
  }
  return made
}

async function found(change: ChangeContext, root: DemoRoot): Promise<void> {
  const { name, subscription, organizations } = root
  if (root.kind === 'workspace') await createWorkspace(change, { name, sso: true, subscription })
  if (root.instance) {
    const id = instanceIdOf(root.instance.host)
    await createInstance(change, { id, name, ...root.instance, sendsMetrics: true, subscription })
  }
  for (const organization of organizations) await foundOrganization(change, root, organization)
  for (const person of root.people) await welcome(change, root, person)
  if (root.metricsOff) {
    for (const { orgId } of organizations)
      await setOrganizationMetrics(change, organizationIdOf(orgId), false)
  }
}

/** Those that are inactive today were active while they had pull requests. */
export async function retireOrganizations(operator: Operator, root: DemoRoot): Promise<void> {
  const retired = root.organizations.filter(({ inactive }) => inactive)
  if (retired.length === 0) return
  await runChange(operator, rootIdOf(root.name), async (change) => {
    for (const { orgId } of retired) await deactivateOrganization(change, organizationIdOf(orgId))
  })
}

async function foundOrganization(
  change: ChangeContext,
  root: DemoRoot,
  organization: DemoOrganization,
): Promise<void> {
  const { orgId, name, provider } = organization
  const id = await createOrganization(change, {
    id: organizationIdOf(orgId),
    name,
    provider,
    providerOrganizationId: orgId as ProviderOrganizationId,
    subscription: root.kind === 'organization' ? root.subscription : null,
  })
  for (const repository of organization.repositories) {
    await addRepository(change, id, {
      id: repositoryIdOf(repository.repositoryId),
      providerRepositoryId: repository.repositoryId,
      name: repository.name,
      private: !repository.public,
      active: !repository.inactive,
    })
  }
}

async function welcome(
  change: ChangeContext,
  root: DemoRoot,
  { email, name, workspaceAdmin, roles }: DemoPerson,
) {
  const joined = root.organizations.filter(({ orgId }) => orgId in roles)
  const providers = new Set(joined.map(({ provider }) => provider))
  await addPerson(change, {
    id: personIdOf(email),
    email,
    name,
    workspaceAdmin: workspaceAdmin ?? false,
    accounts: [...providers].map((provider) => ({
      provider,
      host: root.instance?.host ?? getCloudHost(provider),
      accountId: accountIdOf(provider, email),
      username: usernameOf(email),
    })),
    memberships: joined.map(({ orgId }) => {
      return { organization: organizationIdOf(orgId), role: { system: roles[orgId] ?? 'cr_member' } }
    }),
  })
}

/** An access counts for as long as it was verified lately: it is as new as the demo's last seeding. */
async function verifyAccess(change: ChangeContext, { organizations, people }: DemoRoot): Promise<void> {
  for (const { email, reads = [] } of people) {
    for (const { orgId, repositories } of organizations.filter((one) => reads.includes(one.orgId))) {
      const readable = repositories.filter(({ inactive }) => !inactive)
      await grantRepositoryAccess(change, {
        person: personIdOf(email),
        organization: organizationIdOf(orgId),
        repositories: readable.map(({ repositoryId }) => repositoryIdOf(repositoryId)),
      })
    }
  }
}

import { createSecretKey, randomInt, randomUUID } from 'node:crypto'
import type { ChangeContext } from '../src/access/change-context.ts'
import type { KeyKind } from '../src/access/key-format.ts'
import type { Permission, SystemRole } from '../src/access/permissions.ts'
import type { Subscription } from '../src/access/root.ts'
import { type Operator, runChange } from '../src/admin/operator.ts'
import type { KeyRing } from '../src/config.ts'
import { connect, type Pool } from '../src/db/connect.ts'
import type {
  InstanceId,
  KeyId,
  OrganizationId,
  PersonId,
  ProviderOrganizationId,
  RootId,
} from '../src/ids.ts'
import { createInstance } from '../src/resources/instances/manage.ts'
import { createKey, revokeKey } from '../src/resources/keys/manage.ts'
import type { KeyRequest } from '../src/resources/keys/request.ts'
import { addRepository, createOrganization } from '../src/resources/organizations/manage.ts'
import {
  addPerson,
  deactivatePerson,
  demotePerson,
  grantRepositoryAccess,
} from '../src/resources/people/manage.ts'
import { createRole } from '../src/resources/roles/manage.ts'
import { createWorkspace } from '../src/resources/workspaces/manage.ts'
import type { TestDatabase } from './database.ts'

export interface TestOrganization {
  readonly id: OrganizationId
  readonly orgId: ProviderOrganizationId
  readonly name: string
  readonly root: RootId
  readonly instance: InstanceId | null
  readonly repositories: readonly {
    readonly id: string
    readonly repositoryId: string
    readonly name: string
  }[]
}

export interface TestRoot {
  readonly root: RootId
  /** At least one. */
  readonly organizations: readonly [TestOrganization, ...TestOrganization[]]
  /** Has cr_admin in every organization, is workspace admin of a workspace, and can read every repository. */
  readonly admin: PersonId
}

export interface TenantOptions {
  /** Organizations of the workspace and of the instance; 2 by default. */
  readonly organizations?: number
  /** Repositories of each organization; 2 by default. */
  readonly repositories?: number
  /** Whether workspace, instance and standalone organization have a subscription; false = 402 everywhere. */
  readonly subscriptionActive?: boolean
}

export interface KeyOptions {
  /** The root of the key; by default the instance for an instance key, otherwise the workspace. */
  readonly of?: 'workspace' | 'instance' | 'alone' | 'lower'
  /** The organization that the key is bound to; the first by default. */
  readonly organization?: OrganizationId
  readonly permissions?: readonly Permission[]
  /** The owner's role: a system role, or the permissions of a custom one; cr_admin by default. */
  readonly role?: SystemRole | readonly Permission[]
  /** For instance and ingest keys; all by default. */
  readonly authorized?: readonly OrganizationId[] | null
  readonly expired?: boolean
  readonly revoked?: boolean
  /** The owner was a workspace admin when the key was created, and no longer is. */
  readonly demotedOwner?: boolean
  readonly inactiveOwner?: boolean
}

export interface TestKey {
  readonly id: KeyId
  readonly value: string
  readonly root: RootId
  readonly owner: PersonId | null
}

export interface Tenant {
  readonly pool: Pool
  readonly operator: Operator
  readonly ring: KeyRing
  readonly workspace: TestRoot
  readonly instance: TestRoot & { readonly instance: InstanceId }
  readonly alone: TestRoot
  readonly lower: TestRoot
  createKey(kind: KeyKind | 'ingest', options?: KeyOptions): Promise<TestKey>
  /** Runs a change as the operator. */
  change<Result>(root: RootId, work: (change: ChangeContext) => Promise<Result>): Promise<Result>
  /** Closes the pool. */
  close(): Promise<void>
}

/** The keys that sign ingest credentials of test tenants. */
export const testRing: KeyRing = [{ id: 'test', secret: createSecretKey(Buffer.alloc(32, 7)) }]

const DAY = 86_400_000
const enterprise: Subscription = { plan: 'enterprise', seats: 10, active: true }

/** Tenants of every shape, created with the operator's functions. Several may share a database. */
export async function createTenant(database: TestDatabase, options: TenantOptions = {}): Promise<Tenant> {
  const pool = connect({ url: database.urls.worker, name: 'test', connections: 4 })
  const operator: Operator = { pool, now: () => new Date() }
  const subscription = { ...enterprise, active: options.subscriptionActive ?? true }
  const count = options.organizations ?? 2
  const [workspace, instance, alone, lower] = await Promise.all([
    createRoot(operator, 'workspace', subscription, count, options),
    createRoot(operator, 'instance', subscription, count, options),
    createRoot(operator, 'organization', subscription, 1, options),
    createRoot(operator, 'organization', { ...enterprise, plan: 'pro' }, 1, options),
  ])
  const roots = { workspace, instance, alone, lower }
  const [home] = roots.instance.organizations
  return {
    pool,
    operator,
    ring: testRing,
    ...roots,
    instance: { ...roots.instance, instance: required(home.instance) },
    createKey(kind, keyOptions = {}) {
      const of = keyOptions.of ?? (kind === 'instance' ? 'instance' : 'workspace')
      return mintKey(operator, roots[of], testRing, kind, keyOptions)
    },
    change: (root, work) => runChange(operator, root, work),
    close: () => pool.end(),
  }
}

function createRoot(
  operator: Operator,
  kind: 'workspace' | 'instance' | 'organization',
  subscription: Subscription,
  count: number,
  options: TenantOptions,
): Promise<TestRoot> {
  const root = randomUUID() as RootId
  return runChange(operator, root, async (change) => {
    const name = `${kind} ${root.slice(0, 8)}`
    const host = kind === 'instance' ? `git-${root.slice(0, 8)}.example.com` : 'github.com'
    if (kind === 'workspace') await createWorkspace(change, { name, sso: true, subscription })
    const instance =
      kind === 'instance'
        ? await createInstance(change, { name, provider: 'github', host, sendsMetrics: true, subscription })
        : null
    const organizations: TestOrganization[] = []
    for (let index = 0; index < count; index++) {
      const own = kind === 'organization' ? subscription : null
      organizations.push(await makeOrganization(change, instance, own, options.repositories ?? 2))
    }
    const [first, ...rest] = organizations
    const made = { root, organizations: [required(first), ...rest] as const }
    return {
      ...made,
      admin: await createPerson(change, made, { host, role: 'cr_admin', admin: kind === 'workspace' }),
    }
  })
}

async function makeOrganization(
  change: ChangeContext,
  instance: InstanceId | null,
  subscription: Subscription | null,
  count: number,
): Promise<TestOrganization> {
  const orgId = String(randomInt(1e9, 1e10)) as ProviderOrganizationId
  const name = `organization ${orgId}`
  const id = await createOrganization(change, { name, providerOrganizationId: orgId, subscription })
  const repositories: { id: string; repositoryId: string; name: string }[] = []
  for (let index = 0; index < count; index++) {
    const repository = { providerRepositoryId: `${orgId}${index}`, name: `repository-${index}` }
    const repositoryUuid = await addRepository(change, id, repository)
    repositories.push({
      id: repositoryUuid,
      repositoryId: repository.providerRepositoryId,
      name: repository.name,
    })
  }
  return { id, orgId, name, root: change.scope.root, instance, repositories }
}

interface PersonTraits {
  readonly host: string
  readonly role: SystemRole | readonly Permission[]
  readonly admin: boolean
}

async function createPerson(
  change: ChangeContext,
  of: Omit<TestRoot, 'admin'>,
  traits: PersonTraits,
): Promise<PersonId> {
  const accountId = String(randomInt(1e9, 1e10))
  const memberships = []
  for (const { id } of of.organizations) {
    const { role } = traits
    const custom =
      typeof role === 'string'
        ? null
        : await createRole(change, id, { name: randomUUID(), permissions: role })
    memberships.push({ organization: id, role: custom ? { custom } : { system: role as SystemRole } })
  }
  const person = await addPerson(change, {
    email: `person-${accountId}@example.com`,
    name: `Person ${accountId}`,
    workspaceAdmin: traits.admin,
    accounts: [{ provider: 'github', host: traits.host, accountId, username: `person-${accountId}` }],
    memberships,
  })
  for (const { id, repositories } of of.organizations) {
    const ids = repositories.map((repository) => repository.id)
    await grantRepositoryAccess(change, { person, organization: id, repositories: ids })
  }
  return person
}

async function mintKey(
  operator: Operator,
  of: TestRoot,
  ring: KeyRing,
  kind: KeyKind | 'ingest',
  options: KeyOptions,
): Promise<TestKey> {
  const age = options.expired ? 2 * DAY : 0
  const then = { ...operator, now: () => new Date(operator.now().getTime() - age) }
  const owner =
    kind === 'instance' || kind === 'ingest' ? null : await findOrMakeOwner(operator, of, kind, options)
  return runChange(then, of.root, async (change) => {
    const request = toKeyRequest(of, kind, owner, ring, options)
    const bounded = options.expired || kind === 'workspace' || kind === 'ingest'
    const days = options.expired ? 1 : 30
    const expiresAt = bounded ? new Date(change.at.getTime() + days * DAY) : null
    const permissions = options.permissions ? { permissions: options.permissions } : {}
    const { id, value } = await createKey(change, {
      ...request,
      ...permissions,
      name: `${kind} key`,
      expiresAt,
    })
    if (owner && options.demotedOwner) await demotePerson(change, owner)
    if (owner && options.inactiveOwner) await deactivatePerson(change, owner)
    if (options.revoked) await revokeKey(change, id)
    return { id, value, root: of.root, owner }
  })
}

/** The admin of the root, unless the key needs a special owner. */
async function findOrMakeOwner(
  operator: Operator,
  of: TestRoot,
  kind: KeyKind,
  options: KeyOptions,
): Promise<PersonId> {
  const { role, demotedOwner = false, inactiveOwner = false } = options
  if (role === undefined && !demotedOwner && !inactiveOwner) return of.admin
  const { instance } = of.organizations[0]
  const host = instance === null ? 'github.com' : `git-${of.root.slice(0, 8)}.example.com`
  const traits = { host, role: role ?? 'cr_admin', admin: kind === 'workspace' || demotedOwner }
  return runChange(operator, of.root, (change) => createPerson(change, of, traits))
}

function toKeyRequest(
  of: TestRoot,
  kind: KeyKind | 'ingest',
  owner: PersonId | null,
  ring: KeyRing,
  options: KeyOptions,
): KeyRequest {
  const [first] = of.organizations
  const organization = options.organization ?? first.id
  const organizations = options.authorized ?? null
  switch (kind) {
    case 'organization':
    case 'user':
    case 'legacy':
    case 'agentic':
      return { kind, organization, owner: required(owner) }
    case 'workspace':
      return { kind, owner: required(owner) }
    case 'instance': {
      const home = options.organization ?? organizations?.[0] ?? first.id
      return { kind, instance: required(first.instance), home, organizations }
    }
    case 'ingest':
      return { kind, organizations, ring }
  }
}

function required<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined)
    throw new Error('The test tenant has no object that this key needs.')
  return value
}

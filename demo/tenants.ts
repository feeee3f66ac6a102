// Creates the tenants with admin commands, and their contents with one inventory event per tenant.
import { accountOf, membersOf, type Organization, roleIn, type Tenant, toReference } from './data.ts'
import type { Operator } from './operator.ts'
import type { IngestEvent } from './service.ts'

/** A tenant that exists in the service. */
export interface Root {
  readonly tenant: Tenant
  readonly id: string
  readonly createdAt: string
}

interface ListedRoot {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly created_at: string
}

export async function ensureTenants(operator: Operator, tenants: readonly Tenant[]) {
  const before = await findRoots(operator, tenants)
  const missing = tenants.filter((tenant) => !before.some((root) => root.tenant === tenant))
  for (const tenant of missing) await createTenant(operator, tenant)
  const roots = missing.length === 0 ? before : await findRoots(operator, tenants)
  return { roots, created: missing.length }
}

async function findRoots(operator: Operator, tenants: readonly Tenant[]): Promise<Root[]> {
  const listed = await operator.list<ListedRoot>('workspace', 'list')
  return tenants.flatMap((tenant) => {
    const root = listed.find(({ kind, name }) => kind === tenant.kind && name === tenant.name)
    return root === undefined
      ? []
      : [{ tenant, id: root.id, createdAt: new Date(root.created_at).toISOString() }]
  })
}

async function createTenant(operator: Operator, tenant: Tenant): Promise<void> {
  const { kind, name, plan, seats, provider = '', host = '' } = tenant
  const subscription = ['--name', name, '--plan', plan, '--seats', String(seats)]
  if (kind === 'workspace') await operator.run('workspace', 'create', ...subscription, '--sso')
  if (kind === 'instance') {
    const server = ['--provider', provider, '--host', host, '--sends-metrics']
    await operator.run('instance', 'create', ...subscription, ...server)
  }
  const [organization] = tenant.organizations
  if (kind === 'organization' && organization) {
    const identity = ['--org-id', organization.org_id, '--provider', organization.provider]
    await operator.run('organization', 'create', ...subscription, ...identity)
  }
}

/** Organizations, repositories, accounts and memberships, as a Git provider's webhook relay would report them. */
export function inventoryEvent({ tenant, createdAt }: Root): IngestEvent {
  const { kind, organizations, people } = tenant
  const accounts = new Map(
    organizations.flatMap((organization) =>
      membersOf(tenant, organization).map((person) => {
        const { provider, host } = organization
        const account = { provider, host, ...accountOf(person, organization) }
        return [`${provider} ${account.id}`, { ...account, email: person.email, name: person.name }] as const
      }),
    ),
  )
  return {
    id: 'demo-inventory',
    type: 'inventory.changed',
    version: 1,
    occurred_at: createdAt,
    payload: {
      // An organization that is its own tenant root already exists.
      organizations:
        kind === 'organization' ? [] : organizations.map((one) => ({ ...toReference(one), name: one.name })),
      repositories: organizations.flatMap((organization) =>
        organization.repositories.map(({ repository_id: id, name, public: isPublic, inactive }) => {
          const isPrivate = isPublic !== true
          return { organization: toReference(organization), id, name, private: isPrivate, active: !inactive }
        }),
      ),
      accounts: [...accounts.values()],
      memberships: organizations.flatMap((organization) =>
        people
          .filter((person) => roleIn(person, organization) !== undefined)
          .map((person) => {
            const { id: account_id } = accountOf(person, organization)
            return { organization: toReference(organization), account_id }
          }),
      ),
    },
  }
}

/** Verified access to repositories expires, so every seeding reports it again. */
export function accessEvent({ organizations, people }: Tenant, now: Date): IngestEvent | null {
  const repository_access = people.flatMap((person) =>
    organizations
      .filter(({ org_id }) => person.reads?.includes(org_id))
      .flatMap((organization) =>
        organization.repositories
          .filter(({ inactive }) => !inactive)
          .map(({ repository_id }) => {
            const { id: account_id } = accountOf(person, organization)
            return { organization: toReference(organization), repository_id, account_id, granted: true }
          }),
      ),
  )
  if (repository_access.length === 0) return null
  const occurred_at = now.toISOString()
  const id = `demo-access-${occurred_at}`
  return { id, type: 'inventory.changed', version: 1, occurred_at, payload: { repository_access } }
}

/** Inventory events contain neither roles nor workspace admins. */
export async function assignRoles(operator: Operator, { tenant, id }: Root): Promise<void> {
  for (const person of tenant.people) {
    for (const organization of tenant.organizations) {
      const role = roleIn(person, organization)
      if (role === undefined || role === 'cr_member') continue
      const where = ['--root', id, '--organization', organizationArgument(organization)]
      await operator.run('role', 'assign', ...where, '--person', person.email, '--role', role)
    }
    if (person.workspace_admin) {
      await operator.run('person', 'promote', '--root', id, '--person', person.email)
    }
  }
}

/** Inactive organizations accept no events, so they are active until their history is stored. */
export async function setInactiveOrganizations(
  operator: Operator,
  { tenant, id }: Root,
  change: 'activate' | 'deactivate',
): Promise<void> {
  for (const organization of tenant.organizations.filter(({ inactive }) => inactive)) {
    const where = ['--root', id, '--organization', organizationArgument(organization)]
    await operator.run('organization', change, ...where)
  }
}

export async function turnOffMetrics(operator: Operator, { tenant, id }: Root): Promise<void> {
  if (tenant.metrics !== 'off') return
  for (const organization of tenant.organizations) {
    const where = ['--root', id, '--organization', organizationArgument(organization)]
    await operator.run('organization', 'metrics', ...where, '--switch', 'off')
  }
}

/** Admin commands accept this form; an org_id alone may exist at several providers. */
export function organizationArgument({ provider, org_id }: Organization): string {
  return `${provider}:${org_id}`
}

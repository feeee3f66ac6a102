import { randomUUID } from 'node:crypto'
import { type Operator, runChange } from '../../src/admin/operator.ts'
import { connect } from '../../src/db/connect.ts'
import type { OrganizationId, ProviderOrganizationId, RootId } from '../../src/ids.ts'
import { createKey } from '../../src/resources/keys/manage.ts'
import { createOrganization } from '../../src/resources/organizations/manage.ts'
import { addPerson } from '../../src/resources/people/manage.ts'
import type { TestDatabase } from '../database.ts'

export interface ForgeOrganization {
  readonly provider: 'github' | 'gitlab'
  readonly host: string
  readonly id: number
  readonly name: string
}

export interface OrganizationRoot {
  readonly root: RootId
  readonly organization: OrganizationId
  /** A user key of its admin. */
  readonly key: string
}

/** Tenant roots for organizations of a forge, each with an admin who is not a member there. */
export async function createOrganizationRoots(
  database: TestDatabase,
  organizations: readonly ForgeOrganization[],
): Promise<OrganizationRoot[]> {
  const pool = connect({ url: database.urls.worker, name: 'proof', connections: 4 })
  const operator: Operator = { pool, now: () => new Date() }
  try {
    return await Promise.all(organizations.map((one) => createOrganizationRoot(operator, one)))
  } finally {
    await pool.end()
  }
}

function createOrganizationRoot(
  operator: Operator,
  { provider, host, id, name }: ForgeOrganization,
): Promise<OrganizationRoot> {
  const root = randomUUID() as RootId
  return runChange(operator, root, async (change) => {
    const organization = await createOrganization(change, {
      name,
      providerOrganizationId: String(id) as ProviderOrganizationId,
      provider,
      host,
      subscription: { plan: 'enterprise', seats: 10, active: true },
    })
    const owner = await addPerson(change, {
      email: `admin-${root}@example.com`,
      name: 'Admin',
      workspaceAdmin: false,
      accounts: [{ provider, host, accountId: '1', username: 'admin' }],
      memberships: [{ organization, role: { system: 'cr_admin' } }],
    })
    const { value } = await createKey(change, {
      kind: 'user',
      organization,
      owner,
      name: 'Connect',
      expiresAt: null,
    })
    return { root, organization, key: value }
  })
}

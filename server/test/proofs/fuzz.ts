import pg from 'pg'
import { rootScope } from '../../src/access/scope.ts'
import { connect } from '../../src/db/connect.ts'
import type { TestDatabase } from '../database.ts'
import { localEmbedder } from '../local-embedder.ts'
import { plantFindings } from '../planted/findings.ts'
import { plantPeople } from '../planted/people.ts'
import { plantPullRequest } from '../planted/pull-request.ts'
import { createTestWriter } from '../pull-requests.ts'
import { shareLearnings } from '../shared-learnings.ts'
import { createTenant, type Tenant, type TestOrganization } from '../tenant.ts'

export { scimEndpoints } from '../../src/routes.ts'
export { compileShape } from '../../src/shape.ts'
export { makeScimCredential } from '../scim.ts'

const days = ['2026-01-15', '2026-03-01', '2026-12-31']
const learnings = ['Close the connection before you return it.', 'Retry with a delay.']

/** Tenants with rows of every kind, so that valid requests find something. */
export async function createFuzzedTenant(database: TestDatabase, word: string): Promise<Tenant> {
  const tenant = await createTenant(database, { organizations: 2 })
  const client = new pg.Client({ connectionString: database.superuserUrl })
  await client.connect()
  const writer = createTestWriter(database)
  const pool = connect({ url: database.urls.worker, name: 'test', connections: 1 })
  try {
    const organizations = [...tenant.workspace.organizations, ...tenant.instance.organizations]
    for (const [index, organization] of organizations.entries())
      await plantRows(tenant, { client, writer, pool }, organization, `${word}-${index}`)
  } finally {
    await Promise.all([client.end(), writer.close(), pool.end()])
  }
  return tenant
}

interface Connections {
  readonly client: pg.Client
  readonly writer: ReturnType<typeof createTestWriter>
  readonly pool: ReturnType<typeof connect>
}

async function plantRows(
  tenant: Tenant,
  { client, writer, pool }: Connections,
  organization: TestOrganization,
  word: string,
): Promise<void> {
  const repository = organization.repositories[0]?.repositoryId ?? ''
  for (const [index, day] of days.entries())
    await plantPullRequest(writer, organization, { day, word, number: index + 1, repositoryId: repository })
  await plantFindings(client, organization, [
    { repository_id: repository, repository_name: 'planted', title: word, fingerprint: word },
  ])
  await tenant.change(organization.root, (change) => plantPeople(change, organization, word))
  const planted = learnings.map((text) => ({ text, file: 'src/planted.ts', repository, author: '7' }))
  const scope = { ...rootScope(organization.root), instance: organization.instance }
  const models = { active: localEmbedder, filling: [] }
  await shareLearnings(pool, scope, models, organization.id, planted)
}

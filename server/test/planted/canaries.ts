import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { rootScope } from '../../src/access/scope.ts'
import { connect } from '../../src/db/connect.ts'
import type { OrganizationId, PersonId, RootId } from '../../src/ids.ts'
import { REDACTOR_VERSION } from '../../src/text/redact.ts'
import type { TestDatabase } from '../database.ts'
import { localEmbedder } from '../local-embedder.ts'
import { createTestWriter } from '../pull-requests.ts'
import { addMember } from '../seats/test-seats.ts'
import { shareLearnings } from '../shared-learnings.ts'
import { createTenant, type Tenant, type TestKey, type TestOrganization } from '../tenant.ts'
import { type PlantedFinding, plantFindings } from './findings.ts'
import { plantPeople } from './people.ts'
import { plantPullRequest } from './pull-request.ts'
import { plantSession } from './sessions.ts'

export interface Canaries {
  readonly organizations: readonly OrganizationId[]
  /** IDs assigned by the Git provider. */
  readonly orgIds: readonly string[]
  /** Provider ids shared by all pull requests. */
  readonly repositoryId: string
  readonly authorId: string
  /** Scan of every finding. */
  readonly scanId: string
  /** File of every Learning. */
  readonly file: string
  /** One key of every kind that can read data, and sessions, with the words they can see. */
  readonly callers: readonly Caller[]
  /** Words of all organizations. */
  readonly words: readonly string[]
  /** What requests can name of each organization. */
  readonly targets: readonly CanaryOrganization[]
  readonly victims: Victims
  close(): Promise<void>
}

export interface CanaryOrganization {
  readonly id: OrganizationId
  readonly root: RootId
  readonly orgId: string
  /** Host of the Git provider. */
  readonly host: string
  readonly word: string
  /** Numbers of the pull requests. */
  readonly pullRequests: readonly number[]
  readonly learnings: readonly string[]
  readonly roles: readonly string[]
  /** Not those of the callers. */
  readonly keys: readonly string[]
  readonly findings: readonly string[]
  /** People with an open session, not those of the callers. */
  readonly people: readonly PersonId[]
}

/** Rows that no caller may change. */
export interface Victims {
  /** Roots without a caller. */
  readonly roots: readonly RootId[]
  /** Organizations without a caller, in these roots and in others. */
  readonly organizations: readonly OrganizationId[]
}

export interface Caller {
  /** A key, or the session of a person with the organization that it acts in. */
  readonly headers: Readonly<Record<string, string>>
  readonly isWorkspace: boolean
  readonly words: ReadonlySet<string>
}

const shared = { repositoryId: '318', authorId: '7' }
const file = 'src/planted.ts'
const scanId = 'planted'
const days = ['2026-01-05', '2026-01-15', '2026-03-01', '2026-03-02', '2027-01-01']

/** Makes tenants in which every readable row contains a secret word of its organization. */
export async function createCanaries(database: TestDatabase): Promise<Canaries> {
  const tenants = await Promise.all([1, 2, 3].map(() => createTenant(database, { organizations: 3 })))
  const words = new Map<OrganizationId, string>()
  const client = new pg.Client({ connectionString: database.superuserUrl })
  await client.connect()
  const writer = createTestWriter(database)
  const pool = connect({ url: database.urls.worker, name: 'test', connections: 1 })
  const active = localEmbedder
  const organizations = tenants.flatMap(listOrganizations)
  for (const [organizationIndex, organization] of organizations.entries()) {
    const { id } = organization
    const word = `canary-${randomBytes(8).toString('hex')}`
    words.set(id, word)
    await client.query('update organization set name = $2 where id = $1', [id, word])
    await client.query('update repository set name = $2 where organization_id = $1', [id, word])
    for (const [index, day] of days.entries()) {
      const number = 1 + organizationIndex * days.length + index
      await plantPullRequest(writer, organization, { day, word, number, ...shared })
    }
    await plantRepository(client, organization, `shared-${word}`)
    await plantFindings(client, organization, createFindings(word))
    const [tenant] = tenants
    await tenant?.change(organization.root, (change) => plantPeople(change, organization, word))
    const texts = [`Close the connection, says ${word}.`, `Retry with a delay, says ${word}.`]
    const planted = texts.map((text) => ({
      text,
      file,
      repository: shared.repositoryId,
      author: shared.authorId,
    }))
    const scope = { ...rootScope(organization.root), instance: organization.instance }
    await shareLearnings(pool, scope, { active, filling: [] }, id, planted)
    await plantPendingLearning(client, organization, `Wait for a decision, says ${word}.`)
  }
  const targets: CanaryOrganization[] = []
  for (const [index, organization] of organizations.entries()) {
    targets.push({
      ...(await readTarget(client, organization)),
      word: words.get(organization.id) ?? '',
      pullRequests: days.map((_, day) => 1 + index * days.length + day),
    })
  }
  const [first, second, third] = tenants
  if (!first || !second || !third) throw new Error('Three tenants are needed.')
  const sessionCallers = [
    ...(await createSessionCallers(client, first, words)),
    ...(await createSessionCallers(client, second, words)),
  ]
  await Promise.all([client.end(), writer.close(), pool.end()])
  const callers = [
    ...(await createCallers(first, words)),
    ...(await createCallers(second, words)),
    ...(await createBoundCallers(third, words)),
    ...sessionCallers,
  ]
  return {
    organizations: [...words.keys()],
    orgIds: organizations.map(({ orgId }) => orgId),
    ...shared,
    file,
    scanId,
    callers,
    words: [...words.values()],
    targets,
    victims: {
      roots: [third.alone.root, third.lower.root],
      organizations: [
        ...third.workspace.organizations.slice(1),
        ...third.instance.organizations.slice(1),
        ...third.alone.organizations,
        ...third.lower.organizations,
      ].map(({ id }) => id),
    },
    async close() {
      await Promise.all(tenants.map((tenant) => tenant.close()))
    },
  }
}

/** One finding in each state, with the scan and repository that all organizations share. */
function createFindings(word: string): PlantedFinding[] {
  const states = ['open', 'fixed', 'dismissed'] as const
  const planted = { repository_id: shared.repositoryId, repository_name: word, scan_id: scanId, title: word }
  return states.map((state) => ({ ...planted, state, fingerprint: `${word} ${state}` }))
}

/** The repository that requests name; it exists in every organization. */
async function plantRepository(
  client: pg.Client,
  { root, id }: TestOrganization,
  name: string,
): Promise<void> {
  await client.query(
    `insert into repository (root_id, organization_id, id, provider, provider_repository_id, name)
     values ($1, $2, gen_random_uuid(), 'github', $3, $4)`,
    [root, id, shared.repositoryId, name],
  )
}

function listOrganizations({ workspace, instance, alone }: Tenant): TestOrganization[] {
  return [...workspace.organizations, ...instance.organizations, ...alone.organizations]
}

type Words = ReadonlyMap<OrganizationId, string>

/** Keys that reach every organization of a tenant, and keys that reach one. */
async function createCallers(tenant: Tenant, words: Words): Promise<Caller[]> {
  const { workspace, instance, alone } = tenant
  const [, second] = workspace.organizations
  return [
    toCaller(words, await tenant.createKey('workspace'), workspace.organizations, true),
    ...(await createBoundCallers(tenant, words)),
    ...(second
      ? [toCaller(words, await tenant.createKey('user', { organization: second.id }), [second])]
      : []),
    toCaller(words, await tenant.createKey('instance'), instance.organizations),
    toCaller(words, await tenant.createKey('user', { of: 'alone' }), alone.organizations),
  ]
}

/** Keys that reach only the first organization of the workspace or of the instance. */
async function createBoundCallers(tenant: Tenant, words: Words): Promise<Caller[]> {
  const [first] = tenant.workspace.organizations
  const [home] = tenant.instance.organizations
  return [
    toCaller(words, await tenant.createKey('organization'), [first]),
    toCaller(words, await tenant.createKey('user'), [first]),
    toCaller(words, await tenant.createKey('agentic'), [first]),
    toCaller(words, await tenant.createKey('legacy'), [first]),
    toCaller(words, await tenant.createKey('instance', { authorized: [home.id] }), [home]),
  ]
}

function toCaller(
  words: Words,
  key: TestKey,
  organizations: readonly TestOrganization[],
  isWorkspace = false,
): Caller {
  return {
    headers: { 'x-service-api-key': key.value },
    isWorkspace,
    words: new Set(organizations.map(({ id }) => words.get(id) ?? '')),
  }
}

/** Where sessions are accepted; the API needs it in PUBLIC_URL. */
export const canaryOrigin = 'https://scholiast.example.com'

/** A workspace admin in one organization and in all of them, and a member. */
async function createSessionCallers(client: pg.Client, tenant: Tenant, words: Words): Promise<Caller[]> {
  const { root, admin, organizations } = tenant.workspace
  const [first] = organizations
  const { person: member } = await addMember(tenant, [first])
  const sessions = [
    { person: admin, header: 'all', seen: organizations },
    { person: admin, header: first.id, seen: [first] },
    { person: member, header: first.id, seen: [first] },
  ]
  const callers: Caller[] = []
  for (const { person, header, seen } of sessions) {
    const { cookie } = await plantSession(client, root, person)
    callers.push({
      headers: {
        cookie: `__Host-scholiast=${cookie}`,
        'x-scholiast-organization': header,
        origin: canaryOrigin,
      },
      isWorkspace: header === 'all',
      words: new Set(seen.map(({ id }) => words.get(id) ?? '')),
    })
  }
  return callers
}

async function plantPendingLearning(
  client: pg.Client,
  { root, id, instance }: TestOrganization,
  text: string,
): Promise<void> {
  await client.query(
    `insert into learning (root_id, organization_id, instance_id, id, repository_id, state, text, content_hash,
       redactor_version, source, created_at, updated_at)
     values ($1, $2, $3, gen_random_uuid(), $4, 'pending', $5, sha256(convert_to($5, 'UTF8')), $6, 'agent', now(), now())`,
    [root, id, instance, shared.repositoryId, text, REDACTOR_VERSION],
  )
}

/** A session of each person who was planted in the organization. */
async function plantSessions(
  client: pg.Client,
  root: RootId,
  organization: OrganizationId,
): Promise<PersonId[]> {
  const { rows } = await client.query<{ id: PersonId }>(
    `select p.id from person p join membership m on m.root_id = p.root_id and m.person_id = p.id
     where m.organization_id = $1 and p.name like 'Person canary-%'`,
    [organization],
  )
  for (const { id } of rows) await plantSession(client, root, id)
  return rows.map(({ id }) => id)
}

async function readTarget(
  client: pg.Client,
  { id, root, orgId, instance }: TestOrganization,
): Promise<Omit<CanaryOrganization, 'word' | 'pullRequests'>> {
  const list = async (table: string) => {
    const { rows } = await client.query<{ id: string }>(
      `select id from ${table} where organization_id = $1`,
      [id],
    )
    return rows.map((row) => row.id)
  }
  return {
    id,
    root,
    orgId,
    host: instance === null ? 'github.com' : `git-${root.slice(0, 8)}.example.com`,
    learnings: await list('learning'),
    roles: await list('custom_role'),
    keys: await list('api_key'),
    findings: await list('security_finding'),
    people: await plantSessions(client, root, id),
  }
}

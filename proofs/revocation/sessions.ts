import { randomUUID } from 'node:crypto'
import { createDatabase, type TestDatabase } from '../../server/test/database.ts'
import { limitsOff } from '../../server/test/limits-off.ts'
import { type PlantedSession, plantSession } from '../../server/test/planted/sessions.ts'
import { type ApiProcess, startApi } from '../../server/test/process.ts'
import { makeScimCredential } from '../../server/test/scim.ts'
import { createTenant, type Tenant } from '../../server/test/tenant.ts'
import { runConcurrently, sendRequest } from '../tools/client.ts'
import type { SourceCopy } from '../tools/copy.ts'
import type { Measurement } from '../tools/report.ts'

const LANES = 6
const NODES = 3
const publicUrl = 'https://scholiast.example.com'
const ownPage = { origin: publicUrl }

type PersonId = Parameters<typeof plantSession>[2]

/** One tenant, in which trials run one after the other. */
interface Lane {
  readonly tenant: Tenant
  readonly superuser: ReturnType<TestDatabase['superuser']>
  readonly token: string
  readonly scim: string
}

interface Trial {
  readonly lane: Lane
  readonly node: ApiProcess
  readonly person: PersonId
  readonly session: PlantedSession
}

/** Ends the access of a session in one way, over HTTP; resolves with the response. */
type End = (trial: Trial) => Promise<number>

const causes: Readonly<Record<string, { readonly organization: 'all' | 'own'; readonly end: End }>> = {
  'signed out': {
    organization: 'own',
    end: ({ node, session }) => post(node, '/auth/logout', { ...toCookie(session), ...ownPage }),
  },
  'ended in another browser': { organization: 'own', end: endFromOtherBrowser },
  offboarded: { organization: 'own', end: offboard },
  'deactivated by SCIM': { organization: 'own', end: deactivateByScim },
  demoted: { organization: 'all', end: demote },
  'no longer a member': { organization: 'own', end: removeMembership },
}

/** Sessions that end in every way: accepted by three nodes before, by none after the response. */
export async function proveSessions(trials: number, copy: SourceCopy | null): Promise<Measurement[]> {
  const database = await createDatabase()
  const settings = { ...limitsOff, PUBLIC_URL: publicUrl }
  const nodes = await Promise.all(
    Array.from({ length: NODES }, () => startApi(database, settings, copy?.apiEntry)),
  )
  const lanes: Lane[] = []
  for (let lane = 0; lane < LANES; lane++) lanes.push(await createLane(database))
  const names = Object.keys(causes)
  let [before, after, ended] = [0, 0, 0]
  try {
    await runConcurrently(trials, LANES, 'sessions', async (index, laneIndex) => {
      const lane = lanes[laneIndex]
      const cause = causes[names[index % names.length] ?? '']
      const node = nodes[index % NODES]
      if (lane === undefined || cause === undefined || node === undefined) throw new Error('No such lane.')
      const person = await addPerson(lane, cause.organization === 'all')
      const session = await plantSession(lane.superuser, lane.tenant.workspace.root, person)
      const organization = cause.organization === 'all' ? 'all' : lane.tenant.workspace.organizations[0].id
      const countAccepted = async () => {
        const headers = { ...toCookie(session), 'x-scholiast-organization': organization }
        const responses = await Promise.all(
          nodes.map(({ url }) => sendRequest('GET', `${url}/v1/organizations`, headers)),
        )
        return responses.filter(({ status }) => status === 200).length
      }
      // Awaited first: the sum must be the one at the time of adding, because lanes run at once.
      const acceptedBefore = await countAccepted()
      before += acceptedBefore
      const status = await cause.end({ lane, node, person, session })
      if (status < 300) ended += 1
      const acceptedAfter = await countAccepted()
      after += acceptedAfter
    })
    return [
      {
        measure: `sessions: ${trials} ended in ${names.length} ways (${names.join(', ')}), each confirmed`,
        goal: `${trials}`,
        result: ended,
        met: ended === trials,
      },
      {
        measure: '… accepted before (each of 3 nodes)',
        goal: `${trials * NODES}`,
        result: before,
        met: before === trials * NODES,
      },
      {
        measure: '… accepted after the response',
        goal: '0',
        result: after,
        met: after === 0,
      },
    ]
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
    for (const { tenant, superuser } of lanes) await Promise.all([tenant.close(), superuser.end()])
    await database.drop()
  }
}

async function createLane(database: TestDatabase): Promise<Lane> {
  const tenant = await createTenant(database)
  const { value: token } = await tenant.createKey('workspace')
  const { value: scim } = await makeScimCredential(tenant, tenant.workspace)
  return { tenant, superuser: database.superuser(), token, scim }
}

async function addPerson({ tenant, superuser }: Lane, workspaceAdmin: boolean): Promise<PersonId> {
  const { root, organizations } = tenant.workspace
  const person = randomUUID() as PersonId
  await superuser.query(
    `with p as (
       insert into person (root_id, id, email, name, workspace_admin) values ($1, $2, $3, 'Somebody', $5)
     )
     insert into membership (root_id, organization_id, account_id, person_id, system_role)
     values ($1, $4, $6, $2, 'cr_member')`,
    [root, person, `${person}@example.com`, organizations[0].id, workspaceAdmin, person],
  )
  return person
}

function toCookie({ cookie }: PlantedSession): { readonly cookie: string } {
  return { cookie: `__Host-scholiast=${cookie}` }
}

async function post(
  { url }: ApiProcess,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<number> {
  return (await sendRequest('POST', `${url}${path}`, headers, body && JSON.stringify(body))).status
}

async function endFromOtherBrowser({ lane, node, person, session }: Trial): Promise<number> {
  const other = await plantSession(lane.superuser, lane.tenant.workspace.root, person)
  const headers = { ...toCookie(other), ...ownPage }
  return (await fetch(`${node.url}/v1/sessions/${session.id}`, { method: 'DELETE', headers })).status
}

function offboard({ lane, node, person }: Trial): Promise<number> {
  const body = { member: { cr_user_id: person }, dry_run: false }
  return post(node, '/v1/users/offboarding', { 'x-service-api-key': lane.token }, body)
}

async function deactivateByScim({ lane, node, person }: Trial): Promise<number> {
  const response = await fetch(`${node.url}/scim/v2/Users/${await provision({ lane, node, person })}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${lane.scim}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'active', value: 'False' }],
    }),
  })
  await response.body?.cancel()
  return response.status
}

/** The identity provider adopts the person by e-mail, as at its first synchronization. */
async function provision({ lane, node, person }: Omit<Trial, 'session'>): Promise<string> {
  const email = `${person}@example.com`
  const response = await fetch(`${node.url}/scim/v2/Users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${lane.scim}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: email,
      emails: [{ value: email, primary: true }],
      active: true,
    }),
  })
  return ((await response.json()) as { readonly id: string }).id
}

/** A workspace admin who is demoted by the operator; the commit stands for the response. */
async function demote({ lane, person }: Trial): Promise<number> {
  await lane.superuser.query('update person set workspace_admin = false where id = $1', [person])
  return 200
}

async function removeMembership({ lane, person }: Trial): Promise<number> {
  await lane.superuser.query('delete from membership where person_id = $1', [person])
  return 200
}

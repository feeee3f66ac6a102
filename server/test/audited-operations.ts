import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Action } from '../src/access/audit/catalogue.ts'
import type { EventKind } from '../src/bus/ingest-event.ts'
import type { Endpoint } from '../src/http/endpoint.ts'
import type { SenderEndpoint } from '../src/http/ingest/endpoint.ts'
import type { PersonId } from '../src/ids.ts'
import { auditReceivedEvents } from '../src/resources/events/audit-received.ts'
import { addPerson } from '../src/resources/people/manage.ts'
import { HOUR_MS } from '../src/time.ts'
import type { TestResponse, TestService } from './call.ts'
import { plantSession } from './planted/sessions.ts'
import type { Tenant, TestKey, TestOrganization } from './tenant.ts'
import { waitFor } from './wait.ts'

// One valid request or event for each operation that changes something. audited-operations.test.ts compares this list with
// routes.ts and consumers.ts: an operation without an entry here fails by its name.

export interface Installation {
  readonly tenant: Tenant
  readonly service: TestService
  readonly superuser: pg.Pool
  /** A user key of the workspace's first organization, whose owner is an Admin. */
  readonly user: TestKey
  readonly instance: TestKey
  readonly credential: TestKey
}

/** Sends the operation and returns the key or credential that did it. */
type Driver = (installation: Installation) => Promise<TestKey>

type Send = (installation: Installation) => Promise<TestResponse>

const toOperationName = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`
const toKindName = ({ type, version }: Pick<EventKind, 'type' | 'version'>) => `${type} ${version}`

/** Operations that change something: no GET, and no POST that is declared as a read. */
export function listOperations(
  endpoints: readonly Endpoint[],
  senders: readonly SenderEndpoint[],
  kinds: readonly EventKind[],
): string[] {
  // The kinds of its events stand for the events endpoint.
  const uploads = senders.filter((sender) => 'file' in sender)
  return [
    ...endpoints.filter(({ method, readOnly }) => method !== 'GET' && readOnly !== true).map(toOperationName),
    ...uploads.map(toOperationName),
    ...kinds.map(toKindName),
  ].sort()
}

const home = ({ tenant }: Installation): TestOrganization => tenant.workspace.organizations[0]
const repositoryId = (installation: Installation): string =>
  home(installation).repositories[0]?.repositoryId ?? ''
const organizationRef = (installation: Installation) => ({ provider: 'github', id: home(installation).orgId })

function withUserKey(send: Send): Driver {
  return async (installation) => {
    expectSuccess(await send(installation))
    return installation.user
  }
}

function expectSuccess(reply: TestResponse): TestResponse {
  assert.ok(reply.status < 300, `${reply.status} ${reply.text}`)
  return reply
}

function call(
  { service, user }: Installation,
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
  key = user,
): Promise<TestResponse> {
  return service.call(path, { key: key.value, method, ...(body && { body }) })
}

async function addMember({ tenant }: Installation): Promise<{ account: string; person: PersonId }> {
  const [organization] = tenant.workspace.organizations
  const account = randomUUID()
  const person = await tenant.change(organization.root, (change) =>
    addPerson(change, {
      email: `${account}@example.com`,
      name: account,
      accounts: [{ provider: 'github', host: 'github.com', accountId: account, username: account }],
      memberships: [{ organization: organization.id, role: { system: 'cr_member' } }],
    }),
  )
  return { account, person }
}

async function createRole(installation: Installation): Promise<string> {
  const reply = await call(installation, 'POST', '/v1/roles', { name: randomUUID() })
  return (expectSuccess(reply).body as unknown as { id: string }).id
}

async function createAgentKey(installation: Installation): Promise<string> {
  const reply = await call(installation, 'POST', '/v1/keys', { kind: 'agentic', name: 'For an agent' })
  return (expectSuccess(reply).body as unknown as { id: string }).id
}

function createConnector(installation: Installation): Promise<TestResponse> {
  const credential = { app_id: '1', installation_id: '2', private_key: 'PEM' }
  const body = {
    provider: 'github',
    mode: 'polling',
    account: `acme-${randomUUID().slice(0, 8)}`,
    credential,
  }
  return call(installation, 'POST', '/v1/connectors', body)
}

async function createLearning(installation: Installation): Promise<string> {
  const data = [{ repository_id: repositoryId(installation), learning: `Say why: ${randomUUID()}.` }]
  const { body } = expectSuccess(await call(installation, 'POST', '/v1/learnings', { data }))
  const id = (body as unknown as { results: { id?: string }[] }).results[0]?.id
  return id ?? assert.fail(JSON.stringify(body))
}

async function proposeLearning(installation: Installation): Promise<string> {
  const body = { repository_id: repositoryId(installation), learning: `Ask first: ${randomUUID()}.` }
  const reply = expectSuccess(await call(installation, 'POST', '/mcp/propose_learning', body))
  return (reply.body as unknown as { id: string }).id
}

/** The id of a finding of a pull request that the worker has stored. */
async function createFinding(installation: Installation): Promise<string> {
  const { service, user } = installation
  const reviewer = randomUUID()
  const payload = {
    ...pullRequest(installation),
    number: 8,
    merged_at: '2026-01-15T12:00:00Z',
    findings: [{ id: reviewer, url: 'https://git.example.com/1', reviewer }],
  }
  await withCredential(1, () => Promise.resolve([['pull_request.finalized', payload]]))(installation)
  const path = `/v1/metrics/findings?start_date=2026-01-15&end_date=2026-01-15&reviewer=${reviewer}`
  let id: string | undefined
  await waitFor('the finding is stored', async () => {
    const { body } = expectSuccess(await service.call(path, { key: user.value }))
    id = (body as unknown as { data: { id: string }[] }).data[0]?.id
    return id !== undefined
  })
  return id ?? assert.fail('no finding is listed')
}

const requests = {
  'POST /v1/users/seats': withUserKey(async (installation) => {
    const { account } = await addMember(installation)
    return call(installation, 'POST', '/v1/users/seats', { action: 'assign', user_ids: [account] })
  }),
  'POST /v1/users/seats/assignment': async (installation) => {
    for (const mode of ['automatic', 'manual'])
      expectSuccess(
        await call(installation, 'POST', '/v1/users/seats/assignment', { mode }, installation.instance),
      )
    return installation.instance
  },
  'POST /v1/users/offboarding': withUserKey(async (installation) => {
    const { account } = await addMember(installation)
    const body = { member: { user_id: account }, dry_run: false }
    return call(installation, 'POST', '/v1/users/offboarding', body)
  }),
  'DELETE /v1/users/{cr_user_id}/sessions': withUserKey(async (installation) => {
    const { person } = await addMember(installation)
    await plantSession(installation.superuser, home(installation).root, person)
    return call(installation, 'DELETE', `/v1/users/${person}/sessions`)
  }),
  'POST /v1/users/roles': withUserKey(async (installation) => {
    const { account } = await addMember(installation)
    return call(installation, 'POST', '/v1/users/roles', { role: 'cr_admin', user_ids: [account] })
  }),
  'POST /v1/roles/{role_id}/members': withUserKey(async (installation) => {
    const { account } = await addMember(installation)
    const role = await createRole(installation)
    return call(installation, 'POST', `/v1/roles/${role}/members`, { user_ids: [account] })
  }),
  'PUT /v1/metrics/findings/{id}/outcome': withUserKey(async (installation) => {
    const id = await createFinding(installation)
    return call(installation, 'PUT', `/v1/metrics/findings/${id}/outcome`, { accepted: false })
  }),
  'PATCH /v1/settings': withUserKey((installation) =>
    call(installation, 'PATCH', '/v1/settings', {
      settings: { knowledge_base: { learnings: { approval_delay: 9 } } },
    }),
  ),
  'POST /v1/connectors': withUserKey((installation) => createConnector(installation)),
  'DELETE /v1/connectors/{connector_id}': withUserKey(async (installation) => {
    const { id } = expectSuccess(await createConnector(installation)).body as unknown as { id: string }
    return call(installation, 'DELETE', `/v1/connectors/${id}`)
  }),
  'POST /v1/roles': withUserKey((installation) =>
    call(installation, 'POST', '/v1/roles', { name: randomUUID() }),
  ),
  'PATCH /v1/roles/{role_id}': withUserKey(async (installation) =>
    call(installation, 'PATCH', `/v1/roles/${await createRole(installation)}`, { name: randomUUID() }),
  ),
  'DELETE /v1/roles/{role_id}': withUserKey(async (installation) =>
    call(installation, 'DELETE', `/v1/roles/${await createRole(installation)}`),
  ),
  'POST /v1/keys': withUserKey((installation) =>
    call(installation, 'POST', '/v1/keys', { kind: 'agentic', name: 'For an agent' }),
  ),
  'POST /v1/keys/{key_id}/rotate': withUserKey(async (installation) =>
    call(installation, 'POST', `/v1/keys/${await createAgentKey(installation)}/rotate`, { overlap_days: 0 }),
  ),
  'DELETE /v1/keys/{key_id}': withUserKey(async (installation) =>
    call(installation, 'DELETE', `/v1/keys/${await createAgentKey(installation)}`),
  ),
  'POST /v1/learnings': async (installation) => {
    await createLearning(installation)
    return installation.user
  },
  'PATCH /v1/learnings/{learning_id}': withUserKey(async (installation) =>
    call(installation, 'PATCH', `/v1/learnings/${await createLearning(installation)}`, {
      learning: `Say it shorter: ${randomUUID()}.`,
    }),
  ),
  'DELETE /v1/learnings/{learning_id}': withUserKey(async (installation) =>
    call(installation, 'DELETE', `/v1/learnings/${await createLearning(installation)}`),
  ),
  'POST /v1/learnings/approvals': withUserKey(async (installation) =>
    call(installation, 'POST', '/v1/learnings/approvals', {
      decisions: [{ learning_id: await proposeLearning(installation), decision: 'approve' }],
    }),
  ),
  'POST /v1/learnings/{learning_id}/approval': withUserKey(async (installation) =>
    call(installation, 'POST', `/v1/learnings/${await proposeLearning(installation)}/approval`, {
      decision: 'approve',
    }),
  ),
  'POST /mcp/propose_learning': async (installation) => {
    await proposeLearning(installation)
    return installation.user
  },
  'POST /ingest/v1/sarif': async (installation) => {
    const { service, credential } = installation
    const { id: org_id } = organizationRef(installation)
    const query = new URLSearchParams({ provider: 'github', org_id, repo_id: randomUUID() })
    const run = { tool: { driver: { name: 'Warden' } }, results: [] }
    expectSuccess(
      await service.call(`/ingest/v1/sarif?${query.toString()}`, {
        key: credential.value,
        method: 'POST',
        body: { version: '2.1.0', runs: [run] },
      }),
    )
    return credential
  },
} as const satisfies Record<string, Driver>

/** Events with their payload without the organization. The last one is the event of the operation. */
type Payloads = (installation: Installation) => Promise<readonly (readonly [type: string, payload: object])[]>

function withCredential(version: number, payloads: Payloads): Driver {
  return async (installation) => {
    for (const [type, payload] of await payloads(installation)) {
      const event = {
        id: randomUUID(),
        type,
        version,
        occurred_at: new Date().toISOString(),
        payload: { organization: organizationRef(installation), ...payload },
      }
      const reply = await installation.service.call('/ingest/v1/events', {
        key: installation.credential.value,
        method: 'POST',
        body: [event],
      })
      assert.equal(reply.status, 202, reply.text)
      assert.deepEqual((reply.body as { rejected?: unknown }).rejected, [], reply.text)
    }
    return installation.credential
  }
}

/** Waits until the events are counted, and writes the counts as the worker does when the hour is over. */
function withMeasurements(payloads: Payloads): Driver {
  const send = withCredential(1, payloads)
  return async (installation) => {
    const { superuser, tenant } = installation
    const credential = await send(installation)
    await waitFor('the events are counted', async () => {
      const { rows } = await superuser.query('select from received_event_count where credential_id = $1', [
        credential.id,
      ])
      return rows.length > 0
    })
    await auditReceivedEvents(tenant.pool, new Date(Date.now() + 2 * HOUR_MS))
    return credential
  }
}

const pullRequest = (installation: Installation) => ({
  repository: { id: repositoryId(installation), name: 'r' },
  number: 7,
  url: 'https://github.com/o/r/pull/7',
  status: 'merged',
  merged_at: new Date().toISOString(),
  findings: [],
})

const finding = {
  rule_id: 'sql-injection',
  severity: 'high',
  title: 'SQL built from a request parameter',
  file_path: 'src/orders.ts',
}

async function insertSecurityFinding(installation: Installation): Promise<string> {
  const { root, id } = home(installation)
  const { rows } = await installation.superuser.query<{ id: string }>(
    `insert into security_finding (root_id, organization_id, id, provider, host, provider_organization_id,
       organization_name, repository_id, repository_name, scan_id, severity, state, title, description, file_path,
       rule_id, tool, fingerprint, first_seen_at, last_seen_at, position)
     values ($1, $2, gen_random_uuid(), 'github', 'github.com', '1', 'o', '1', 'r', 's', 'low', 'open', 't', '', 'f', 'r',
       't', 'f', now(), now(), 0) returning id`,
    [root, id],
  )
  return rows[0]?.id ?? assert.fail('no finding was inserted')
}

const events = {
  'inventory.changed 1': withCredential(1, (installation) => {
    const organization = organizationRef(installation)
    const repositories = [{ organization, id: randomUUID(), name: `new-${randomUUID()}` }]
    return Promise.resolve([['inventory.changed', { repositories }]])
  }),
  'learning.proposed 1': withCredential(1, (installation) =>
    Promise.resolve([
      [
        'learning.proposed',
        {
          repository_id: repositoryId(installation),
          learning: `Said in a chat: ${randomUUID()}.`,
          source: 'chat',
          author: { id: '7', username: 'claimed-author' },
        },
      ],
    ]),
  ),
  'pull_request.closed 1': withCredential(1, async (installation) => {
    const repository_id = repositoryId(installation)
    const number = 1 + Math.floor(Math.random() * 1e6)
    const learning = `Of a pull request: ${randomUUID()}.`
    const proposal = { repository_id, learning, source: 'review', pull_request: { number } }
    await withCredential(1, () => Promise.resolve([['learning.proposed', proposal]]))(installation)
    // Messages are handled in any order, and a proposal that comes after the merge is shared at once.
    await waitFor('the proposal is stored', async () => {
      const { rows } = await installation.superuser.query('select from learning where text = $1', [learning])
      return rows.length > 0
    })
    return [['pull_request.closed', { repository_id, number, merged: true }]]
  }),
  'pull_request.finalized 1': withMeasurements((installation) =>
    Promise.resolve([['pull_request.finalized', pullRequest(installation)]]),
  ),
  'finding.outcome 1': withMeasurements((installation) => {
    const outcome = { finding_id: 'f-1', accepted: true, source: 'person' }
    return Promise.resolve([['finding.outcome', { ...pullRequest(installation), ...outcome }]])
  }),
  'mcp.used 1': withMeasurements((installation) => {
    const servers = [{ name: 'docs', tools: [{ name: 'search' }] }]
    return Promise.resolve([['mcp.used', { ...pullRequest(installation), servers }]])
  }),
  'learning.used 1': withMeasurements(async (installation) => [
    ['learning.used', { learning_ids: [await createLearning(installation)] }],
  ]),
  'reviewer.tagged 1': withCredential(1, async (installation) => {
    const { account } = await addMember(installation)
    return [['reviewer.tagged', { author: { id: account } }]]
  }),
  'security_scan.completed 1': withCredential(1, () => {
    const repository = { id: randomUUID() }
    const scan = { repository, scan_id: randomUUID(), tool: 'Warden', complete: true, findings: [finding] }
    return Promise.resolve([['security_scan.completed', scan]])
  }),
  'security_finding.dismissed 1': withCredential(1, async (installation) => [
    [
      'security_finding.dismissed',
      {
        finding_id: await insertSecurityFinding(installation),
        reason: 'false_positive',
        by: { id: '8', username: 'claimed-dismisser' },
      },
    ],
  ]),
} as const satisfies Record<string, Driver>

type OperationName = keyof typeof requests | keyof typeof events

/** The action of the audit row that the operation itself writes; preparations write others. */
const actions: Readonly<Record<OperationName, Action>> = {
  'POST /v1/users/seats': 'seat_assigned',
  'POST /v1/users/seats/assignment': 'seat_mode_changed',
  'POST /v1/users/offboarding': 'person_offboarded',
  'DELETE /v1/users/{cr_user_id}/sessions': 'session_ended',
  'POST /v1/users/roles': 'person_role_changed',
  'POST /v1/roles/{role_id}/members': 'person_role_changed',
  'PUT /v1/metrics/findings/{id}/outcome': 'finding_outcome_set',
  'PATCH /v1/settings': 'learning_setting_changed',
  'POST /v1/connectors': 'connector_created',
  'DELETE /v1/connectors/{connector_id}': 'connector_deleted',
  'POST /v1/roles': 'role_created',
  'PATCH /v1/roles/{role_id}': 'role_changed',
  'DELETE /v1/roles/{role_id}': 'role_deleted',
  'POST /v1/keys': 'api_key_created',
  'POST /v1/keys/{key_id}/rotate': 'api_key_rotated',
  'DELETE /v1/keys/{key_id}': 'api_key_revoked',
  'POST /v1/learnings': 'learning_created',
  'PATCH /v1/learnings/{learning_id}': 'learning_updated',
  'DELETE /v1/learnings/{learning_id}': 'learning_deleted',
  'POST /v1/learnings/approvals': 'learning_approved',
  'POST /v1/learnings/{learning_id}/approval': 'learning_approved',
  'POST /mcp/propose_learning': 'learning_proposed',
  'POST /ingest/v1/sarif': 'security_scan_applied',
  'inventory.changed 1': 'repository_added',
  'learning.proposed 1': 'learning_proposed',
  'pull_request.closed 1': 'learning_promoted',
  'pull_request.finalized 1': 'metrics_received',
  'finding.outcome 1': 'metrics_received',
  'mcp.used 1': 'metrics_received',
  'learning.used 1': 'metrics_received',
  'reviewer.tagged 1': 'seat_requested',
  'security_scan.completed 1': 'security_scan_applied',
  'security_finding.dismissed 1': 'security_finding_dismissed',
}

/** By name. */
export const operations: ReadonlyMap<string, { readonly action: Action; readonly run: Driver }> = new Map(
  Object.entries({ ...requests, ...events }).map(([name, run]) => [
    name,
    { action: actions[name as OperationName], run },
  ]),
)

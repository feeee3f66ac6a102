import { randomUUID } from 'node:crypto'
import type { Caller, Canaries, CanaryOrganization } from '../../server/test/planted/canaries.ts'
import { CHANGED_ACCOUNT_SUFFIX } from '../../server/test/planted/people.ts'
import { type Endpoint, endpoints, type Tool, tools } from '../../server/test/proofs/isolation.ts'
import { type HttpResult, sendRequest as send } from '../tools/client.ts'

/** An endpoint or a tool, and how to request it with objects of any tenant. */
export interface Operation {
  readonly name: string
  /** Whether a successful request changes rows. */
  readonly writes: boolean
  build(caller: Caller, canaries: Canaries, cursors: readonly string[]): FuzzedRequest
}

interface FuzzedRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With the query string. */
  readonly path: string
  readonly body?: unknown
}

/** The query of a GET request, or the body of another; `ids` replace the placeholders of the path. */
interface RequestParts {
  readonly query?: readonly string[]
  readonly body?: object
  readonly ids?: Readonly<Record<string, string>>
}

type BuildParts = (caller: Caller, canaries: Canaries, target: CanaryOrganization) => RequestParts

/** Every endpoint of the API and every tool of /mcp. One without a builder fails here, by name. */
export function listOperations(): Operation[] {
  const operations = [...endpoints.map(toOperation), ...tools.map(toToolOperation)]
  const unknown = Object.keys(builders).filter(
    (name) =>
      ![...endpoints, ...tools.map(({ endpoint }) => endpoint)].some((one) => one.operationId === name),
  )
  if (unknown.length > 0) throw new Error(`No endpoint has the operation id ${unknown.join(', ')}.`)
  return operations
}

function toOperation(endpoint: Endpoint): Operation {
  const { method, path, operationId } = endpoint
  const createParts = getBuilder(operationId)
  return {
    name: `${method} ${path}`,
    writes: method !== 'GET' && endpoint.readOnly !== true,
    build(caller, canaries, cursors) {
      const { query = [], body, ids = {} } = createParts(caller, canaries, pickTarget(caller, canaries))
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? randomUUID())
      const search = [...query, ...randomPaging(endpoint, cursors)].join('&')
      return { method, path: `${filled}?${search}`, ...(body && { body }) }
    },
  }
}

function toToolOperation({ name, endpoint }: Tool): Operation {
  const createParts = getBuilder(endpoint.operationId)
  return {
    name: `POST /mcp ${name}`,
    writes: endpoint.readOnly !== true,
    build(caller, canaries) {
      const args = createParts(caller, canaries, pickTarget(caller, canaries)).body
      const params = { name, arguments: args }
      return { method: 'POST', path: '/mcp', body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } }
    },
  }
}

function getBuilder(operationId: string): BuildParts {
  const build = Object.hasOwn(builders, operationId) ? builders[operationId] : undefined
  if (build === undefined)
    throw new Error(
      `proofs/isolation/requests.ts has no request for ${operationId}: add one to its builders.`,
    )
  return build
}

/** Mostly an organization that the caller cannot reach. */
function pickTarget({ words }: Caller, { targets }: Canaries): CanaryOrganization {
  if (Math.random() < 0.1) return pick(targets)
  return pick(targets.filter(({ word }) => !words.has(word)))
}

export function sendRequest(
  url: string,
  { method, path, body }: FuzzedRequest,
  { headers }: Caller,
): Promise<HttpResult> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return send(method, url + path, { ...headers, accept: 'application/json, text/event-stream' }, text)
}

/** Whether a response contains the word of an organization out of the caller's scope. */
export function hasForeignWord(text: string, { words }: Caller): boolean {
  const found = omitUnknownUsers(text).match(/canary-[0-9a-f]{16}/g) ?? []
  return found.some((word) => !words.has(word))
}

/** Omits unknown users: a response repeats their names from the request, which reveals nothing. */
function omitUnknownUsers(text: string): string {
  if (!text.startsWith('{"status":')) return text
  const { failed, ...rest } = JSON.parse(text) as { readonly failed?: readonly { readonly code: string }[] }
  return JSON.stringify([rest, failed?.filter(({ code }) => code !== 'USER_NOT_FOUND')])
}

/** A page size, and a cursor of any tenant, where the endpoint accepts them. */
function randomPaging({ query }: Endpoint, cursors: readonly string[]): string[] {
  const properties = 'properties' in query ? (query.properties as Record<string, unknown>) : {}
  const parameters: string[] = []
  if ('limit' in properties && Math.random() < 0.6) parameters.push(`limit=${pick([1, 1, 2, 3, 100, 101])}`)
  if ('cursor' in properties && cursors.length > 0 && Math.random() < 0.3)
    parameters.push(`cursor=${pick(cursors)}`)
  return parameters
}

const windowQuery: BuildParts = (_, canaries) => ({
  query: [...randomWindow(canaries), ...randomSelector(canaries)],
})

/** By operation id. */
const builders: Readonly<Record<string, BuildParts>> = {
  listOrganizations: () => ({ query: [] }),
  listRepositories: (_, __, { id }) => ({ ids: { organization_id: id } }),
  listReviews: (caller, canaries, target) => ({
    query: [...(windowQuery(caller, canaries, target).query ?? []), ...pick(randomReviews)],
  }),
  listReviewComments: windowQuery,
  listReviewCommentChanges: (_, canaries) => ({ query: randomOrgId(canaries) }),
  listMcpUsage: windowQuery,
  summarizeFindings: (caller, canaries, target) => ({
    query: [...(windowQuery(caller, canaries, target).query ?? []), ...pick(randomSummaries)],
  }),
  summarizeReviews: (caller, canaries, target) => ({
    query: [...(windowQuery(caller, canaries, target).query ?? []), ...pick(randomReviewSummaries)],
  }),
  summarizeMcpUsage: (caller, canaries, target) => ({
    query: [...(windowQuery(caller, canaries, target).query ?? []), ...pick(randomUsageSummaries)],
  }),
  listFindings: windowQuery,
  setFindingOutcome: (_, canaries) => ({
    body: { accepted: pick([true, false, null]), ...orgIdField(canaries) },
  }),
  summarizeReviewers: windowQuery,
  compareReviewers: windowQuery,
  listUsers: (_, canaries) => ({ query: randomUsers(canaries) }),
  manageSeats: (caller, canaries) => ({ body: randomSeats(caller, canaries) }),
  setSeatAssignmentMode: () => ({ body: { mode: pick(['automatic', 'manual']) } }),
  offboardPerson: (_, canaries) => ({ body: randomOffboarding(canaries) }),
  endSessionsOfPerson: (_, __, { people }) => ({ ids: { cr_user_id: pick(people) } }),
  changeUserRoles: (_, canaries) => ({ body: randomRoles(canaries) }),
  assignRole: (_, canaries, { roles }) => {
    const { role: _role, ...body } = randomRoles(canaries)
    return { ids: { role_id: pick(['cr_member', 'cr_admin', ...roles]) }, body }
  },
  getSettings: (_, canaries) => ({
    query: [
      ...(Math.random() < 0.5 ? [`repository_id=${canaries.repositoryId}`] : []),
      ...randomOrgId(canaries, 0.6),
    ],
  }),
  listConnectors: (_, canaries) => ({ query: randomOrgId(canaries, 0.6) }),
  createConnector: (_, canaries) => ({
    body: {
      provider: 'github',
      mode: 'polling',
      account: `fuzzed-${randomUUID().slice(0, 8)}`,
      credential: { app_id: '1', installation_id: '1', private_key: 'PEM' },
      ...orgIdField(canaries),
    },
  }),
  deleteConnector: (_, canaries) => ({ query: randomOrgId(canaries, 0.6) }),
  getTenantIngestStatus: (_, canaries) => ({ query: randomOrgId(canaries, 0.6) }),
  updateSettings: (_, canaries) => ({
    body: {
      ...(Math.random() < 0.5 && { repository_id: canaries.repositoryId }),
      settings: { knowledge_base: { learnings: { approval_delay: pick([0, 1, 2]) } } },
      ...orgIdField(canaries),
    },
  }),
  listRoles: (_, canaries) => ({ query: randomOrgId(canaries, 0.6) }),
  createRole: (_, canaries, { roles }) => ({
    body: {
      name: randomUUID(),
      ...(Math.random() < 0.5 && { duplicate_from: pick(roles) }),
      ...orgIdField(canaries),
    },
  }),
  listRolePermissions: (_, canaries) => ({ query: randomOrgId(canaries) }),
  getRole: (_, canaries, { roles }) => ({
    ids: { role_id: pick(roles) },
    query: randomOrgId(canaries, 0.6),
  }),
  updateRole: (_, canaries, { roles }) => ({
    ids: { role_id: pick(roles) },
    body: { description: randomUUID(), ...orgIdField(canaries) },
  }),
  deleteRole: (_, canaries, { roles }) => ({
    ids: { role_id: pick(roles) },
    query: randomOrgId(canaries, 0.6),
  }),
  listAuditLogs: (_, canaries) => ({ query: randomAuditLogs(canaries) }),
  readAuditChain: (_, canaries) => ({
    query: [`after=${pick([0, 1, 50])}`, `limit=${pick([1, 1000])}`, ...randomOrgId(canaries)],
  }),
  listSecurityFindings: (_, canaries) => ({ query: [...randomFindings(canaries), ...randomOrgId(canaries)] }),
  summarizeSecurityFindings: (_, canaries) => ({
    query: [
      `group_by=${pick(['repository', 'severity,repository', 'state'])}`,
      ...(Math.random() < 0.3 ? [`repo_id=${canaries.repositoryId}`] : []),
      ...randomOrgId(canaries),
    ],
  }),
  listKeys: (_, canaries) => ({ query: randomOrgId(canaries) }),
  createKey: (_, canaries) => ({ body: { kind: 'agentic', name: 'Fuzzed', ...orgIdField(canaries) } }),
  getKeySelf: () => ({ query: [] }),
  rotateKey: (_, __, { keys }) => ({ ids: { key_id: pick(keys) }, body: { overlap_days: 1 } }),
  deleteKey: (_, __, { keys }) => ({ ids: { key_id: pick(keys) } }),
  listLearnings: (_, canaries) => ({ query: [...randomLearnings(canaries), ...randomSelector(canaries)] }),
  createLearnings: (_, canaries) => ({
    body: {
      data: [{ repository_id: canaries.repositoryId, learning: `Fuzzed ${randomUUID()}.` }],
      ...orgIdField(canaries),
    },
  }),
  updateLearning: (_, canaries, { learnings }) => ({
    ids: { learning_id: pick(learnings) },
    body: { learning: `Fuzzed ${randomUUID()}.`, ...orgIdField(canaries) },
  }),
  deleteLearning: (_, canaries, { learnings }) => ({
    ids: { learning_id: pick(learnings) },
    query: randomOrgId(canaries, 0.6),
  }),
  listPendingLearnings: (_, canaries) => ({
    query: [
      ...(Math.random() < 0.2 ? [`repository_ids=${canaries.repositoryId}`] : []),
      ...(Math.random() < 0.2 ? ['source=agent'] : []),
      ...randomOrgId(canaries, 0.6),
    ],
  }),
  decideOnLearnings: (_, canaries, { learnings }) => ({
    body: {
      decisions: [{ learning_id: pick(learnings), decision: pick(['approve', 'disapprove']) }],
      ...orgIdField(canaries),
    },
  }),
  decideOnLearning: (_, canaries, { learnings }) => ({
    ids: { learning_id: pick(learnings) },
    body: { decision: pick(['approve', 'disapprove']), ...orgIdField(canaries) },
  }),
  findReviewContext: (_, canaries) => ({ body: randomReviewContext(canaries) }),
  explainLearning: (_, canaries, { learnings }) => ({
    body: { learning_id: pick(learnings), ...orgIdField(canaries) },
  }),
  proposeLearning: (_, canaries) => ({
    body: {
      repository_id: canaries.repositoryId,
      learning: `Fuzzed ${randomUUID()}.`,
      ...orgIdField(canaries),
    },
  }),
}

/** Windows of a day, a month, a year and unlimited, with filters that match pull requests of every tenant. */
function randomWindow(canaries: Canaries): string[] {
  const parameters = pick([
    ['start_date=2026-01-15', 'end_date=2026-01-15'],
    ['start_date=2026-03-01', 'end_date=2026-03-31'],
    ['start_date=2026-01-01', 'end_date=2026-12-31'],
    ['start_date=2000-01-01', 'end_date=2099-12-31'],
  ])
  const filters = [`repository_ids=${canaries.repositoryId}`, `user_ids=8,${canaries.authorId}`]
  return [...parameters, ...filters.filter(() => Math.random() < 0.2)]
}

// The names of reviewers contain the words.
const randomSummaries = [
  ['group_by=reviewer'],
  ['group_by=reviewer,week', 'format=csv'],
  ['group_by=repository,reviewer'],
  ['group_by=author,reviewer,severity'],
  ['group_by=author,repository,reviewer'],
]

const randomReviews = [[], ['status=all'], ['format=csv'], ['status=all', 'format=csv'], ['status=closed']]

const randomReviewSummaries = [['group_by=repository'], ['group_by=week,repository', 'status=all'], []]

const randomUsageSummaries = [['group_by=server'], ['group_by=tool,week'], ['group_by=server,tool']]

/** Filters that match findings of every tenant. A file accepts no limit or cursor: such requests are rejected. */
function randomFindings({ repositoryId, scanId }: Canaries): string[] {
  const filters = [
    `repo_id=${repositoryId}`,
    `scan_id=${scanId}`,
    'state=all',
    `format=${pick(['csv', 'sarif'])}`,
  ]
  return filters.filter(() => Math.random() < 0.3)
}

/** Filters and searches that match Learnings of every tenant. */
function randomLearnings({ repositoryId, authorId, file }: Canaries): string[] {
  const filters = [`repository_ids=${repositoryId}`, `user_ids=${authorId}`, `files=${file}`]
  const search = Math.random() < 0.3 ? ['search=retry+with+a+delay'] : []
  return [...filters.filter(() => Math.random() < 0.2), ...search]
}

function randomReviewContext({ repositoryId, file, orgIds }: Canaries): object {
  return {
    repository_id: repositoryId,
    ...(Math.random() < 0.5 ? { org_id: pick(orgIds) } : {}),
    ...(Math.random() < 0.5 ? { files: [file] } : {}),
    text: 'Retry with a delay when the connection is closed.',
    record_use: false,
  }
}

function randomSelector(canaries: Canaries): string[] {
  const { orgIds } = canaries
  return Math.random() < 0.15 ? [`organization_ids=${pick(orgIds)},${pick(orgIds)}`] : randomOrgId(canaries)
}

function randomOrgId({ orgIds }: Canaries, share = 0.25): string[] {
  return Math.random() < share ? [`org_id=${pick(orgIds)}`] : []
}

function orgIdField({ orgIds }: Canaries): { readonly org_id?: string } {
  return Math.random() < 0.6 ? { org_id: pick(orgIds) } : {}
}

function randomUsers(canaries: Canaries): string[] {
  const filters = ['seat_filter=assigned', 'role_filter=member']
  return [...filters.filter(() => Math.random() < 0.15), ...randomOrgId(canaries)]
}

/** Every account exists in some organization. */
function randomSeats({ isWorkspace }: Caller, canaries: Canaries): object {
  const action = pick(['assign', 'unassign'])
  const userIds = [pick(canaries.words), pick(canaries.words)].map(
    (word) => word + pick(['', CHANGED_ACCOUNT_SUFFIX]),
  )
  const members = userIds.map((name) => ({ email: `${name}@example.com` }))
  return isWorkspace ? { action, members } : { action, user_ids: userIds }
}

/** Mostly without effect, so that people are left for the other operations. */
function randomOffboarding(canaries: Canaries): object {
  const name = pick(canaries.words) + pick(['', CHANGED_ACCOUNT_SUFFIX])
  const member = pick([{ email: `${name}@example.com` }, { user_id: name }])
  return { member, dry_run: Math.random() < 0.9, ...orgIdField(canaries) }
}

function randomRoles(canaries: Canaries) {
  const user_ids = [pick(canaries.words), pick(canaries.words)].map((word) => word + CHANGED_ACCOUNT_SUFFIX)
  return { role: pick(['cr_member', 'cr_admin']), user_ids, ...orgIdField(canaries) }
}

/** Pages, cursors and searches that match audit rows of every tenant. */
function randomAuditLogs(canaries: Canaries): string[] {
  const filters = [
    `page_size=${pick([1, 10, 100])}`,
    'search=operator',
    'actions=role_created',
    'resource_types=person,role,seat',
    'date_from=2026-01-01',
  ]
  return [...filters.filter(() => Math.random() < 0.3), ...randomOrgId(canaries)]
}

export function pick<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)]
  if (item === undefined) throw new Error('The list to choose from is empty.')
  return item
}

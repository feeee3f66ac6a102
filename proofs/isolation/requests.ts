import type { Caller, Canaries } from '../../server/test/planted/canaries.ts'
import { CHANGED_ACCOUNT_SUFFIX } from '../../server/test/planted/people.ts'
import { get, type HttpResult, postJson } from '../tools/client.ts'

const organizations = '/v1/organizations'
const repositories = '/v1/organizations/{organization_id}/repositories'
const reviews = '/v1/metrics/reviews'
const reviewComments = '/v1/metrics/review-comments'
const changes = '/v1/metrics/review-comments/changes'
const mcp = '/v1/metrics/mcp'
const summary = '/v1/metrics/summary'
const security = '/v1/security/scans/code'
const learnings = '/v1/learnings'
const reviewContext = '/v1/review-context'
const users = '/v1/users'
const roles = '/v1/roles'
const auditLogs = '/v1/audit-logs'
const keys = '/v1/keys'
const seats = '/v1/users/seats'
const userRoles = '/v1/users/roles'

export const paths = [
  organizations,
  repositories,
  reviews,
  reviewComments,
  changes,
  mcp,
  summary,
  security,
  learnings,
  reviewContext,
  users,
  roles,
  auditLogs,
  keys,
  seats,
  userRoles,
] as const
/** These are requested differently, or have no pages. */
const unpaged: ReadonlySet<string> = new Set([roles, auditLogs, summary])
const withoutCursor: ReadonlySet<string> = new Set([roles, summary])
export type Path = (typeof paths)[number]

/** A request to an endpoint, with organizations, people and cursors of any tenant. */
export function sendRandom(
  url: string,
  path: Path,
  caller: Caller,
  canaries: Canaries,
  cursors: readonly string[],
): Promise<HttpResult> {
  const body = buildBody(path, caller, canaries)
  return body === null
    ? get(url + randomUrl(path, canaries, cursors), caller.key)
    : postJson(url + path, caller.key, body)
}

/** The body; null for GET. */
function buildBody(path: Path, caller: Caller, canaries: Canaries): string | null {
  if (path === reviewContext) return randomReviewContext(canaries)
  if (path === seats) return randomSeats(caller, canaries)
  return path === userRoles ? randomRoles(canaries) : null
}

/** Whether a response contains the word of an organization out of the caller's scope. */
export function hasForeignWord(text: string, { words }: Caller): boolean {
  const found = omitUnknownUsers(text).match(/canary-[0-9a-f]{16}/g) ?? []
  return found.some((word) => !words.has(word))
}

/** Omits unknown users: a response repeats their names from the request, which reveals nothing. */
function omitUnknownUsers(text: string): string {
  if (!text.startsWith('{"status":')) return text
  const { succeeded, failed } = JSON.parse(text) as { succeeded: string[]; failed: { code: string }[] }
  return JSON.stringify([succeeded, failed.filter(({ code }) => code !== 'USER_NOT_FOUND')])
}

/** An endpoint with any organization and page size, and a cursor of any tenant. */
function randomUrl(path: Path, canaries: Canaries, cursors: readonly string[]): string {
  const parameters = buildParameters[path](canaries)
  if (!unpaged.has(path) && Math.random() < 0.6) parameters.push(`limit=${pick([1, 1, 2, 3, 100, 101])}`)
  const withCursor = !withoutCursor.has(path) && cursors.length > 0 && Math.random() < 0.3
  if (withCursor) parameters.push(`cursor=${pick(cursors)}`)
  if (Math.random() < 0.02) parameters.push(`org_id=${pick(canaries.organizations)}`)
  return `${path.replace('{organization_id}', pick(canaries.organizations))}?${parameters.join('&')}`
}

const noParameters = () => []
const windowParameters = (canaries: Canaries) => [...randomWindow(canaries), ...randomSelector(canaries)]

const buildParameters: Readonly<Record<Path, (canaries: Canaries) => string[]>> = {
  [organizations]: noParameters,
  [repositories]: noParameters,
  [reviews]: (canaries) => [...windowParameters(canaries), ...pick(randomReviews)],
  [reviewComments]: windowParameters,
  [changes]: randomOrgId,
  [mcp]: windowParameters,
  [summary]: (canaries) => [...windowParameters(canaries), ...pick(randomSummaries)],
  [security]: (canaries) => [...randomFindings(canaries), ...randomOrgId(canaries)],
  [learnings]: (canaries) => [...randomLearnings(canaries), ...randomSelector(canaries)],
  [reviewContext]: noParameters,
  [users]: randomUsers,
  [roles]: (canaries) => randomOrgId(canaries, 0.6),
  [auditLogs]: randomAuditLogs,
  [keys]: noParameters,
  [seats]: noParameters,
  [userRoles]: noParameters,
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

function randomReviewContext({ repositoryId, file, orgIds }: Canaries): string {
  return JSON.stringify({
    repository_id: repositoryId,
    ...(Math.random() < 0.5 ? { org_id: pick(orgIds) } : {}),
    ...(Math.random() < 0.5 ? { files: [file] } : {}),
    text: 'Retry with a delay when the connection is closed.',
    record_use: false,
  })
}

function randomSelector(canaries: Canaries): string[] {
  const { orgIds } = canaries
  return Math.random() < 0.15 ? [`organization_ids=${pick(orgIds)},${pick(orgIds)}`] : randomOrgId(canaries)
}

function randomOrgId({ orgIds }: Canaries, share = 0.25): string[] {
  return Math.random() < share ? [`org_id=${pick(orgIds)}`] : []
}

function randomUsers(canaries: Canaries): string[] {
  const filters = ['seat_filter=assigned', 'role_filter=member']
  return [...filters.filter(() => Math.random() < 0.15), ...randomOrgId(canaries)]
}

/** Every account exists in some organization. */
function randomSeats({ isWorkspace }: Caller, canaries: Canaries): string {
  const action = pick(['assign', 'unassign'])
  const userIds = [pick(canaries.words), pick(canaries.words)].map(
    (word) => word + pick(['', CHANGED_ACCOUNT_SUFFIX]),
  )
  const members = userIds.map((name) => ({ email: `${name}@example.com` }))
  return JSON.stringify(isWorkspace ? { action, members } : { action, user_ids: userIds })
}

function randomRoles({ words, orgIds }: Canaries): string {
  const user_ids = [pick(words), pick(words)].map((word) => word + CHANGED_ACCOUNT_SUFFIX)
  const orgSelector = Math.random() < 0.6 ? { org_id: pick(orgIds) } : {}
  return JSON.stringify({ role: pick(['cr_member', 'cr_admin']), user_ids, ...orgSelector })
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

// The installation that is checked, as its one key sees it.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertError, assertErrors, type Reply, type RequestOptions, sendRequest } from './http.ts'

export interface Self {
  readonly kind: 'organization' | 'user' | 'workspace' | 'instance' | 'legacy' | 'agentic'
  readonly organizations: {
    readonly count: number
    readonly first: readonly { readonly id: string; readonly provider_organization_id: string }[]
  }
  readonly endpoints: readonly {
    readonly method: string
    readonly path: string
    readonly allowed: boolean
    readonly code: string | null
  }[]
}

export interface ServiceOptions {
  readonly url: string
  readonly key: string
  /** Called before a wait for a rate limit. */
  readonly onWait?: (seconds: number, path: string) => void
}

export interface Service {
  readonly url: string
  readonly key: string
  readonly self: Self
  /** With the key of the installation, unless the options have another; null sends none. Waits for rate limits. */
  readonly call: (path: string, options?: CallOptions) => Promise<Reply>
}

export interface CallOptions extends Omit<RequestOptions, 'key'> {
  readonly key?: string | null
}

/** An endpoint that returns pages. */
export interface List {
  /** As in keys/self. */
  readonly path: string
  /** With the parameters that it requires, and "?" or "&" at its end. */
  readonly query: string
  /** The field that has the rows. */
  readonly rows: string
  readonly maxLimit: number
  /** Its cursors keep the page size of the first request. */
  readonly keepsLimit: boolean
  /** A filter that matches nothing, to change the query with. */
  readonly otherFilter: string | null
}

export type Page = Record<string, unknown> & { readonly next_cursor: string | null }

/** The key, or the data of the installation, cannot show whether the rule is met. */
export class NotApplicableError extends Error {}

const MAX_WAITS = 5

export async function openService({ url, key, onWait }: ServiceOptions): Promise<Service> {
  async function call(path: string, options: CallOptions = {}): Promise<Reply> {
    const { key: other = key, ...rest } = options
    for (let waits = 0; ; waits++) {
      const reply = await sendRequest(url, path, other === null ? rest : { ...rest, key: other })
      const seconds = Number(reply.headers.get('retry-after'))
      if (reply.status !== 429 || waits === MAX_WAITS || !(seconds > 0)) return reply
      onWait?.(seconds, path)
      await sleep(seconds * 1000)
    }
  }
  const reply = await call('/v1/keys/self')
  assert.equal(reply.status, 200, `GET /v1/keys/self ${reply.text.slice(0, 500)}`)
  return { url, key, self: reply.body as Self, call }
}

export const organizationsPath = '/v1/organizations'
export const reviewCommentsPath = '/v1/metrics/review-comments'
export const learningsPath = '/v1/learnings'
const repositoriesTemplate = '/v1/organizations/{organization_id}/repositories'

export function repositoriesPath(organizationId: string): string {
  return `/v1/organizations/${organizationId}/repositories`
}

export function isAllowed({ self }: Service, method: string, path: string): boolean {
  return self.endpoints.some((one) => one.method === method && one.path === path && one.allowed)
}

export function requireAccess(service: Service, method: string, path: string): void {
  if (isAllowed(service, method, path)) return
  const endpoint = service.self.endpoints.find((one) => one.method === method && one.path === path)
  throw new NotApplicableError(`the key may not use ${method} ${path} (${endpoint?.code ?? 'not listed'})`)
}

/** The last 365 days: a window that every metrics endpoint accepts. */
export function lastYear(now = new Date()): { start: string; end: string; query: string } {
  const end = now.toISOString().slice(0, 10)
  const start = new Date(now.getTime() - 365 * 86_400_000).toISOString().slice(0, 10)
  return { start, end, query: `start_date=${start}&end_date=${end}` }
}

/** Every list that the key may read; first one whose rate limit is high, because many rules use the first. */
export function readableLists(service: Service): List[] {
  const [organization] = service.self.organizations.first
  const metrics = { rows: 'data', maxLimit: 1000, keepsLimit: false, otherFilter: 'user_ids=nobody' }
  const window = `?${lastYear().query}&`
  const lists: (List | null)[] = [
    {
      path: '/v1/security/scans/code',
      query: '/v1/security/scans/code?',
      rows: 'data',
      maxLimit: 1000,
      keepsLimit: false,
      otherFilter: 'repo_id=nobody',
    },
    {
      path: organizationsPath,
      query: `${organizationsPath}?`,
      rows: 'organizations',
      maxLimit: 100,
      keepsLimit: true,
      otherFilter: null,
    },
    organization === undefined
      ? null
      : {
          path: repositoriesTemplate,
          query: `${repositoriesPath(organization.id)}?`,
          rows: 'repositories',
          maxLimit: 100,
          keepsLimit: true,
          otherFilter: null,
        },
    { path: reviewCommentsPath, query: reviewCommentsPath + window, ...metrics },
    { path: '/v1/metrics/reviews', query: `/v1/metrics/reviews${window}`, ...metrics },
    { path: '/v1/metrics/mcp', query: `/v1/metrics/mcp${window}`, ...metrics },
    {
      path: learningsPath,
      query: `${learningsPath}?`,
      ...metrics,
    },
    {
      path: '/v1/users',
      query: '/v1/users?',
      rows: 'users',
      maxLimit: 100,
      keepsLimit: false,
      otherFilter: 'seat_filter=unassigned',
    },
  ]
  return lists.filter((list) => list !== null).filter(({ path }) => isAllowed(service, 'GET', path))
}

/** The lists that the key may read, at least one. */
export function requireLists(service: Service): List[] {
  const lists = readableLists(service)
  if (lists.length === 0) throw new NotApplicableError('the key may not read a list')
  return lists
}

export function requireList(service: Service, path: string): List {
  requireAccess(service, 'GET', path)
  const list = readableLists(service).find((one) => one.path === path)
  if (list === undefined) throw new NotApplicableError(`the key sees no organization`)
  return list
}

export async function readPage(service: Service, path: string): Promise<Page> {
  const reply = await service.call(path)
  assert.equal(reply.status, 200, `${path} ${reply.text.slice(0, 500)}`)
  return reply.body as Page
}

export function rowsOf(page: Page, { rows }: Pick<List, 'rows'>): unknown[] {
  const found = page[rows]
  assert.ok(Array.isArray(found), `the page has no list "${rows}"`)
  return found as unknown[]
}

/** The error body depends on the path. */
export function assertRefused(path: string, reply: Reply, status: number, code: string, about = path): void {
  if (path.startsWith(learningsPath)) assertErrors(reply, status, code, about)
  else assertError(reply, status, code, about)
}

/** Each of the queries is 400 INVALID_REQUEST on the list. */
export async function assertInvalid(service: Service, list: List, queries: readonly string[]): Promise<void> {
  for (const query of queries) {
    const path = list.query + query
    assertRefused(path, await service.call(path), 400, 'INVALID_REQUEST')
  }
}

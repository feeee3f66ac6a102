// A GitLab on loopback: REST below /api/v4, hooks, and git over HTTP.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { breakResponse } from '../broken-response.ts'
import { FaultPlan } from '../faults.ts'
import type { Forge } from '../forge.ts'
import { type GitPath, serveGit } from '../git-http.ts'
import { sendHookByHttp } from '../github/hooks.ts'
import { LoopbackServer } from '../loopback-server.ts'
import type { Organization } from '../model.ts'
import { checkGitlabShape } from './contract.ts'
import { type GitlabHookRequest, GitlabHooks } from './hooks.ts'
import type { Json } from './render.ts'
import {
  findMovedProject,
  GitlabError,
  type GitlabResult,
  type GitlabRoute,
  gitlabRoutes,
  type Scope,
  type Token,
} from './rest.ts'

export interface GitlabOptions {
  readonly forge: Forge
  readonly port?: number
  readonly faults?: FaultPlan
  /** Requests a minute of one token; null = no limit. */
  readonly requestsPerMinute?: number | null
  /** Group hooks need a paid tier. */
  readonly hasGroupHooks?: boolean
  readonly sendHook?: (request: GitlabHookRequest) => Promise<number>
  readonly onRequest?: () => void
}

const GITLAB_COM_REQUESTS_PER_MINUTE = 2000
const MINUTE_MS = 60_000
const TOKEN_LIFE_MS = 365 * 86_400_000
/** GitLab leaves the totals out above this. */
const MAX_TOTAL = 10_000

export class FakeGitlab extends LoopbackServer {
  readonly forge: Forge
  readonly hooks: GitlabHooks
  readonly faults: FaultPlan
  /** Requests, and those that met the rate limit. */
  readonly counts = { requests: 0, limited: 0, bytes: 0 }
  readonly #options: GitlabOptions
  readonly #tokens = new Map<string, Token>()
  readonly #windows = new Map<string, { start: number; used: number }>()
  readonly #routes = gitlabRoutes.map((route) => ({
    route,
    pattern: new RegExp(`^${route.path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
  }))

  private constructor(options: GitlabOptions) {
    super()
    this.#options = options
    this.forge = options.forge
    this.faults = options.faults ?? new FaultPlan()
    this.hooks = new GitlabHooks({
      forge: options.forge,
      faults: this.faults,
      getWeb: () => this.url,
      send: options.sendHook ?? sendHookByHttp,
      reportViolation: (error) => this.reportViolation(error),
      hasGroupHooks: options.hasGroupHooks ?? true,
    })
  }

  static async start(options: GitlabOptions): Promise<FakeGitlab> {
    const gitlab = new FakeGitlab(options)
    await gitlab.listen(options.port)
    return gitlab
  }

  get apiUrl(): string {
    return `${this.url}/api/v4`
  }

  /** A group access token; its user is a bot of the group. */
  createToken(group: Organization, scopes: readonly Scope[] = ['read_api', 'read_repository']): string {
    const token = `glpat-${randomBytes(15).toString('base64url')}`
    const user = this.forge.addUser(`group_${group.id}_bot_${this.#tokens.size + 1}[bot]`)
    const expiresAt = this.forge.clock.now() + TOKEN_LIFE_MS
    this.#tokens.set(token, { token, group, user, scopes, expiresAt })
    return token
  }

  revokeToken(token: string): void {
    this.#tokens.delete(token)
  }

  protected flushHooks(): Promise<void> {
    return this.hooks.flush()
  }

  protected serveApi(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    body: string,
  ): Promise<void> {
    this.#options.onRequest?.()
    const fault = this.faults.takeRequestFault(false)
    if (fault === 'expiredTokens') this.#tokens.clear()
    if (breakResponse(fault, response)) return Promise.resolve()
    this.counts.requests++
    const isLimited = fault === 'primaryLimit' || fault === 'secondaryLimit'
    this.#serveAuthenticated(request, response, url, body, isLimited)
    return Promise.resolve()
  }

  #serveAuthenticated(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    text: string,
    isLimited: boolean,
  ): void {
    const token = this.#authenticate(request)
    if (token === null) return this.#send(response, 401, { message: '401 Unauthorized' })
    const limit = this.#countRequest(token)
    if (isLimited || limit.isExceeded) {
      this.counts.limited++
      const seconds = String(Math.ceil((limit.resetAt - this.forge.clock.now()) / 1000))
      response.writeHead(429, { ...limit.headers, 'retry-after': seconds, 'content-type': 'text/plain' })
      response.end('Retry later\n')
      return
    }
    const path = url.pathname.replace(/^\/api\/v4(?=\/)/, '')
    const moved = findMovedProject(this.forge, path)
    if (moved !== null) {
      response.writeHead(301, { location: `${this.apiUrl}${moved}${url.search}` }).end()
      return
    }
    const found = this.#findRoute(request.method ?? 'GET', path)
    if (found === null) throw new Error(`the fake does not know ${request.method} ${url.pathname}`)
    const { route, params } = found
    try {
      checkScope(route, token)
      const result = route.handle({
        forge: this.forge,
        web: this.url,
        hooks: this.hooks,
        token,
        params,
        query: url.searchParams,
        body: text === '' ? {} : (JSON.parse(text) as Json),
      })
      this.#sendResult(response, url, route, result, limit.headers)
    } catch (error) {
      if (!(error instanceof GitlabError)) throw error
      this.#send(response, error.status, { message: error.message }, limit.headers)
    }
  }

  #findRoute(method: string, path: string) {
    for (const { route, pattern } of this.#routes) {
      const match = route.method === method ? pattern.exec(path) : null
      if (match === null) continue
      const params = Object.entries(match.groups ?? {}).map(([name, value]) => [
        name,
        decodeURIComponent(value),
      ])
      return { route, params: Object.fromEntries(params) as Record<string, string> }
    }
    return null
  }

  #authenticate({ headers }: IncomingMessage): Token | null {
    const [scheme = '', value = ''] = (headers.authorization ?? '').split(' ')
    const basic = scheme.toLowerCase() === 'basic' ? Buffer.from(value, 'base64').toString() : null
    const given = headers['private-token'] ?? (basic === null ? value : basic.split(':')[1])
    const token = this.#tokens.get(String(given ?? ''))
    return token === undefined || token.expiresAt <= this.forge.clock.now() ? null : token
  }

  #countRequest({ token }: Token) {
    const { requestsPerMinute = GITLAB_COM_REQUESTS_PER_MINUTE } = this.#options
    const now = this.forge.clock.now()
    const known = this.#windows.get(token)
    const window = known === undefined || now - known.start >= MINUTE_MS ? { start: now, used: 0 } : known
    this.#windows.set(token, window)
    window.used++
    const resetAt = window.start + MINUTE_MS
    if (requestsPerMinute === null) return { isExceeded: false, resetAt, headers: {} }
    const headers = {
      'ratelimit-limit': String(requestsPerMinute),
      'ratelimit-observed': String(window.used),
      'ratelimit-remaining': String(Math.max(0, requestsPerMinute - window.used)),
      'ratelimit-reset': String(Math.ceil(resetAt / 1000)),
    }
    return { isExceeded: window.used > requestsPerMinute, resetAt, headers }
  }

  #sendResult(
    response: ServerResponse,
    url: URL,
    { shape }: GitlabRoute,
    { status = 200, body, list }: GitlabResult,
    headers: Readonly<Record<string, string>>,
  ): void {
    if (list === undefined) {
      if (shape !== null) checkGitlabShape(shape, body)
      return this.#send(response, status, body, headers)
    }
    const size = Math.min(100, Number(url.searchParams.get('per_page') ?? 20) || 20)
    const number = Math.max(1, Number(url.searchParams.get('page') ?? 1) || 1)
    const page = list.slice((number - 1) * size, number * size)
    if (shape !== null) checkGitlabShape(shape, page)
    const last = Math.max(1, Math.ceil(list.length / size))
    const totals = { 'x-total': String(list.length), 'x-total-pages': String(last) }
    this.#send(response, status, page, {
      ...headers,
      ...(list.length > MAX_TOTAL ? {} : totals),
      'x-page': String(number),
      'x-per-page': String(size),
      'x-next-page': number < last ? String(number + 1) : '',
      'x-prev-page': number > 1 ? String(number - 1) : '',
      ...this.#toLink(url, number, last),
    })
  }

  #toLink(url: URL, number: number, last: number): { link?: string } {
    if (number >= last) return {}
    const next = new URL(url)
    next.searchParams.set('page', String(number + 1))
    return { link: `<${next.href}>; rel="next"` }
  }

  #send(
    response: ServerResponse,
    status: number,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    const text = body === undefined ? '' : JSON.stringify(body)
    this.counts.bytes += Buffer.byteLength(text)
    response.writeHead(status, {
      ...headers,
      'content-type': 'application/json',
      date: new Date(this.forge.clock.now()).toUTCString(),
    })
    response.end(text)
  }

  protected serveGit(
    request: IncomingMessage,
    response: ServerResponse,
    { fullName, rest }: GitPath,
    url: URL,
  ): void {
    const token = this.#authenticate(request)
    const found = this.forge.findRepository(fullName)
    const isReadable = token?.scopes.includes('read_repository') === true
    if (token === null || !isReadable || found === null || found.repository.owner !== token.group) {
      response.writeHead(token === null ? 401 : 404, { 'www-authenticate': 'Basic realm="GitLab"' })
      response.end('HTTP Basic: Access denied.')
      return
    }
    const { code, owner, name } = found.repository
    if (found.isFormerName) {
      response.writeHead(301, { location: `${this.url}/${owner.login}/${name}.git${rest}${url.search}` })
      response.end()
    } else if (code === null || code.directory === null) response.writeHead(404).end()
    else serveGit(request, response, code.directory, rest, url.search.slice(1))
  }
}

function checkScope({ scope = 'read_api' }: GitlabRoute, { scopes }: Token): void {
  if (!scopes.includes(scope) && !scopes.includes('api')) throw new GitlabError(403, '403 Forbidden')
}

// A GitHub on loopback: REST, GraphQL, hooks and git over HTTP. Both the paths of api.github.com (/, /graphql) and of an
// Enterprise Server (/api/v3, /api/graphql) work; `isEnterprise` decides how links look.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { breakResponse } from '../broken-response.ts'
import { checkGithubResponse } from '../contract.ts'
import { FaultPlan, type RequestFault } from '../faults.ts'
import type { Forge } from '../forge.ts'
import { type GitPath, serveGit } from '../git-http.ts'
import { LoopbackServer } from '../loopback-server.ts'
import { Apps, AuthenticationError, type Caller, canRead, toEtag } from './apps.ts'
import { executeGraphql, type GraphqlRequest } from './graphql.ts'
import { HookSender, type SendHook, sendHookByHttp } from './hooks.ts'
import {
  githubLimits,
  type Limits,
  RateLimiter,
  type Refusal,
  renderLimitHeaders,
  retryAfterSeconds,
} from './limits.ts'
import { servePage } from './pages.ts'
import type { Json, Urls } from './render.ts'
import { type Page, RestError, type RestResult, type RestRoute, restRoutes } from './rest.ts'

export interface GithubOptions {
  readonly forge: Forge
  readonly isEnterprise?: boolean
  /** 0 = a free port. */
  readonly port?: number
  readonly faults?: FaultPlan
  /** null = rate limits are off, as on some Enterprise Servers. */
  readonly limits?: Limits | null
  /** Delivers hooks; by HTTP unless given. */
  readonly sendHook?: SendHook
  /** Called for each request to the API, for example to let a simulated clock advance. */
  readonly onRequest?: (isGraphql: boolean) => void
  /** Called for each request of an installation that no limit refuses; the response is sent when it resolves. */
  readonly waitForResponse?: (isGraphql: boolean, response: ServerResponse) => Promise<void>
}

interface CompiledRoute {
  readonly route: RestRoute
  readonly pattern: RegExp
}

interface ParsedRequest {
  readonly method: string
  /** Without the prefix of an Enterprise Server. */
  readonly path: string
  readonly query: URLSearchParams
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: string
  readonly fault: RequestFault | null
}

const documentation = 'https://docs.github.com/rest'
const secondaryMessage =
  'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.'

export class FakeGithub extends LoopbackServer {
  readonly forge: Forge
  readonly apps: Apps
  readonly hooks: HookSender
  readonly faults: FaultPlan
  readonly limiter: RateLimiter
  readonly #options: GithubOptions
  readonly #routes: readonly CompiledRoute[] = restRoutes.map((route) => ({
    route,
    pattern: new RegExp(`^${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }))

  private constructor(options: GithubOptions) {
    super()
    const { forge, isEnterprise = false, limits = githubLimits } = options
    this.#options = options
    this.forge = forge
    this.apps = new Apps(forge)
    this.faults = options.faults ?? new FaultPlan()
    this.limiter = new RateLimiter(forge.clock, limits)
    this.hooks = new HookSender({
      forge,
      apps: this.apps,
      faults: this.faults,
      getUrls: () => this.#urls,
      send: options.sendHook ?? sendHookByHttp,
      reportViolation: (error) => this.reportViolation(error),
      redeliveryDays: isEnterprise ? 7 : 3,
    })
  }

  static async start(options: GithubOptions): Promise<FakeGithub> {
    const github = new FakeGithub(options)
    await github.listen(options.port)
    return github
  }

  get apiUrl(): string {
    return this.#options.isEnterprise === true ? `${this.url}/api/v3` : this.url
  }

  get graphqlUrl(): string {
    return `${this.url}${this.#options.isEnterprise === true ? '/api' : ''}/graphql`
  }

  get #urls(): Urls {
    return { api: this.apiUrl, web: this.url }
  }

  protected flushHooks(): Promise<void> {
    return this.hooks.flush()
  }

  protected async serveApi(
    request: IncomingMessage,
    response: ServerResponse,
    { pathname, searchParams: query }: URL,
    body: string,
  ): Promise<void> {
    const path = pathname.replace(/^\/api(?:\/v3(?=\/|$)|(?=\/graphql$))/, '') || '/'
    const method = request.method ?? 'GET'
    const page = servePage(this.forge, this.apps, { method, path, query, body })
    if (page !== null) {
      const { status, location, html = '' } = page
      const headers = { 'content-type': 'text/html', ...(location !== undefined && { location }) }
      response.writeHead(status, headers).end(html)
      return
    }
    const isGraphql = path === '/graphql'
    this.#options.onRequest?.(isGraphql)
    const fault = this.faults.takeRequestFault(isGraphql)
    if (fault === 'expiredTokens') this.apps.expireTokens()
    if (breakResponse(fault, response)) return
    await this.#serveAuthenticated({ method, path, query, request, response, body, fault })
  }

  async #serveAuthenticated(parsed: ParsedRequest): Promise<void> {
    let caller: Caller | null = null
    try {
      caller = this.apps.authenticate(parsed.request.headers.authorization)
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error
      return this.#sendError(parsed, null, 401, error.message)
    }
    if (caller?.kind !== 'installation') return this.#serveCounted(parsed, caller)
    const { id } = caller.installation
    const isGraphql = parsed.path === '/graphql'
    if (parsed.path === '/rate_limit') return this.#serveCounted(parsed, caller)
    const resource = isGraphql ? 'graphql' : 'core'
    const { clock } = this.forge
    const startedAt = clock.now()
    try {
      const refusal = this.limiter.begin(id, resource, !isGraphql && parsed.method !== 'GET')
      const refused = refusal ?? toRefusal(parsed.fault)
      if (refused !== null) return this.#refuse(parsed, caller, refused, isGraphql)
      await this.#options.waitForResponse?.(isGraphql, parsed.response)
      await this.#serveCounted(parsed, caller)
    } finally {
      this.limiter.end(id, resource, clock.now() - startedAt)
    }
  }

  async #serveCounted(parsed: ParsedRequest, caller: Caller | null): Promise<void> {
    if (parsed.path === '/graphql') return this.#serveGraphql(parsed, caller)
    const redirect = this.#findRedirect(parsed, caller)
    if (redirect !== null) {
      const status = parsed.method === 'GET' ? 301 : 307
      const body = { message: 'Moved Permanently', url: redirect, documentation_url: documentation }
      return this.#send(parsed, caller, { status, body }, { location: redirect })
    }
    this.#serveRest(parsed, caller)
  }

  /** GitHub answers with 403 or 429. GraphQL queries may get 200 with an error instead. */
  #refuse(parsed: ParsedRequest, caller: Caller, refusal: Refusal, isGraphql: boolean): void {
    if (caller.kind !== 'installation') return
    const { id } = caller.installation
    const resource = isGraphql ? 'graphql' : 'core'
    const { limit, resetAt, ...state } = this.limiter.getState(id, resource)
    const isPrimary = refusal === 'primary'
    const message = isPrimary ? `API rate limit exceeded for installation ID ${id}.` : secondaryMessage
    const headers = {
      ...renderLimitHeaders({ limit, resetAt, ...state, ...(isPrimary ? { remaining: 0 } : {}) }, resource),
      ...(isPrimary ? {} : { 'retry-after': String(retryAfterSeconds) }),
    }
    if (parsed.fault === 'graphqlLimit' || parsed.fault === 'graphqlSecondaryLimit') {
      const errors = [{ ...(isPrimary ? { type: 'RATE_LIMITED' } : {}), message }]
      return this.#send(parsed, caller, { status: 200, body: { errors } }, headers)
    }
    const status = this.faults.random.happens(0.5) ? 403 : 429
    const body = { message, documentation_url: documentation, status: String(status) }
    this.#send(parsed, caller, { status, body }, headers)
  }

  /** Former names of a repository lead to its id. Nobody learns of repositories that they cannot read. */
  #findRedirect({ path }: ParsedRequest, caller: Caller | null): string | null {
    const match = /^\/repos\/([^/]+\/[^/]+)(\/.*)?$/.exec(path)
    const found = match === null ? null : this.forge.findRepository(decodeURIComponent(match[1] ?? ''))
    if (found === null || !found.isFormerName) return null
    if (caller?.kind === 'installation' && !canRead(caller.installation, found.repository)) return null
    return `${this.apiUrl}/repositories/${found.repository.id}${match?.[2] ?? ''}`
  }

  #serveRest(parsed: ParsedRequest, caller: Caller | null): void {
    const { method, query } = parsed
    const path = this.#toNamedPath(parsed.path)
    for (const { route, pattern } of this.#routes) {
      const match = pattern.exec(path)
      if (match === null || route.method !== method) continue
      try {
        checkAccess(route, caller)
        const params = Object.fromEntries(
          Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
        )
        const body = parsed.body === '' ? {} : (JSON.parse(parsed.body) as Json)
        const { forge, apps, hooks, limiter } = this
        const urls = this.#urls
        const result = route.handle({ forge, apps, hooks, limiter, urls, caller, params, query, body })
        checkGithubResponse(method, route.path, result.status, result.body)
        return this.#send(parsed, caller, result)
      } catch (error) {
        if (!(error instanceof RestError)) throw error
        return this.#sendError(parsed, route, error.status, error.message, caller)
      }
    }
    throw new Error(`the fake does not know ${method} ${parsed.path}`)
  }

  /** `/repositories/ID/…`, which GitHub's own links use, as `/repos/OWNER/NAME/…`. */
  #toNamedPath(path: string): string {
    const match = /^\/repositories\/(\d+)(\/.*)?$/.exec(path)
    if (match === null) return path
    const repository = this.forge.repositories.find(({ id }) => id === Number(match[1]))
    if (repository === undefined) return `/repos/unknown/unknown${match[2] ?? ''}`
    return `/repos/${repository.owner.login}/${repository.name}${match[2] ?? ''}`
  }

  async #serveGraphql(parsed: ParsedRequest, caller: Caller | null): Promise<void> {
    if (caller?.kind !== 'installation') return this.#sendError(parsed, null, 401, 'Bad credentials')
    const { installation } = caller
    const { query, variables } = JSON.parse(parsed.body) as Partial<GraphqlRequest>
    const { isLimited, ...body } = await executeGraphql(
      {
        forge: this.forge,
        urls: this.#urls,
        installation,
        charge: (points) => this.limiter.charge(installation.id, 'graphql', points),
        isPartial: parsed.fault === 'partialResult',
      },
      { query: query ?? '', variables: variables ?? {} },
    )
    const missing = body.errors?.find(({ message }) => message.startsWith('the fake forge'))
    if (missing !== undefined) this.violations.push(missing.message)
    const state = this.limiter.getState(installation.id, 'graphql')
    const remaining = isLimited === true ? { remaining: 0 } : {}
    this.#send(parsed, caller, { status: 200, body }, this.#toLimitHeaders({ ...state, ...remaining }))
  }

  #toLimitHeaders(state: Parameters<typeof renderLimitHeaders>[0]): Record<string, string> {
    return this.limiter.isOff ? {} : renderLimitHeaders(state, 'graphql')
  }

  protected serveGit(
    request: IncomingMessage,
    response: ServerResponse,
    { fullName, rest }: GitPath,
    url: URL,
  ): void {
    let caller: Caller | null = null
    try {
      caller = this.apps.authenticate(request.headers.authorization)
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error
    }
    const found = this.forge.findRepository(fullName)
    const isAllowed =
      caller?.kind === 'installation' && found !== null && canRead(caller.installation, found.repository)
    if (found === null || !isAllowed) {
      response.writeHead(caller === null ? 401 : 404, { 'www-authenticate': 'Basic realm="GitHub"' })
      response.end('Repository not found.')
      return
    }
    const { code, owner, name } = found.repository
    if (found.isFormerName) {
      response.writeHead(301, { location: `${this.url}/${owner.login}/${name}.git${rest}${url.search}` })
      response.end()
      return
    }
    if (code === null || code.directory === null) {
      response.writeHead(404).end()
      return
    }
    serveGit(request, response, code.directory, rest, url.search.slice(1))
  }

  #send(
    parsed: ParsedRequest,
    caller: Caller | null,
    { status, body, page, nextCursor }: RestResult,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    const { method, request, response } = parsed
    const text = body === undefined ? '' : JSON.stringify(body)
    const etag = toEtag(text, caller)
    const isUnchanged = method === 'GET' && status === 200 && request.headers['if-none-match'] === etag
    if (isUnchanged && caller?.kind === 'installation') this.limiter.refund(caller.installation.id)
    this.limiter.bytes += isUnchanged ? 0 : Buffer.byteLength(text)
    response.writeHead(isUnchanged ? 304 : status, {
      ...(parsed.path === '/graphql' ? {} : this.#renderCoreLimit(caller)),
      ...headers,
      ...(page === undefined ? {} : this.#toLinkHeader(parsed, page)),
      ...(nextCursor === undefined ? {} : this.#toCursorHeader(parsed, nextCursor)),
      ...(method === 'GET' ? { etag } : {}),
      'content-type': 'application/json; charset=utf-8',
      date: new Date(this.forge.clock.now()).toUTCString(),
    })
    response.end(isUnchanged ? undefined : text)
  }

  #renderCoreLimit(caller: Caller | null): Record<string, string> {
    if (this.limiter.isOff || caller?.kind !== 'installation') return {}
    return renderLimitHeaders(this.limiter.getState(caller.installation.id, 'core'), 'core')
  }

  #sendError(
    parsed: ParsedRequest,
    route: RestRoute | null,
    status: number,
    message: string,
    caller: Caller | null = null,
  ): void {
    const details = status === 422 ? { errors: [] } : { status: String(status) }
    const body = { message, documentation_url: documentation, ...details }
    if (route !== null) checkGithubResponse(route.method, route.path, status, body)
    this.#send(parsed, caller, { status, body })
  }

  #toLinkHeader({ path, query }: ParsedRequest, { number, size, count }: Page): { link?: string } {
    const last = Math.max(1, Math.ceil(count / size))
    const match = /^\/repos\/([^/]+\/[^/]+)(\/.*)$/.exec(path)
    const found = match === null ? null : this.forge.findRepository(match[1] ?? '')
    const target = found === null ? path : `/repositories/${found.repository.id}${match?.[2]}`
    const link = (page: number, rel: string) => {
      const parameters = new URLSearchParams(query)
      parameters.set('page', String(page))
      return `<${this.apiUrl}${target}?${parameters.toString()}>; rel="${rel}"`
    }
    const links = [
      ...(number > 1 ? [link(number - 1, 'prev'), link(1, 'first')] : []),
      ...(number < last ? [link(number + 1, 'next'), link(last, 'last')] : []),
    ]
    return links.length === 0 ? {} : { link: links.join(', ') }
  }

  #toCursorHeader({ path, query }: ParsedRequest, cursor: string): { link: string } {
    const parameters = new URLSearchParams(query)
    parameters.set('cursor', cursor)
    return { link: `<${this.apiUrl}${path}?${parameters.toString()}>; rel="next"` }
  }
}

function toRefusal(fault: RequestFault | null): Refusal | null {
  if (fault === 'primaryLimit' || fault === 'graphqlLimit') return 'primary'
  return fault === 'secondaryLimit' || fault === 'graphqlSecondaryLimit' ? 'secondary' : null
}

function checkAccess(
  { caller: wanted, permission, otherPermission }: RestRoute,
  caller: Caller | null,
): void {
  if (wanted === 'anyone') return
  if (caller === null) throw new RestError(401, 'Requires authentication')
  if (wanted !== caller.kind)
    throw wanted === 'app'
      ? new RestError(401, 'A JSON web token could not be decoded')
      : new RestError(403, 'Resource not accessible by integration')
  if (permission === undefined || caller.kind !== 'installation') return
  const { permissions } = caller.installation.app
  const accepted = [permission, ...(otherPermission === undefined ? [] : [otherPermission])]
  const isGranted = accepted.some(
    ([name, level]) => permissions[name] === 'write' || permissions[name] === level,
  )
  if (!isGranted) throw new RestError(403, 'Resource not accessible by integration')
}

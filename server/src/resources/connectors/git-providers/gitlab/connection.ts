import { type Clock, type RateBudget, sendReserved } from '../budget.ts'
import { getDate, getNextPage, getRetryTime, parseJson, readRateLimit } from '../json.ts'
import {
  CredentialRejectedError,
  NotFoundError,
  type ProviderError,
  ProviderUnavailableError,
  RateLimitedError,
  RepositoryRefusedError,
} from '../provider-client.ts'
import { OversizeBodyError, type ProviderResponse, type SendRequest } from '../request.ts'

export interface GitlabOptions {
  /** `https://gitlab.com`, without a slash at the end. */
  readonly web: string
  /** A group or project access token with the scopes read_api and read_repository. */
  readonly token: string
  /** Numeric id or path. */
  readonly group: string
  readonly send: SendRequest
  readonly budget: RateBudget
  readonly clock: Clock
}

export interface GitlabAnswer<Body> {
  readonly body: Body
  readonly date: string
  readonly response: ProviderResponse
}

/** GETs of GitLab's REST API: each is reserved in the budget, and every refusal becomes one of our errors. */
export class GitlabConnection {
  readonly #options: GitlabOptions
  readonly #host: string

  constructor(options: GitlabOptions) {
    this.#options = options
    this.#host = new URL(options.web).host
  }

  async get<Body>(path: string): Promise<GitlabAnswer<Body>> {
    const { web, token, send, clock } = this.#options
    const headers = { accept: 'application/json', 'user-agent': 'scholiast', 'private-token': token }
    const { reservation, response, busyMs } = await sendReserved(this.#options, 'rest', 1, () =>
      send({ method: 'GET', url: `${web}/api/v4${path}`, headers }),
    )
    const now = clock.now()
    if (response.status === 429)
      throw new RateLimitedError(await reservation.block(getRetryTime(response, now), busyMs))
    if (response.status !== 200) {
      await reservation.release(busyMs)
      throw toResponseError(response.status, this.#host, path)
    }
    await reservation.complete({ limit: readRateLimit(response, 'ratelimit-'), cost: 1, busyMs })
    return { body: parseJson<Body>(response), date: getDate(response, now), response }
  }

  /**
   * All pages from the one that `path` names. Pages that are too large become smaller. An item that is too large by itself is an
   * error, or is left out.
   */
  async *listPages<Item>(
    path: string,
    { omitOversize = false }: { readonly omitOversize?: boolean } = {},
  ): AsyncIterable<GitlabAnswer<readonly Item[]>> {
    for (let next: string | null = path; next !== null; ) {
      let answer: GitlabAnswer<Item[]>
      try {
        answer = await this.get<Item[]>(next)
      } catch (error) {
        if (!(error instanceof OversizeBodyError)) throw error
        const smaller: string | null = toSmallerPage(next) ?? (omitOversize ? toFollowingPage(next) : null)
        if (smaller === null) throw error
        next = smaller
        continue
      }
      yield answer
      next = this.#getNextPath(answer.response)
    }
  }

  async *list<Item>(path: string): AsyncIterable<Item> {
    for await (const { body } of this.listPages<Item>(path)) yield* body
  }

  /** Links have the address that GitLab believes to have, which can differ from ours. */
  #getNextPath(response: ProviderResponse): string | null {
    const url = URL.parse(getNextPage(response) ?? '')
    const path = url?.pathname.replace(/^.*?\/api\/v4(?=\/)/, '')
    return url === null || path === undefined ? null : `${path}${url.search}`
  }
}

/** The page that begins at the same item and has fewer; null = it has one. */
function toSmallerPage(path: string): string | null {
  const { size, page } = readPage(path)
  if (size === 1) return null
  // A divisor, so that a page begins at that item.
  const parts = [2, 3, 5].find((divisor) => size % divisor === 0) ?? size
  return replacePage(path, { size: size / parts, page: (page - 1) * parts + 1 })
}

function toFollowingPage(path: string): string {
  const { size, page } = readPage(path)
  return replacePage(path, { size, page: page + 1 })
}

function readPage(path: string): { size: number; page: number } {
  const query = new URLSearchParams(path.slice(path.indexOf('?')))
  return { size: Number(query.get('per_page') ?? 20), page: Number(query.get('page') ?? 1) }
}

function replacePage(path: string, { size, page }: { size: number; page: number }): string {
  const [resource = '', search = ''] = path.split('?')
  const query = new URLSearchParams(search)
  query.set('per_page', String(size))
  query.set('page', String(page))
  return `${resource}?${query.toString()}`
}

function toResponseError(status: number, host: string, path: string): ProviderError {
  if (status === 401) return new CredentialRejectedError(`${host} does not accept the token (401).`)
  // For example where merge requests are switched off.
  if (status === 403 && path.startsWith('/projects/'))
    return new RepositoryRefusedError(`${host} does not let the token read this part of a project (403).`)
  if (status === 403)
    return new CredentialRejectedError(`The token of ${host} lacks a scope or a role (403).`)
  if (status === 404 || status === 410)
    return new NotFoundError(`${host} does not have it, or the token cannot read it (${status}).`)
  return new ProviderUnavailableError(`${host} is unavailable (${status}).`)
}

import { type Clock, type RateBudget, type Reservation, sendReserved } from '../budget.ts'
import type { Usage } from '../budget-state.ts'
import {
  getDate,
  getHeader,
  getNextPage,
  getNumber,
  getRetryTime,
  type Json,
  parseJson,
  readRateLimit,
} from '../json.ts'
import {
  CredentialRejectedError,
  NotFoundError,
  ProviderUnavailableError,
  RateLimitedError,
} from '../provider-client.ts'
import {
  OversizeBodyError,
  type ProviderRequest,
  type ProviderResponse,
  ProviderTimeoutError,
  type SendRequest,
} from '../request.ts'
import { WriteRefusedError } from '../write-client.ts'
import type { GithubAddress } from './address.ts'
import { type GithubCredential, githubHeaders, type InstallationTokens } from './tokens.ts'

// Calls to GitHub's API as an installation: each is reserved in the budget, and every refusal becomes one of our errors.

export interface GithubOptions {
  readonly address: GithubAddress
  readonly credential: GithubCredential
  readonly tokens: InstallationTokens
  readonly send: SendRequest
  readonly budget: RateBudget
  readonly clock: Clock
}

/** A write counts five points in the limit per minute. */
const WRITE_COST = 5

/** The query took too long or needs too much: fewer nodes may succeed. */
export class QueryTooLargeError extends ProviderUnavailableError {}

/** Some nodes could not be returned. What is null in the data may exist. */
export class PartialResponseError extends ProviderUnavailableError {}

/** The repository exists, what was requested of it does not. */
export class MissingNodeError extends NotFoundError {}

export interface GraphqlAnswer<Data> {
  readonly data: Data
  /** The Git provider's time of the response. */
  readonly date: string
}

interface GraphqlError {
  readonly type?: string
  readonly message?: string
  readonly path?: readonly (string | number)[]
}

interface GraphqlBody {
  readonly data?: (Json & { readonly rateLimit?: { readonly cost?: number } | null }) | null
  readonly errors?: readonly GraphqlError[]
}

export class GithubConnection {
  readonly address: GithubAddress
  readonly #options: GithubOptions

  constructor(options: GithubOptions) {
    this.address = options.address
    this.#options = options
  }

  async getToken(): Promise<string> {
    const { tokens, address, credential } = this.#options
    return await tokens.get(address, credential)
  }

  /** Statuses in `accept` are returned instead of thrown, unless they say that a limit is reached. */
  async get(path: string, accept: readonly number[] = []): Promise<ProviderResponse> {
    const url = path.startsWith('http') ? path : `${this.address.api}${path}`
    const { reservation, response, busyMs } = await this.#call('rest', 1, { method: 'GET', url })
    await this.#finish(reservation, response, 1, busyMs)
    if (response.status < 400 || accept.includes(response.status)) return response
    throw toResponseError(response)
  }

  /** Creates or changes something. */
  async write(method: 'POST' | 'PATCH', path: string, content: Json): Promise<ProviderResponse> {
    const url = `${this.address.api}${path}`
    const body = JSON.stringify(content)
    const { reservation, response, busyMs } = await this.#call('rest', WRITE_COST, { method, url, body })
    await this.#finish(reservation, response, 1, busyMs)
    if (response.status < 400) return response
    throw toWriteError(response)
  }

  /** Items of all pages. `read` returns those of one, or null to stop. */
  async *list<Item>(
    path: string,
    read: (response: ProviderResponse) => readonly Item[] | null,
    accept: readonly number[] = [],
  ): AsyncIterable<Item> {
    for (let next: string | null = path; next !== null; ) {
      const response: ProviderResponse = await this.get(next, accept)
      const items = read(response)
      if (items === null) return
      yield* items
      next = getNextPage(response)
    }
  }

  /**
   * `cost` is what the query is expected to cost. Throws NotFoundError if the repository or the organization is not found,
   * MissingNodeError if the pull request is not. Of `nodes`, those that are not found are null.
   */
  async query<Data>(query: string, variables: Json, cost: number): Promise<GraphqlAnswer<Data>> {
    const { clock } = this.#options
    const body = JSON.stringify({ query, variables })
    const sent = { method: 'POST', url: this.address.graphql, body } as const
    const { reservation, response, busyMs } = await this.#call('graphql', cost, sent)
    if (response.status >= 500) {
      await reservation.release(busyMs)
      throw new QueryTooLargeError(`${new URL(response.url).host} is unavailable (${response.status}).`)
    }
    let parsed: GraphqlBody
    try {
      parsed = parseJson<GraphqlBody>(response)
    } catch (error) {
      await reservation.release(busyMs)
      throw error
    }
    if (parsed.errors?.some(isRateLimitError))
      throw new RateLimitedError(await reservation.block(getLimitEnd(response, clock.now()), busyMs))
    await this.#finish(reservation, response, parsed.data?.rateLimit?.cost ?? cost, busyMs)
    if (response.status >= 400) throw toResponseError(response)
    this.#checkErrors(parsed)
    return { data: parsed.data as unknown as Data, date: getDate(response, clock.now()) }
  }

  #checkErrors({ data, errors = [] }: GraphqlBody): void {
    const { host } = new URL(this.address.graphql)
    if (errors.length === 0 && data) return
    const types = errors.map(({ type }) => type)
    // Messages are the only sign of a time-out.
    if (errors.some(isTooLarge)) throw new QueryTooLargeError(`${host} did not finish a query.`)
    if (types.includes('FORBIDDEN') || types.includes('INSUFFICIENT_SCOPES'))
      throw new CredentialRejectedError(`The installation on ${host} lacks a permission.`)
    if (types.length > 0 && types.every((type) => type === 'NOT_FOUND')) {
      const message = `${host} does not have it, or the installation cannot read it.`
      const paths = new Set(errors.map(({ path = [] }) => path.join('.')))
      if (paths.has('repository') || paths.has('organization')) throw new NotFoundError(message)
      if (paths.has('repository.pullRequest')) throw new MissingNodeError(message)
      // Deleted since their ids were read: null in the list.
      if (data && [...paths].every((path) => /^nodes\.\d+$/.test(path))) return
    }
    throw new PartialResponseError(`${host} returned a part of what was requested.`)
  }

  async #call(resource: 'rest' | 'graphql', cost: number, request: Omit<ProviderRequest, 'headers'>) {
    const first = await this.getToken()
    try {
      return await sendReserved(this.#options, resource, cost, async () => {
        const response = await this.#sendWith(first, request)
        if (response.status !== 401) return response
        // Tokens can end early. One new token is tried; the two calls count as one, because a 401 costs nothing.
        return await this.#sendWith(await this.#renewToken(first), request)
      })
    } catch (error) {
      const isSmallerPossible = error instanceof ProviderTimeoutError || error instanceof OversizeBodyError
      if (isSmallerPossible && resource === 'graphql') throw new QueryTooLargeError(error.message)
      throw error
    }
  }

  async #renewToken(rejected: string): Promise<string> {
    const { tokens, address, credential } = this.#options
    return await tokens.get(address, credential, rejected)
  }

  async #sendWith(token: string, request: Omit<ProviderRequest, 'headers'>): Promise<ProviderResponse> {
    const headers = { ...githubHeaders, authorization: `Bearer ${token}` }
    return await this.#options.send({ ...request, headers })
  }

  async #finish(
    reservation: Reservation,
    response: ProviderResponse,
    cost: number,
    busyMs: number,
  ): Promise<void> {
    const now = this.#options.clock.now()
    if (isLimitResponse(response))
      throw new RateLimitedError(await reservation.block(getLimitEnd(response, now), busyMs))
    if (response.status >= 400) await reservation.release(busyMs)
    else await reservation.complete({ limit: readLimit(response), cost, busyMs })
  }
}

/** Some endpoints have a limit of their own. */
function readLimit(response: ProviderResponse): Usage['limit'] {
  const limit = readRateLimit(response, 'x-ratelimit-')
  const resource = getHeader(response, 'x-ratelimit-resource') ?? 'core'
  return limit === 'off' || resource === 'core' || resource === 'graphql' ? limit : null
}

function isLimitResponse(response: ProviderResponse): boolean {
  if (response.status === 429) return true
  if (response.status !== 403) return false
  if (getHeader(response, 'retry-after') !== null) return true
  if (getNumber(response, 'x-ratelimit-limit') !== 0 && getHeader(response, 'x-ratelimit-remaining') === '0')
    return true
  return /rate limit|abuse detection/i.test(response.body.toString('utf8', 0, 2000))
}

/** null = the Git provider does not say. */
function getLimitEnd(response: ProviderResponse, now: Date): Date | null {
  const retryAt = getRetryTime(response, now)
  if (retryAt !== null) return retryAt
  const reset = getNumber(response, 'x-ratelimit-reset')
  const isSpent = getHeader(response, 'x-ratelimit-remaining') === '0'
  return isSpent && reset !== null && reset * 1000 > now.getTime() ? new Date(reset * 1000) : null
}

function isRateLimitError({ type, message = '' }: GraphqlError): boolean {
  return type?.startsWith('RATE_LIMIT') === true || /secondary rate limit/i.test(message)
}

function isTooLarge({ type, message = '' }: GraphqlError): boolean {
  return (
    ['MAX_NODE_LIMIT_EXCEEDED', 'RESOURCE_LIMITS_EXCEEDED', 'TIMEOUT'].includes(type ?? '') ||
    /time ?-?d? ?out|resource limits/i.test(message)
  )
}

function toWriteError(response: ProviderResponse) {
  const { status, url } = response
  const isContent = status === 400 || status === 409 || status === 413 || status === 422
  if (!isContent) return toResponseError(response)
  return new WriteRefusedError(`${new URL(url).host} does not accept what was written (${status}).`)
}

function toResponseError({ status, url }: ProviderResponse) {
  const { host } = new URL(url)
  if (status === 401) return new CredentialRejectedError(`${host} does not accept the token (401).`)
  if (status === 403)
    return new CredentialRejectedError(`The installation on ${host} lacks a permission (403).`)
  if (status === 404 || status === 410 || status === 451)
    return new NotFoundError(`${host} does not have it, or the installation cannot read it (${status}).`)
  return new ProviderUnavailableError(`${host} is unavailable (${status}).`)
}

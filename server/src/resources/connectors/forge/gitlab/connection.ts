import type { Clock, RateBudget } from '../budget.ts'
import type { Usage } from '../budget-sql.ts'
import {
  CredentialRejectedError,
  type ForgeError,
  ForgeUnavailableError,
  NotFoundError,
  RateLimitedError,
} from '../forge-client.ts'
import { getDate, getNextPage, getNumber, parseJson } from '../json.ts'
import type { ForgeResponse, SendRequest } from '../request.ts'

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
  readonly response: ForgeResponse
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
    const { web, token, send, budget, clock } = this.#options
    const reservation = await budget.reserve('rest', 1)
    const started = clock.now().getTime()
    const headers = { accept: 'application/json', 'user-agent': 'scholiast', 'private-token': token }
    const response = await send({ method: 'GET', url: `${web}/api/v4${path}`, headers }).catch(
      async (error: unknown) => {
        await reservation.release(clock.now().getTime() - started)
        throw error
      },
    )
    const now = clock.now()
    const busyMs = now.getTime() - started
    if (response.status === 429)
      throw new RateLimitedError(await reservation.block(getLimitEnd(response, now), busyMs))
    if (response.status !== 200) {
      await reservation.release(busyMs)
      throw toResponseError(response.status, this.#host)
    }
    await reservation.complete({ limit: readLimit(response), cost: 1, busyMs })
    return { body: parseJson<Body>(response), date: getDate(response, now), response }
  }

  /** All pages, with the time of each. */
  async *listPages<Item>(path: string): AsyncIterable<{ items: readonly Item[]; date: string }> {
    for (let next: string | null = path; next !== null; ) {
      const answer: GitlabAnswer<Item[]> = await this.get<Item[]>(next)
      yield { items: answer.body, date: answer.date }
      next = this.#getNextPath(answer.response)
    }
  }

  async *list<Item>(path: string): AsyncIterable<Item> {
    for await (const { items } of this.listPages<Item>(path)) yield* items
  }

  /** Links have the address that GitLab believes to have, which can differ from ours. */
  #getNextPath(response: ForgeResponse): string | null {
    const url = URL.parse(getNextPage(response) ?? '')
    const path = url?.pathname.replace(/^.*?\/api\/v4(?=\/)/, '')
    return url === null || path === undefined ? null : `${path}${url.search}`
  }
}

/** Self-managed servers have no limit by default, and then no headers. */
function readLimit(response: ForgeResponse): Usage['limit'] {
  const points = getNumber(response, 'ratelimit-limit')
  const remaining = getNumber(response, 'ratelimit-remaining')
  const reset = getNumber(response, 'ratelimit-reset')
  if (points === null || points === 0) return 'off'
  return remaining === null || reset === null ? null : { points, remaining, resetsAt: new Date(reset * 1000) }
}

function getLimitEnd(response: ForgeResponse, now: Date): Date | null {
  const seconds = getNumber(response, 'retry-after')
  return seconds === null ? null : new Date(now.getTime() + Math.max(1, seconds) * 1000)
}

function toResponseError(status: number, host: string): ForgeError {
  if (status === 401) return new CredentialRejectedError(`${host} does not accept the token (401).`)
  if (status === 403)
    return new CredentialRejectedError(`The token of ${host} lacks a scope or a role (403).`)
  if (status === 404 || status === 410)
    return new NotFoundError(`${host} does not have it, or the token cannot read it (${status}).`)
  return new ForgeUnavailableError(`${host} is unavailable (${status}).`)
}

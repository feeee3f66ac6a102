import type { ProviderUser, PullRequestSnapshot, RepositoryRef } from '../../snapshot.ts'
import { isBefore, parseJson } from '../json.ts'
import {
  type CloneCredential,
  type CodeScanningAlert,
  type CreatedPageRequest,
  CredentialRejectedError,
  type MemberInfo,
  nullIfNotFound,
  type OrganizationInfo,
  type Permission,
  type ProviderClient,
  ProviderUnavailableError,
  type PullRequestHead,
  type PullRequestPage,
  toCloneCredential,
} from '../provider-client.ts'
import { type AlertBody, SCANNING_OFF, toAlert } from './alerts.ts'
import {
  GithubConnection,
  type GithubOptions,
  MissingNodeError,
  PartialResponseError,
  QueryTooLargeError,
} from './connection.ts'
import {
  type Connection,
  type CountedConnection,
  type HeadNode,
  type PullRequestNode,
  type RepositoryNode,
} from './nodes.ts'
import { completePullRequests } from './pull-request.ts'
import {
  connectionQuery,
  createdHeadsQuery,
  estimateCost,
  estimatePageCost,
  membersQuery,
  readOneQuery,
  readPageQuery,
  updatedHeadsQuery,
} from './queries.ts'
import { createAppJwt, githubHeaders } from './tokens.ts'

const PULL_REQUESTS_PER_PAGE = 10
const THREADS_PER_PAGE = 20
const HEADS_PER_PAGE = 100

interface AccountBody {
  readonly id: number
  readonly login: string
  readonly type: string
}

interface RepositoryBody {
  readonly id: number
  readonly full_name: string
  readonly private: boolean
}

interface CollaboratorBody {
  readonly id: number
  readonly login: string
  readonly type: string
  readonly permissions?: { readonly pull?: boolean }
}

interface PermissionBody {
  readonly permission: string
  readonly user: { readonly id: number } | null
}

/** GitHub reports `maintain` as `write` and `triage` as `read`. */
const permissions: ReadonlyMap<string, Permission> = new Map([
  ['read', 'read'],
  ['write', 'write'],
  ['admin', 'admin'],
])

interface HeadConnection {
  readonly totalCount: number
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
  readonly edges: readonly ({ readonly cursor: string; readonly node: HeadNode | null } | null)[]
}

export function createGithubClient(options: GithubOptions): ProviderClient {
  return new GithubClient(options)
}

class GithubClient implements ProviderClient {
  readonly #options: GithubOptions
  readonly #connection: GithubConnection
  /** Current names by id: repositories are renamed and transferred. */
  readonly #names = new Map<string, string>()
  /** Smaller after a page that was too slow. */
  #pageSize = PULL_REQUESTS_PER_PAGE

  constructor(options: GithubOptions) {
    this.#options = options
    this.#connection = new GithubConnection(options)
  }

  async checkConnection(): Promise<void> {
    await this.#connection.query(connectionQuery, {}, 1)
  }

  async readOrganization(): Promise<OrganizationInfo> {
    const { id, login } = await this.#readAccount()
    return { id: String(id), name: login }
  }

  /** As the App, because an installation cannot read itself. */
  async #readAccount(): Promise<AccountBody> {
    const { address, credential, send, clock } = this.#options
    const { host } = new URL(address.api)
    const response = await send({
      method: 'GET',
      url: `${address.api}/app/installations/${encodeURIComponent(credential.installationId)}`,
      headers: { ...githubHeaders, authorization: `Bearer ${createAppJwt(credential, clock.now())}` },
    })
    if (response.status === 404 || response.status === 401 || response.status === 403)
      throw new CredentialRejectedError(
        `${host} does not accept the App or its installation (${response.status}).`,
      )
    if (response.status !== 200) throw new QueryTooLargeError(`${host} is unavailable (${response.status}).`)
    return parseJson<{ account: AccountBody }>(response).account
  }

  async *listRepositories(): AsyncIterable<RepositoryRef> {
    yield* this.#connection.list('/installation/repositories?per_page=100', (response) =>
      parseJson<{ repositories: RepositoryBody[] }>(response).repositories.map(toRepository),
    )
  }

  async *listMembers(): AsyncIterable<MemberInfo> {
    const account = await this.#readAccount()
    if (account.type !== 'Organization') {
      yield { user: { id: String(account.id), login: account.login, isBot: false }, name: null, email: null }
      return
    }
    for (let after: string | null = null; ; ) {
      const variables: Record<string, unknown> = { login: account.login, after }
      const { data } = await this.#connection.query<MembersData>(membersQuery, variables, 1)
      const { nodes, pageInfo } = data.organization.membersWithRole
      for (const node of nodes) if (node?.databaseId) yield toMember(node, node.databaseId)
      if (!pageInfo.hasNextPage) return
      after = pageInfo.endCursor
    }
  }

  async *listAccess({ id }: RepositoryRef): AsyncIterable<ProviderUser> {
    yield* this.#connection.list(`/repositories/${id}/collaborators?per_page=100`, (response) =>
      parseJson<CollaboratorBody[]>(response)
        .filter((body) => body.permissions?.pull !== false)
        .map(toUserOf),
    )
  }

  /** By login, because the interface has no other way: an account that took over a former login has another id. */
  async readPermission({ id }: RepositoryRef, user: ProviderUser): Promise<Permission> {
    const login = encodeURIComponent(user.login)
    const response = await this.#connection.get(
      `/repositories/${id}/collaborators/${login}/permission`,
      [404],
    )
    if (response.status === 404) return 'none'
    const { permission, user: found } = parseJson<PermissionBody>(response)
    return String(found?.id) === user.id ? (permissions.get(permission) ?? 'none') : 'none'
  }

  async listCreated(ref: RepositoryRef, { after, since }: CreatedPageRequest): Promise<PullRequestPage> {
    const [, phase, cursor] = /^(old|new):(.*)$/.exec(after ?? 'old:') ?? []
    const start = cursor || null
    if (phase === 'new') return await this.#readCreated(ref, start)
    // Older pull requests are moved past by their heads, which cost little.
    // What follows must fit too: to read the heads again and again would use up what a low limit leaves for the page.
    const cost = 1 + estimatePageCost(this.#pageSize, THREADS_PER_PAGE)
    const page = await this.#readHeads(ref, createdHeadsQuery, start, HEADS_PER_PAGE, cost)
    const edges = page.edges.flatMap((edge) => edge ?? [])
    const first = edges.findIndex(({ node }) => node !== null && !isBefore(node.createdAt, since))
    if (first === -1) {
      const { hasNextPage, endCursor } = page.pageInfo
      const next = hasNextPage && endCursor !== null ? `old:${endCursor}` : null
      return { pullRequests: [], failed: [], examined: edges.length, total: page.totalCount, after: next }
    }
    const created = await this.#readCreated(ref, first === 0 ? start : (edges[first - 1]?.cursor ?? null))
    return { ...created, examined: created.examined + first }
  }

  async #readCreated(ref: RepositoryRef, after: string | null): Promise<PullRequestPage> {
    let threads = THREADS_PER_PAGE
    for (;;) {
      const first = this.#pageSize
      try {
        const page = await this.#readPage(ref, first, after, threads)
        if (threads === THREADS_PER_PAGE) this.#pageSize = Math.min(first + 1, PULL_REQUESTS_PER_PAGE)
        return page
      } catch (error) {
        // A call that belongs to one of them may fail too.
        if (!(error instanceof ProviderUnavailableError)) throw error
        if (first > 1) this.#pageSize = Math.floor(first / 2)
        else if (threads > 1) threads = Math.floor(threads / 2)
        else return await this.#skipOne(ref, after)
      }
    }
  }

  async #readPage(
    ref: RepositoryRef,
    first: number,
    after: string | null,
    threads: number,
  ): Promise<PullRequestPage> {
    const { repository, date } = await this.#readRepository<{ pullRequests: PullRequestConnection }>(
      ref,
      readPageQuery,
      { first, after, threads },
      estimatePageCost(first, threads),
    )
    const { nodes, pageInfo, totalCount } = repository.pullRequests
    const found = nodes.map((node) => {
      if (node === null) throw new PartialResponseError('A pull request is missing.')
      return node
    })
    const pullRequests = await completePullRequests(this.#connection, toRef(ref, repository), found, date)
    const next = pageInfo.hasNextPage ? `new:${pageInfo.endCursor ?? ''}` : null
    return { pullRequests, failed: [], examined: found.length, total: totalCount, after: next }
  }

  /** One pull request that cannot be read must not stop a backfill. */
  async #skipOne(ref: RepositoryRef, after: string | null): Promise<PullRequestPage> {
    const page = await this.#readHeads(ref, createdHeadsQuery, after, 1)
    const { hasNextPage, endCursor } = page.pageInfo
    return {
      pullRequests: [],
      failed: page.edges.flatMap((edge) => edge?.node?.number ?? []),
      examined: page.edges.length,
      total: page.totalCount,
      after: hasNextPage && endCursor !== null ? `new:${endCursor}` : null,
    }
  }

  async *listUpdated(ref: RepositoryRef, since: string): AsyncIterable<PullRequestHead> {
    for (let after: string | null = null; ; ) {
      const page: HeadConnection = await this.#readHeads(ref, updatedHeadsQuery, after, HEADS_PER_PAGE)
      for (const edge of page.edges) {
        if (!edge?.node) continue
        const { number, updatedAt } = edge.node
        if (isBefore(updatedAt, since)) return
        yield { number, updatedAt }
      }
      if (!page.pageInfo.hasNextPage) return
      after = page.pageInfo.endCursor
    }
  }

  async readPullRequest(ref: RepositoryRef, number: number): Promise<PullRequestSnapshot | null> {
    let threads = THREADS_PER_PAGE
    for (;;) {
      try {
        return await this.#readOne(ref, number, threads)
      } catch (error) {
        if (error instanceof MissingNodeError) return null
        if (!(error instanceof QueryTooLargeError) || threads === 1) throw error
        threads = Math.floor(threads / 2)
      }
    }
  }

  async #readOne(ref: RepositoryRef, number: number, threads: number): Promise<PullRequestSnapshot | null> {
    const variables = { number, threads }
    const cost = estimateCost(1, threads)
    const { repository, date } = await this.#readRepository<{ pullRequest: PullRequestNode | null }>(
      ref,
      readOneQuery,
      variables,
      cost,
    )
    if (repository.pullRequest === null) return null
    const current = toRef(ref, repository)
    const [snapshot] = await completePullRequests(this.#connection, current, [repository.pullRequest], date)
    return snapshot ?? null
  }

  /** By creation, because pages of an order by update shift while they are read. */
  async *listCodeScanningAlerts({ id }: RepositoryRef): AsyncIterable<CodeScanningAlert> {
    const path = `/repositories/${id}/code-scanning/alerts?per_page=100&sort=created&direction=asc`
    yield* this.#connection.list(
      path,
      (response) => (response.status < 400 ? parseJson<AlertBody[]>(response).map(toAlert) : null),
      SCANNING_OFF,
    )
  }

  async readCodeScanningAlert({ id }: RepositoryRef, number: number): Promise<CodeScanningAlert | null> {
    const path = `/repositories/${id}/code-scanning/alerts/${number}`
    const response = await this.#connection.get(path, SCANNING_OFF)
    return response.status < 400 ? toAlert(parseJson<AlertBody>(response)) : null
  }

  async getCloneCredential(ref: RepositoryRef): Promise<CloneCredential> {
    const name = await this.#resolveName(ref)
    const token = await this.#connection.getToken()
    return toCloneCredential(this.#options.address.web, name, 'x-access-token', token)
  }

  /** The repository by its id, whatever it is called now; `ref` has the name that was known last. */
  async #readRepository<Fields>(
    ref: RepositoryRef,
    query: string,
    variables: Record<string, unknown>,
    cost: number,
  ): Promise<{ repository: RepositoryNode & Fields; date: string }> {
    const run = async (fullName: string) => {
      const [owner = '', name = ''] = fullName.split('/')
      type Data = { repository: RepositoryNode & Fields }
      const { data, date } = await this.#connection.query<Data>(query, { owner, name, ...variables }, cost)
      return { repository: data.repository, date }
    }
    const known = this.#names.get(ref.id) ?? ref.fullName
    const answer = await nullIfNotFound(run(known))
    // A name that was given up can belong to another repository.
    if (answer !== null && String(answer.repository.databaseId) === ref.id) {
      this.#names.set(ref.id, answer.repository.nameWithOwner)
      return answer
    }
    return await run(await this.#resolveName(ref))
  }

  async #resolveName({ id }: RepositoryRef): Promise<string> {
    const { full_name } = parseJson<RepositoryBody>(await this.#connection.get(`/repositories/${id}`))
    this.#names.set(id, full_name)
    return full_name
  }

  async #readHeads(
    ref: RepositoryRef,
    query: string,
    after: string | null,
    first: number,
    cost = 1,
  ): Promise<HeadConnection> {
    const variables = { first, after }
    type Fields = { pullRequests: HeadConnection }
    const { repository } = await this.#readRepository<Fields>(ref, query, variables, cost)
    return repository.pullRequests
  }
}

type PullRequestConnection = CountedConnection<PullRequestNode>

interface MemberNode {
  readonly databaseId: number | null
  readonly login: string
  readonly name: string | null
  readonly organizationVerifiedDomainEmails: readonly string[]
}

interface MembersData {
  readonly organization: { readonly membersWithRole: Connection<MemberNode> }
}

function toMember(node: MemberNode, id: number): MemberInfo {
  const [email = null] = node.organizationVerifiedDomainEmails
  return {
    user: { id: String(id), login: node.login, isBot: false },
    name: node.name || null,
    email,
  }
}

function toRepository({ id, full_name, private: isPrivate }: RepositoryBody): RepositoryRef {
  return { id: String(id), fullName: full_name, isPrivate }
}

function toRef({ id }: RepositoryRef, { nameWithOwner, isPrivate }: RepositoryNode): RepositoryRef {
  return { id, fullName: nameWithOwner, isPrivate }
}

function toUserOf({ id, login, type }: { id: number; login: string; type: string }): ProviderUser {
  return { id: String(id), login, isBot: type === 'Bot' }
}

import type { ProviderUser, PullRequestSnapshot, RepositoryRef } from '../../snapshot.ts'
import { getNumber, isBefore } from '../json.ts'
import {
  type CloneCredential,
  type CodeScanningAlert,
  type CreatedPageRequest,
  type MemberInfo,
  nullIfNotFound,
  type OrganizationInfo,
  type Permission,
  type ProviderClient,
  ProviderUnavailableError,
  type PullRequestHead,
  type PullRequestPage,
  RepositoryRefusedError,
  toCloneCredential,
} from '../provider-client.ts'
import type { GroupBody, MemberBody, MergeRequestBody, ProjectBody } from './bodies.ts'
import { GitlabConnection, type GitlabOptions } from './connection.ts'
import { MergeRequestReader } from './merge-request.ts'
import { type GitlabUsers, isTokenUser, type UserBody } from './users.ts'

const MERGE_REQUESTS_PER_PAGE = 10
/** Reporters can read code, developers can push. */
const REPORTER = 20
const DEVELOPER = 30
const MAINTAINER = 40

/** `host` is `gitlab.com` or that of a self-managed GitLab; `http://127.0.0.1:port` in tests. */
export function toGitlabAddress(host: string): string {
  return host.startsWith('http://') ? host : `https://${host}`
}

export function createGitlabClient(options: GitlabOptions & { readonly users: GitlabUsers }): ProviderClient {
  return new GitlabClient(options)
}

class GitlabClient implements ProviderClient {
  readonly #options: GitlabOptions & { readonly users: GitlabUsers }
  readonly #connection: GitlabConnection
  readonly #group: string

  constructor(options: GitlabOptions & { readonly users: GitlabUsers }) {
    this.#options = options
    this.#connection = new GitlabConnection(options)
    this.#group = `/groups/${encodeURIComponent(options.group)}`
  }

  async checkConnection(): Promise<void> {
    await this.readOrganization()
  }

  async readOrganization(): Promise<OrganizationInfo> {
    const { body } = await this.#connection.get<GroupBody>(this.#group)
    return { id: String(body.id), name: body.full_path }
  }

  async *listRepositories(): AsyncIterable<RepositoryRef> {
    const query = 'include_subgroups=true&with_shared=false&order_by=id&sort=asc&per_page=100'
    for await (const body of this.#connection.list<ProjectBody>(`${this.#group}/projects?${query}`))
      yield toRef(body)
  }

  async *listMembers(): AsyncIterable<MemberInfo> {
    for await (const member of this.#connection.list<MemberBody>(`${this.#group}/members/all?per_page=100`))
      if (member.state === 'active')
        yield { user: toMember(member), name: member.name || null, email: member.email || null }
  }

  async *listAccess({ id }: RepositoryRef): AsyncIterable<ProviderUser> {
    const members = this.#connection.list<MemberBody>(`/projects/${id}/members/all?per_page=100`)
    for await (const member of members)
      if (member.state === 'active' && member.access_level >= REPORTER) yield toMember(member)
  }

  /** Members of the project, of its groups and of groups that it is shared with. */
  async readPermission({ id }: RepositoryRef, user: ProviderUser): Promise<Permission> {
    const path = `/projects/${id}/members/all/${encodeURIComponent(user.id)}`
    const found = await nullIfNotFound(this.#connection.get<MemberBody>(path))
    return found?.body.state === 'active' ? toPermission(found.body.access_level) : 'none'
  }

  /** Offsets shift when merge requests are deleted, so each page begins at the time of the last one. */
  async listCreated(ref: RepositoryRef, request: CreatedPageRequest): Promise<PullRequestPage> {
    try {
      return await this.#listCreated(ref, request)
    } catch (error) {
      await this.#requireSwitchedOff(ref, error)
      return { pullRequests: [], failed: [], examined: 0, total: 0, after: null }
    }
  }

  async #listCreated(ref: RepositoryRef, { after, since }: CreatedPageRequest): Promise<PullRequestPage> {
    const start = parseCursor(after) ?? { time: since, page: 1, lastId: 0, done: 0 }
    const query = new URLSearchParams({
      scope: 'all',
      created_after: start.time,
      order_by: 'created_at',
      sort: 'asc',
      per_page: String(MERGE_REQUESTS_PER_PAGE),
      page: String(start.page),
    })
    const found: MergeRequestBody[] = []
    let listed: number | null = null
    const pages = this.#connection.listPages<MergeRequestBody>(
      `/projects/${ref.id}/merge_requests?${query.toString()}`,
    )
    for await (const { body, response } of pages) {
      found.push(...body)
      listed = getNumber(response, 'x-total')
      if (found.length >= MERGE_REQUESTS_PER_PAGE) break
    }
    const fresh = found.filter(({ id }) => id !== start.lastId)
    const repository = await this.#readRef(ref)
    const pullRequests: PullRequestSnapshot[] = []
    const failed: number[] = []
    for (const { iid } of fresh)
      try {
        const snapshot = await this.#read(repository, iid)
        if (snapshot !== null) pullRequests.push(snapshot)
      } catch (error) {
        // One merge request that cannot be read must not stop a backfill.
        if (!(error instanceof ProviderUnavailableError)) throw error
        failed.push(iid)
      }
    const last = found.at(-1)
    const done = start.done + fresh.length
    const skipped = (start.page - 1) * MERGE_REQUESTS_PER_PAGE + found.length - fresh.length
    return {
      pullRequests,
      failed,
      examined: fresh.length,
      total: listed === null ? null : start.done + listed - skipped,
      after:
        last === undefined || found.length < MERGE_REQUESTS_PER_PAGE
          ? null
          : renderCursor(
              last.created_at === start.time
                ? { ...start, page: start.page + 1, lastId: last.id, done }
                : { time: last.created_at, page: 1, lastId: last.id, done },
            ),
    }
  }

  async *listUpdated(ref: RepositoryRef, since: string): AsyncIterable<PullRequestHead> {
    try {
      yield* this.#listUpdated(ref, since)
    } catch (error) {
      await this.#requireSwitchedOff(ref, error)
    }
  }

  async *#listUpdated({ id }: RepositoryRef, since: string): AsyncIterable<PullRequestHead> {
    const query = new URLSearchParams({
      scope: 'all',
      updated_after: since,
      order_by: 'updated_at',
      sort: 'desc',
      per_page: '100',
    })
    const found = this.#connection.list<MergeRequestBody>(
      `/projects/${id}/merge_requests?${query.toString()}`,
    )
    for await (const { iid, updated_at } of found) {
      if (isBefore(updated_at, since)) return
      yield { number: iid, updatedAt: updated_at }
    }
  }

  /** Throws the error unless GitLab refuses because the project has its merge requests switched off. */
  async #requireSwitchedOff({ id }: RepositoryRef, error: unknown): Promise<void> {
    if (!(error instanceof RepositoryRefusedError)) throw error
    const { body } = await this.#connection.get<ProjectBody>(`/projects/${encodeURIComponent(id)}`)
    if (body.merge_requests_enabled !== false) throw error
  }

  async readPullRequest(ref: RepositoryRef, number: number): Promise<PullRequestSnapshot | null> {
    return await this.#read(await this.#readRef(ref), number)
  }

  async #read(repository: RepositoryRef, number: number): Promise<PullRequestSnapshot | null> {
    const { users, web } = this.#options
    const findUser = (user: UserBody | null) => users.toUser(this.#connection, web, user)
    return await new MergeRequestReader(this.#connection, findUser).read(repository, number)
  }

  /** Vulnerabilities are a part of GitLab's paid tiers with an interface of their own. */
  async *listCodeScanningAlerts(): AsyncIterable<CodeScanningAlert> {}

  readCodeScanningAlert(): Promise<null> {
    return Promise.resolve(null)
  }

  async getCloneCredential(ref: RepositoryRef): Promise<CloneCredential> {
    const { web, token } = this.#options
    const { fullName } = await this.#readRef(ref)
    return toCloneCredential(web, fullName, 'oauth2', token)
  }

  /** Throws NotFoundError if the project is gone. */
  async #readRef({ id }: RepositoryRef): Promise<RepositoryRef> {
    const { body } = await this.#connection.get<ProjectBody>(`/projects/${encodeURIComponent(id)}`)
    return toRef(body)
  }
}

function toPermission(level: number): Permission {
  if (level >= MAINTAINER) return 'admin'
  if (level >= DEVELOPER) return 'write'
  return level >= REPORTER ? 'read' : 'none'
}

function toRef({ id, path_with_namespace, visibility }: ProjectBody): RepositoryRef {
  return { id: String(id), fullName: path_with_namespace, isPrivate: visibility !== 'public' }
}

function toMember(member: MemberBody): ProviderUser {
  return { id: String(member.id), login: member.username, isBot: isTokenUser(member) }
}

interface CreatedCursor {
  readonly time: string
  readonly page: number
  readonly lastId: number
  /** Merge requests before it. */
  readonly done: number
}

function renderCursor({ time, page, lastId, done }: CreatedCursor): string {
  return [time, page, lastId, done].join(' ')
}

function parseCursor(cursor: string | null): CreatedCursor | null {
  const [time, page, lastId, done] = cursor?.split(' ') ?? []
  if (time === undefined) return null
  return { time, page: Number(page), lastId: Number(lastId), done: Number(done) }
}

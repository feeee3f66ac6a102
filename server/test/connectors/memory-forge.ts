import { createHash } from 'node:crypto'
import type {
  CodeScanningAlert,
  MemberInfo,
  OrganizationInfo,
  Permission,
  ProviderClient,
  PullRequestHead,
  PullRequestPage,
} from '../../src/resources/connectors/git-providers/provider-client.ts'
import type {
  ProviderUser,
  PullRequestSnapshot,
  RepositoryRef,
} from '../../src/resources/connectors/snapshot.ts'

/** A forge in memory, for tests of the engine without HTTP. Its clock is that of the test. */
export class MemoryForge {
  readonly organization: OrganizationInfo
  readonly repositories = new Map<string, RepositoryRef>()
  readonly members = new Map<string, MemberInfo>()
  readonly pullRequests = new Map<string, PullRequestSnapshot>()
  /** By repository. */
  readonly alerts = new Map<string, CodeScanningAlert[]>()
  /** By account; others have none. */
  readonly permissions = new Map<string, Permission>()
  /** Called before each request; may throw. `target` is the id of a repository, or that and the number of a pull request. */
  beforeRequest: (name: string, target: string) => void | Promise<void> = () => {}
  readonly requests: string[] = []
  readonly now: () => Date
  pageSize = 3

  constructor(organizationId: string, now: () => Date) {
    this.organization = { id: organizationId, name: 'Acme' }
    this.now = now
  }

  addRepository(id: string, name = `r${id}`): RepositoryRef {
    const repository = { id, fullName: `acme/${name}`, isPrivate: true }
    this.repositories.set(id, repository)
    return repository
  }

  addMember(id: string): ProviderUser {
    const user = { id, login: `user-${id}`, isBot: false }
    this.members.set(id, { user, name: null, email: null })
    return user
  }

  /** Creates or changes a pull request; the change gets the current time. */
  write(
    repository: RepositoryRef,
    number: number,
    change: Partial<PullRequestSnapshot>,
  ): PullRequestSnapshot {
    const key = `${repository.id}/${number}`
    const at = this.now().toISOString()
    const known = this.pullRequests.get(key) ?? this.#createPullRequest(repository, number, at)
    const changed = { ...known, updatedAt: at, ...change }
    this.pullRequests.set(key, changed)
    return changed
  }

  #createPullRequest(repository: RepositoryRef, number: number, at: string): PullRequestSnapshot {
    return {
      repository,
      number,
      url: `https://github.com/${repository.fullName}/pull/${number}`,
      state: 'open',
      author: { id: '1', login: 'user-1', isBot: false },
      createdAt: at,
      readyForReviewAt: at,
      mergedAt: null,
      closedAt: null,
      updatedAt: at,
      headSha: toSha(`head ${number}`),
      mergeSha: null,
      commits: [],
      reviews: [],
      threads: [],
      comments: [],
      readAt: at,
    }
  }

  createClient(): ProviderClient {
    return createMemoryClient(this)
  }
}

function toSha(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}

function createMemoryClient(forge: MemoryForge): ProviderClient {
  const request = async (name: string, target = '') => {
    forge.requests.push(name)
    await forge.beforeRequest(name, target)
  }
  const listOf = (repository: RepositoryRef) =>
    [...forge.pullRequests.values()].filter((one) => one.repository.id === repository.id)
  return {
    checkConnection: () => request('connection'),
    async readOrganization() {
      await request('organization')
      return forge.organization
    },
    async *listRepositories() {
      await request('repositories')
      yield* forge.repositories.values()
    },
    async *listMembers() {
      await request('members')
      yield* forge.members.values()
    },
    async *listAccess(repository): AsyncIterable<ProviderUser> {
      await request('access', repository.id)
      for (const { user } of forge.members.values()) yield user
    },
    async readPermission(_, user) {
      await request('permission')
      return forge.permissions.get(user.id) ?? 'none'
    },
    async listCreated(repository, { after, since }): Promise<PullRequestPage> {
      await request('created', repository.id)
      const all = listOf(repository)
        .filter(({ createdAt }) => createdAt >= since)
        .toSorted((a, b) => a.number - b.number)
      const rest = all.filter(({ number }) => number > Number(after ?? 0))
      const page = rest.slice(0, forge.pageSize)
      const readAt = forge.now().toISOString()
      return {
        pullRequests: page.map((one) => ({ ...one, readAt })),
        failed: [],
        examined: page.length,
        total: all.length,
        after: rest.length > page.length ? String(page.at(-1)?.number) : null,
      }
    },
    async *listUpdated(repository, since): AsyncIterable<PullRequestHead> {
      await request('updated', repository.id)
      yield* listOf(repository)
        .filter(({ updatedAt }) => updatedAt >= since)
        .toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt))
    },
    async readPullRequest(repository, number) {
      await request('read', `${repository.id}/${number}`)
      const found = forge.pullRequests.get(`${repository.id}/${number}`)
      return found === undefined ? null : { ...found, readAt: forge.now().toISOString() }
    },
    async *listCodeScanningAlerts(repository): AsyncIterable<CodeScanningAlert> {
      await request('alerts', repository.id)
      yield* forge.alerts.get(repository.id) ?? []
    },
    async readCodeScanningAlert(repository, number) {
      await request('alert')
      return forge.alerts.get(repository.id)?.find((alert) => alert.number === number) ?? null
    },
    getCloneCredential: () => Promise.reject(new Error('This forge has no git.')),
  }
}

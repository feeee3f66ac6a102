// The state of a forge: accounts, organizations, repositories. Pull requests change by pull-request.ts and review.ts.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from './clock.ts'
import { type Changes, CodeRepository } from './git/code-repository.ts'
import type {
  Alert,
  CheckRun,
  ForgeEvent,
  Organization,
  Permission,
  PullRequest,
  Repository,
  Team,
  User,
} from './model.ts'

export interface ForgeOptions {
  readonly clock: Clock
  /** An empty folder for bare git repositories; null = repositories have code, but cannot be cloned. */
  readonly gitFolder: string | null
}

type NewUser = Partial<Pick<User, 'id' | 'name' | 'email' | 'isBot' | 'commentLogin'>>

export interface NewRepository {
  readonly isPrivate?: boolean
  /** The files of the first commit; null = a repository without code. */
  readonly files?: Changes | null
}

// Comments and pull requests have ids above 2^31, as on GitHub: GraphQL's deprecated `databaseId` cannot hold them.
const firstIds = {
  organization: 9_100_000,
  user: 5_000_001,
  team: 8_000_001,
  repository: 700_000_001,
  pullRequest: 2_500_000_001,
  comment: 2_600_000_001,
  review: 3_100_000_001,
  thread: 41_000_001,
  reaction: 300_000_001,
  timeline: 21_000_000_001,
  checkRun: 30_000_000_001,
}

export class Forge {
  readonly clock: Clock
  readonly organizations: Organization[] = []
  readonly users: User[] = []
  readonly repositories: Repository[] = []
  /** By id: GraphQL finds nodes by it. */
  readonly pullRequests = new Map<number, PullRequest>()
  readonly #ids = { ...firstIds }
  readonly #gitFolder: string | null
  /** Former full names, in lower case. */
  readonly #formerNames = new Map<string, Repository>()
  readonly #listeners: ((event: ForgeEvent) => void)[] = []

  constructor({ clock, gitFolder }: ForgeOptions) {
    this.clock = clock
    this.#gitFolder = gitFolder
    if (gitFolder !== null) mkdirSync(gitFolder, { recursive: true })
  }

  nextId(kind: keyof typeof firstIds): number {
    return this.#ids[kind]++
  }

  onEvent(listener: (event: ForgeEvent) => void): void {
    this.#listeners.push(listener)
  }

  emit(event: ForgeEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  addUser(login: string, user: NewUser = {}): User {
    const { id = this.nextId('user'), name = login, email = null, isBot = login.endsWith('[bot]') } = user
    const added: User = { ...user, id, login, name, email, isBot, isDeleted: false }
    this.users.push(added)
    return added
  }

  addOrganization(login: string): Organization {
    const organization = {
      id: this.nextId('organization'),
      login,
      createdAt: this.clock.now(),
      members: new Map(),
      teams: [],
    }
    this.organizations.push(organization)
    return organization
  }

  addMember(organization: Organization, member: User, role: 'admin' | 'member' = 'member'): void {
    organization.members.set(member, role)
    this.emit({ kind: 'member', action: 'added', organization, member, actor: member })
  }

  removeMember(organization: Organization, member: User): void {
    organization.members.delete(member)
    for (const team of organization.teams) team.members.delete(member)
    this.emit({ kind: 'member', action: 'removed', organization, member, actor: member })
  }

  addTeam(organization: Organization, name: string, members: readonly User[]): Team {
    const slug = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
    const team = { id: this.nextId('team'), slug, name, members: new Set(members), repositories: new Map() }
    organization.teams.push(team)
    return team
  }

  addRepository(owner: Organization, name: string, actor: User, options: NewRepository = {}): Repository {
    const { isPrivate = true, files = { 'README.md': `# ${name}\n` } } = options
    const id = this.nextId('repository')
    const now = this.clock.now()
    const directory = this.#gitFolder === null ? null : join(this.#gitFolder, `${id}.git`)
    const repository: Repository = {
      id,
      name,
      owner,
      isPrivate,
      createdAt: now,
      updatedAt: now,
      defaultBranch: 'main',
      code: files === null ? null : new CodeRepository(directory),
      pullRequests: [],
      hasPullRequests: true,
      collaborators: new Map(),
      alerts: [],
      checkRuns: [],
    }
    if (files !== null) this.commitToDefaultBranch(repository, actor, 'Initial commit', files)
    this.repositories.push(repository)
    this.emit({
      kind: 'repository',
      action: 'created',
      repository,
      actor,
      previousName: name,
      previousOwner: owner,
    })
    return repository
  }

  /** A commit on the default branch without a pull request. */
  commitToDefaultBranch(repository: Repository, author: User, message: string, changes: Changes): string {
    const code = getCode(repository)
    const ref = `refs/heads/${repository.defaultBranch}`
    const parent = code.getRef(ref)
    const commit = {
      parents: parent === null ? [] : [parent],
      author: toIdentity(author),
      at: this.clock.now(),
      message,
    }
    const sha = code.commit(commit, changes)
    code.setRef(ref, sha)
    return sha
  }

  findRepository(fullName: string): { repository: Repository; isFormerName: boolean } | null {
    const wanted = fullName.toLowerCase()
    const repository = this.repositories.find((one) => getFullName(one).toLowerCase() === wanted)
    if (repository !== undefined) return { repository, isFormerName: false }
    const former = this.#formerNames.get(wanted)
    return former === undefined || !this.repositories.includes(former)
      ? null
      : { repository: former, isFormerName: true }
  }

  renameRepository(repository: Repository, name: string, actor: User): void {
    const { name: previousName, owner: previousOwner } = repository
    this.#formerNames.set(getFullName(repository).toLowerCase(), repository)
    repository.name = name
    repository.updatedAt = this.clock.now()
    this.emit({ kind: 'repository', action: 'renamed', repository, actor, previousName, previousOwner })
  }

  transferRepository(repository: Repository, owner: Organization, actor: User): void {
    const { name: previousName, owner: previousOwner } = repository
    this.#formerNames.set(getFullName(repository).toLowerCase(), repository)
    repository.owner = owner
    repository.updatedAt = this.clock.now()
    this.emit({ kind: 'repository', action: 'transferred', repository, actor, previousName, previousOwner })
  }

  deleteRepository(repository: Repository, actor: User): void {
    this.repositories.splice(this.repositories.indexOf(repository), 1)
    const { name: previousName, owner: previousOwner } = repository
    this.emit({ kind: 'repository', action: 'deleted', repository, actor, previousName, previousOwner })
  }

  addAlert(
    repository: Repository,
    alert: Pick<Alert, 'rule' | 'description' | 'securitySeverity' | 'path' | 'startLine' | 'commit'>,
    actor: User,
  ): Alert {
    const now = this.clock.now()
    const added: Alert = {
      ...alert,
      number: repository.alerts.length + 1,
      severity: 'error',
      tool: 'CodeQL',
      endLine: alert.startLine,
      createdAt: now,
      updatedAt: now,
      state: 'open',
      fixedAt: null,
      dismissedAt: null,
      dismissedBy: null,
      dismissedReason: null,
    }
    repository.alerts.push(added)
    this.emit({ kind: 'alert', action: 'created', repository, alert: added, actor })
    return added
  }

  fixAlert(repository: Repository, alert: Alert, actor: User): void {
    const now = this.clock.now()
    Object.assign(alert, { state: 'fixed', fixedAt: now, updatedAt: now })
    this.emit({ kind: 'alert', action: 'fixed', repository, alert, actor })
  }

  dismissAlert(
    repository: Repository,
    alert: Alert,
    reason: NonNullable<Alert['dismissedReason']>,
    actor: User,
  ): void {
    const now = this.clock.now()
    const dismissed = { dismissedAt: now, dismissedBy: actor, dismissedReason: reason }
    Object.assign(alert, { state: 'dismissed', updatedAt: now, ...dismissed })
    this.emit({ kind: 'alert', action: 'dismissed', repository, alert, actor })
  }

  addCheckRun(
    repository: Repository,
    run: Pick<CheckRun, 'headSha' | 'name' | 'app'>,
    actor: User,
  ): CheckRun {
    const added: CheckRun = {
      ...run,
      id: this.nextId('checkRun'),
      externalId: null,
      status: 'queued',
      conclusion: null,
      startedAt: this.clock.now(),
      completedAt: null,
      title: null,
      summary: null,
      text: null,
    }
    repository.checkRuns.push(added)
    this.emit({ kind: 'check_run', action: 'created', repository, checkRun: added, actor })
    return added
  }

  completeCheckRun(
    repository: Repository,
    checkRun: CheckRun,
    result: Partial<Pick<CheckRun, 'conclusion' | 'title' | 'summary' | 'text'>>,
    actor: User,
  ): void {
    const completed = { status: 'completed', conclusion: 'neutral', completedAt: this.clock.now() }
    Object.assign(checkRun, completed, result)
    this.emit({ kind: 'check_run', action: 'completed', repository, checkRun, actor })
  }
}

export function getFullName({ owner, name }: Repository): string {
  return `${owner.login}/${name}`
}

export function getCode(repository: Repository): CodeRepository {
  if (repository.code === null) throw new Error(`${getFullName(repository)} has no code`)
  return repository.code
}

export function toIdentity({ id, login, name }: User) {
  return { name, email: `${id}+${login}@users.noreply.example` }
}

const permissions: readonly Permission[] = ['pull', 'triage', 'push', 'maintain', 'admin']

/** The highest of a person's own permission, of the teams', and of the organization role; null = no access. */
export function getPermission(repository: Repository, user: User): Permission | null {
  const { owner, collaborators } = repository
  const granted = [
    collaborators.get(user),
    ...owner.teams
      .filter(({ members }) => members.has(user))
      .map((team) => team.repositories.get(repository)),
    owner.members.get(user) === 'admin' ? ('admin' as const) : undefined,
  ]
  const highest = Math.max(...granted.map((one) => (one === undefined ? -1 : permissions.indexOf(one))))
  return permissions[highest] ?? (repository.isPrivate ? null : 'pull')
}

/** Whether a permission includes another one. */
export function includesPermission(permission: Permission, other: Permission): boolean {
  return permissions.indexOf(permission) >= permissions.indexOf(other)
}

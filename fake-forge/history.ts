// Random histories of an organization, by a seed, and a model of what a reader must know at their end. The model is computed
// from the state of the forge: it does not depend on what any client read.
import { addBots, type Bot, FindingWriter } from './bots.ts'
import { type SimulatedClock, toTime, toTimeOrNull } from './clock.ts'
import { type Forge, getCode, getFullName } from './forge.ts'
import { MergeConflictError } from './git/code-repository.ts'
import { toLines } from './git/line-diff.ts'
import type { Comment, MergeMethod, Organization, PullRequest, Repository, Thread, User } from './model.ts'
import {
  closePullRequest,
  convertToDraft,
  forcePush,
  markReadyForReview,
  mergePullRequest,
  type NewBranchCommit,
  openPullRequest,
  pushCommit,
  rebaseBranch,
  reopenPullRequest,
} from './pull-request.ts'
import { Random } from './random.ts'
import {
  addComment,
  addReaction,
  applySuggestion,
  deleteComment,
  editComment,
  locateThread,
  removeReaction,
  replyToThread,
  resolveThread,
  submitReview,
  unresolveThread,
} from './review.ts'

export interface HistoryOptions {
  readonly forge: Forge
  readonly clock: SimulatedClock
  readonly seed: number
  /** The account that a connector reads; default `acme`. */
  readonly organization?: string
  readonly repositories?: number
  /** GitLab fast-forwards where GitHub rebases. */
  readonly isGitlab?: boolean
}

export interface ModelFinding {
  readonly commentId: number
  readonly threadId: number
  /** The name of the bot in data/bots.jsonl. */
  readonly bot: string
  readonly path: string
  readonly startLine: number | null
  readonly endLine: number | null
  readonly commit: string
  readonly postedAt: string
  readonly isResolved: boolean
  readonly resolvedBy: string | null
  readonly isSuggestionApplied: boolean
  /** Logins of people, sorted. */
  readonly thumbsUp: readonly string[]
  readonly thumbsDown: readonly string[]
  /** Numbers of comments of people in the thread. */
  readonly replies: number
}

export interface ModelPullRequest {
  readonly repositoryId: number
  readonly repository: string
  readonly number: number
  readonly state: 'open' | 'closed' | 'merged'
  readonly author: string
  readonly createdAt: string
  readonly readyForReviewAt: string | null
  readonly mergedAt: string | null
  readonly closedAt: string | null
  readonly findings: readonly ModelFinding[]
}

export interface HistoryModel {
  /** Repositories that the connected organization has at the end. */
  readonly repositories: readonly { readonly id: number; readonly fullName: string }[]
  readonly pullRequests: readonly ModelPullRequest[]
  readonly members: readonly string[]
  /** Findings whose comment was deleted: a reader may have seen them or not. */
  readonly deletedFindings: readonly number[]
}

type Action = (history: History) => void

const FILES = ['src/price.ts', 'src/booking.ts', 'docs/rates.md']
const LINES = 30
const MAX_STEP_MS = 900_000

export class History {
  readonly organization: Organization
  readonly #forge: Forge
  readonly #clock: SimulatedClock
  readonly #random: Random
  readonly #writer: FindingWriter
  readonly #people: User[]
  readonly #bots: readonly Bot[]
  readonly #isGitlab: boolean
  readonly #elsewhere: Organization
  /** Comments that are findings, with their bot. */
  readonly #findings = new Map<Comment, Bot>()
  readonly #deleted: number[] = []
  #revision = 0

  constructor(options: HistoryOptions) {
    const { forge, clock, seed, organization = 'acme', repositories = 2, isGitlab = false } = options
    this.#forge = forge
    this.#clock = clock
    this.#random = new Random(seed)
    this.#writer = new FindingWriter(this.#random)
    this.#isGitlab = isGitlab
    this.organization = forge.addOrganization(organization)
    this.#elsewhere = forge.addOrganization(`${organization}-archive`)
    this.#people = ['alice', 'bob', 'carol', 'dave'].map((login) =>
      forge.addUser(login, { email: `${login}@${organization}.example` }),
    )
    this.#bots = addBots(forge)
    for (const person of this.#people) forge.addMember(this.organization, person)
    for (let index = 0; index < repositories; index++) this.#addRepository()
  }

  run(steps: number): void {
    for (let index = 0; index < steps; index++) this.step()
  }

  /** One thing happens; a thing that is not possible at the moment is left out. */
  step(): void {
    this.#clock.advance(1000 + this.#random.below(MAX_STEP_MS))
    let point = this.#random.below(totalWeight)
    for (const [weight, action] of actions) {
      point -= weight
      if (point >= 0) continue
      action(this)
      return
    }
  }

  getModel(): HistoryModel {
    const repositories = this.#listRepositories()
    return {
      repositories: repositories.map((one) => ({ id: one.id, fullName: getFullName(one) })),
      pullRequests: repositories.flatMap(({ pullRequests }) =>
        pullRequests.map((pullRequest) => this.#toModel(pullRequest)),
      ),
      members: [...this.organization.members.keys()].map(({ login }) => login).sort(),
      deletedFindings: [...this.#deleted],
    }
  }

  #toModel(pullRequest: PullRequest): ModelPullRequest {
    const { repository, number, state, mergedAt, timeline } = pullRequest
    const ready = timeline.findLast(({ kind }) => kind === 'ready_for_review')
    return {
      repositoryId: repository.id,
      repository: getFullName(repository),
      number,
      state: mergedAt === null ? state : 'merged',
      author: pullRequest.author.login,
      createdAt: toTime(pullRequest.createdAt),
      readyForReviewAt: toTimeOrNull(ready?.at ?? null),
      mergedAt: toTimeOrNull(mergedAt),
      closedAt: toTimeOrNull(pullRequest.closedAt),
      findings: pullRequest.threads.flatMap((thread) => this.#toFinding(pullRequest, thread)),
    }
  }

  #toFinding(pullRequest: PullRequest, thread: Thread): ModelFinding[] {
    const [first] = thread.comments
    const bot = first === undefined ? undefined : this.#findings.get(first)
    if (first === undefined || bot === undefined) return []
    const listPeople = (content: '+1' | '-1') =>
      first.reactions
        .filter((one) => one.content === content && !one.user.isBot)
        .map(({ user }) => user.login)
        .sort()
    return [
      {
        commentId: first.id,
        threadId: thread.id,
        bot: bot.name,
        path: thread.path,
        ...this.#toPosition(pullRequest, thread),
        postedAt: toTime(first.createdAt),
        isResolved: thread.isResolved,
        resolvedBy: thread.resolvedBy?.login ?? null,
        isSuggestionApplied: thread.suggestionCommit !== null,
        thumbsUp: listPeople('+1'),
        thumbsDown: listPeople('-1'),
        replies: thread.comments.filter(({ author }) => !author.isBot).length,
      },
    ]
  }

  /** GitLab moves a finding with the branch while its lines are unchanged. */
  #toPosition(
    pullRequest: PullRequest,
    thread: Thread,
  ): Pick<ModelFinding, 'startLine' | 'endLine' | 'commit'> {
    const { originalStartLine, originalLine, originalCommit } = thread
    const { isOutdated, startLine, line } = locateThread(pullRequest, thread)
    if (this.#isGitlab && !isOutdated)
      return { startLine: startLine ?? line, endLine: line, commit: pullRequest.headSha }
    return { startLine: originalStartLine ?? originalLine, endLine: originalLine, commit: originalCommit }
  }

  #listRepositories(): Repository[] {
    return this.#forge.repositories.filter(({ owner }) => owner === this.organization)
  }

  #addRepository(): void {
    const text = (file: string) =>
      Array.from({ length: LINES }, (_, index) => `line ${index + 1} of ${file}\n`).join('')
    const files = Object.fromEntries(FILES.map((file) => [file, text(file)]))
    const name = `service-${this.#forge.repositories.length + 1}`
    this.#forge.addRepository(this.organization, name, this.#pickPerson(), { files })
  }

  #pickPerson(): User {
    return this.#random.pick(this.#people)
  }

  #pickPull(state: 'open' | 'closed' | 'any'): PullRequest | null {
    const found = this.#listRepositories().flatMap(({ pullRequests }) =>
      pullRequests.filter((one) => state === 'any' || one.state === state),
    )
    return found.length === 0 ? null : this.#random.pick(found)
  }

  #pickThread(): { pullRequest: PullRequest; thread: Thread } | null {
    const found = this.#listRepositories().flatMap(({ pullRequests }) =>
      pullRequests.flatMap((pullRequest) => pullRequest.threads.map((thread) => ({ pullRequest, thread }))),
    )
    return found.length === 0 ? null : this.#random.pick(found)
  }

  /** A change of one to three lines of a file, on top of the head or, before a pull request exists, of the base branch. */
  #createCommit(repository: Repository, head: string): NewBranchCommit {
    const path = this.#random.pick(FILES)
    const lines = toLines(getCode(repository).readFile(head, path) ?? '')
    const revision = ++this.#revision
    const start = this.#random.below(LINES - 3)
    const count = 1 + this.#random.below(3)
    const changed = Array.from(
      { length: count },
      (_, index) => `line ${start + index + 1}, revision ${revision}`,
    )
    lines.splice(start, count, ...changed, ...(this.#random.happens(0.2) ? [`added in ${revision}`] : []))
    return { message: `Change ${path}, revision ${revision}`, changes: { [path]: `${lines.join('\n')}\n` } }
  }

  #getBaseHead(repository: Repository): string {
    const head = getCode(repository).getRef(`refs/heads/${repository.defaultBranch}`)
    if (head === null) throw new Error('the repository is empty')
    return head
  }

  openPull(): void {
    const repositories = this.#listRepositories()
    if (repositories.length === 0) return this.#addRepository()
    const repository = this.#random.pick(repositories)
    openPullRequest(this.#forge, repository, {
      title: `Change ${++this.#revision}`,
      author: this.#pickPerson(),
      isDraft: this.#random.happens(0.2),
      commits: [this.#createCommit(repository, this.#getBaseHead(repository))],
    })
  }

  push(): void {
    const pullRequest = this.#pickPull('open')
    if (pullRequest === null) return
    const commit = this.#createCommit(pullRequest.repository, pullRequest.headSha)
    pushCommit(this.#forge, pullRequest, pullRequest.author, commit)
  }

  forcePush(): void {
    const pullRequest = this.#pickPull('open')
    if (pullRequest === null) return
    const { repository, author } = pullRequest
    if (this.#random.happens(0.5)) {
      ignoreConflict(() => rebaseBranch(this.#forge, pullRequest, author))
      return
    }
    const commit = this.#createCommit(repository, this.#getBaseHead(repository))
    forcePush(this.#forge, pullRequest, author, [commit])
  }

  /** One to three findings of one bot at the head. */
  review(): void {
    const pullRequest = this.#pickPull('open')
    if (pullRequest === null) return
    const { repository, headSha } = pullRequest
    const bot = this.#random.pick(this.#bots)
    const threads = Array.from({ length: 1 + this.#random.below(3) }, () => {
      const path = this.#random.pick(FILES)
      const count = toLines(getCode(repository).readFile(headSha, path) ?? '').length
      const line = 2 + this.#random.below(Math.max(1, count - 2))
      const hasRange = this.#random.happens(0.3)
      const suggestion = this.#random.happens(0.5) ? [`line ${line}, as ${bot.name} suggests`] : null
      const body = this.#writer.write(bot, suggestion)
      return { path, line, body, ...(hasRange ? { startLine: line - 1 } : {}) }
    })
    const before = pullRequest.threads.length
    submitReview(this.#forge, pullRequest, { author: bot.user, body: bot.summary, threads })
    for (const { comments } of pullRequest.threads.slice(before))
      if (comments[0] !== undefined) this.#findings.set(comments[0], bot)
  }

  reply(): void {
    const found = this.#pickThread()
    if (found === null) return
    const text = this.#random.pick(['Fixed.', 'This is intended.', 'Good catch.', "We won't change this."])
    replyToThread(this.#forge, found.pullRequest, found.thread, this.#pickPerson(), text)
  }

  comment(): void {
    const pullRequest = this.#pickPull('any')
    if (pullRequest !== null) addComment(this.#forge, pullRequest, this.#pickPerson(), 'Please have a look.')
  }

  toggleResolution(): void {
    const found = this.#pickThread()
    if (found === null) return
    const { pullRequest, thread } = found
    const change = thread.isResolved ? unresolveThread : resolveThread
    change(this.#forge, pullRequest, thread, this.#pickPerson())
  }

  toggleReaction(): void {
    const found = this.#pickThread()
    const [comment] = found?.thread.comments ?? []
    if (found === null || comment === undefined) return
    const [existing] = comment.reactions
    if (existing !== undefined && this.#random.happens(0.4))
      return removeReaction(this.#forge, found.pullRequest, comment, existing)
    const user = this.#random.happens(0.1) ? this.#random.pick(this.#bots).user : this.#pickPerson()
    addReaction(
      this.#forge,
      found.pullRequest,
      comment,
      user,
      this.#random.pick(['+1', '-1', 'eyes'] as const),
    )
  }

  edit(): void {
    const found = this.#pickThread()
    const [comment] = found?.thread.comments ?? []
    if (found === null || comment === undefined) return
    editComment(this.#forge, found.pullRequest, comment, `${comment.body}\n\n✅ Addressed in commit.`)
  }

  delete(): void {
    const found = this.#pickThread()
    if (found === null) return
    const comment = this.#random.pick(found.thread.comments)
    deleteComment(this.#forge, found.pullRequest, comment)
    if (this.#findings.delete(comment)) this.#deleted.push(comment.id)
  }

  applySuggestion(): void {
    const found = this.#pickThread()
    if (found === null || found.pullRequest.state !== 'open' || found.thread.suggestionCommit !== null) return
    applySuggestion(this.#forge, found.pullRequest, found.thread, this.#pickPerson())
  }

  merge(): void {
    const pullRequest = this.#pickPull('open')
    if (pullRequest === null) return
    const actor = this.#pickPerson()
    const linear: MergeMethod = this.#isGitlab ? 'fast_forward' : 'rebase'
    const method = this.#random.pick(['merge', 'squash', linear] as const)
    ignoreConflict(() => {
      if (method === 'fast_forward') rebaseBranch(this.#forge, pullRequest, actor)
      mergePullRequest(this.#forge, pullRequest, actor, method)
    })
  }

  closeOrReopen(): void {
    const pullRequest = this.#pickPull('any')
    if (pullRequest === null || pullRequest.mergedAt !== null) return
    const change = pullRequest.state === 'open' ? closePullRequest : reopenPullRequest
    change(this.#forge, pullRequest, this.#pickPerson())
  }

  toggleDraft(): void {
    const pullRequest = this.#pickPull('open')
    if (pullRequest === null) return
    const change = pullRequest.isDraft ? markReadyForReview : convertToDraft
    change(this.#forge, pullRequest, pullRequest.author)
  }

  /** Renames a repository, moves it to another organization and back, or adds one. */
  changeRepository(): void {
    const moved = this.#forge.repositories.find(({ owner }) => owner === this.#elsewhere)
    const repositories = this.#listRepositories()
    const actor = this.#pickPerson()
    if (moved !== undefined) this.#forge.transferRepository(moved, this.organization, actor)
    else if (repositories.length < 2) this.#addRepository()
    else if (this.#random.happens(0.3))
      this.#forge.transferRepository(this.#random.pick(repositories), this.#elsewhere, actor)
    else this.#forge.renameRepository(this.#random.pick(repositories), `renamed-${++this.#revision}`, actor)
  }

  changeMembers(): void {
    const person = this.#pickPerson()
    if (this.organization.members.has(person) && this.organization.members.size > 1)
      this.#forge.removeMember(this.organization, person)
    else this.#forge.addMember(this.organization, person)
  }
}

function ignoreConflict(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof MergeConflictError)) throw error
  }
}

const actions: readonly (readonly [weight: number, action: Action])[] = [
  [14, (history) => history.openPull()],
  [12, (history) => history.push()],
  [4, (history) => history.forcePush()],
  [18, (history) => history.review()],
  [10, (history) => history.reply()],
  [5, (history) => history.comment()],
  [12, (history) => history.toggleResolution()],
  [10, (history) => history.toggleReaction()],
  [4, (history) => history.edit()],
  [3, (history) => history.delete()],
  [6, (history) => history.applySuggestion()],
  [9, (history) => history.merge()],
  [4, (history) => history.closeOrReopen()],
  [3, (history) => history.toggleDraft()],
  [2, (history) => history.changeRepository()],
  [2, (history) => history.changeMembers()],
]

const totalWeight = actions.reduce((total, [weight]) => total + weight, 0)

// What people do with pull requests: open, push, force-push, merge, close.
import { createHash } from 'node:crypto'
import { type Forge, getCode, toIdentity } from './forge.ts'
import { type Changes, MergeConflictError } from './git/code-repository.ts'
import type { MergeMethod, PullRequest, PullRequestCommit, Repository, TimelineItem, User } from './model.ts'

export interface NewPullRequest {
  readonly title: string
  readonly author: User
  readonly body?: string
  readonly isDraft?: boolean
  /** The commits of the branch, at least one. */
  readonly commits: readonly NewBranchCommit[]
}

export interface NewBranchCommit {
  readonly message: string
  readonly changes: Changes
}

export function openPullRequest(forge: Forge, repository: Repository, options: NewPullRequest): PullRequest {
  const { title, author, body = '', isDraft = false } = options
  const now = forge.clock.now()
  const number = repository.pullRequests.length + 1
  const baseSha = getBranch(repository, repository.defaultBranch) ?? toSyntheticSha('base', repository.id)
  const pullRequest: PullRequest = {
    id: forge.nextId('pullRequest'),
    repository,
    number,
    title,
    body,
    author,
    isDraft,
    state: 'open',
    createdAt: now,
    updatedAt: now,
    closedAt: null,
    mergedAt: null,
    mergedBy: null,
    mergeSha: null,
    mergeMethod: null,
    baseRef: repository.defaultBranch,
    baseSha,
    headRef: `change-${number}`,
    headSha: baseSha,
    commits: [],
    timeline: [],
    reviews: [],
    threads: [],
    comments: [],
  }
  for (const commit of options.commits) addCommit(forge, pullRequest, author, commit)
  repository.pullRequests.push(pullRequest)
  forge.pullRequests.set(pullRequest.id, pullRequest)
  forge.emit({ kind: 'pull_request', action: 'opened', repository, pullRequest, actor: author })
  return pullRequest
}

/** Pushes one commit on top of the branch; returns its id. */
export function pushCommit(
  forge: Forge,
  pullRequest: PullRequest,
  author: User,
  commit: NewBranchCommit,
): string {
  const before = pullRequest.headSha
  addCommit(forge, pullRequest, author, commit)
  finishPush(forge, pullRequest, author, before)
  return pullRequest.headSha
}

/** Replaces all commits of the branch by new ones on top of the current base branch. */
export function forcePush(
  forge: Forge,
  pullRequest: PullRequest,
  author: User,
  commits: readonly NewBranchCommit[],
): void {
  const { repository, headSha: before } = pullRequest
  const base = getBranch(repository, pullRequest.baseRef) ?? pullRequest.baseSha
  Object.assign(pullRequest, { baseSha: base, headSha: base, commits: [] })
  for (const commit of commits) addCommit(forge, pullRequest, author, commit)
  addTimelineItem(forge, pullRequest, 'head_ref_force_pushed', author)
  finishPush(forge, pullRequest, author, before)
}

/** Rebases the branch on the current base branch: the same changes, new commit ids. */
export function rebaseBranch(forge: Forge, pullRequest: PullRequest, actor: User): void {
  const { repository, headSha: before, commits } = pullRequest
  const code = getCode(repository)
  const base = getBranch(repository, pullRequest.baseRef) ?? pullRequest.baseSha
  const at = forge.clock.now()
  let head = base
  const rebased: PullRequestCommit[] = []
  for (const commit of commits) {
    head = code.cherryPick(commit.sha, head, at)
    rebased.push({ ...commit, sha: head, at })
  }
  Object.assign(pullRequest, { baseSha: base, headSha: head, commits: rebased })
  writeHeadRefs(pullRequest)
  addTimelineItem(forge, pullRequest, 'head_ref_force_pushed', actor)
  finishPush(forge, pullRequest, actor, before)
}

/** Throws MergeConflictError, and changes nothing, if the base branch has conflicting changes. */
export function mergePullRequest(
  forge: Forge,
  pullRequest: PullRequest,
  actor: User,
  method: MergeMethod,
): string {
  const { repository, baseRef } = pullRequest
  const now = forge.clock.now()
  const sha =
    repository.code === null
      ? toSyntheticSha('merge', pullRequest.id)
      : createMerge(pullRequest, actor, method, now)
  if (repository.code !== null) {
    repository.code.setRef(`refs/heads/${baseRef}`, sha)
    repository.code.setRef(`refs/heads/${pullRequest.headRef}`, null)
  }
  const merged = {
    state: 'closed',
    mergeSha: sha,
    mergeMethod: method,
    mergedBy: actor,
    mergedAt: now,
    closedAt: now,
    updatedAt: now,
  }
  Object.assign(pullRequest, merged)
  addTimelineItem(forge, pullRequest, 'merged', actor)
  addTimelineItem(forge, pullRequest, 'closed', actor)
  forge.emit({ kind: 'pull_request', action: 'closed', repository, pullRequest, actor })
  return sha
}

function createMerge(pullRequest: PullRequest, actor: User, method: MergeMethod, at: number): string {
  const { repository, baseRef, headSha, number, title, commits } = pullRequest
  const code = getCode(repository)
  const base = getBranch(repository, baseRef) ?? pullRequest.baseSha
  if (method === 'fast_forward') {
    if (code.findMergeBase(base, headSha) !== base)
      throw new MergeConflictError('the branch must be rebased before a fast-forward')
    return headSha
  }
  if (method === 'rebase') return commits.reduce((onto, { sha }) => code.cherryPick(sha, onto, at), base)
  const author = toIdentity(actor)
  if (method === 'squash') {
    const message = [`${title} (#${number})`, '', ...commits.map((commit) => `* ${commit.message}\n`)].join(
      '\n',
    )
    return code.mergeCommit({ parents: [base], author, at, message }, base, headSha)
  }
  const message = `Merge pull request #${number} from ${repository.owner.login}/${pullRequest.headRef}\n\n${title}`
  return code.mergeCommit({ parents: [base, headSha], author, at, message }, base, headSha)
}

export function closePullRequest(forge: Forge, pullRequest: PullRequest, actor: User): void {
  const now = forge.clock.now()
  Object.assign(pullRequest, { state: 'closed', closedAt: now, updatedAt: now })
  addTimelineItem(forge, pullRequest, 'closed', actor)
  const { repository } = pullRequest
  forge.emit({ kind: 'pull_request', action: 'closed', repository, pullRequest, actor })
}

export function reopenPullRequest(forge: Forge, pullRequest: PullRequest, actor: User): void {
  Object.assign(pullRequest, { state: 'open', closedAt: null, updatedAt: forge.clock.now() })
  addTimelineItem(forge, pullRequest, 'reopened', actor)
  const { repository } = pullRequest
  forge.emit({ kind: 'pull_request', action: 'reopened', repository, pullRequest, actor })
}

export function markReadyForReview(forge: Forge, pullRequest: PullRequest, actor: User): void {
  Object.assign(pullRequest, { isDraft: false, updatedAt: forge.clock.now() })
  addTimelineItem(forge, pullRequest, 'ready_for_review', actor)
  const { repository } = pullRequest
  forge.emit({ kind: 'pull_request', action: 'ready_for_review', repository, pullRequest, actor })
}

export function convertToDraft(forge: Forge, pullRequest: PullRequest, actor: User): void {
  Object.assign(pullRequest, { isDraft: true, updatedAt: forge.clock.now() })
  addTimelineItem(forge, pullRequest, 'convert_to_draft', actor)
  const { repository } = pullRequest
  forge.emit({ kind: 'pull_request', action: 'converted_to_draft', repository, pullRequest, actor })
}

/** Stands for a commit id where a repository has no code. */
export function toSyntheticSha(...parts: readonly (string | number)[]): string {
  return createHash('sha1').update(parts.join(' ')).digest('hex')
}

function getBranch({ code }: Repository, name: string): string | null {
  return code?.getRef(`refs/heads/${name}`) ?? null
}

function addCommit(forge: Forge, pullRequest: PullRequest, author: User, commit: NewBranchCommit): void {
  const { repository, headSha } = pullRequest
  const at = forge.clock.now()
  const { message, changes } = commit
  const sha =
    repository.code === null
      ? toSyntheticSha(headSha, message, at)
      : repository.code.commit({ parents: [headSha], author: toIdentity(author), at, message }, changes)
  pullRequest.headSha = sha
  pullRequest.commits.push({ sha, message, author, at })
  writeHeadRefs(pullRequest)
}

/** `refs/pull` as on GitHub, `refs/merge-requests` as on GitLab. */
function writeHeadRefs({ repository: { code }, headRef, headSha, number }: PullRequest): void {
  code?.setRef(`refs/heads/${headRef}`, headSha)
  code?.setRef(`refs/pull/${number}/head`, headSha)
  code?.setRef(`refs/merge-requests/${number}/head`, headSha)
}

function finishPush(forge: Forge, pullRequest: PullRequest, actor: User, before: string): void {
  pullRequest.updatedAt = forge.clock.now()
  const { repository } = pullRequest
  forge.emit({ kind: 'pull_request', action: 'synchronize', repository, pullRequest, actor, before })
}

function addTimelineItem(
  forge: Forge,
  pullRequest: PullRequest,
  kind: TimelineItem['kind'],
  actor: User,
): void {
  pullRequest.timeline.push({ id: forge.nextId('timeline'), kind, actor, at: forge.clock.now() })
}

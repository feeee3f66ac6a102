// GitLab's REST shapes of the fake's state. Organizations are groups, repositories projects, pull requests merge requests.
import { getFullName, getPermission } from '../forge.ts'
import { toLines } from '../git/line-diff.ts'
import type {
  Comment,
  Organization,
  Permission,
  PullRequest,
  PullRequestCommit,
  Reaction,
  Repository,
  Review,
  Thread,
  TimelineItem,
  User,
} from '../model.ts'
import { toSyntheticSha } from '../pull-request.ts'
import { getSuggestion, isThreadComment, locateThread } from '../review.ts'

export type Json = Record<string, unknown>

export function toGitlabTime(ms: number): string {
  return new Date(ms).toISOString()
}

const toTimeOrNull = (ms: number | null) => (ms === null ? null : toGitlabTime(ms))

/** GitLab has no suffix for bots, and does not say in notes who is one. */
export function getUsername({ login }: User): string {
  return login.replace(/\[bot\]$/, '')
}

export function renderUser(web: string, user: User): Json {
  const username = user.isDeleted ? 'ghost1' : getUsername(user)
  return {
    id: user.isDeleted ? 1 : user.id,
    username,
    name: user.isDeleted ? 'Ghost User' : user.name,
    state: 'active',
    locked: false,
    avatar_url: null,
    web_url: `${web}/${username}`,
  }
}

const renderUserOrNull = (web: string, user: User | null) => (user === null ? null : renderUser(web, user))

const accessLevels: Readonly<Record<Permission, number>> = {
  pull: 20,
  triage: 25,
  push: 30,
  maintain: 40,
  admin: 50,
}

export function renderMember(web: string, user: User, permission: Permission, since: number): Json {
  return {
    ...renderUser(web, user),
    access_level: accessLevels[permission],
    created_at: toGitlabTime(since),
    expires_at: null,
    membership_state: 'active',
  }
}

export function renderGroup(web: string, { id, login, createdAt }: Organization): Json {
  return {
    id,
    web_url: `${web}/groups/${login}`,
    name: login,
    path: login,
    description: '',
    visibility: 'private',
    full_name: login,
    full_path: login,
    parent_id: null,
    created_at: toGitlabTime(createdAt),
    avatar_url: null,
  }
}

export function renderProject(web: string, repository: Repository, isSimple: boolean): Json {
  const { id, name, owner } = repository
  const path = getFullName(repository)
  const details = {
    visibility: repository.isPrivate ? 'private' : 'public',
    archived: false,
    empty_repo: repository.code === null,
    merge_method: 'merge',
    merge_requests_enabled: repository.hasPullRequests,
  }
  return {
    id,
    description: null,
    name,
    name_with_namespace: `${owner.login} / ${name}`,
    path: name,
    path_with_namespace: path,
    created_at: toGitlabTime(repository.createdAt),
    default_branch: repository.defaultBranch,
    ssh_url_to_repo: `git@${new URL(web).hostname}:${path}.git`,
    http_url_to_repo: `${web}/${path}.git`,
    web_url: `${web}/${path}`,
    readme_url: null,
    avatar_url: null,
    forks_count: 0,
    star_count: 0,
    last_activity_at: toGitlabTime(repository.updatedAt),
    namespace: {
      id: owner.id,
      name: owner.login,
      path: owner.login,
      kind: 'group',
      full_path: owner.login,
      parent_id: null,
      avatar_url: null,
      web_url: `${web}/groups/${owner.login}`,
    },
    ...(isSimple ? {} : details),
  }
}

export function getState({ state, mergedAt }: PullRequest): 'opened' | 'closed' | 'merged' {
  if (state === 'open') return 'opened'
  return mergedAt === null ? 'closed' : 'merged'
}

export function getMergeRequestUrl(web: string, { repository, number }: PullRequest): string {
  return `${web}/${getFullName(repository)}/-/merge_requests/${number}`
}

export const areThreadsResolved = ({ threads }: PullRequest) => threads.every(({ isResolved }) => isResolved)

/** As in lists. */
export function renderMergeRequest(web: string, pullRequest: PullRequest): Json {
  const { repository, number, mergeMethod, mergeSha } = pullRequest
  const author = renderUser(web, pullRequest.author)
  const closedBy = pullRequest.timeline.findLast(({ kind }) => kind === 'closed')?.actor ?? null
  const isMerged = pullRequest.mergedAt !== null
  const reference = `!${number}`
  return {
    id: pullRequest.id,
    iid: number,
    project_id: repository.id,
    title: pullRequest.isDraft ? `Draft: ${pullRequest.title}` : pullRequest.title,
    description: pullRequest.body,
    state: getState(pullRequest),
    created_at: toGitlabTime(pullRequest.createdAt),
    updated_at: toGitlabTime(pullRequest.updatedAt),
    merged_by: renderUserOrNull(web, pullRequest.mergedBy),
    merge_user: renderUserOrNull(web, pullRequest.mergedBy),
    merged_at: toTimeOrNull(pullRequest.mergedAt),
    closed_by: isMerged || pullRequest.state === 'open' ? null : renderUserOrNull(web, closedBy),
    closed_at: isMerged ? null : toTimeOrNull(pullRequest.closedAt),
    target_branch: pullRequest.baseRef,
    source_branch: pullRequest.headRef,
    user_notes_count:
      listNotes(pullRequest).filter(({ isSystem }) => !isSystem).length +
      pullRequest.threads.flatMap(({ comments }) => comments).length,
    upvotes: 0,
    downvotes: 0,
    author,
    assignees: [],
    assignee: null,
    reviewers: [],
    source_project_id: repository.id,
    target_project_id: repository.id,
    labels: [],
    draft: pullRequest.isDraft,
    imported: false,
    imported_from: 'none',
    work_in_progress: pullRequest.isDraft,
    milestone: null,
    merge_when_pipeline_succeeds: false,
    merge_status: 'can_be_merged',
    detailed_merge_status: isMerged ? 'not_open' : 'mergeable',
    sha: pullRequest.headSha,
    // After a fast-forward there is neither: the head itself is on the target branch.
    merge_commit_sha: mergeMethod === 'merge' ? mergeSha : null,
    squash_commit_sha: mergeMethod === 'squash' ? mergeSha : null,
    discussion_locked: null,
    should_remove_source_branch: null,
    force_remove_source_branch: true,
    prepared_at: toGitlabTime(pullRequest.createdAt),
    reference,
    references: { short: reference, relative: reference, full: `${getFullName(repository)}${reference}` },
    web_url: getMergeRequestUrl(web, pullRequest),
    time_stats: {
      time_estimate: 0,
      total_time_spent: 0,
      human_time_estimate: null,
      human_total_time_spent: null,
    },
    squash: mergeMethod === 'squash',
    squash_on_merge: mergeMethod === 'squash',
    task_completion_status: { count: 0, completed_count: 0 },
    has_conflicts: false,
    blocking_discussions_resolved: areThreadsResolved(pullRequest),
  }
}

export function renderMergeRequestDetails(web: string, pullRequest: PullRequest): Json {
  const { repository, baseSha, headSha } = pullRequest
  const changed = repository.code?.listChangedPaths(baseSha, headSha).length ?? 1
  return {
    ...renderMergeRequest(web, pullRequest),
    subscribed: false,
    changes_count: String(changed),
    merge_error: null,
    first_contribution: false,
    diff_refs: { base_sha: baseSha, head_sha: headSha, start_sha: baseSha },
    user: { can_merge: false },
  }
}

/** Comments, summaries of reviews, and what GitLab itself writes about changes. */
export interface Note {
  readonly id: number
  readonly author: User
  readonly body: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly isSystem: boolean
  readonly comment: Comment | null
}

const systemTexts: Readonly<Record<TimelineItem['kind'], string>> = {
  ready_for_review: 'marked this merge request as **ready**',
  convert_to_draft: 'marked this merge request as **draft**',
  head_ref_force_pushed: 'added 1 commit',
  closed: 'closed',
  reopened: 'reopened',
  merged: 'merged',
}

/** Notes outside threads, by time. */
export function listNotes({ comments, reviews, timeline }: PullRequest): Note[] {
  const notes = [
    ...comments.map((comment) => ({ ...comment, isSystem: false, comment })),
    ...reviews
      .filter(({ body }) => body !== '')
      .map((review) => ({ ...toReviewNote(review), isSystem: false, comment: null })),
    ...timeline.map(({ id, kind, actor, at }) => ({
      id,
      author: actor,
      body: systemTexts[kind],
      createdAt: at,
      updatedAt: at,
      isSystem: true,
      comment: null,
    })),
  ]
  return notes.sort((a, b) => a.createdAt - b.createdAt || a.id - b.id)
}

export function getDiscussionId(kind: 'thread' | 'note', id: number): string {
  return toSyntheticSha('discussion', kind, id)
}

export function renderDiscussions(web: string, pullRequest: PullRequest): Json[] {
  const single = listNotes(pullRequest).map((note) => ({
    at: note.createdAt,
    body: {
      id: getDiscussionId('note', note.id),
      individual_note: true,
      notes: [renderNote(web, pullRequest, note)],
    },
  }))
  const threads = pullRequest.threads.map((thread) => ({
    at: thread.comments[0]?.createdAt ?? 0,
    body: {
      id: getDiscussionId('thread', thread.id),
      individual_note: false,
      notes: thread.comments.map((comment) => renderThreadNote(web, pullRequest, thread, comment)),
    },
  }))
  return [...single, ...threads].sort((a, b) => a.at - b.at).map(({ body }) => body)
}

export function renderNote(web: string, { id, number, repository }: PullRequest, note: Note): Json {
  return {
    id: note.id,
    type: null,
    body: note.body,
    attachment: null,
    author: renderUser(web, note.author),
    created_at: toGitlabTime(note.createdAt),
    updated_at: toGitlabTime(note.updatedAt),
    system: note.isSystem,
    noteable_id: id,
    noteable_type: 'MergeRequest',
    project_id: repository.id,
    commit_id: null,
    resolvable: false,
    confidential: false,
    internal: false,
    imported: false,
    imported_from: 'none',
    noteable_iid: number,
    commands_changes: {},
  }
}

function renderThreadNote(web: string, pullRequest: PullRequest, thread: Thread, comment: Comment): Json {
  const note = { ...comment, isSystem: false, comment }
  const isFirst = comment === thread.comments[0]
  return {
    ...renderNote(web, pullRequest, note),
    type: 'DiffNote',
    position: renderPosition(pullRequest, thread),
    resolvable: true,
    resolved: thread.isResolved,
    resolved_by: renderUserOrNull(web, thread.resolvedBy),
    resolved_at: toTimeOrNull(thread.resolvedAt),
    suggestions: isFirst ? renderSuggestions(pullRequest, thread) : [],
  }
}

/** GitLab moves a position with the diff while its lines are unchanged; afterwards it stays at the last commit that had them. */
export function renderPosition(pullRequest: PullRequest, thread: Thread): Json {
  const { baseSha, headSha } = pullRequest
  const { isOutdated, line, startLine } = locateThread(pullRequest, thread)
  const head = isOutdated ? thread.originalCommit : headSha
  const [end, start] = isOutdated ? [thread.originalLine, thread.originalStartLine] : [line, startLine]
  const refs = { base_sha: baseSha, start_sha: baseSha, head_sha: head }
  const paths = { old_path: thread.path, new_path: thread.path }
  if (end === null) return { ...refs, ...paths, position_type: 'file' }
  const side = thread.side === 'LEFT' ? 'old' : 'new'
  const toPoint = (number: number) => ({
    line_code: `${toSyntheticSha(thread.path)}_${number}_${number}`,
    type: side,
    old_line: side === 'old' ? number : null,
    new_line: side === 'new' ? number : null,
  })
  const { old_line, new_line } = toPoint(end)
  const lineRange = start === null ? null : { start: toPoint(start), end: toPoint(end) }
  return { ...refs, ...paths, position_type: 'text', old_line, new_line, line_range: lineRange }
}

function renderSuggestions({ repository }: PullRequest, thread: Thread): Json[] {
  const suggestion = getSuggestion(thread)
  const { originalLine, originalStartLine, originalCommit, path } = thread
  if (suggestion === null || originalLine === null) return []
  const from = originalStartLine ?? originalLine
  const lines = toLines(repository.code?.readFile(originalCommit, path) ?? '')
  const isApplied = thread.suggestionCommit !== null
  return [
    {
      id: thread.id,
      from_line: from,
      to_line: originalLine,
      appliable: !isApplied,
      applied: isApplied,
      from_content: toText(lines.slice(from - 1, originalLine)),
      to_content: toText(suggestion),
    },
  ]
}

const toText = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

export function renderCommit(web: string, repository: Repository, commit: PullRequestCommit): Json {
  const { sha, message, author, at } = commit
  const [title = ''] = message.split('\n')
  const email = `${author.id}@users.noreply.example`
  return {
    id: sha,
    short_id: sha.slice(0, 8),
    created_at: toGitlabTime(at),
    parent_ids: repository.code?.getCommit(sha).parents ?? [],
    title,
    message,
    author_name: author.name,
    author_email: email,
    authored_date: toGitlabTime(at),
    committer_name: author.name,
    committer_email: email,
    committed_date: toGitlabTime(at),
    trailers: {},
    extended_trailers: {},
    web_url: `${web}/${getFullName(repository)}/-/commit/${sha}`,
  }
}

/** One version for each push; the fake knows the heads of its commits. */
export function renderVersions({ id, commits, baseSha }: PullRequest): Json[] {
  return commits
    .map(({ sha, at }, index) => ({
      id: id + index,
      head_commit_sha: sha,
      base_commit_sha: baseSha,
      start_commit_sha: baseSha,
      created_at: toGitlabTime(at),
      merge_request_id: id,
      state: 'collected',
      real_size: '1',
      patch_id_sha: null,
    }))
    .toReversed()
}

const emojiNames = new Map([
  ['+1', 'thumbsup'],
  ['-1', 'thumbsdown'],
  ['laugh', 'laughing'],
  ['hooray', 'tada'],
])

export function getEmojiName({ content }: Reaction): string {
  return emojiNames.get(content) ?? content
}

export function renderEmoji(web: string, comment: Comment, reaction: Reaction): Json {
  return {
    id: reaction.id,
    name: getEmojiName(reaction),
    user: renderUser(web, reaction.user),
    created_at: toGitlabTime(reaction.createdAt),
    updated_at: toGitlabTime(reaction.createdAt),
    awardable_id: comment.id,
    awardable_type: 'Note',
    url: null,
  }
}

/** Members of a project, with those of its group. */
export function listMembers(repository: Repository): (readonly [User, Permission])[] {
  const { owner, collaborators } = repository
  const users = new Set([...owner.members.keys(), ...collaborators.keys()])
  return [...users].flatMap((user) => {
    const permission = getPermission(repository, user)
    return permission === null ? [] : [[user, permission] as const]
  })
}

export function findNote({ comments, threads, reviews }: PullRequest, id: number): Comment | null {
  const all: Comment[] = [
    ...comments,
    ...threads.flatMap((thread) => thread.comments),
    ...reviews.map(toReviewNote),
  ]
  return all.find((comment) => comment.id === id) ?? null
}

/** GitLab shows the body of a review as a note. */
export function toReviewNote({ id, author, body, submittedAt, updatedAt }: Review): Comment {
  return { id, author, body, createdAt: submittedAt, updatedAt, reactions: [] }
}

/** All notes of a merge request, for the list of notes. */
export function renderAllNotes(web: string, pullRequest: PullRequest): Json[] {
  const inThreads = pullRequest.threads
    .flatMap(({ comments }) => comments)
    .filter(isThreadComment)
    .map((comment) => ({
      at: comment.createdAt,
      body: renderThreadNote(web, pullRequest, comment.thread, comment),
    }))
  const single = listNotes(pullRequest).map((note) => ({
    at: note.createdAt,
    body: renderNote(web, pullRequest, note),
  }))
  return [...inThreads, ...single].sort((a, b) => a.at - b.at).map(({ body }) => body)
}

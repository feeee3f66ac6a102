// What people and bots say about pull requests: reviews, threads, replies, reactions, suggestions.
import { type Forge, getCode } from './forge.ts'
import { createHunks, matchLines, renderHunk, toLines } from './git/line-diff.ts'
import type {
  Comment,
  PullRequest,
  Reaction,
  ReactionContent,
  Review,
  ReviewState,
  Side,
  Thread,
  ThreadComment,
  User,
} from './model.ts'
import { pushCommit } from './pull-request.ts'

export interface NewThread {
  readonly path: string
  /** The last line; null = the whole file. */
  readonly line: number | null
  readonly startLine?: number
  readonly side?: Side
  readonly body: string
}

export interface NewReview {
  readonly author: User
  readonly state?: ReviewState
  readonly body?: string
  readonly threads?: readonly NewThread[]
}

export function submitReview(forge: Forge, pullRequest: PullRequest, options: NewReview): Review {
  const { author, state = 'COMMENTED', body = '', threads = [] } = options
  const { repository, headSha } = pullRequest
  const review = addReview(forge, pullRequest, author, state, body)
  forge.emit({ kind: 'review', action: 'submitted', repository, pullRequest, review, actor: author })
  for (const { path, line, startLine, side = 'RIGHT', body: text } of threads) {
    const thread: Thread = {
      id: forge.nextId('thread'),
      path,
      originalLine: line,
      originalStartLine: startLine ?? null,
      side,
      originalCommit: headSha,
      diffHunk: line === null ? '' : createDiffHunk(pullRequest, path, line),
      isResolved: false,
      resolvedBy: null,
      resolvedAt: null,
      suggestionCommit: null,
      isOutdated: false,
      comments: [],
    }
    pullRequest.threads.push(thread)
    addThreadComment(forge, pullRequest, thread, author, text, review)
  }
  return review
}

/** A reply is a review of its own, as on GitHub. */
export function replyToThread(
  forge: Forge,
  pullRequest: PullRequest,
  thread: Thread,
  author: User,
  body: string,
): ThreadComment {
  const review = addReview(forge, pullRequest, author, 'COMMENTED', '')
  return addThreadComment(forge, pullRequest, thread, author, body, review)
}

export function addComment(forge: Forge, pullRequest: PullRequest, author: User, body: string): Comment {
  const comment = createComment(forge, author, body)
  pullRequest.comments.push(comment)
  pullRequest.updatedAt = comment.createdAt
  const { repository } = pullRequest
  forge.emit({ kind: 'comment', action: 'created', repository, pullRequest, comment, actor: author })
  return comment
}

export function editComment(forge: Forge, pullRequest: PullRequest, comment: Comment, body: string): void {
  const now = forge.clock.now()
  Object.assign(comment, { body, updatedAt: now })
  pullRequest.updatedAt = now
  emitComment(forge, pullRequest, comment, 'edited')
}

export function editReview(forge: Forge, pullRequest: PullRequest, review: Review, body: string): void {
  const now = forge.clock.now()
  Object.assign(review, { body, updatedAt: now })
  pullRequest.updatedAt = now
  const { repository } = pullRequest
  forge.emit({ kind: 'review', action: 'edited', repository, pullRequest, review, actor: review.author })
}

/** A thread without comments is gone. */
export function deleteComment(forge: Forge, pullRequest: PullRequest, comment: Comment): void {
  if (isThreadComment(comment)) {
    const { thread } = comment
    thread.comments = thread.comments.filter((one) => one !== comment)
    pullRequest.threads = pullRequest.threads.filter(({ comments }) => comments.length > 0)
  } else pullRequest.comments = pullRequest.comments.filter((one) => one !== comment)
  pullRequest.updatedAt = forge.clock.now()
  emitComment(forge, pullRequest, comment, 'deleted')
}

/** Does not change `updatedAt` of the pull request, as on GitHub. */
export function addReaction(
  forge: Forge,
  pullRequest: PullRequest,
  comment: Comment,
  user: User,
  content: ReactionContent,
): Reaction {
  const existing = comment.reactions.find((one) => one.user === user && one.content === content)
  if (existing !== undefined) return existing
  const reaction = { id: forge.nextId('reaction'), user, content, createdAt: forge.clock.now() }
  comment.reactions.push(reaction)
  const { repository } = pullRequest
  forge.emit({ kind: 'reaction', action: 'added', repository, pullRequest, comment, reaction, actor: user })
  return reaction
}

export function removeReaction(
  forge: Forge,
  pullRequest: PullRequest,
  comment: Comment,
  reaction: Reaction,
): void {
  comment.reactions = comment.reactions.filter((one) => one !== reaction)
  const { repository } = pullRequest
  const { user: actor } = reaction
  forge.emit({ kind: 'reaction', action: 'removed', repository, pullRequest, comment, reaction, actor })
}

/** Does not change `updatedAt` of the pull request: a connector must not rely on it. */
export function resolveThread(forge: Forge, pullRequest: PullRequest, thread: Thread, actor: User): void {
  Object.assign(thread, { isResolved: true, resolvedBy: actor, resolvedAt: forge.clock.now() })
  const { repository } = pullRequest
  forge.emit({ kind: 'thread', action: 'resolved', repository, pullRequest, thread, actor })
}

export function unresolveThread(forge: Forge, pullRequest: PullRequest, thread: Thread, actor: User): void {
  Object.assign(thread, { isResolved: false, resolvedBy: null, resolvedAt: null })
  const { repository } = pullRequest
  forge.emit({ kind: 'thread', action: 'unresolved', repository, pullRequest, thread, actor })
}

/** The lines of the first ```suggestion block; null = none. */
export function getSuggestion({ comments }: Thread): string[] | null {
  const match = /```suggestion[^\n]*\n([\s\S]*?)```/.exec(comments[0]?.body ?? '')
  return match === null ? null : toLines(match[1] ?? '')
}

/** Applies the suggestion of a thread at its current lines; false = outdated, or it has none. */
export function applySuggestion(
  forge: Forge,
  pullRequest: PullRequest,
  thread: Thread,
  actor: User,
): boolean {
  const suggestion = getSuggestion(thread)
  const { line, startLine } = locateThread(pullRequest, thread)
  const text = getCode(pullRequest.repository).readFile(pullRequest.headSha, thread.path)
  const author = thread.comments[0]?.author
  if (suggestion === null || line === null || text === null || author === undefined) return false
  const lines = toLines(text)
  const first = startLine ?? line
  lines.splice(first - 1, line - first + 1, ...suggestion)
  const coAuthor = `Co-authored-by: ${author.name} <${author.id}+${author.login}@users.noreply.example>`
  thread.suggestionCommit = pushCommit(forge, pullRequest, actor, {
    message: `Apply suggestion from @${author.login}\n\n${coAuthor}`,
    changes: { [thread.path]: `${lines.join('\n')}\n` },
  })
  return true
}

export interface ThreadLocation {
  readonly isOutdated: boolean
  /** At the head of the pull request; null if outdated. */
  readonly line: number | null
  readonly startLine: number | null
}

const outdated: ThreadLocation = { isOutdated: true, line: null, startLine: null }

/**
 * A thread is outdated if a line that it is about is changed or gone at the head. GitHub also calls threads outdated
 * whose file is no longer part of the diff; the fake does not.
 */
export function locateThread(pullRequest: PullRequest, thread: Thread): ThreadLocation {
  const { originalLine, originalStartLine, originalCommit, path, side, isOutdated } = thread
  const { code } = pullRequest.repository
  const unmoved = { isOutdated, line: originalLine, startLine: originalStartLine }
  if (code === null) return isOutdated ? outdated : unmoved
  if (side === 'LEFT' || originalLine === null || originalCommit === pullRequest.headSha) return unmoved
  const before = toLines(code.readFile(originalCommit, path) ?? '')
  const matches = matchLines(before, toLines(code.readFile(pullRequest.headSha, path) ?? ''))
  const range = matches.slice((originalStartLine ?? originalLine) - 1, originalLine)
  const [first = null] = range
  // All lines are there, one after the other.
  if (first === null || range.some((match, index) => match !== first + index)) return outdated
  const last = first + range.length
  return { isOutdated: false, line: last, startLine: originalStartLine === null ? null : first + 1 }
}

export function isThreadComment(comment: Comment): comment is ThreadComment {
  return 'thread' in comment
}

function addReview(
  forge: Forge,
  pullRequest: PullRequest,
  author: User,
  state: ReviewState,
  body: string,
): Review {
  const now = forge.clock.now()
  const id = forge.nextId('review')
  const review = { id, author, state, body, commit: pullRequest.headSha, submittedAt: now, updatedAt: now }
  pullRequest.reviews.push(review)
  pullRequest.updatedAt = now
  return review
}

function addThreadComment(
  forge: Forge,
  pullRequest: PullRequest,
  thread: Thread,
  author: User,
  body: string,
  review: Review,
): ThreadComment {
  const comment = { ...createComment(forge, author, body), reviewId: review.id, thread }
  thread.comments.push(comment)
  pullRequest.updatedAt = comment.createdAt
  const { repository } = pullRequest
  forge.emit({ kind: 'thread_comment', action: 'created', repository, pullRequest, comment, actor: author })
  return comment
}

function createComment(forge: Forge, author: User, body: string): Comment {
  const now = forge.clock.now()
  return { id: forge.nextId('comment'), author, body, createdAt: now, updatedAt: now, reactions: [] }
}

function emitComment(
  forge: Forge,
  pullRequest: PullRequest,
  comment: Comment,
  action: 'edited' | 'deleted',
): void {
  const { repository } = pullRequest
  const { author: actor } = comment
  if (isThreadComment(comment))
    forge.emit({ kind: 'thread_comment', action, repository, pullRequest, comment, actor })
  else forge.emit({ kind: 'comment', action, repository, pullRequest, comment, actor })
}

/** The hunk of the diff that has the line, up to the line. */
function createDiffHunk({ repository, baseSha, headSha }: PullRequest, path: string, line: number): string {
  const { code } = repository
  if (code === null) return `@@ -${line},1 +${line},1 @@`
  const after = toLines(code.readFile(headSha, path) ?? '')
  const hunks = createHunks(toLines(code.readFile(baseSha, path) ?? ''), after)
  for (const hunk of hunks) {
    let current = hunk.newStart
    for (const [index, text] of hunk.lines.entries()) {
      if (text.startsWith('-')) continue
      if (current === line) return renderHunk({ ...hunk, lines: hunk.lines.slice(0, index + 1) })
      current++
    }
  }
  return `@@ -${line},1 +${line},1 @@\n ${after[line - 1] ?? ''}`
}

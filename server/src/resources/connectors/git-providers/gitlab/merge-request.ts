import { CommentBudget, copyStart, MAX_MESSAGE_CHARACTERS } from '../../comment-budget.ts'
import type {
  Commit,
  ProviderComment,
  ProviderUser,
  PullRequestSnapshot,
  Reaction,
  RepositoryRef,
  ReviewThread,
} from '../../snapshot.ts'
import { nullIfNotFound, ProviderUnavailableError } from '../provider-client.ts'
import type {
  CommitBody,
  DiscussionBody,
  EmojiBody,
  MergeRequestBody,
  MergeRequestDetailsBody,
  NoteBody,
  PositionBody,
} from './bodies.ts'
import type { GitlabConnection } from './connection.ts'
import type { UserBody } from './users.ts'

const MAX_COMMITS = 250
/** Notes that GitLab writes itself are discussions too. */
const MAX_DISCUSSIONS = 5000
/** Limit per note. */
const MAX_REACTIONS = 1000

type FindUser = (user: UserBody | null) => Promise<ProviderUser | null>

/** Reads one merge request with everything that belongs to it. */
export class MergeRequestReader {
  readonly #connection: GitlabConnection
  readonly #findUser: FindUser
  #readAt = ''
  #url = ''

  constructor(connection: GitlabConnection, findUser: FindUser) {
    this.#connection = connection
    this.#findUser = findUser
  }

  /** null = there is no such merge request. */
  async read(repository: RepositoryRef, number: number): Promise<PullRequestSnapshot | null> {
    const path = `/projects/${repository.id}/merge_requests/${number}`
    const details = await nullIfNotFound(this.#connection.get<MergeRequestDetailsBody>(path))
    if (details === null) return null
    this.#readAt = details.date
    this.#url = details.body.web_url
    // Something of it was deleted in the meantime.
    const snapshot = await nullIfNotFound(this.#readParts(repository, path, details.body))
    if (snapshot === null) throw new ProviderUnavailableError('The merge request changed while it was read.')
    return snapshot
  }

  async #readParts(
    repository: RepositoryRef,
    path: string,
    body: MergeRequestDetailsBody,
  ): Promise<PullRequestSnapshot> {
    const budget = new CommentBudget()
    const discussions = await this.#readDiscussions(path, budget)
    if (budget.isSpent || discussions.length >= MAX_DISCUSSIONS)
      budget.omit(body.user_notes_count - countNotes(discussions))
    const commits = await this.#readAll<CommitBody>(`${path}/commits`, MAX_COMMITS, cutCommit)
    const headSha = body.sha ?? body.diff_refs?.head_sha ?? ''
    const threads: ReviewThread[] = []
    const comments: ProviderComment[] = []
    for (const { id, notes } of discussions) {
      const [first] = notes
      if (first?.position) threads.push(await this.#toThread(path, id, notes, first, first.position, headSha))
      else for (const note of notes) if (!note.system) comments.push(await this.#toComment(path, note, false))
    }
    return {
      repository,
      number: body.iid,
      url: body.web_url,
      state: toState(body.state),
      author: await this.#findUser(body.author),
      createdAt: body.created_at,
      readyForReviewAt: getReadyTime(body, discussions),
      mergedAt: body.merged_at,
      closedAt: body.closed_at ?? body.merged_at,
      updatedAt: body.updated_at,
      headSha,
      mergeSha: getMergeSha(body, headSha),
      // The newest come first.
      commits: commits.map(toCommit).toReversed(),
      // Approvals have no text, and summaries of reviews are notes.
      reviews: [],
      threads,
      comments,
      omittedComments: budget.omitted,
      readAt: this.#readAt,
    }
  }

  async #readDiscussions(path: string, budget: CommentBudget): Promise<DiscussionBody[]> {
    const discussions: DiscussionBody[] = []
    // One that is too large to be read must not hide the others.
    const pages = this.#readPages<DiscussionBody>(`${path}/discussions`, { omitOversize: true })
    for await (const page of pages) {
      for (const { id, notes } of page) {
        const read = notes.flatMap((note) => {
          if (note.system) return [toRead(note, copyStart(note.body, MAX_MESSAGE_CHARACTERS))]
          return budget.isSpent ? [] : [toRead(note, budget.take(note.body))]
        })
        if (read.length > 0) discussions.push({ id, notes: read })
      }
      if (budget.isSpent || discussions.length >= MAX_DISCUSSIONS) break
    }
    return discussions
  }

  async #readAll<Item>(path: string, max: number, cut = (item: Item) => item): Promise<Item[]> {
    const all: Item[] = []
    for await (const page of this.#readPages<Item>(path)) {
      all.push(...page.map(cut))
      if (all.length >= max) break
    }
    return all.slice(0, max)
  }

  async *#readPages<Item>(
    path: string,
    options: { readonly omitOversize?: boolean } = {},
  ): AsyncIterable<readonly Item[]> {
    for await (const { body, date } of this.#connection.listPages<Item>(`${path}?per_page=100`, options)) {
      if (date > this.#readAt) this.#readAt = date
      yield body
    }
  }

  async #toThread(
    path: string,
    id: string,
    notes: readonly NoteBody[],
    first: NoteBody,
    position: PositionBody,
    headSha: string,
  ): Promise<ReviewThread> {
    const comments: ProviderComment[] = []
    for (const note of notes)
      if (!note.system) comments.push(await this.#toComment(path, note, note === first))
    const suggestions = notes.flatMap((note) => note.suggestions ?? [])
    return {
      id,
      ...toLines(position),
      // GitLab moves the position with the branch as long as its lines are unchanged.
      originalCommit: position.head_sha,
      isResolved: first.resolved ?? false,
      resolvedBy: await this.#findUser(first.resolved_by ?? null),
      resolvedAt: first.resolved_at ?? null,
      isOutdated: position.head_sha !== headSha,
      suggestionApplied: suggestions.length === 0 ? null : suggestions.some(({ applied }) => applied),
      comments,
    }
  }

  /** Emoji need a request for each note: they are read for notes that can be findings. */
  async #toComment(path: string, note: NoteBody, isFirstOfThread: boolean): Promise<ProviderComment> {
    const user = await this.#findUser(note.author)
    const reactions = isFirstOfThread || user?.isBot ? await this.#readReactions(path, note.id) : []
    return {
      id: String(note.id),
      url: `${this.#url}#note_${note.id}`,
      user,
      body: note.body,
      createdAt: note.created_at,
      updatedAt: note.updated_at,
      reactions,
    }
  }

  async #readReactions(path: string, note: number): Promise<Reaction[]> {
    // A note that was deleted in the meantime has none.
    const emoji = await nullIfNotFound(
      this.#readAll<EmojiBody>(`${path}/notes/${note}/award_emoji`, MAX_REACTIONS),
    )
    const reactions: Reaction[] = []
    for (const { name, user } of emoji ?? [])
      reactions.push({ user: await this.#findUser(user), content: toContent(name) })
    return reactions
  }
}

/** What the response has besides, such as the code of suggestions, may be of any length. */
function toRead(note: NoteBody, body: string): NoteBody {
  const { id, type, author, created_at, updated_at, system, resolved, resolved_by, resolved_at } = note
  const { position, suggestions } = note
  return {
    id,
    type,
    body,
    author,
    created_at,
    updated_at,
    system,
    ...(resolved !== undefined && { resolved }),
    ...(resolved_by !== undefined && { resolved_by }),
    ...(resolved_at !== undefined && { resolved_at }),
    ...(position !== undefined && { position }),
    ...(suggestions !== undefined && { suggestions: suggestions.map(({ applied }) => ({ applied })) }),
  }
}

function cutCommit(commit: CommitBody): CommitBody {
  const { id, committed_date, message } = commit
  return { id, committed_date, message: copyStart(message, MAX_MESSAGE_CHARACTERS) }
}

function countNotes(discussions: readonly DiscussionBody[]): number {
  return discussions.flatMap(({ notes }) => notes).filter(({ system }) => !system).length
}

function toLines(
  position: PositionBody,
): Pick<ReviewThread, 'path' | 'side' | 'originalStartLine' | 'originalEndLine'> {
  const { new_line, old_line, line_range: range } = position
  const isLeft = !new_line && Boolean(old_line)
  const end = (isLeft ? old_line : new_line) ?? null
  const start = isLeft ? range?.start.old_line : range?.start.new_line
  return {
    path: (isLeft ? position.old_path : position.new_path) ?? position.old_path ?? '',
    side: isLeft ? 'left' : 'right',
    originalStartLine: start ?? end,
    originalEndLine: end,
  }
}

function toState(state: MergeRequestBody['state']): 'open' | 'merged' | 'closed' {
  if (state === 'merged') return 'merged'
  return state === 'closed' ? 'closed' : 'open'
}

/** Only a note that GitLab writes itself says when. */
function getReadyTime(body: MergeRequestBody, discussions: readonly DiscussionBody[]): string | null {
  if (body.draft) return null
  const notes = discussions.flatMap((discussion) => discussion.notes)
  const ready = notes.findLast(
    ({ system, body: text }) => system && /^marked .{1,60} as \*\*ready\*\*/.test(text),
  )
  return ready?.created_at ?? body.created_at
}

/** After a fast-forward there is no commit of its own: the head is on the target branch. */
function getMergeSha(body: MergeRequestBody, headSha: string): string | null {
  if (body.merged_at === null) return null
  return body.merge_commit_sha ?? body.squash_commit_sha ?? headSha
}

function toCommit({ id, message, committed_date }: CommitBody): Commit {
  return { sha: id, message, committedAt: committed_date }
}

function toContent(name: string): Reaction['content'] {
  if (name === 'thumbsup') return 'thumbs_up'
  return name === 'thumbsdown' ? 'thumbs_down' : 'other'
}

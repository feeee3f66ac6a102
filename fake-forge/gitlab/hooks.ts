// GitLab's hooks of projects and groups: merge requests, notes and emoji. There is none for a deleted note, and none for one resolved thread.
import { randomUUID } from 'node:crypto'
import { ContractError } from '../contract.ts'
import type { FaultPlan } from '../faults.ts'
import { type Forge, getFullName } from '../forge.ts'
import type { Comment, ForgeEvent, Organization, PullRequest, Reaction, Repository, User } from '../model.ts'
import { isThreadComment } from '../review.ts'
import { checkGitlabShape } from './contract.ts'
import {
  areThreadsResolved,
  getDiscussionId,
  getEmojiName,
  getMergeRequestUrl,
  getState,
  getUsername,
  type Json,
  renderPosition,
  toGitlabTime,
  toReviewNote,
} from './render.ts'

interface Hook {
  readonly id: number
  readonly owner: Organization | Repository
  readonly url: string
  readonly secret: string
  readonly createdAt: number
  readonly hasNotes: boolean
  readonly hasMergeRequests: boolean
  readonly hasEmoji: boolean
  failures: number
}

export interface GitlabHookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface GitlabHookOptions {
  readonly forge: Forge
  readonly faults: FaultPlan
  readonly getWeb: () => string
  readonly send: (request: GitlabHookRequest) => Promise<number>
  readonly reportViolation: (error: unknown) => void
  readonly hasGroupHooks: boolean
}

/** GitLab disables a hook after this many failures. */
const MAX_FAILURES = 4

interface Payload {
  readonly kind: 'note' | 'merge_request' | 'emoji'
  readonly body: Json
}

const eventNames = { note: 'Note Hook', merge_request: 'Merge Request Hook', emoji: 'Emoji Hook' } as const

export class GitlabHooks {
  readonly hasGroupHooks: boolean
  readonly #options: GitlabHookOptions
  readonly #hooks: Hook[] = []
  #sending: Promise<void> = Promise.resolve()
  #reordered: (() => Promise<void>)[] = []
  #late: (() => Promise<void>)[] = []

  constructor(options: GitlabHookOptions) {
    this.#options = options
    this.hasGroupHooks = options.hasGroupHooks
    options.forge.onEvent((event) => this.#handle(event))
  }

  list(owner: Organization | Repository): Json[] {
    return this.#hooks.filter((hook) => hook.owner === owner).map(renderHook)
  }

  add(owner: Organization | Repository, body: Json): Json {
    const hook: Hook = {
      id: 90_001 + this.#hooks.length,
      owner,
      url: String(body.url),
      secret: typeof body.token === 'string' ? body.token : '',
      createdAt: this.#options.forge.clock.now(),
      hasNotes: body.note_events === true,
      hasMergeRequests: body.merge_requests_events === true,
      hasEmoji: body.emoji_events === true,
      failures: 0,
    }
    this.#hooks.push(hook)
    return renderHook(hook)
  }

  remove(id: number): boolean {
    const index = this.#hooks.findIndex((hook) => hook.id === id)
    if (index !== -1) this.#hooks.splice(index, 1)
    return index !== -1
  }

  async flush(): Promise<void> {
    for (const send of this.#reordered.splice(0).toReversed()) this.#enqueue(send)
    await this.#sending
  }

  async releaseLate(): Promise<void> {
    for (const send of this.#late.splice(0)) this.#enqueue(send)
    await this.flush()
  }

  #handle(event: ForgeEvent): void {
    if (!('pullRequest' in event)) return
    const payload = createPayload(this.#options.getWeb(), event)
    if (payload === null) return
    try {
      checkGitlabShape(`${payload.kind}_hook`, payload.body)
    } catch (error) {
      if (!(error instanceof ContractError)) throw error
      this.#options.reportViolation(error)
    }
    const { repository } = event
    for (const hook of this.#hooks)
      if ((hook.owner === repository || hook.owner === repository.owner) && wants(hook, payload.kind))
        this.#deliver(hook, payload)
  }

  #deliver(hook: Hook, payload: Payload): void {
    const fault = this.#options.faults.takeHookFault()
    if (fault === 'unsent' || hook.failures >= MAX_FAILURES) return
    const request = {
      url: hook.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'GitLab/18.5.0',
        'x-gitlab-event': eventNames[payload.kind],
        'x-gitlab-token': hook.secret,
        'x-gitlab-instance': this.#options.getWeb(),
        'x-gitlab-webhook-uuid': randomUUID(),
        'x-gitlab-event-uuid': randomUUID(),
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify(payload.body),
    }
    const send = () => this.#send(hook, request)
    if (fault === 'failed') hook.failures++
    else if (fault === 'late') this.#late.push(send)
    else if (fault === 'reordered') this.#reordered.push(send)
    else this.#enqueue(send)
    if (fault === 'doubled') this.#enqueue(send)
  }

  async #send(hook: Hook, request: GitlabHookRequest): Promise<void> {
    try {
      const status = await this.#options.send(request)
      hook.failures = status < 300 ? 0 : hook.failures + 1
    } catch {
      hook.failures++
    }
  }

  #enqueue(send: () => Promise<void>): void {
    this.#sending = this.#sending.then(send)
  }
}

function wants(hook: Hook, kind: Payload['kind']): boolean {
  if (kind === 'note') return hook.hasNotes
  return kind === 'emoji' ? hook.hasEmoji : hook.hasMergeRequests
}

function renderHook(hook: Hook): Json {
  const isProject = 'pullRequests' in hook.owner
  return {
    id: hook.id,
    url: hook.url,
    name: null,
    description: null,
    created_at: toGitlabTime(hook.createdAt),
    push_events: false,
    tag_push_events: false,
    merge_requests_events: hook.hasMergeRequests,
    note_events: hook.hasNotes,
    emoji_events: hook.hasEmoji,
    enable_ssl_verification: true,
    disabled_until: null,
    alert_status: hook.failures >= MAX_FAILURES ? 'disabled' : 'executable',
    ...(isProject ? { project_id: hook.owner.id } : { group_id: hook.owner.id }),
  }
}

type MergeRequestEvent = Extract<
  ForgeEvent,
  { kind: 'pull_request' | 'review' | 'thread_comment' | 'comment' | 'thread' | 'reaction' }
>

/** null = GitLab has no hook for it. */
function createPayload(web: string, event: MergeRequestEvent): Payload | null {
  const { pullRequest } = event
  switch (event.kind) {
    case 'pull_request': {
      const { before } = event
      const extra = { action: toAction(event), ...(before === undefined ? {} : { oldrev: before }) }
      return createMergeRequestPayload(web, event, extra)
    }
    case 'thread':
      return event.action === 'resolved' && areThreadsResolved(pullRequest)
        ? createMergeRequestPayload(web, event, { action: 'update' })
        : null
    case 'thread_comment':
    case 'comment': {
      const { action, comment } = event
      if (action === 'deleted') return null
      return createNotePayload(web, event, comment, action === 'created' ? 'create' : 'update')
    }
    case 'review': {
      const { review, action } = event
      if (review.body === '') return null
      return createNotePayload(web, event, toReviewNote(review), action === 'submitted' ? 'create' : 'update')
    }
    case 'reaction':
      return createEmojiPayload(web, event, event.comment, event.reaction, event.action)
  }
}

function toAction({ action, pullRequest }: Extract<ForgeEvent, { kind: 'pull_request' }>): string {
  if (action === 'opened') return 'open'
  if (action === 'reopened') return 'reopen'
  if (action === 'closed') return pullRequest.mergedAt === null ? 'close' : 'merge'
  return 'update'
}

function createMergeRequestPayload(web: string, event: MergeRequestEvent, extra: Json): Payload {
  const { repository, pullRequest, actor } = event
  const body = {
    object_kind: 'merge_request',
    event_type: 'merge_request',
    user: renderHookUser(actor),
    project: renderHookProject(web, repository),
    repository: renderHookRepository(web, repository),
    object_attributes: { ...renderHookMergeRequest(web, pullRequest), ...extra },
    labels: [],
    changes: {},
  }
  return { kind: 'merge_request', body }
}

function createNotePayload(
  web: string,
  event: MergeRequestEvent,
  comment: Comment,
  action: 'create' | 'update',
): Payload {
  const { repository, pullRequest, actor } = event
  const body = {
    object_kind: 'note',
    event_type: 'note',
    user: renderHookUser(actor),
    project_id: repository.id,
    project: renderHookProject(web, repository),
    repository: renderHookRepository(web, repository),
    object_attributes: { ...renderHookNote(web, pullRequest, comment), action },
    merge_request: renderHookMergeRequest(web, pullRequest),
  }
  return { kind: 'note', body }
}

function createEmojiPayload(
  web: string,
  event: MergeRequestEvent,
  comment: Comment,
  reaction: Reaction,
  change: 'added' | 'removed',
): Payload {
  const { repository, pullRequest, actor } = event
  const action = change === 'added' ? 'award' : 'revoke'
  const body = {
    object_kind: 'emoji',
    event_type: action,
    user: renderHookUser(actor),
    project_id: repository.id,
    project: renderHookProject(web, repository),
    object_attributes: {
      user_id: reaction.user.id,
      created_at: toHookTime(reaction.createdAt),
      updated_at: toHookTime(reaction.createdAt),
      id: reaction.id,
      name: getEmojiName(reaction),
      awardable_type: 'Note',
      awardable_id: comment.id,
      action,
      awarded_on_url: `${getMergeRequestUrl(web, pullRequest)}#note_${comment.id}`,
    },
    note: renderHookNote(web, pullRequest, comment),
    merge_request: renderHookMergeRequest(web, pullRequest),
  }
  return { kind: 'emoji', body }
}

/** Hooks have another format of times than the API. */
function toHookTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

function renderHookUser(user: User): Json {
  return {
    id: user.id,
    name: user.name,
    username: getUsername(user),
    avatar_url: null,
    email: '[REDACTED]',
  }
}

function renderHookProject(web: string, repository: Repository): Json {
  const path = getFullName(repository)
  const url = `${web}/${path}`
  const ssh = `git@${new URL(web).hostname}:${path}.git`
  return {
    id: repository.id,
    name: repository.name,
    description: null,
    web_url: url,
    avatar_url: null,
    git_ssh_url: ssh,
    git_http_url: `${url}.git`,
    namespace: repository.owner.login,
    visibility_level: repository.isPrivate ? 0 : 20,
    path_with_namespace: path,
    default_branch: repository.defaultBranch,
    ci_config_path: null,
    homepage: url,
    url: ssh,
    ssh_url: ssh,
    http_url: `${url}.git`,
  }
}

function renderHookRepository(web: string, repository: Repository): Json {
  const homepage = `${web}/${getFullName(repository)}`
  return { name: repository.name, url: `${homepage}.git`, description: null, homepage }
}

const stateIds = { opened: 1, closed: 2, merged: 3 } as const

function renderHookMergeRequest(web: string, pullRequest: PullRequest): Json {
  const { repository, headSha, commits } = pullRequest
  const last = commits.at(-1)
  const state = getState(pullRequest)
  const [title = ''] = (last?.message ?? '').split('\n')
  return {
    id: pullRequest.id,
    iid: pullRequest.number,
    title: pullRequest.title,
    description: pullRequest.body,
    state,
    state_id: stateIds[state],
    target_branch: pullRequest.baseRef,
    source_branch: pullRequest.headRef,
    source_project_id: repository.id,
    target_project_id: repository.id,
    author_id: pullRequest.author.id,
    assignee_id: null,
    assignee_ids: [],
    reviewer_ids: [],
    created_at: toHookTime(pullRequest.createdAt),
    updated_at: toHookTime(pullRequest.updatedAt),
    merge_commit_sha: pullRequest.mergeMethod === 'merge' ? pullRequest.mergeSha : null,
    merge_status: 'can_be_merged',
    detailed_merge_status: 'mergeable',
    draft: pullRequest.isDraft,
    work_in_progress: pullRequest.isDraft,
    blocking_discussions_resolved: areThreadsResolved(pullRequest),
    url: getMergeRequestUrl(web, pullRequest),
    last_commit: {
      id: headSha,
      message: last?.message ?? '',
      title,
      timestamp: toGitlabTime(last?.at ?? pullRequest.createdAt),
      url: `${web}/${getFullName(repository)}/-/commit/${headSha}`,
      author: { name: last?.author.name ?? '', email: '[REDACTED]' },
    },
  }
}

function renderHookNote(web: string, pullRequest: PullRequest, comment: Comment): Json {
  const thread = isThreadComment(comment) ? comment.thread : null
  const position = thread === null ? null : renderPosition(pullRequest, thread)
  return {
    id: comment.id,
    internal: false,
    note: comment.body,
    description: comment.body,
    noteable_type: 'MergeRequest',
    author_id: comment.author.id,
    created_at: toHookTime(comment.createdAt),
    updated_at: toHookTime(comment.updatedAt),
    project_id: pullRequest.repository.id,
    attachment: null,
    line_code: null,
    commit_id: null,
    noteable_id: pullRequest.id,
    system: false,
    st_diff: null,
    url: `${getMergeRequestUrl(web, pullRequest)}#note_${comment.id}`,
    discussion_id:
      thread === null ? getDiscussionId('note', comment.id) : getDiscussionId('thread', thread.id),
    type: thread === null ? null : 'DiffNote',
    position,
    original_position: position,
    change_position: null,
    resolved_at: thread?.resolvedAt == null ? null : toHookTime(thread.resolvedAt),
    resolved_by_id: thread?.resolvedBy?.id ?? null,
    resolved_by_push: null,
  }
}

// The payloads of GitHub's webhooks, rendered when the event happens.
import { toTime } from '../clock.ts'
import { getFullName } from '../forge.ts'
import type { CheckRun, Comment, ForgeEvent, Organization, PullRequest, Repository, User } from '../model.ts'
import type { Installation } from './apps.ts'
import {
  getPullWebUrl,
  getRepositoryUrl,
  type Json,
  renderAlert,
  renderCheckRun,
  renderInstallation,
  renderIssueComment,
  renderOrganizationSimple,
  renderOwner,
  renderPullRequest,
  renderRepository,
  renderReview,
  renderSimplePullRequest,
  renderThreadComment,
  renderUser,
  toNodeId,
  type Urls,
} from './render.ts'

export interface HookPayload {
  readonly event: string
  readonly action: string
  readonly repository: Repository | null
  readonly organization: Organization
  readonly body: Json
}

/** null = GitHub has no hook for it. */
export function createPayload(urls: Urls, event: ForgeEvent, installation: Installation): HookPayload | null {
  const payload = createBody(urls, event)
  if (payload === null) return null
  const { name, action, fields } = payload
  const repository = event.kind === 'member' ? null : event.repository
  const organization = event.kind === 'member' ? event.organization : event.repository.owner
  const body = {
    action,
    ...fields,
    ...(repository === null ? {} : { repository: renderRepository(urls, repository) }),
    organization: renderOrganizationSimple(urls, organization),
    installation: { id: installation.id, node_id: toNodeId('IN', installation.id) },
    sender: renderUser(urls, event.actor),
  }
  return { event: name, action, repository, organization, body }
}

interface Body {
  readonly name: string
  readonly action: string
  readonly fields: Json
}

type CommentEvent = Extract<ForgeEvent, { kind: 'review' | 'thread_comment' | 'thread' | 'comment' }>

function createBody(urls: Urls, event: ForgeEvent): Body | null {
  switch (event.kind) {
    case 'pull_request': {
      const { pullRequest, action, before } = event
      const { number, headSha } = pullRequest
      const push = before === undefined ? {} : { before, after: headSha }
      const fields = { number, pull_request: renderPullRequest(urls, pullRequest), ...push }
      return { name: 'pull_request', action, fields }
    }
    case 'review':
    case 'thread_comment':
    case 'thread':
    case 'comment':
      return createCommentBody(urls, event)
    case 'repository':
      return { name: 'repository', action: event.action, fields: renderRepositoryChange(urls, event) }
    case 'alert': {
      const action = event.action === 'dismissed' ? 'closed_by_user' : event.action
      const { repository, alert } = event
      const fields = {
        alert: toHookAlert(renderAlert(urls, repository, alert), action),
        commit_oid: alert.commit,
        ref: `refs/heads/${repository.defaultBranch}`,
      }
      return { name: 'code_scanning_alert', action, fields }
    }
    case 'check_run': {
      const { repository, checkRun, action } = event
      return { name: 'check_run', action, fields: { check_run: toHookCheckRun(urls, repository, checkRun) } }
    }
    case 'member':
      return {
        name: 'organization',
        action: `member_${event.action}`,
        fields: { membership: renderMembership(urls, event.organization, event.member) },
      }
    case 'reaction':
      return null
  }
}

function createCommentBody(urls: Urls, event: CommentEvent): Body {
  const changes = event.action === 'edited' ? { changes: {} } : {}
  switch (event.kind) {
    case 'review': {
      const { pullRequest, review, action } = event
      const rendered = renderReview(urls, pullRequest, review)
      const fields = {
        // Hooks have states in lower case, REST in upper case.
        review: { ...rendered, state: review.state.toLowerCase(), updated_at: toTime(review.updatedAt) },
        pull_request: renderSimplePullRequest(urls, pullRequest),
        ...changes,
      }
      return { name: 'pull_request_review', action, fields }
    }
    case 'thread_comment': {
      const { pullRequest, comment, action } = event
      const fields = {
        comment: toHookComment(renderThreadComment(urls, pullRequest, comment)),
        pull_request: renderSimplePullRequest(urls, pullRequest),
        ...changes,
      }
      return { name: 'pull_request_review_comment', action, fields }
    }
    case 'thread': {
      const { pullRequest, thread, action } = event
      const comments = thread.comments.map((comment) =>
        toHookComment(renderThreadComment(urls, pullRequest, comment)),
      )
      const fields = {
        thread: { node_id: toNodeId('PRRT', thread.id), comments },
        pull_request: renderSimplePullRequest(urls, pullRequest),
        updated_at: toTime(thread.resolvedAt ?? pullRequest.updatedAt),
      }
      return { name: 'pull_request_review_thread', action, fields }
    }
    case 'comment': {
      const { pullRequest, comment, action } = event
      const fields = {
        comment: renderIssueComment(urls, pullRequest, comment),
        issue: renderIssue(urls, pullRequest),
        ...changes,
      }
      return { name: 'issue_comment', action, fields }
    }
  }
}

/** Hooks send null where REST omits the field. */
function toHookComment(comment: Json): Json {
  return { line: null, original_line: null, position: null, ...comment }
}

/** Hooks have no null for these texts. */
function toHookCheckRun(urls: Urls, repository: Repository, run: CheckRun): Json {
  const { html_url: url, ...rest } = renderCheckRun(urls, repository, run)
  return { ...rest, html_url: url, details_url: url, external_id: run.externalId ?? '' }
}

/** The alert of a hook has fewer fields than that of the API, and other ones for each action. */
function toHookAlert(alert: Json, action: string): Json {
  const { updated_at: _updated, instances_url: _instances, ...rest } = alert
  return action === 'created' ? { ...rest, state: 'open' } : { ...rest, fixed_at: null }
}

function renderRepositoryChange(
  urls: Urls,
  { action, previousName, previousOwner }: Extract<ForgeEvent, { kind: 'repository' }>,
): Json {
  if (action === 'renamed') return { changes: { repository: { name: { from: previousName } } } }
  if (action !== 'transferred') return {}
  const from = { organization: renderOrganizationSimple(urls, previousOwner) }
  return { changes: { owner: { from } } }
}

function renderMembership(urls: Urls, organization: Organization, member: User): Json {
  const organizationUrl = `${urls.api}/orgs/${organization.login}`
  return {
    url: `${organizationUrl}/memberships/${member.login}`,
    state: 'active',
    role: organization.members.get(member) ?? 'member',
    organization_url: organizationUrl,
    user: renderUser(urls, member),
  }
}

function renderIssue(urls: Urls, pullRequest: PullRequest): Json {
  const { repository, number } = pullRequest
  const repositoryUrl = getRepositoryUrl(urls, repository)
  const url = `${repositoryUrl}/issues/${number}`
  const web = getPullWebUrl(urls, pullRequest)
  const simple = renderSimplePullRequest(urls, pullRequest)
  const noReactions: Comment['reactions'] = []
  return {
    url,
    repository_url: repositoryUrl,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
    html_url: web,
    id: pullRequest.id,
    node_id: toNodeId('PR', pullRequest.id),
    number,
    title: pullRequest.title,
    user: renderUser(urls, pullRequest.author),
    labels: [],
    state: pullRequest.state,
    locked: false,
    assignee: null,
    assignees: [],
    milestone: null,
    comments: pullRequest.comments.length,
    created_at: simple.created_at,
    updated_at: simple.updated_at,
    closed_at: simple.closed_at,
    author_association: simple.author_association,
    active_lock_reason: null,
    draft: pullRequest.isDraft,
    pull_request: {
      url: `${repositoryUrl}/pulls/${number}`,
      html_url: web,
      diff_url: `${web}.diff`,
      patch_url: `${web}.patch`,
      merged_at: simple.merged_at,
    },
    body: pullRequest.body,
    reactions: {
      url: `${url}/reactions`,
      total_count: noReactions.length,
      '+1': 0,
      '-1': 0,
      laugh: 0,
      confused: 0,
      heart: 0,
      hooray: 0,
      rocket: 0,
      eyes: 0,
    },
    performed_via_github_app: null,
    state_reason: null,
  }
}

/** The payload of `installation`: created and deleted. */
export function createInstallationPayload(
  urls: Urls,
  installation: Installation,
  action: 'created' | 'deleted',
  repositories: readonly Repository[],
): Json {
  return {
    action,
    installation: renderInstallation(urls, installation),
    repositories: repositories.map((repository) => ({
      id: repository.id,
      node_id: toNodeId('R', repository.id),
      name: repository.name,
      full_name: getFullName(repository),
      private: repository.isPrivate,
    })),
    sender: renderOwner(urls, installation.account),
  }
}

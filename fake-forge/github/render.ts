// GitHub's REST shapes of the fake's state.
import { toTime, toTimeOrNull } from '../clock.ts'
import { getFullName, getPermission, includesPermission } from '../forge.ts'
import { createHunks, renderHunk, toLines } from '../git/line-diff.ts'
import type {
  Alert,
  CheckRun,
  Comment,
  Organization,
  Permission,
  PullRequest,
  PullRequestCommit,
  Reaction,
  ReactionContent,
  Repository,
  Review,
  Team,
  ThreadComment,
  User,
} from '../model.ts'
import { toSyntheticSha } from '../pull-request.ts'
import { locateThread } from '../review.ts'
import type { App, Installation } from './apps.ts'

export type Json = Record<string, unknown>

/** Where the API and the pages are: both are in most shapes. */
export interface Urls {
  readonly api: string
  readonly web: string
}

/** The prefix shows the kind, as on GitHub; the rest is opaque to clients. */
export function toNodeId(prefix: string, id: number): string {
  return `${prefix}_kwDO${id.toString(36)}`
}

export function renderUser(urls: Urls, user: User): Json {
  const { login } = user
  const url = `${urls.api}/users/${encodeURIComponent(login)}`
  return {
    login,
    id: user.id,
    node_id: toNodeId(user.isBot ? 'BOT' : 'U', user.id),
    ...renderAccountUrls(url, urls, login),
    type: user.isBot ? 'Bot' : 'User',
    site_admin: false,
    user_view_type: 'public',
  }
}

function renderUserOrNull(urls: Urls, user: User | null): Json | null {
  return user === null || user.isDeleted ? null : renderUser(urls, user)
}

/** Some fields are never null: GitHub shows deleted accounts as `ghost` there. */
function renderUserOrGhost(urls: Urls, user: User): Json {
  const ghost = { id: 10137, login: 'ghost', name: 'ghost', isBot: false, email: null, isDeleted: false }
  return renderUser(urls, user.isDeleted ? ghost : user)
}

export function renderOwner(urls: Urls, { id, login }: Organization): Json {
  return {
    login,
    id,
    node_id: toNodeId('O', id),
    ...renderAccountUrls(`${urls.api}/users/${login}`, urls, login),
    type: 'Organization',
    site_admin: false,
    user_view_type: 'public',
  }
}

function renderAccountUrls(url: string, urls: Urls, login: string): Json {
  return {
    avatar_url: `${urls.web}/avatars/${encodeURIComponent(login)}`,
    gravatar_id: '',
    url,
    html_url: `${urls.web}/${encodeURIComponent(login)}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
  }
}

export function renderOrganizationSimple(urls: Urls, { id, login }: Organization): Json {
  const url = `${urls.api}/orgs/${login}`
  return {
    login,
    id,
    node_id: toNodeId('O', id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `${urls.web}/avatars/${login}`,
    description: null,
  }
}

export function renderOrganization(urls: Urls, organization: Organization): Json {
  return {
    ...renderOrganizationSimple(urls, organization),
    has_organization_projects: true,
    has_repository_projects: true,
    public_repos: 0,
    public_gists: 0,
    followers: 0,
    following: 0,
    html_url: `${urls.web}/${organization.login}`,
    type: 'Organization',
    created_at: toTime(organization.createdAt),
    updated_at: toTime(organization.createdAt),
    archived_at: null,
  }
}

const repositoryPaths = {
  archive_url: '/{archive_format}{/ref}',
  assignees_url: '/assignees{/user}',
  blobs_url: '/git/blobs{/sha}',
  branches_url: '/branches{/branch}',
  collaborators_url: '/collaborators{/collaborator}',
  comments_url: '/comments{/number}',
  commits_url: '/commits{/sha}',
  compare_url: '/compare/{base}...{head}',
  contents_url: '/contents/{+path}',
  contributors_url: '/contributors',
  deployments_url: '/deployments',
  downloads_url: '/downloads',
  events_url: '/events',
  forks_url: '/forks',
  git_commits_url: '/git/commits{/sha}',
  git_refs_url: '/git/refs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  issue_comment_url: '/issues/comments{/number}',
  issue_events_url: '/issues/events{/number}',
  issues_url: '/issues{/number}',
  keys_url: '/keys{/key_id}',
  labels_url: '/labels{/name}',
  languages_url: '/languages',
  merges_url: '/merges',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  pulls_url: '/pulls{/number}',
  releases_url: '/releases{/id}',
  stargazers_url: '/stargazers',
  statuses_url: '/statuses/{sha}',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  tags_url: '/tags',
  teams_url: '/teams',
  trees_url: '/git/trees{/sha}',
  hooks_url: '/hooks',
}

export function getRepositoryUrl(urls: Urls, repository: Repository): string {
  return `${urls.api}/repos/${getFullName(repository)}`
}

export function renderRepository(urls: Urls, repository: Repository): Json {
  const url = getRepositoryUrl(urls, repository)
  const web = `${urls.web}/${getFullName(repository)}`
  const openCount = repository.pullRequests.filter(({ state }) => state === 'open').length
  return {
    id: repository.id,
    node_id: toNodeId('R', repository.id),
    name: repository.name,
    full_name: getFullName(repository),
    owner: renderOwner(urls, repository.owner),
    private: repository.isPrivate,
    visibility: repository.isPrivate ? 'private' : 'public',
    html_url: web,
    description: null,
    fork: false,
    url,
    ...Object.fromEntries(Object.entries(repositoryPaths).map(([name, path]) => [name, `${url}${path}`])),
    git_url: `${web.replace(/^https?/, 'git')}.git`,
    ssh_url: `git@${new URL(urls.web).hostname}:${getFullName(repository)}.git`,
    clone_url: `${web}.git`,
    svn_url: web,
    mirror_url: null,
    homepage: null,
    language: null,
    license: null,
    size: 1,
    default_branch: repository.defaultBranch,
    forks_count: 0,
    stargazers_count: 0,
    watchers_count: 0,
    open_issues_count: openCount,
    forks: 0,
    open_issues: openCount,
    watchers: 0,
    is_template: false,
    topics: [],
    has_issues: true,
    has_projects: true,
    has_wiki: true,
    has_pages: false,
    has_downloads: true,
    has_discussions: false,
    archived: false,
    disabled: false,
    pushed_at: toTime(repository.updatedAt),
    created_at: toTime(repository.createdAt),
    updated_at: toTime(repository.updatedAt),
    allow_forking: true,
    web_commit_signoff_required: false,
  }
}

export function renderFullRepository(urls: Urls, repository: Repository): Json {
  return {
    ...renderRepository(urls, repository),
    subscribers_count: 0,
    network_count: 0,
    organization: renderOwner(urls, repository.owner),
  }
}

function getPullUrl(urls: Urls, { repository, number }: PullRequest): string {
  return `${getRepositoryUrl(urls, repository)}/pulls/${number}`
}

export function getPullWebUrl(urls: Urls, { repository, number }: PullRequest): string {
  return `${urls.web}/${getFullName(repository)}/pull/${number}`
}

function getAssociation(repository: Repository, user: User): string {
  if (repository.owner.members.has(user)) return 'MEMBER'
  return repository.collaborators.has(user) ? 'COLLABORATOR' : 'NONE'
}

/** As in lists. */
export function renderSimplePullRequest(urls: Urls, pullRequest: PullRequest): Json {
  const { repository, number, baseRef, headRef } = pullRequest
  const { owner } = repository
  const url = getPullUrl(urls, pullRequest)
  const issue = `${getRepositoryUrl(urls, repository)}/issues/${number}`
  const statuses = `${getRepositoryUrl(urls, repository)}/statuses/${pullRequest.headSha}`
  const web = getPullWebUrl(urls, pullRequest)
  const side = (ref: string, sha: string) => ({
    label: `${owner.login}:${ref}`,
    ref,
    sha,
    user: renderOwner(urls, owner),
    repo: renderRepository(urls, repository),
  })
  return {
    url,
    id: pullRequest.id,
    node_id: toNodeId('PR', pullRequest.id),
    html_url: web,
    diff_url: `${web}.diff`,
    patch_url: `${web}.patch`,
    issue_url: issue,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${getRepositoryUrl(urls, repository)}/pulls/comments{/number}`,
    comments_url: `${issue}/comments`,
    statuses_url: statuses,
    number,
    state: pullRequest.state,
    locked: false,
    title: pullRequest.title,
    user: renderUserOrGhost(urls, pullRequest.author),
    body: pullRequest.body === '' ? null : pullRequest.body,
    labels: [],
    milestone: null,
    active_lock_reason: null,
    created_at: toTime(pullRequest.createdAt),
    updated_at: toTime(pullRequest.updatedAt),
    closed_at: toTimeOrNull(pullRequest.closedAt),
    merged_at: toTimeOrNull(pullRequest.mergedAt),
    // Before the merge this is a commit that GitHub made to test whether a merge is possible.
    merge_commit_sha: pullRequest.mergeSha ?? toSyntheticSha('test merge', pullRequest.headSha),
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    head: side(headRef, pullRequest.headSha),
    base: side(baseRef, pullRequest.baseSha),
    _links: {
      self: { href: url },
      html: { href: web },
      issue: { href: issue },
      comments: { href: `${issue}/comments` },
      review_comments: { href: `${url}/comments` },
      review_comment: { href: `${getRepositoryUrl(urls, repository)}/pulls/comments{/number}` },
      commits: { href: `${url}/commits` },
      statuses: { href: statuses },
    },
    author_association: getAssociation(repository, pullRequest.author),
    auto_merge: null,
    draft: pullRequest.isDraft,
  }
}

export function renderPullRequest(urls: Urls, pullRequest: PullRequest): Json {
  const isOpen = pullRequest.state === 'open'
  const files = listFiles(pullRequest)
  const sum = (key: 'additions' | 'deletions') => files.reduce((total, file) => total + file[key], 0)
  return {
    ...renderSimplePullRequest(urls, pullRequest),
    merged: pullRequest.mergedAt !== null,
    mergeable: isOpen ? true : null,
    rebaseable: isOpen ? true : null,
    mergeable_state: isOpen ? 'clean' : 'unknown',
    merged_by: renderUserOrNull(urls, pullRequest.mergedBy),
    comments: pullRequest.comments.length,
    review_comments: pullRequest.threads.reduce((total, { comments }) => total + comments.length, 0),
    maintainer_can_modify: false,
    commits: pullRequest.commits.length,
    additions: sum('additions'),
    deletions: sum('deletions'),
    changed_files: files.length,
  }
}

export function renderReview(urls: Urls, pullRequest: PullRequest, review: Review): Json {
  const html = `${getPullWebUrl(urls, pullRequest)}#pullrequestreview-${review.id}`
  return {
    id: review.id,
    node_id: toNodeId('PRR', review.id),
    user: renderUserOrNull(urls, review.author),
    body: review.body,
    state: review.state,
    html_url: html,
    pull_request_url: getPullUrl(urls, pullRequest),
    _links: { html: { href: html }, pull_request: { href: getPullUrl(urls, pullRequest) } },
    submitted_at: toTime(review.submittedAt),
    commit_id: review.commit,
    author_association: getAssociation(pullRequest.repository, review.author),
  }
}

export function renderThreadComment(urls: Urls, pullRequest: PullRequest, comment: ThreadComment): Json {
  const { repository, headSha } = pullRequest
  const { thread } = comment
  const [first] = thread.comments
  const { isOutdated, line, startLine } = locateThread(pullRequest, thread)
  const url = `${getRepositoryUrl(urls, repository)}/pulls/comments/${comment.id}`
  const html = `${getPullWebUrl(urls, pullRequest)}#discussion_r${comment.id}`
  const pull = getPullUrl(urls, pullRequest)
  // GitHub sends null for `line` of an outdated comment, its description allows only an absent one.
  const current = line === null ? {} : { line, position: 1 }
  const original = thread.originalLine === null ? {} : { original_line: thread.originalLine }
  return {
    url,
    pull_request_review_id: comment.reviewId,
    id: comment.id,
    node_id: toNodeId('PRRC', comment.id),
    diff_hunk: thread.diffHunk,
    path: thread.path,
    ...current,
    ...original,
    original_position: 1,
    start_line: startLine,
    original_start_line: thread.originalStartLine,
    start_side: thread.originalStartLine === null ? null : thread.side,
    side: thread.side,
    subject_type: thread.originalLine === null ? 'file' : 'line',
    commit_id: isOutdated ? thread.originalCommit : headSha,
    original_commit_id: thread.originalCommit,
    ...(first === undefined || first === comment ? {} : { in_reply_to_id: first.id }),
    user: renderUserOrNull(urls, {
      ...comment.author,
      login: comment.author.commentLogin ?? comment.author.login,
    }),
    body: comment.body,
    created_at: toTime(comment.createdAt),
    updated_at: toTime(comment.updatedAt),
    html_url: html,
    pull_request_url: pull,
    author_association: getAssociation(repository, comment.author),
    _links: { self: { href: url }, html: { href: html }, pull_request: { href: pull } },
    reactions: renderReactionCounts(url, comment),
  }
}

export function renderIssueComment(urls: Urls, pullRequest: PullRequest, comment: Comment): Json {
  const repository = getRepositoryUrl(urls, pullRequest.repository)
  const url = `${repository}/issues/comments/${comment.id}`
  return {
    id: comment.id,
    node_id: toNodeId('IC', comment.id),
    url,
    html_url: `${getPullWebUrl(urls, pullRequest)}#issuecomment-${comment.id}`,
    issue_url: `${repository}/issues/${pullRequest.number}`,
    user: renderUserOrNull(urls, comment.author),
    body: comment.body,
    created_at: toTime(comment.createdAt),
    updated_at: toTime(comment.updatedAt),
    author_association: getAssociation(pullRequest.repository, comment.author),
    performed_via_github_app: null,
    reactions: renderReactionCounts(url, comment),
  }
}

const contents: readonly ReactionContent[] = [
  '+1',
  '-1',
  'laugh',
  'confused',
  'heart',
  'hooray',
  'rocket',
  'eyes',
]

function renderReactionCounts(url: string, { reactions }: Comment): Json {
  const counts = contents.map((content) => [
    content,
    reactions.filter((reaction) => reaction.content === content).length,
  ])
  return { url: `${url}/reactions`, total_count: reactions.length, ...Object.fromEntries(counts) }
}

export function renderReaction(urls: Urls, { id, user, content, createdAt }: Reaction): Json {
  return {
    id,
    node_id: toNodeId('REA', id),
    user: renderUserOrNull(urls, user),
    content,
    created_at: toTime(createdAt),
  }
}

export function renderCommit(urls: Urls, repository: Repository, commit: PullRequestCommit): Json {
  const { sha, message, author, at } = commit
  const url = getRepositoryUrl(urls, repository)
  const web = `${urls.web}/${getFullName(repository)}/commit/${sha}`
  const recorded = repository.code?.getCommit(sha)
  const tree = recorded?.tree ?? toSyntheticSha('tree', sha)
  const user = { name: author.name, email: `${author.id}@users.noreply.example`, date: toTime(at) }
  return {
    url: `${url}/commits/${sha}`,
    sha,
    node_id: toNodeId('C', Number.parseInt(sha.slice(0, 10), 16)),
    html_url: web,
    comments_url: `${url}/commits/${sha}/comments`,
    commit: {
      url: `${url}/git/commits/${sha}`,
      author: user,
      committer: user,
      message,
      comment_count: 0,
      tree: { sha: tree, url: `${url}/git/trees/${tree}` },
      verification: {
        verified: false,
        reason: 'unsigned',
        payload: null,
        signature: null,
        verified_at: null,
      },
    },
    author: renderUserOrNull(urls, author),
    committer: renderUserOrNull(urls, author),
    parents: (recorded?.parents ?? []).map((parent) => ({
      sha: parent,
      url: `${url}/commits/${parent}`,
      html_url: `${urls.web}/${getFullName(repository)}/commit/${parent}`,
    })),
  }
}

interface ChangedFile {
  readonly filename: string
  readonly status: 'added' | 'removed' | 'modified'
  readonly blob: string | null
  readonly additions: number
  readonly deletions: number
  readonly patch: string
}

export function listFiles({ repository: { code }, baseSha, headSha }: PullRequest): ChangedFile[] {
  if (code === null) return []
  const base = code.findMergeBase(baseSha, headSha)
  return code.listChangedPaths(base, headSha).map((filename) => {
    const [before, after] = [code.readFile(base, filename), code.readFile(headSha, filename)]
    const hunks = createHunks(toLines(before ?? ''), toLines(after ?? ''))
    const count = (prefix: string) =>
      hunks.flatMap(({ lines }) => lines).filter((line) => line.startsWith(prefix)).length
    return {
      filename,
      status: before === null ? 'added' : after === null ? 'removed' : 'modified',
      blob: code.getCommit(after === null ? base : headSha).files.get(filename) ?? null,
      additions: count('+'),
      deletions: count('-'),
      patch: hunks.map(renderHunk).join('\n'),
    }
  })
}

export function renderFile(urls: Urls, pullRequest: PullRequest, file: ChangedFile): Json {
  const { repository, headSha } = pullRequest
  const { filename, additions, deletions } = file
  const web = `${urls.web}/${getFullName(repository)}`
  const path = filename.split('/').map(encodeURIComponent).join('/')
  return {
    sha: file.blob,
    filename,
    status: file.status,
    additions,
    deletions,
    changes: additions + deletions,
    blob_url: `${web}/blob/${headSha}/${path}`,
    raw_url: `${web}/raw/${headSha}/${path}`,
    contents_url: `${getRepositoryUrl(urls, repository)}/contents/${path}?ref=${headSha}`,
    patch: file.patch,
  }
}

const roleNames: Readonly<Record<Permission, string>> = {
  pull: 'read',
  triage: 'triage',
  push: 'write',
  maintain: 'maintain',
  admin: 'admin',
}

function renderPermissions(permission: Permission): Json {
  const names: readonly Permission[] = ['pull', 'triage', 'push', 'maintain', 'admin']
  return Object.fromEntries(names.map((name) => [name, includesPermission(permission, name)]))
}

export function renderCollaborator(urls: Urls, user: User, permission: Permission): Json {
  return {
    ...renderUser(urls, user),
    permissions: renderPermissions(permission),
    role_name: roleNames[permission],
  }
}

/** GitHub's older `permission` knows only admin, write, read and none. */
export function renderUserPermission(urls: Urls, repository: Repository, user: User): Json {
  const permission = getPermission(repository, user)
  if (permission === null) return { permission: 'none', role_name: '', user: null }
  const role = roleNames[permission]
  const coarse = { maintain: 'write', triage: 'read' }[role] ?? role
  return { permission: coarse, role_name: role, user: renderCollaborator(urls, user, permission) }
}

export function renderTeam(urls: Urls, organization: Organization, team: Team, permission: Permission): Json {
  const url = `${urls.api}/organizations/${organization.id}/team/${team.id}`
  return {
    id: team.id,
    node_id: toNodeId('T', team.id),
    name: team.name,
    slug: team.slug,
    description: null,
    privacy: 'closed',
    notification_setting: 'notifications_enabled',
    permission,
    permissions: renderPermissions(permission),
    url,
    html_url: `${urls.web}/orgs/${organization.login}/teams/${team.slug}`,
    members_url: `${url}/members{/member}`,
    repositories_url: `${url}/repos`,
    type: 'organization',
    organization_id: organization.id,
    parent: null,
  }
}

export function renderAlert(urls: Urls, repository: Repository, alert: Alert): Json {
  const url = `${getRepositoryUrl(urls, repository)}/code-scanning/alerts/${alert.number}`
  return {
    number: alert.number,
    created_at: toTime(alert.createdAt),
    updated_at: toTime(alert.updatedAt),
    url,
    html_url: `${urls.web}/${getFullName(repository)}/security/code-scanning/${alert.number}`,
    instances_url: `${url}/instances`,
    state: alert.state,
    fixed_at: toTimeOrNull(alert.fixedAt),
    dismissed_by: renderUserOrNull(urls, alert.dismissedBy),
    dismissed_at: toTimeOrNull(alert.dismissedAt),
    dismissed_reason: alert.dismissedReason,
    dismissed_comment: null,
    rule: {
      id: alert.rule,
      name: alert.rule,
      severity: alert.severity,
      security_severity_level: alert.securitySeverity,
      description: alert.description,
      tags: ['security'],
    },
    tool: { name: alert.tool, version: '2.20.0', guid: null },
    most_recent_instance: {
      ref: `refs/heads/${repository.defaultBranch}`,
      analysis_key: '.github/workflows/codeql.yml:analyze',
      environment: '{}',
      category: '.github/workflows/codeql.yml:analyze',
      state: alert.state,
      commit_sha: alert.commit,
      message: { text: alert.description },
      location: {
        path: alert.path,
        start_line: alert.startLine,
        end_line: alert.endLine,
        start_column: 1,
        end_column: 2,
      },
      classifications: [],
    },
  }
}

export function renderApp(urls: Urls, app: App): Json {
  return {
    id: app.id,
    slug: app.slug,
    node_id: toNodeId('A', app.id),
    client_id: app.clientId,
    owner: renderOwner(urls, app.owner),
    name: app.name,
    description: null,
    external_url: app.url,
    html_url: `${urls.web}/apps/${app.slug}`,
    created_at: toTime(app.createdAt),
    updated_at: toTime(app.createdAt),
    permissions: app.permissions,
    events: app.events,
  }
}

export function renderInstallation(urls: Urls, { id, app, account, createdAt }: Installation): Json {
  return {
    id,
    account: renderOwner(urls, account),
    repository_selection: 'all',
    access_tokens_url: `${urls.api}/app/installations/${id}/access_tokens`,
    repositories_url: `${urls.api}/installation/repositories`,
    html_url: `${urls.web}/organizations/${account.login}/settings/installations/${id}`,
    app_id: app.id,
    client_id: app.clientId,
    app_slug: app.slug,
    target_id: account.id,
    target_type: 'Organization',
    permissions: app.permissions,
    events: app.events,
    created_at: toTime(createdAt),
    updated_at: toTime(createdAt),
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: null,
    suspended_at: null,
  }
}

function renderCheckApp(urls: Urls, repository: Repository, { app, startedAt }: CheckRun): Json {
  const id = Number.parseInt(toSyntheticSha('app', app.slug).slice(0, 6), 16)
  return {
    id,
    slug: app.slug,
    node_id: toNodeId('A', id),
    owner: renderOwner(urls, repository.owner),
    name: app.name,
    description: null,
    external_url: 'https://example.com',
    html_url: `${urls.web}/apps/${app.slug}`,
    created_at: toTime(startedAt ?? 0),
    updated_at: toTime(startedAt ?? 0),
    permissions: {},
    events: [],
  }
}

export function renderCheckRun(urls: Urls, repository: Repository, run: CheckRun): Json {
  const url = `${getRepositoryUrl(urls, repository)}/check-runs/${run.id}`
  const { title, summary, text } = run
  const ref = { id: repository.id, url: getRepositoryUrl(urls, repository), name: repository.name }
  return {
    id: run.id,
    head_sha: run.headSha,
    node_id: toNodeId('CR', run.id),
    external_id: run.externalId,
    url,
    html_url: `${urls.web}/${getFullName(repository)}/runs/${run.id}`,
    details_url: null,
    status: run.status,
    conclusion: run.conclusion,
    started_at: toTimeOrNull(run.startedAt),
    completed_at: toTimeOrNull(run.completedAt),
    output: { title, summary, text, annotations_count: 0, annotations_url: `${url}/annotations` },
    name: run.name,
    check_suite: { id: run.id + 1 },
    app: renderCheckApp(urls, repository, run),
    pull_requests: repository.pullRequests
      .filter(({ state, headSha }) => state === 'open' && headSha === run.headSha)
      .map((pullRequest) => ({
        id: pullRequest.id,
        number: pullRequest.number,
        url: getPullUrl(urls, pullRequest),
        head: { ref: pullRequest.headRef, sha: pullRequest.headSha, repo: ref },
        base: { ref: pullRequest.baseRef, sha: pullRequest.baseSha, repo: ref },
      })),
  }
}

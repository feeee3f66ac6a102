// GitHub's REST endpoints that a connector needs. The server validates each response.
import { toTime } from '../clock.ts'
import { type Forge, getPermission } from '../forge.ts'
import type { CheckRun, Comment, PullRequest, Repository, User } from '../model.ts'
import { addComment } from '../review.ts'
import { type App, type Apps, type Caller, canRead } from './apps.ts'
import { type HookSender, renderDelivery } from './hooks.ts'
import type { RateLimiter, Resource } from './limits.ts'
import {
  type Json,
  listFiles,
  renderAlert,
  renderApp,
  renderCheckRun,
  renderCollaborator,
  renderCommit,
  renderFile,
  renderFullRepository,
  renderInstallation,
  renderIssueComment,
  renderOrganization,
  renderPullRequest,
  renderReaction,
  renderRepository,
  renderReview,
  renderSimplePullRequest,
  renderTeam,
  renderThreadComment,
  renderUser,
  renderUserPermission,
  type Urls,
} from './render.ts'

export interface RestContext {
  readonly forge: Forge
  readonly apps: Apps
  readonly hooks: HookSender
  readonly limiter: RateLimiter
  readonly urls: Urls
  readonly caller: Caller | null
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Json
}

export interface RestResult {
  readonly status: number
  readonly body?: unknown
  /** Rendered as a Link header. */
  readonly page?: Page
  /** The next page of a list that is paged by cursor. */
  readonly nextCursor?: string
}

export interface Page {
  readonly number: number
  readonly size: number
  readonly count: number
}

export interface RestRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** As in GitHub's description. */
  readonly path: string
  readonly caller: 'app' | 'installation' | 'anyone'
  readonly permission?: readonly [name: string, level: 'read' | 'write']
  /** Is enough too. */
  readonly otherPermission?: readonly [name: string, level: 'read' | 'write']
  handle(context: RestContext): RestResult
}

export class RestError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const notFound = () => new RestError(404, 'Not Found')

/** Throws 404 where the caller cannot see the repository. Former names are redirected before. */
function getRepository({ forge, caller, params }: RestContext): Repository {
  const found = forge.findRepository(`${params.owner}/${params.repo}`)
  if (found === null) throw notFound()
  const { repository } = found
  if (caller?.kind === 'installation' && !canRead(caller.installation, repository) && repository.isPrivate)
    throw notFound()
  return repository
}

function getPull(context: RestContext): PullRequest {
  const number = Number(context.params.pull_number ?? context.params.issue_number)
  const pullRequest = getRepository(context).pullRequests[number - 1]
  if (pullRequest === undefined) throw notFound()
  return pullRequest
}

function getInstallation({ caller }: RestContext) {
  if (caller?.kind !== 'installation') throw new RestError(401, 'Requires authentication')
  return caller.installation
}

function getApp({ caller }: RestContext): App {
  if (caller?.kind !== 'app') throw new RestError(401, 'A JSON web token could not be decoded')
  return caller.app
}

function getOrganization({ forge, params }: RestContext) {
  const organization = forge.organizations.find(({ login }) => login === params.org)
  if (organization === undefined) throw notFound()
  return organization
}

/** One page of `items`, rendered; `wrap` puts the list into an object. */
function paginate<Item>(
  { query }: RestContext,
  items: readonly Item[],
  render: (item: Item) => Json,
  wrap: (list: Json[]) => unknown = (list) => list,
): RestResult {
  const size = Math.min(100, Math.max(1, Number(query.get('per_page') ?? 30) || 30))
  const number = Math.max(1, Number(query.get('page') ?? 1) || 1)
  const list = items.slice((number - 1) * size, number * size).map(render)
  return { status: 200, body: wrap(list), page: { number, size, count: items.length } }
}

/** By creation, newest first; by update, GitHub begins with the oldest unless `direction` is given. */
function sortPulls(pulls: readonly PullRequest[], query: URLSearchParams): PullRequest[] {
  const key = query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt'
  const ascending = [...pulls].sort((a, b) => a[key] - b[key] || a.number - b.number)
  const direction = query.get('direction') ?? (key === 'createdAt' ? 'desc' : 'asc')
  return direction === 'asc' ? ascending : ascending.toReversed()
}

/** Comments of a repository by time: `sort`, `direction`, `since`. */
function sortComments<Item extends { readonly comment: Comment }>(
  items: readonly Item[],
  query: URLSearchParams,
): Item[] {
  const key = query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt'
  const since = query.has('since') ? Date.parse(query.get('since') ?? '') : 0
  const sorted = items
    .filter(({ comment }) => comment.updatedAt >= since)
    .sort((a, b) => a.comment[key] - b.comment[key] || a.comment.id - b.comment.id)
  return query.get('direction') === 'desc' ? sorted.toReversed() : sorted
}

function listThreadComments(pullRequest: PullRequest) {
  return pullRequest.threads
    .flatMap(({ comments }) => comments)
    .map((comment) => ({ pullRequest, comment }))
    .sort((a, b) => a.comment.id - b.comment.id)
}

const listIssueComments = (pullRequest: PullRequest) =>
  pullRequest.comments.map((comment) => ({ pullRequest, comment }))

function findComment(
  context: RestContext,
  list: (pullRequest: PullRequest) => { readonly comment: Comment }[],
): Comment {
  const id = Number(context.params.comment_id)
  const found = getRepository(context)
    .pullRequests.flatMap(list)
    .find(({ comment }) => comment.id === id)
  if (found === undefined) throw notFound()
  return found.comment
}

function listReadable({ forge, ...context }: RestContext): Repository[] {
  const installation = getInstallation({ forge, ...context })
  return forge.repositories.filter((repository) => canRead(installation, repository))
}

function listCollaborators(forge: Forge, repository: Repository): User[] {
  return forge.users
    .filter(({ isBot, isDeleted }) => !isBot && !isDeleted)
    .filter((user) => {
      const permission = getPermission(repository, user)
      return permission !== null && (repository.owner.members.has(user) || repository.collaborators.has(user))
    })
}

const appRoutes: readonly RestRoute[] = [
  {
    method: 'GET',
    path: '/app',
    caller: 'app',
    handle: (context) => ({ status: 200, body: renderApp(context.urls, getApp(context)) }),
  },
  {
    method: 'GET',
    path: '/app/installations',
    caller: 'app',
    handle: (context) => {
      const app = getApp(context)
      const installations = context.apps.installations.filter((one) => one.app === app)
      return paginate(context, installations, (one) => renderInstallation(context.urls, one))
    },
  },
  {
    method: 'GET',
    path: '/app/installations/{installation_id}',
    caller: 'app',
    handle: (context) => ({
      status: 200,
      body: renderInstallation(context.urls, findInstallation(context)),
    }),
  },
  {
    method: 'POST',
    path: '/app/installations/{installation_id}/access_tokens',
    caller: 'app',
    handle: (context) => {
      const installation = findInstallation(context)
      const { token, expiresAt } = context.apps.issueToken(installation)
      const { permissions } = installation.app
      const body = { token, expires_at: toTime(expiresAt), permissions, repository_selection: 'all' }
      return { status: 201, body }
    },
  },
  {
    method: 'POST',
    path: '/app-manifests/{code}/conversions',
    caller: 'anyone',
    handle: ({ apps, params, urls }) => {
      const app = apps.takeManifestCode(params.code ?? '')
      if (app === null) throw notFound()
      const secrets = {
        client_id: app.clientId,
        client_secret: app.clientSecret,
        webhook_secret: app.webhookSecret,
        pem: app.privateKey,
      }
      return { status: 201, body: { ...renderApp(urls, app), ...secrets } }
    },
  },
  {
    method: 'GET',
    path: '/installation/repositories',
    caller: 'installation',
    handle: (context) => {
      const repositories = listReadable(context)
      return paginate(
        context,
        repositories,
        (one) => renderRepository(context.urls, one),
        (list) => ({ total_count: repositories.length, repository_selection: 'all', repositories: list }),
      )
    },
  },
]

const hookRoutes: readonly RestRoute[] = [
  {
    method: 'GET',
    path: '/app/hook/config',
    caller: 'app',
    handle: (context) => {
      const { webhookUrl } = getApp(context)
      const secret = '********'
      const body = { url: webhookUrl ?? '', content_type: 'json', insecure_ssl: '0', secret }
      return { status: 200, body }
    },
  },
  {
    method: 'PATCH',
    path: '/app/hook/config',
    caller: 'app',
    handle: (context) => {
      const app = getApp(context)
      const { url, secret } = context.body
      if (typeof url === 'string') app.webhookUrl = url
      if (typeof secret === 'string') app.webhookSecret = secret
      const body = { url: app.webhookUrl ?? '', content_type: 'json', insecure_ssl: '0', secret: '********' }
      return { status: 200, body }
    },
  },
  {
    method: 'GET',
    path: '/app/hook/deliveries',
    caller: 'app',
    handle: (context) => {
      const { hooks, query } = context
      const app = getApp(context)
      const size = Math.min(100, Number(query.get('per_page') ?? 30) || 30)
      const before = query.has('cursor') ? Number(query.get('cursor')) : Number.POSITIVE_INFINITY
      // GitHub filters by the status of the response: connections that failed are in neither list.
      const status = query.get('status')
      const isListed = (code: number) =>
        status === null || (status === 'success' ? code >= 200 && code < 400 : code >= 400 && code < 600)
      const older = hooks.deliveries
        .filter((one) => one.app === app && one.id < before && isListed(one.statusCode))
        .toReversed()
      const page = older.slice(0, size)
      const next = older.length > size ? { nextCursor: String(page.at(-1)?.id) } : {}
      return { status: 200, body: page.map(renderDelivery), ...next }
    },
  },
  {
    method: 'POST',
    path: '/app/hook/deliveries/{delivery_id}/attempts',
    caller: 'app',
    handle: (context) => {
      const { hooks, params } = context
      const app = getApp(context)
      const delivery = hooks.deliveries.find(
        (one) => one.id === Number(params.delivery_id) && one.app === app,
      )
      if (delivery === undefined) throw notFound()
      if (!hooks.redeliver(delivery)) throw new RestError(422, 'The delivery is too old')
      return { status: 202, body: {} }
    },
  },
]

const rateLimitRoute: RestRoute = {
  method: 'GET',
  path: '/rate_limit',
  caller: 'installation',
  handle: (context) => {
    const { limiter } = context
    if (limiter.isOff) throw new RestError(404, 'Rate limiting is not enabled.')
    const { id } = getInstallation(context)
    const render = (resource: Resource) => {
      const { limit, remaining, used, resetAt } = limiter.getState(id, resource)
      return { limit, remaining, used, reset: Math.ceil(resetAt / 1000) }
    }
    const core = render('core')
    return {
      status: 200,
      body: { resources: { core, search: core, graphql: render('graphql') }, rate: core },
    }
  },
}

function findInstallation(context: RestContext) {
  const app = getApp(context)
  const id = Number(context.params.installation_id)
  const installation = context.apps.installations.find((one) => one.id === id && one.app === app)
  if (installation === undefined) throw notFound()
  return installation
}

const repositoryRoutes: readonly RestRoute[] = [
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}',
    caller: 'installation',
    permission: ['metadata', 'read'],
    handle: (context) => ({
      status: 200,
      body: renderFullRepository(context.urls, getRepository(context)),
    }),
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/collaborators',
    caller: 'installation',
    permission: ['metadata', 'read'],
    handle: (context) => {
      const repository = getRepository(context)
      return paginate(context, listCollaborators(context.forge, repository), (user) =>
        renderCollaborator(context.urls, user, getPermission(repository, user) ?? 'pull'),
      )
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/collaborators/{username}/permission',
    caller: 'installation',
    permission: ['metadata', 'read'],
    handle: (context) => {
      const user = context.forge.users.find(({ login }) => login === context.params.username)
      if (user === undefined) throw notFound()
      return { status: 200, body: renderUserPermission(context.urls, getRepository(context), user) }
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/teams',
    caller: 'installation',
    permission: ['members', 'read'],
    handle: (context) => {
      const repository = getRepository(context)
      const teams = repository.owner.teams.filter((team) => team.repositories.has(repository))
      return paginate(context, teams, (team) =>
        renderTeam(context.urls, repository.owner, team, team.repositories.get(repository) ?? 'pull'),
      )
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/code-scanning/alerts',
    caller: 'installation',
    permission: ['security_events', 'read'],
    handle: (context) => {
      const repository = getRepository(context)
      const { query } = context
      const state = query.get('state')
      const key = query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt'
      const alerts = repository.alerts
        .filter((alert) => state === null || alert.state === state)
        .sort((a, b) => a[key] - b[key] || a.number - b.number)
      if (query.get('direction') !== 'asc') alerts.reverse()
      return paginate(context, alerts, (alert) => renderAlert(context.urls, repository, alert))
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/code-scanning/alerts/{alert_number}',
    caller: 'installation',
    permission: ['security_events', 'read'],
    handle: (context) => {
      const repository = getRepository(context)
      const alert = repository.alerts.find(({ number }) => String(number) === context.params.alert_number)
      if (alert === undefined) throw notFound()
      return { status: 200, body: renderAlert(context.urls, repository, alert) }
    },
  },
]

const organizationRoutes: readonly RestRoute[] = [
  {
    method: 'GET',
    path: '/orgs/{org}',
    caller: 'installation',
    handle: (context) => ({
      status: 200,
      body: renderOrganization(context.urls, getOrganization(context)),
    }),
  },
  {
    method: 'GET',
    path: '/orgs/{org}/members',
    caller: 'installation',
    permission: ['members', 'read'],
    handle: (context) => {
      const role = context.query.get('role')
      const members = [...getOrganization(context).members]
        .filter(([, one]) => role === null || role === 'all' || one === role)
        .map(([user]) => user)
      return paginate(context, members, (user) => renderUser(context.urls, user))
    },
  },
  {
    method: 'GET',
    path: '/orgs/{org}/teams',
    caller: 'installation',
    permission: ['members', 'read'],
    handle: (context) => {
      const organization = getOrganization(context)
      return paginate(context, organization.teams, (team) =>
        renderTeam(context.urls, organization, team, 'pull'),
      )
    },
  },
  {
    method: 'GET',
    path: '/orgs/{org}/teams/{team_slug}/members',
    caller: 'installation',
    permission: ['members', 'read'],
    handle: (context) => {
      const team = getOrganization(context).teams.find(({ slug }) => slug === context.params.team_slug)
      if (team === undefined) throw notFound()
      return paginate(context, [...team.members], (user) => renderUser(context.urls, user))
    },
  },
]

const pullRoutes: readonly RestRoute[] = [
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/pulls',
    caller: 'installation',
    permission: ['pull_requests', 'read'],
    handle: (context) => {
      const state = context.query.get('state') ?? 'open'
      const pulls = getRepository(context).pullRequests.filter(
        (pullRequest) => state === 'all' || pullRequest.state === state,
      )
      return paginate(context, sortPulls(pulls, context.query), (pullRequest) =>
        renderSimplePullRequest(context.urls, pullRequest),
      )
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/pulls/comments',
    caller: 'installation',
    permission: ['pull_requests', 'read'],
    handle: (context) => {
      const comments = getRepository(context).pullRequests.flatMap(listThreadComments)
      return paginate(context, sortComments(comments, context.query), ({ pullRequest, comment }) =>
        renderThreadComment(context.urls, pullRequest, comment),
      )
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/pulls/{pull_number}',
    caller: 'installation',
    permission: ['pull_requests', 'read'],
    handle: (context) => ({ status: 200, body: renderPullRequest(context.urls, getPull(context)) }),
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/pulls/{pull_number}/commits',
    caller: 'installation',
    permission: ['pull_requests', 'read'],
    handle: (context) => {
      const { commits, repository } = getPull(context)
      // GitHub lists at most 250.
      return paginate(context, commits.slice(0, 250), (commit) =>
        renderCommit(context.urls, repository, commit),
      )
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/pulls/{pull_number}/reviews',
    caller: 'installation',
    permission: ['pull_requests', 'read'],
    handle: (context) => {
      const pullRequest = getPull(context)
      return paginate(context, pullRequest.reviews, (review) =>
        renderReview(context.urls, pullRequest, review),
      )
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/pulls/{pull_number}/comments',
    caller: 'installation',
    permission: ['pull_requests', 'read'],
    handle: (context) => {
      const comments = sortComments(listThreadComments(getPull(context)), context.query)
      return paginate(context, comments, ({ pullRequest, comment }) =>
        renderThreadComment(context.urls, pullRequest, comment),
      )
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/pulls/{pull_number}/files',
    caller: 'installation',
    permission: ['pull_requests', 'read'],
    handle: (context) => {
      const pullRequest = getPull(context)
      return paginate(context, listFiles(pullRequest), (file) => renderFile(context.urls, pullRequest, file))
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions',
    caller: 'installation',
    permission: ['pull_requests', 'read'],
    handle: (context) =>
      paginate(context, findComment(context, listThreadComments).reactions, (reaction) =>
        renderReaction(context.urls, reaction),
      ),
  },
]

const issueRoutes: readonly RestRoute[] = [
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/issues/comments',
    caller: 'installation',
    permission: ['issues', 'read'],
    handle: (context) => {
      const comments = getRepository(context).pullRequests.flatMap(listIssueComments)
      return paginate(context, sortComments(comments, context.query), ({ pullRequest, comment }) =>
        renderIssueComment(context.urls, pullRequest, comment),
      )
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/issues/{issue_number}/comments',
    caller: 'installation',
    permission: ['issues', 'read'],
    handle: (context) => {
      const comments = sortComments(listIssueComments(getPull(context)), context.query)
      return paginate(context, comments, ({ pullRequest, comment }) =>
        renderIssueComment(context.urls, pullRequest, comment),
      )
    },
  },
  {
    method: 'POST',
    path: '/repos/{owner}/{repo}/issues/{issue_number}/comments',
    caller: 'installation',
    permission: ['issues', 'write'],
    otherPermission: ['pull_requests', 'write'],
    handle: (context) => {
      const { forge, urls, body } = context
      const pullRequest = getPull(context)
      const bot = getAppUser(forge, getInstallation(context).app)
      const comment = addComment(forge, pullRequest, bot, String(body.body))
      return { status: 201, body: renderIssueComment(urls, pullRequest, comment) }
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions',
    caller: 'installation',
    permission: ['issues', 'read'],
    handle: (context) =>
      paginate(context, findComment(context, listIssueComments).reactions, (reaction) =>
        renderReaction(context.urls, reaction),
      ),
  },
]

const checkRoutes: readonly RestRoute[] = [
  {
    method: 'POST',
    path: '/repos/{owner}/{repo}/check-runs',
    caller: 'installation',
    permission: ['checks', 'write'],
    handle: (context) => {
      const { forge, urls, body } = context
      const repository = getRepository(context)
      const { app } = getInstallation(context)
      const run = forge.addCheckRun(
        repository,
        {
          headSha: String(body.head_sha),
          name: String(body.name),
          app: { slug: app.slug, name: app.name },
        },
        getAppUser(forge, app),
      )
      updateCheckRun(context, repository, run)
      return { status: 201, body: renderCheckRun(urls, repository, run) }
    },
  },
  {
    method: 'PATCH',
    path: '/repos/{owner}/{repo}/check-runs/{check_run_id}',
    caller: 'installation',
    permission: ['checks', 'write'],
    handle: (context) => {
      const { urls, params } = context
      const repository = getRepository(context)
      const run = repository.checkRuns.find(({ id }) => id === Number(params.check_run_id))
      if (run === undefined) throw notFound()
      if (run.app.slug !== getInstallation(context).app.slug)
        throw new RestError(
          403,
          'Invalid app_id: check runs can only be changed by the app that created them',
        )
      updateCheckRun(context, repository, run)
      return { status: 200, body: renderCheckRun(urls, repository, run) }
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/commits/{ref}/check-runs',
    caller: 'installation',
    permission: ['checks', 'read'],
    handle: (context) => {
      const repository = getRepository(context)
      const name = context.query.get('check_name')
      const runs = repository.checkRuns.filter(
        (run) => run.headSha === context.params.ref && (name === null || run.name === name),
      )
      return paginate(
        context,
        runs,
        (run) => renderCheckRun(context.urls, repository, run),
        (list) => ({ total_count: runs.length, check_runs: list }),
      )
    },
  },
]

/** A conclusion completes the run, as on GitHub. */
function updateCheckRun(context: RestContext, repository: Repository, run: CheckRun): void {
  const { forge, body } = context
  const { title, summary, text } = (body.output ?? {}) as Partial<Record<string, string>>
  if (title !== undefined) run.title = title
  if (summary !== undefined) run.summary = summary
  if (text !== undefined) run.text = text
  if (typeof body.external_id === 'string') run.externalId = body.external_id
  if (body.status !== undefined) run.status = body.status as CheckRun['status']
  if (body.conclusion === undefined) return
  const conclusion = body.conclusion as CheckRun['conclusion']
  forge.completeCheckRun(repository, run, { conclusion }, getAppUser(forge, getInstallation(context).app))
}

/** The account that an app writes as. */
function getAppUser(forge: Forge, { slug }: App): User {
  const login = `${slug}[bot]`
  return forge.users.find((user) => user.login === login) ?? forge.addUser(login)
}

export const restRoutes: readonly RestRoute[] = [
  rateLimitRoute,
  ...appRoutes,
  ...hookRoutes,
  ...repositoryRoutes,
  ...organizationRoutes,
  ...pullRoutes,
  ...issueRoutes,
  ...checkRoutes,
]

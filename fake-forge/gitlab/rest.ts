// GitLab's REST endpoints that a connector needs, below /api/v4.
import type { Forge } from '../forge.ts'
import { getFullName } from '../forge.ts'
import type { Organization, PullRequest, Repository, User } from '../model.ts'
import { addComment } from '../review.ts'
import type { GitlabHooks } from './hooks.ts'
import {
  findNote,
  getState,
  type Json,
  listMembers,
  listNotes,
  renderAllNotes,
  renderCommit,
  renderDiscussions,
  renderEmoji,
  renderGroup,
  renderMember,
  renderMergeRequest,
  renderMergeRequestDetails,
  renderNote,
  renderProject,
  renderUser,
  renderVersions,
  toGitlabTime,
} from './render.ts'

export type Scope = 'read_api' | 'api' | 'read_repository'

/** A group or project access token: it belongs to a bot of its group. */
export interface Token {
  readonly token: string
  readonly group: Organization
  readonly user: User
  readonly scopes: readonly Scope[]
  readonly expiresAt: number
}

export interface GitlabContext {
  readonly forge: Forge
  readonly web: string
  readonly token: Token
  readonly hooks: GitlabHooks
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Json
}

export interface GitlabResult {
  readonly status?: number
  readonly body?: unknown
  /** A list: the server returns one page of it. */
  readonly list?: readonly Json[]
}

export interface GitlabRoute {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  /** A definition of schemas.json; null = no body. */
  readonly shape: string | null
  readonly scope?: Scope
  handle(context: GitlabContext): GitlabResult
}

export class GitlabError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

function getGroup({ forge, token, params }: GitlabContext): Organization {
  const group = forge.organizations.find(({ id, login }) => String(id) === params.id || login === params.id)
  if (group === undefined || group !== token.group) throw new GitlabError(404, '404 Group Not Found')
  return group
}

function getProject({ forge, token, params }: GitlabContext): Repository {
  const { id = '' } = params
  const project = /^\d+$/.test(id)
    ? forge.repositories.find((one) => one.id === Number(id))
    : forge.findRepository(id)?.repository
  if (project === undefined || project.owner !== token.group)
    throw new GitlabError(404, '404 Project Not Found')
  return project
}

/** Where merge requests are switched off, nobody may read them. */
function getMergeRequests(context: GitlabContext): readonly PullRequest[] {
  const { hasPullRequests, pullRequests } = getProject(context)
  if (!hasPullRequests) throw new GitlabError(403, '403 Forbidden')
  return pullRequests
}

function getMergeRequest(context: GitlabContext): PullRequest {
  const mergeRequest = getMergeRequests(context)[Number(context.params.iid) - 1]
  if (mergeRequest === undefined) throw new GitlabError(404, '404 Not found')
  return mergeRequest
}

/** `updated_after`, `created_after`, `state`, `order_by`, `sort`. By default newest first, by creation. */
function listMergeRequests(context: GitlabContext, pullRequests: readonly PullRequest[]): Json[] {
  const { query, web } = context
  const after = (name: string) => (query.has(name) ? Date.parse(query.get(name) ?? '') : 0)
  const [createdAfter, updatedAfter] = [after('created_after'), after('updated_after')]
  const state = query.get('state') ?? 'all'
  const key = query.get('order_by') === 'updated_at' ? 'updatedAt' : 'createdAt'
  const found = pullRequests
    .filter((one) => state === 'all' || getState(one) === state)
    .filter((one) => one.createdAt >= createdAfter && one.updatedAt >= updatedAfter)
    .sort((a, b) => a[key] - b[key] || a.id - b.id)
  const sorted = query.get('sort') === 'asc' ? found : found.toReversed()
  return sorted.map((one) => renderMergeRequest(web, one))
}

const groupRoutes: readonly GitlabRoute[] = [
  {
    method: 'GET',
    path: '/user',
    shape: 'full_user',
    handle: ({ web, token: { user } }) => ({
      body: { ...renderUser(web, user), bot: user.isBot, created_at: toGitlabTime(0) },
    }),
  },
  {
    method: 'GET',
    path: '/users/:id',
    shape: 'full_user',
    handle: ({ forge, web, params }) => {
      const user = forge.users.find(({ id }) => String(id) === params.id)
      if (user === undefined) throw new GitlabError(404, '404 User Not Found')
      return { body: { ...renderUser(web, user), bot: user.isBot, created_at: toGitlabTime(0) } }
    },
  },
  {
    method: 'GET',
    path: '/groups/:id',
    shape: 'group',
    handle: (context) => ({ body: renderGroup(context.web, getGroup(context)) }),
  },
  {
    method: 'GET',
    path: '/groups/:id/projects',
    shape: '[project]',
    handle: (context) => {
      const group = getGroup(context)
      const { query, web, forge } = context
      const projects = forge.repositories.filter(({ owner }) => owner === group).sort((a, b) => a.id - b.id)
      // The newest come first unless `sort` is given.
      const sorted = query.get('sort') === 'asc' ? projects : projects.toReversed()
      return { list: sorted.map((one) => renderProject(web, one, query.get('simple') === 'true')) }
    },
  },
  {
    method: 'GET',
    path: '/groups/:id/members/all',
    shape: '[member]',
    handle: (context) => {
      const group = getGroup(context)
      return {
        list: [...group.members].map(([user, role]) =>
          renderMember(context.web, user, role === 'admin' ? 'admin' : 'push', group.createdAt),
        ),
      }
    },
  },
  {
    method: 'GET',
    path: '/groups/:id/merge_requests',
    shape: '[merge_request]',
    handle: (context) => {
      const group = getGroup(context)
      const projects = context.forge.repositories.filter(
        ({ owner, hasPullRequests }) => owner === group && hasPullRequests,
      )
      return {
        list: listMergeRequests(
          context,
          projects.flatMap((one) => one.pullRequests),
        ),
      }
    },
  },
]

const projectRoutes: readonly GitlabRoute[] = [
  {
    method: 'GET',
    path: '/projects/:id',
    shape: 'project',
    handle: (context) => ({ body: renderProject(context.web, getProject(context), false) }),
  },
  {
    method: 'GET',
    path: '/projects/:id/members/all',
    shape: '[member]',
    handle: (context) => {
      const project = getProject(context)
      return {
        list: listMembers(project).map(([user, permission]) =>
          renderMember(context.web, user, permission, project.createdAt),
        ),
      }
    },
  },
  {
    method: 'GET',
    path: '/projects/:id/members/all/:user_id',
    shape: 'member',
    handle: (context) => {
      const project = getProject(context)
      const found = listMembers(project).find(([{ id }]) => String(id) === context.params.user_id)
      if (found === undefined) throw new GitlabError(404, '404 Not found')
      return { body: renderMember(context.web, ...found, project.createdAt) }
    },
  },
  {
    method: 'GET',
    path: '/projects/:id/merge_requests',
    shape: '[merge_request]',
    handle: (context) => ({ list: listMergeRequests(context, getMergeRequests(context)) }),
  },
  {
    method: 'GET',
    path: '/projects/:id/merge_requests/:iid',
    shape: 'merge_request_details',
    handle: (context) => ({ body: renderMergeRequestDetails(context.web, getMergeRequest(context)) }),
  },
  {
    method: 'GET',
    path: '/projects/:id/merge_requests/:iid/discussions',
    shape: '[discussion]',
    handle: (context) => ({ list: renderDiscussions(context.web, getMergeRequest(context)) }),
  },
  {
    method: 'GET',
    path: '/projects/:id/merge_requests/:iid/notes',
    shape: '[note]',
    handle: (context) => ({ list: renderAllNotes(context.web, getMergeRequest(context)) }),
  },
  {
    method: 'POST',
    path: '/projects/:id/merge_requests/:iid/notes',
    shape: 'note',
    scope: 'api',
    handle: (context) => {
      const { forge, web, token, body } = context
      const mergeRequest = getMergeRequest(context)
      const { id } = addComment(forge, mergeRequest, token.user, String(body.body))
      const note = listNotes(mergeRequest).find((one) => one.id === id)
      if (note === undefined) throw new GitlabError(500, 'the note is missing')
      return { status: 201, body: renderNote(web, mergeRequest, note) }
    },
  },
  {
    method: 'GET',
    path: '/projects/:id/merge_requests/:iid/notes/:note_id/award_emoji',
    shape: '[award_emoji]',
    handle: (context) => {
      const comment = findNote(getMergeRequest(context), Number(context.params.note_id))
      if (comment === null) throw new GitlabError(404, '404 Note Not Found')
      return { list: comment.reactions.map((reaction) => renderEmoji(context.web, comment, reaction)) }
    },
  },
  {
    method: 'GET',
    path: '/projects/:id/merge_requests/:iid/commits',
    shape: '[commit]',
    handle: (context) => {
      const { commits, repository } = getMergeRequest(context)
      return { list: commits.toReversed().map((commit) => renderCommit(context.web, repository, commit)) }
    },
  },
  {
    method: 'GET',
    path: '/projects/:id/merge_requests/:iid/versions',
    shape: '[version]',
    handle: (context) => ({ list: renderVersions(getMergeRequest(context)) }),
  },
]

const hookRoutes: readonly GitlabRoute[] = [
  {
    method: 'GET',
    path: '/projects/:id/hooks',
    shape: '[hook]',
    scope: 'api',
    handle: (context) => ({ list: context.hooks.list(getProject(context)) }),
  },
  {
    method: 'POST',
    path: '/projects/:id/hooks',
    shape: 'hook',
    scope: 'api',
    handle: (context) => ({ status: 201, body: context.hooks.add(getProject(context), context.body) }),
  },
  {
    method: 'GET',
    path: '/groups/:id/hooks',
    shape: '[hook]',
    scope: 'api',
    handle: (context) => ({ list: context.hooks.list(getGroup(context)) }),
  },
  {
    method: 'POST',
    path: '/groups/:id/hooks',
    shape: 'hook',
    scope: 'api',
    handle: (context) => {
      // Group hooks are a feature of paid tiers.
      if (!context.hooks.hasGroupHooks) throw new GitlabError(404, '404 Not Found')
      return { status: 201, body: context.hooks.add(getGroup(context), context.body) }
    },
  },
  {
    method: 'DELETE',
    path: '/projects/:id/hooks/:hook_id',
    shape: null,
    scope: 'api',
    handle: (context) => {
      getProject(context)
      if (!context.hooks.remove(Number(context.params.hook_id))) throw new GitlabError(404, '404 Not found')
      return { status: 204 }
    },
  },
]

export const gitlabRoutes: readonly GitlabRoute[] = [...groupRoutes, ...projectRoutes, ...hookRoutes]

/** The former path of a project leads to its present one. */
export function findMovedProject(forge: Forge, path: string): string | null {
  const match = /^\/projects\/([^/]+)(\/.*)?$/.exec(path)
  const found = match === null ? null : forge.findRepository(decodeURIComponent(match[1] ?? ''))
  if (found === null || !found.isFormerName) return null
  return `/projects/${encodeURIComponent(getFullName(found.repository))}${match?.[2] ?? ''}`
}

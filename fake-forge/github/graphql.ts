// GitHub's GraphQL API: queries are validated and executed on GitHub's real schema. Objects resolve their fields lazily.
import { schema as published } from '@octokit/graphql-schema'
import {
  buildSchema,
  type DocumentNode,
  execute,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isObjectType,
  parse,
  validate,
} from 'graphql'
import { toTime, toTimeOrNull } from '../clock.ts'
import { type Forge, getFullName, getPermission } from '../forge.ts'
import type {
  CheckRun,
  Comment,
  Organization,
  PullRequest,
  PullRequestCommit,
  Reaction,
  ReactionContent,
  Repository,
  Review,
  Thread,
  ThreadComment,
  TimelineItem,
  User,
} from '../model.ts'
import { toSyntheticSha } from '../pull-request.ts'
import { locateThread } from '../review.ts'
import { canRead, type Installation } from './apps.ts'
import { computeCost, QueryLimitError } from './graphql-cost.ts'
import { getPullWebUrl, listFiles, toNodeId, type Urls } from './render.ts'

export interface GraphqlContext {
  readonly forge: Forge
  readonly urls: Urls
  readonly installation: Installation
  /** Takes the points of the query from the budget; null = it is spent. */
  charge(points: number): RateLimitState | null
  /** Whether a field of the query fails, as fields of overloaded services do. */
  readonly isPartial: boolean
}

export interface RateLimitState {
  readonly limit: number
  readonly remaining: number
  readonly used: number
  readonly resetAt: number
}

export interface GraphqlRequest {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

export interface GraphqlResult {
  readonly data?: unknown
  readonly errors?: readonly { readonly type?: string; readonly message: string }[]
  /** Not sent. */
  readonly isLimited?: boolean
}

let builtSchema: GraphQLSchema | null = null

function getSchema(): GraphQLSchema {
  builtSchema ??= buildSchema(published.idl, { assumeValid: true })
  return builtSchema
}

let connectionNames: Set<string> | null = null

/** Names of fields that return a connection. */
function isConnection(name: string): boolean {
  if (connectionNames === null) {
    connectionNames = new Set()
    for (const type of Object.values(getSchema().getTypeMap()))
      if (isObjectType(type))
        for (const field of Object.values(type.getFields()))
          if (/Connection!?$/.test(String(field.type))) connectionNames.add(field.name)
  }
  return connectionNames.has(name)
}

const documents = new Map<string, DocumentNode>()

/** Parses and validates; connectors send the same few queries again and again. */
function parseQuery(query: string): DocumentNode {
  const known = documents.get(query)
  if (known !== undefined) return known
  const document = parse(query)
  const errors = validate(getSchema(), document)
  if (errors.length > 0) throw new AggregateError(errors, 'the query is not valid')
  if (documents.size > 1000) documents.clear()
  documents.set(query, document)
  return document
}

export async function executeGraphql(
  context: GraphqlContext,
  request: GraphqlRequest,
): Promise<GraphqlResult> {
  const { query, variables } = request
  let document: DocumentNode
  let cost: ReturnType<typeof computeCost>
  try {
    document = parseQuery(query)
    cost = computeCost(document, variables, isConnection)
  } catch (error) {
    return { errors: toQueryErrors(error) }
  }
  const rateLimit = context.charge(cost.points)
  if (rateLimit === null) {
    const message = `API rate limit already exceeded for installation ID ${context.installation.id}.`
    return { errors: [{ type: 'RATE_LIMIT', message }], isLimited: true }
  }
  const result = await execute({
    schema: getSchema(),
    document,
    variableValues: variables,
    rootValue: new Resolver(context).createRoot({ ...rateLimit, ...cost }),
    fieldResolver: resolveField,
    contextValue: { isPartial: context.isPartial },
  })
  if (result.errors === undefined) return { data: result.data }
  return { data: result.data, errors: result.errors.map(toResponseError) }
}

function toQueryErrors(error: unknown) {
  if (error instanceof AggregateError)
    return error.errors.map((one) => ({ type: 'QUERY_INVALID', message: (one as Error).message }))
  if (error instanceof QueryLimitError) return [{ type: error.type, message: error.message }]
  return [{ message: error instanceof Error ? error.message : String(error) }]
}

/** GitHub has the type of an error at the top. */
function toResponseError({ extensions, message, path, locations }: GraphQLError) {
  return {
    ...(typeof extensions.type === 'string' ? { type: extensions.type } : {}),
    ...(path === undefined ? {} : { path }),
    ...(locations === undefined ? {} : { locations }),
    message,
  }
}

/** A field that the fake does not know is an error, not null: nobody must read a null that the fake made up. */
const resolveField: GraphQLFieldResolver<unknown, { isPartial: boolean }> = (source, args, context, info) => {
  const fields = source as Readonly<Record<string, unknown>>
  if (!(info.fieldName in fields))
    throw new GraphQLError(`the fake forge does not resolve ${info.parentType.name}.${info.fieldName}`)
  if (context.isPartial && failingFields.has(info.fieldName)) {
    context.isPartial = false
    throw new GraphQLError(
      'Something went wrong while executing your query. This may be the result of a timeout.',
    )
  }
  const value = fields[info.fieldName]
  return typeof value === 'function' ? (value as (given: unknown) => unknown)(args) : value
}

/** The first of these in a query fails. */
const failingFields = new Set(['reviewThreads', 'membersWithRole', 'reactions'])

interface PageArguments {
  readonly first?: number | null
  readonly after?: string | null
  readonly last?: number | null
  readonly before?: string | null
}

/** Orders items; cursors have it too, so that pages stay right when items come or go. */
type SortKey = readonly [value: number, id: number]

const compareKeys = (a: SortKey, b: SortKey) => a[0] - b[0] || a[1] - b[1]

const toCursor = (key: SortKey) => Buffer.from(JSON.stringify(key)).toString('base64url')

function parseCursor(cursor: string): SortKey {
  try {
    const [value, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [number, number]
    return [value, id]
  } catch {
    throw new GraphQLError(`\`${cursor}\` does not appear to be a valid cursor.`)
  }
}

function createConnection<Item>(
  items: readonly Item[],
  args: PageArguments,
  getKey: (item: Item) => SortKey,
  toNode: (item: Item) => unknown,
  options: { isDescending?: boolean; toEdge?: (item: Item) => object } = {},
) {
  const sign = options.isDescending === true ? -1 : 1
  const sorted = [...items].sort((a, b) => sign * compareKeys(getKey(a), getKey(b)))
  const after = args.after == null ? null : parseCursor(args.after)
  const before = args.before == null ? null : parseCursor(args.before)
  const inRange = sorted.filter(
    (item) =>
      (after === null || sign * compareKeys(getKey(item), after) > 0) &&
      (before === null || sign * compareKeys(getKey(item), before) < 0),
  )
  const page = args.last == null ? inRange.slice(0, args.first ?? 100) : inRange.slice(-args.last)
  const [first, last] = [page[0], page.at(-1)]
  return {
    totalCount: items.length,
    nodes: () => page.map(toNode),
    edges: () =>
      page.map((item) => ({
        cursor: toCursor(getKey(item)),
        node: () => toNode(item),
        ...options.toEdge?.(item),
      })),
    pageInfo: {
      hasNextPage: args.last == null ? inRange.length > page.length : before !== null,
      hasPreviousPage: args.last == null ? after !== null : inRange.length > page.length,
      startCursor: first === undefined ? null : toCursor(getKey(first)),
      endCursor: last === undefined ? null : toCursor(getKey(last)),
    },
  }
}

const reactionNames: Readonly<Record<ReactionContent, string>> = {
  '+1': 'THUMBS_UP',
  '-1': 'THUMBS_DOWN',
  laugh: 'LAUGH',
  confused: 'CONFUSED',
  heart: 'HEART',
  hooray: 'HOORAY',
  rocket: 'ROCKET',
  eyes: 'EYES',
}

const timelineTypes: Readonly<Record<TimelineItem['kind'], readonly [type: string, filter: string]>> = {
  ready_for_review: ['ReadyForReviewEvent', 'READY_FOR_REVIEW_EVENT'],
  convert_to_draft: ['ConvertToDraftEvent', 'CONVERT_TO_DRAFT_EVENT'],
  head_ref_force_pushed: ['HeadRefForcePushedEvent', 'HEAD_REF_FORCE_PUSHED_EVENT'],
  closed: ['ClosedEvent', 'CLOSED_EVENT'],
  reopened: ['ReopenedEvent', 'REOPENED_EVENT'],
  merged: ['MergedEvent', 'MERGED_EVENT'],
}

interface PullsArguments extends PageArguments {
  readonly states?: readonly string[] | null
  readonly orderBy?: { readonly field: string; readonly direction: string } | null
}

function getPullState({ state, mergedAt }: PullRequest): string {
  if (state === 'open') return 'OPEN'
  return mergedAt === null ? 'CLOSED' : 'MERGED'
}

const repositoryPermissions = {
  pull: 'READ',
  triage: 'TRIAGE',
  push: 'WRITE',
  maintain: 'MAINTAIN',
  admin: 'ADMIN',
} as const

/** Where threads and comments are that a client has seen: it cannot know the ids of others. */
const nodeOwners = new WeakMap<Forge, Map<string, PullRequest>>()

class Resolver {
  readonly #forge: Forge
  readonly #urls: Urls
  readonly #installation: Installation

  constructor({ forge, urls, installation }: GraphqlContext) {
    this.#forge = forge
    this.#urls = urls
    this.#installation = installation
  }

  createRoot(limit: RateLimitState & { readonly points: number; readonly nodeCount: number }) {
    return {
      rateLimit: {
        limit: limit.limit,
        cost: limit.points,
        nodeCount: limit.nodeCount,
        remaining: limit.remaining,
        used: limit.used,
        resetAt: toTime(limit.resetAt),
      },
      repository: ({ owner, name }: { owner: string; name: string }) =>
        this.#findRepository(`${owner}/${name}`),
      organization: ({ login }: { login: string }) => this.#findOrganization(login),
      user: ({ login }: { login: string }) => this.#findUser(login),
      node: ({ id }: { id: string }) => this.#findNode(id),
      nodes: ({ ids }: { ids: readonly string[] }) => ids.map((id) => this.#findNodeOrError(id)),
    }
  }

  #findRepository(fullName: string) {
    const found = this.#forge.findRepository(fullName)
    if (found === null || !canRead(this.#installation, found.repository))
      throw notFound(`Could not resolve to a Repository with the name '${fullName}'.`)
    return this.#toRepository(found.repository)
  }

  #findOrganization(login: string) {
    const organization = this.#forge.organizations.find((one) => one.login === login)
    if (organization === undefined)
      throw notFound(`Could not resolve to an Organization with the login of '${login}'.`)
    return this.#toOrganization(organization)
  }

  #findUser(login: string) {
    const user = this.#forge.users.find((one) => one.login === login && !one.isBot && !one.isDeleted)
    if (user === undefined) throw notFound(`Could not resolve to a User with the login of '${login}'.`)
    return this.#toUser(user)
  }

  /** In a list, an error makes only its own entry null. */
  #findNodeOrError(id: string): object {
    try {
      return this.#findNode(id)
    } catch (error) {
      if (error instanceof GraphQLError) return error
      throw error
    }
  }

  #findNode(id: string): object {
    const [prefix, rest = ''] = id.split('_kwDO')
    const number = Number.parseInt(rest, 36)
    if (prefix === 'PR') {
      const pullRequest = this.#forge.pullRequests.get(number)
      if (pullRequest !== undefined && canRead(this.#installation, pullRequest.repository))
        return this.#toPullRequest(pullRequest)
    }
    if (prefix === 'R') {
      const repository = this.#forge.repositories.find((one) => one.id === number)
      if (repository !== undefined && canRead(this.#installation, repository))
        return this.#toRepository(repository)
    }
    const owner = this.#getNodeOwners().get(id)
    if (owner !== undefined && canRead(this.#installation, owner.repository)) {
      const found = this.#findInPullRequest(owner, prefix ?? '', number)
      if (found !== null) return found
    }
    throw notFound(`Could not resolve to a node with the global id of '${id}'`)
  }

  #getNodeOwners(): Map<string, PullRequest> {
    const known = nodeOwners.get(this.#forge) ?? new Map<string, PullRequest>()
    nodeOwners.set(this.#forge, known)
    return known
  }

  #findInPullRequest(pullRequest: PullRequest, prefix: string, number: number): object | null {
    const { threads, comments } = pullRequest
    if (prefix === 'PRRT') {
      const thread = threads.find(({ id }) => id === number)
      return thread === undefined ? null : this.#toThread(pullRequest, thread)
    }
    if (prefix === 'PRRC') {
      const comment = threads.flatMap((one) => one.comments).find(({ id }) => id === number)
      return comment === undefined ? null : this.#toThreadComment(pullRequest, comment)
    }
    const comment = comments.find(({ id }) => id === number)
    return comment === undefined ? null : this.#toComment(pullRequest, comment)
  }

  #toRepository(repository: Repository): object {
    return {
      __typename: 'Repository',
      id: toNodeId('R', repository.id),
      databaseId: repository.id,
      name: repository.name,
      nameWithOwner: getFullName(repository),
      isPrivate: repository.isPrivate,
      visibility: repository.isPrivate ? 'PRIVATE' : 'PUBLIC',
      isArchived: false,
      isDisabled: false,
      isFork: false,
      isEmpty: repository.code === null,
      url: `${this.#urls.web}/${getFullName(repository)}`,
      createdAt: toTime(repository.createdAt),
      updatedAt: toTime(repository.updatedAt),
      pushedAt: toTime(repository.updatedAt),
      owner: () => this.#toOrganization(repository.owner),
      defaultBranchRef: () => this.#toDefaultBranch(repository),
      pullRequest: ({ number }: { number: number }) => {
        const pullRequest = repository.pullRequests[number - 1]
        if (pullRequest === undefined)
          throw notFound(`Could not resolve to a PullRequest with the number of ${number}.`)
        return this.#toPullRequest(pullRequest)
      },
      pullRequests: (args: PullsArguments) => this.#listPullRequests(repository, args),
      collaborators: (args: PageArguments) => this.#listCollaborators(repository, args),
    }
  }

  #toDefaultBranch({ code, defaultBranch }: Repository) {
    const oid = code?.getRef(`refs/heads/${defaultBranch}`) ?? null
    if (oid === null) return null
    return { __typename: 'Ref', name: defaultBranch, target: { __typename: 'Commit', oid } }
  }

  #listPullRequests({ pullRequests }: Repository, args: PullsArguments) {
    const { states, orderBy } = args
    const isUpdated = orderBy?.field === 'UPDATED_AT'
    return createConnection(
      states == null ? pullRequests : pullRequests.filter((one) => states.includes(getPullState(one))),
      args,
      (one) => [isUpdated ? one.updatedAt : one.createdAt, one.number],
      (one) => this.#toPullRequest(one),
      { isDescending: orderBy?.direction === 'DESC' },
    )
  }

  #listCollaborators(repository: Repository, args: PageArguments) {
    const users = this.#forge.users.filter(
      (user) =>
        !user.isBot &&
        (repository.owner.members.has(user) || repository.collaborators.has(user)) &&
        getPermission(repository, user) !== null,
    )
    return createConnection(
      users,
      args,
      ({ id }) => [0, id],
      (user) => this.#toUser(user),
      {
        toEdge: (user) => ({
          permission: repositoryPermissions[getPermission(repository, user) ?? 'pull'],
        }),
      },
    )
  }

  #toOrganization(organization: Organization): object {
    const { id, login, members } = organization
    return {
      __typename: 'Organization',
      id: toNodeId('O', id),
      databaseId: id,
      login,
      name: login,
      url: `${this.#urls.web}/${login}`,
      createdAt: toTime(organization.createdAt),
      membersWithRole: (args: PageArguments) =>
        createConnection(
          [...members.keys()],
          args,
          (user) => [0, user.id],
          (user) => this.#toUser(user),
          {
            toEdge: (user) => ({
              role: members.get(user) === 'admin' ? 'ADMIN' : 'MEMBER',
              hasTwoFactorEnabled: null,
            }),
          },
        ),
      repositories: (args: PageArguments) =>
        createConnection(
          this.#forge.repositories.filter(
            (one) => one.owner === organization && canRead(this.#installation, one),
          ),
          args,
          (one) => [0, one.id],
          (one) => this.#toRepository(one),
        ),
    }
  }

  /** A person; the login of a bot has no `[bot]` here. */
  #toActor(user: User | null): object | null {
    if (user === null || user.isDeleted) return null
    if (!user.isBot) return this.#toUser(user)
    const login = user.login.replace(/\[bot\]$/, '')
    const url = `${this.#urls.web}/apps/${login}`
    return {
      __typename: 'Bot',
      id: toNodeId('BOT', user.id),
      databaseId: user.id,
      login,
      url,
      resourcePath: `/apps/${login}`,
      avatarUrl: `${url}.png`,
    }
  }

  /** Fields of the type User are null for bots, because a bot is not one. */
  #toUserOrNull(user: User | null): object | null {
    return user === null || user.isDeleted || user.isBot ? null : this.#toUser(user)
  }

  #toUser(user: User): object {
    const { id, login, name, email } = user
    return {
      __typename: 'User',
      id: toNodeId('U', id),
      databaseId: id,
      login,
      name,
      // An installation may not read an address that is hidden, and people rarely publish theirs.
      email: () => {
        throw forbidden()
      },
      organizationVerifiedDomainEmails: ({ login: organization }: { login: string }) =>
        email !== null && this.#installation.account.login === organization ? [email] : [],
      url: `${this.#urls.web}/${login}`,
      resourcePath: `/${login}`,
      avatarUrl: `${this.#urls.web}/avatars/${login}`,
    }
  }

  #toPullRequest(pullRequest: PullRequest): object {
    const { repository, commits, reviews, threads, comments } = pullRequest
    return {
      __typename: 'PullRequest',
      ...toIds('PR', pullRequest.id),
      number: pullRequest.number,
      title: pullRequest.title,
      body: pullRequest.body,
      url: getPullWebUrl(this.#urls, pullRequest),
      state: getPullState(pullRequest),
      isDraft: pullRequest.isDraft,
      closed: pullRequest.state === 'closed',
      merged: pullRequest.mergedAt !== null,
      createdAt: toTime(pullRequest.createdAt),
      publishedAt: toTime(pullRequest.createdAt),
      updatedAt: toTime(pullRequest.updatedAt),
      closedAt: toTimeOrNull(pullRequest.closedAt),
      mergedAt: toTimeOrNull(pullRequest.mergedAt),
      mergedBy: () => this.#toActor(pullRequest.mergedBy),
      author: () => this.#toActor(pullRequest.author),
      baseRefName: pullRequest.baseRef,
      baseRefOid: pullRequest.baseSha,
      headRefName: pullRequest.headRef,
      headRefOid: pullRequest.headSha,
      isCrossRepository: false,
      mergeCommit: pullRequest.mergeSha === null ? null : { __typename: 'Commit', oid: pullRequest.mergeSha },
      repository: () => this.#toRepository(repository),
      changedFiles: () => listFiles(pullRequest).length,
      totalCommentsCount: () =>
        comments.length + threads.reduce((total, thread) => total + thread.comments.length, 0),
      commits: (args: PageArguments) =>
        createConnection(
          commits.map((commit, index) => ({ commit, index })),
          args,
          ({ index }) => [0, index],
          ({ commit }) => this.#toPullRequestCommit(pullRequest, commit),
        ),
      reviews: (args: PageArguments & { readonly states?: readonly string[] | null }) =>
        createConnection(
          reviews.filter(({ state }) => args.states == null || args.states.includes(state)),
          args,
          ({ id }) => [0, id],
          (review) => this.#toReview(pullRequest, review),
        ),
      reviewThreads: (args: PageArguments) =>
        createConnection(
          threads,
          args,
          ({ id }) => [0, id],
          (thread) => this.#toThread(pullRequest, thread),
        ),
      comments: (args: PageArguments) =>
        createConnection(
          comments,
          args,
          ({ id }) => [0, id],
          (comment) => this.#toComment(pullRequest, comment),
        ),
      timelineItems: (args: PageArguments & { readonly itemTypes?: readonly string[] | null }) =>
        this.#listTimeline(pullRequest, args),
    }
  }

  #listTimeline(
    { timeline }: PullRequest,
    args: PageArguments & { readonly itemTypes?: readonly string[] | null },
  ) {
    const items = timeline.filter(
      ({ kind }) => args.itemTypes == null || args.itemTypes.includes(timelineTypes[kind][1]),
    )
    const connection = createConnection(
      items,
      args,
      ({ id }) => [0, id],
      ({ id, kind, actor, at }) => ({
        __typename: timelineTypes[kind][0],
        id: toNodeId('TL', id),
        createdAt: toTime(at),
        actor: () => this.#toActor(actor),
      }),
    )
    return { ...connection, filteredCount: items.length, pageCount: items.length }
  }

  #toPullRequestCommit(pullRequest: PullRequest, commit: PullRequestCommit) {
    const { sha, message, author, at } = commit
    const url = `${this.#urls.web}/${getFullName(pullRequest.repository)}/commit/${sha}`
    const [messageHeadline = ''] = message.split('\n')
    const signature = () => ({
      name: author.name,
      email: `${author.id}@users.noreply.example`,
      date: toTime(at),
      user: this.#toUserOrNull(author),
    })
    return {
      __typename: 'PullRequestCommit',
      id: toNodeId('PRC', Number.parseInt(sha.slice(0, 10), 16)),
      url,
      commit: {
        __typename: 'Commit',
        oid: sha,
        message,
        messageHeadline,
        committedDate: toTime(at),
        authoredDate: toTime(at),
        author: signature,
        committer: signature,
        url,
        tree: { oid: toSyntheticSha('tree', sha) },
        checkSuites: (args: PageArguments) => this.#listCheckSuites(pullRequest.repository, sha, args),
      },
    }
  }

  /** One suite for each app that reports on the commit. */
  #listCheckSuites({ checkRuns }: Repository, sha: string, args: PageArguments) {
    const runs = checkRuns.filter(({ headSha }) => headSha === sha)
    const slugs = [...new Set(runs.map(({ app }) => app.slug))]
    return createConnection(
      slugs.map((slug, index) => ({ slug, index, runs: runs.filter(({ app }) => app.slug === slug) })),
      args,
      ({ index }) => [0, index],
      (suite) => ({
        __typename: 'CheckSuite',
        id: toNodeId('CS', suite.index),
        app: { __typename: 'App', slug: suite.slug, name: suite.runs[0]?.app.name ?? suite.slug },
        checkRuns: (inner: PageArguments) =>
          createConnection(
            suite.runs,
            inner,
            ({ id }) => [0, id],
            (run) => this.#toCheckRun(run),
          ),
      }),
    )
  }

  #toCheckRun(run: CheckRun) {
    return {
      __typename: 'CheckRun',
      ...toIds('CR', run.id),
      name: run.name,
      url: `${this.#urls.web}/runs/${run.id}`,
      status: run.status.toUpperCase(),
      conclusion: run.conclusion?.toUpperCase() ?? null,
      startedAt: toTimeOrNull(run.startedAt),
      completedAt: toTimeOrNull(run.completedAt),
      title: run.title,
      summary: run.summary,
      text: run.text,
    }
  }

  #toReview(pullRequest: PullRequest, review: Review): object {
    return {
      __typename: 'PullRequestReview',
      ...toIds('PRR', review.id),
      url: `${getPullWebUrl(this.#urls, pullRequest)}#pullrequestreview-${review.id}`,
      author: () => this.#toActor(review.author),
      state: review.state,
      body: review.body,
      commit: { __typename: 'Commit', oid: review.commit },
      createdAt: toTime(review.submittedAt),
      submittedAt: toTime(review.submittedAt),
      publishedAt: toTime(review.submittedAt),
      updatedAt: toTime(review.updatedAt),
      pullRequest: () => this.#toPullRequest(pullRequest),
      comments: (args: PageArguments) =>
        createConnection(
          pullRequest.threads.flatMap(({ comments }) =>
            comments.filter(({ reviewId }) => reviewId === review.id),
          ),
          args,
          ({ id }) => [0, id],
          (comment) => this.#toThreadComment(pullRequest, comment),
        ),
    }
  }

  #toThread(pullRequest: PullRequest, thread: Thread): object {
    const { isOutdated, line, startLine } = locateThread(pullRequest, thread)
    this.#getNodeOwners().set(toNodeId('PRRT', thread.id), pullRequest)
    return {
      __typename: 'PullRequestReviewThread',
      id: toNodeId('PRRT', thread.id),
      path: thread.path,
      line,
      startLine,
      originalLine: thread.originalLine,
      originalStartLine: thread.originalStartLine,
      diffSide: thread.side,
      startDiffSide: thread.originalStartLine === null ? null : thread.side,
      subjectType: thread.originalLine === null ? 'FILE' : 'LINE',
      isResolved: thread.isResolved,
      isCollapsed: thread.isResolved,
      isOutdated,
      resolvedBy: () => this.#toUserOrNull(thread.resolvedBy),
      pullRequest: () => this.#toPullRequest(pullRequest),
      comments: (args: PageArguments) =>
        createConnection(
          thread.comments,
          args,
          ({ id }) => [0, id],
          (comment) => this.#toThreadComment(pullRequest, comment),
        ),
    }
  }

  #toThreadComment(pullRequest: PullRequest, comment: ThreadComment): object {
    const { thread } = comment
    const [first] = thread.comments
    this.#getNodeOwners().set(toNodeId('PRRC', comment.id), pullRequest)
    const { isOutdated, line, startLine } = locateThread(pullRequest, thread)
    return {
      ...this.#toCommentFields(comment),
      __typename: 'PullRequestReviewComment',
      ...toIds('PRRC', comment.id),
      url: `${getPullWebUrl(this.#urls, pullRequest)}#discussion_r${comment.id}`,
      path: thread.path,
      line,
      startLine,
      originalLine: thread.originalLine,
      originalStartLine: thread.originalStartLine,
      outdated: isOutdated,
      diffHunk: thread.diffHunk,
      subjectType: thread.originalLine === null ? 'FILE' : 'LINE',
      commit: { __typename: 'Commit', oid: pullRequest.headSha },
      originalCommit: { __typename: 'Commit', oid: thread.originalCommit },
      state: 'SUBMITTED',
      replyTo: () =>
        first === undefined || first === comment ? null : this.#toThreadComment(pullRequest, first),
      pullRequestReview: () => {
        const review = pullRequest.reviews.find(({ id }) => id === comment.reviewId)
        return review === undefined ? null : this.#toReview(pullRequest, review)
      },
    }
  }

  #toComment(pullRequest: PullRequest, comment: Comment): object {
    this.#getNodeOwners().set(toNodeId('IC', comment.id), pullRequest)
    return {
      ...this.#toCommentFields(comment),
      __typename: 'IssueComment',
      ...toIds('IC', comment.id),
      url: `${getPullWebUrl(this.#urls, pullRequest)}#issuecomment-${comment.id}`,
    }
  }

  #toCommentFields(comment: Comment) {
    const { reactions } = comment
    return {
      author: () => this.#toActor(comment.author),
      body: comment.body,
      createdAt: toTime(comment.createdAt),
      publishedAt: toTime(comment.createdAt),
      updatedAt: toTime(comment.updatedAt),
      isMinimized: false,
      minimizedReason: null,
      lastEditedAt: comment.updatedAt === comment.createdAt ? null : toTime(comment.updatedAt),
      reactions: (args: PageArguments & { readonly content?: string | null }) => ({
        ...createConnection(
          reactions.filter(({ content }) => args.content == null || reactionNames[content] === args.content),
          args,
          ({ id }) => [0, id],
          (reaction) => this.#toReaction(reaction),
        ),
        viewerHasReacted: false,
      }),
      reactionGroups: () =>
        Object.entries(reactionNames).map(([content, name]) => ({
          content: name,
          viewerHasReacted: false,
          reactors: { totalCount: reactions.filter((one) => one.content === content).length },
        })),
    }
  }

  #toReaction({ id, user, content, createdAt }: Reaction) {
    return {
      __typename: 'Reaction',
      id: toNodeId('REA', id),
      databaseId: id,
      content: reactionNames[content],
      createdAt: toTime(createdAt),
      user: () => this.#toUserOrNull(user),
    }
  }
}

/** `databaseId` has 32 bits: null for ids above, as `fullDatabaseId` exists for them. */
function toIds(prefix: string, id: number) {
  return {
    id: toNodeId(prefix, id),
    fullDatabaseId: String(id),
    databaseId: id > 0x7fff_ffff ? null : id,
  }
}

function forbidden(): GraphQLError {
  return new GraphQLError('Resource not accessible by integration', { extensions: { type: 'FORBIDDEN' } })
}

function notFound(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type: 'NOT_FOUND' } })
}

import type { Principal } from '../../../access/principal.ts'
import type { SelectedScope } from '../../../access/scope.ts'
import { refuse } from '../../../errors.ts'
import type { AppContext } from '../../../http/app-context.ts'
import type { AccessCheck, RequestContext } from '../../../http/endpoint.ts'
import type { Reply } from '../../../http/reply.ts'
import type { LearningFilter } from '../../../learning-index/sql.ts'
import { MAX_RESPONSE_BYTES, refuseLargeResponse } from '../../../response-size.ts'
import { DAY_MS, HOUR_MS } from '../../../time.ts'
import { type LearningPageRow, readLearningPage } from './page-sql.ts'
import { renderLearningPage } from './render.ts'
import type { LearningRecordRow, ListLearningsParams, StatFilter } from './schema.ts'
import { type PreparedSearch, prepareSearch, searchLearnings } from './search.ts'
import { findReadableRepositories } from './sql.ts'

export interface PreparedList {
  readonly accessMaxAgeHours: number
  readonly search: PreparedSearch | null
}

export function refuseInvalidQuery(
  { query }: { readonly query: ListLearningsParams },
  principal: Principal,
): void {
  refuseRepositoryName(query, principal)
  if (query.search === undefined) return
  if (query.search.trim() === '') refuse('INVALID_REQUEST', 'search is blank. Send a text to search for.')
  if (query.cursor !== undefined)
    refuse('INVALID_CURSOR', 'A search returns one page and does not accept a cursor. Remove cursor.')
}

export async function prepareLearnings(
  app: AppContext,
  { query }: { readonly query: ListLearningsParams },
  { scope }: SelectedScope,
): Promise<PreparedList> {
  const search = query.search === undefined ? null : await prepareSearch(scope, app, query.search)
  return { accessMaxAgeHours: app.config.repositoryAccessMaxAgeHours, search }
}

export async function listLearnings(
  context: RequestContext<PreparedList>,
  { query }: { readonly query: ListLearningsParams },
): Promise<Reply> {
  const { scope, tx, page, prepared } = context
  const format = query.format ?? 'json'
  if (scope.organizations?.length === 0)
    return renderLearningPage(format, [], null, prepared.search?.rankedBy)
  const accessSince = getAccessSince(context.now(), prepared.accessMaxAgeHours)
  const namedRepositories = await findNamedRepositories(context, query, accessSince)
  const at = getFirstPageTime(context)
  const filter = toFilter(query, at, namedRepositories)
  if (prepared.search !== null) {
    return renderLearningPage(
      format,
      await searchLearnings(context, prepared.search, filter, page.limit),
      null,
      prepared.search.rankedBy,
    )
  }
  const after = Number(page.after?.[0] ?? 0)
  const rows = await readLearningPage(scope, tx, {
    only: filter,
    after,
    rows: page.limit,
    maxBytes: MAX_RESPONSE_BYTES,
  })
  const shown = rows.slice(0, page.limit)
  if (!shown.every(hasText)) return refuseLargeResponse()
  const last = rows.length > page.limit ? shown.at(-1) : undefined
  return renderLearningPage(format, shown, last ? page.cursorAfter(last.position, at.getTime()) : null)
}

/** The cursor carries the time of the first page. */
function getFirstPageTime({ page, now }: RequestContext): Date {
  const firstPageTime = page.after?.[1]
  return firstPageTime === undefined ? now() : new Date(firstPageTime)
}

function hasText(row: LearningPageRow): row is LearningPageRow & LearningRecordRow {
  return row.learning !== null
}

const ACTIVE_WINDOW_MS = 30 * DAY_MS
const WEEK_MS = 7 * DAY_MS

/** `at` is the time of the first page, so that relative filters mean the same on every page. */
function toFilter(
  query: ListLearningsParams,
  at: Date,
  namedRepositories: readonly string[] | null,
): LearningFilter {
  const { repository_ids, user_ids, files } = query
  const repositories =
    namedRepositories === null
      ? repository_ids
      : namedRepositories.filter((id) => repository_ids?.includes(id) ?? true)
  return {
    ...(repositories && { repositories }),
    ...(user_ids && { authors: user_ids }),
    ...(files && { files }),
    ...toTimeFilter(query.stat_filter ?? 'total', at),
  }
}

function toTimeFilter(filter: StatFilter, at: Date): LearningFilter {
  switch (filter) {
    case 'total':
      return {}
    case 'active':
      return { usedSince: new Date(at.getTime() - ACTIVE_WINDOW_MS) }
    case 'never_used':
      return { neverUsed: true }
    case 'created_this_week':
      return { createdSince: new Date(at.getTime() - WEEK_MS) }
  }
}

/** Only a user-scoped key has an owner whose repository access can be checked. */
function refuseRepositoryName({ repository_name }: ListLearningsParams, { kind }: Principal): void {
  if (repository_name === undefined || kind === 'user') return
  refuse(
    'KEY_KIND_NOT_ALLOWED',
    `repository_name does not accept keys of the kind "${kind}". Use a user-scoped key, or repository_ids.`,
  )
}

/** Access that was verified before this time does not count. */
function getAccessSince(now: Date, maxAgeHours: number): Date {
  return new Date(now.getTime() - maxAgeHours * HOUR_MS)
}

/** Provider ids of the repositories with that name that the key's owner can read; null without a name. */
async function findNamedRepositories(
  { scope, principal, organization, tx }: AccessCheck,
  { repository_name: name }: ListLearningsParams,
  since: Date,
): Promise<readonly string[] | null> {
  if (name === undefined) return null
  if (principal.kind !== 'user' || organization === null)
    throw new Error('repository_name requires a user-scoped key and an organization.')
  return findReadableRepositories(scope, tx, { organization, name, person: principal.owner, since })
}

export async function refuseUnreadableRepository(
  access: AccessCheck,
  request: { readonly app: AppContext; readonly input: { readonly query: ListLearningsParams } } | null,
): Promise<void> {
  // If no value of organization_ids matches, the response is empty whatever the name.
  if (request === null || access.scope.organizations?.length === 0) return
  const { app, input } = request
  const accessSince = getAccessSince(app.now(), app.config.repositoryAccessMaxAgeHours)
  const found = await findNamedRepositories(access, input.query, accessSince)
  if (found?.length !== 0) return
  refuse(
    'REPOSITORY_ACCESS_REQUIRED',
    'The owner of this key has no verified read access to an active repository with this name. Check the name. Access is synchronized from the Git provider and must be re-verified periodically.',
  )
}

import type { Principal } from '../../../access/principal.ts'
import { refuse } from '../../../errors.ts'
import type { AppContext } from '../../../http/app-context.ts'
import type { RequestContext } from '../../../http/endpoint.ts'
import type { Reply } from '../../../http/reply.ts'
import { MAX_RESPONSE_BYTES, refuseLargeResponse } from '../../../response-size.ts'
import { toFilter } from './filter.ts'
import { findNamedRepositories, refuseRepositoryName } from './named-repository.ts'
import { type LearningPageRow, readLearningPage } from './page-sql.ts'
import type { LearningRecordRow } from './record.ts'
import { renderLearningPage } from './render.ts'
import type { ListLearningsParams } from './schema.ts'
import { type PreparedSearch, prepareSearch, searchLearnings } from './search.ts'

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
  if (query.search.trim() === '') refuse('INVALID_REQUEST', 'search is blank. Say what to search for.')
  if (query.cursor !== undefined)
    refuse('INVALID_CURSOR', 'A search is answered in one page and takes no cursor. Leave cursor out.')
}

export async function prepareLearnings(
  app: AppContext,
  { query }: { readonly query: ListLearningsParams },
): Promise<PreparedList> {
  const search = query.search === undefined ? null : await prepareSearch(app, query.search)
  return { accessMaxAgeHours: app.config.repositoryAccessMaxAgeHours, search }
}

export async function listLearnings(
  context: RequestContext<PreparedList>,
  { query }: { readonly query: ListLearningsParams },
): Promise<Reply> {
  const { scope, tx, page, prepared } = context
  const namedRepositories = await findNamedRepositories(context, query, prepared.accessMaxAgeHours)
  const at = getFirstPageTime(context)
  const filter = toFilter(query, at, namedRepositories)
  const format = query.format ?? 'json'
  if (prepared.search !== null) {
    return renderLearningPage(
      format,
      await searchLearnings(context, prepared.search, filter, page.limit),
      null,
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

/** "Now" is that of the first page. */
function getFirstPageTime({ page, now }: RequestContext): Date {
  const firstPageTime = page.after?.[1]
  return firstPageTime === undefined ? now() : new Date(firstPageTime)
}

function hasText(row: LearningPageRow): row is LearningPageRow & LearningRecordRow {
  return row.learning !== null
}

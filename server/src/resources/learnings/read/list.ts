import type { Principal } from '../../../access/principal.ts'
import { refuse } from '../../../errors.ts'
import type { AppContext } from '../../../http/app-context.ts'
import type { RequestContext } from '../../../http/endpoint.ts'
import type { Reply } from '../../../http/reply.ts'
import { toFilter } from './filter.ts'
import { findNamedRepositories, refuseRepositoryName } from './named-repository.ts'
import { type PageRow, readPage } from './page-sql.ts'
import type { RecordRow } from './record.ts'
import { renderPage } from './render.ts'
import type { Query } from './schema.ts'
import { type PreparedSearch, prepareSearch, searchLearnings } from './search.ts'

export const MAX_RESPONSE_BYTES = 16 * 1024 * 1024

export interface Prepared {
  readonly accessMaxAgeHours: number
  readonly search: PreparedSearch | null
}

export function refuseUnfit({ query }: { readonly query: Query }, principal: Principal): void {
  refuseRepositoryName(query, principal)
  if (query.search === undefined) return
  if (query.search.trim() === '') refuse('INVALID_REQUEST', 'search is blank. Say what to search for.')
  if (query.cursor !== undefined)
    refuse('INVALID_CURSOR', 'A search is answered in one page and takes no cursor. Leave cursor out.')
}

export async function prepareLearnings(
  app: AppContext,
  { query }: { readonly query: Query },
): Promise<Prepared> {
  const search = query.search === undefined ? null : await prepareSearch(app, query.search)
  return { accessMaxAgeHours: app.config.repositoryAccessMaxAgeHours, search }
}

export async function listLearnings(
  context: RequestContext<Prepared>,
  { query }: { readonly query: Query },
): Promise<Reply> {
  const { scope, tx, page, prepared } = context
  const namedRepositories = await findNamedRepositories(context, query, prepared.accessMaxAgeHours)
  const at = getFirstPageTime(context)
  const only = toFilter(query, at, namedRepositories)
  const format = query.format ?? 'json'
  if (prepared.search !== null) {
    return renderPage(format, await searchLearnings(context, prepared.search, only, page.limit), null)
  }
  const after = Number(page.after?.[0] ?? 0)
  const rows = await readPage(scope, tx, { only, after, rows: page.limit, maxBytes: MAX_RESPONSE_BYTES })
  const shown = rows.slice(0, page.limit)
  if (!shown.every(isWhole)) return refuseSize()
  const last = rows.length > page.limit ? shown.at(-1) : undefined
  return renderPage(format, shown, last ? page.cursorAfter(last.position, at.getTime()) : null)
}

/** "Now" is that of the first page. */
function getFirstPageTime({ page, now }: RequestContext): Date {
  const firstPageTime = page.after?.[1]
  return firstPageTime === undefined ? now() : new Date(firstPageTime)
}

function isWhole(row: PageRow): row is PageRow & RecordRow {
  return row.learning !== null
}

function refuseSize(): never {
  return refuse('RESPONSE_TOO_LARGE', 'The answer would be larger than 16 MiB. Reduce limit or add filters.')
}

import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/transaction.ts'
import { refuse } from '../../errors.ts'
import type { RequestContext } from '../../http/endpoint.ts'
import { getStartPosition } from '../../http/paging.ts'
import { ok, pendingReply, type Reply } from '../../http/reply.ts'
import { MAX_RESPONSE_BYTES, refuseLargeResponse } from '../../response-size.ts'
import { createDownload } from './download.ts'
import {
  findingStates,
  type ListFindingsParams,
  type SecurityFinding,
  securityFindingFields,
} from './schema.ts'
import {
  type FindingFilter,
  type FindingPageRow,
  type FindingRow,
  findRepositoriesOfScan,
  readFindingPage,
} from './sql.ts'

type ListInput = { readonly query: ListFindingsParams }

export function refuseInvalidQuery({ query: { format = 'json', limit, cursor } }: ListInput): void {
  if (format === 'json') return
  const prefix = `format=${format} returns one complete file`
  if (limit !== undefined) refuse('INVALID_REQUEST', `${prefix} and does not accept limit. Remove limit.`)
  if (cursor !== undefined) refuse('INVALID_CURSOR', `${prefix} and does not accept cursor. Remove cursor.`)
}

export async function listSecurityFindings(context: RequestContext, { query }: ListInput): Promise<Reply> {
  const { format = 'json' } = query
  const { scope } = context
  if (format === 'json') return renderFindingPage(context, query)
  // Runs after the request has released its connection: a request must not hold one while it waits for a second.
  const createReply = () =>
    context.transaction(async (tx) =>
      createDownload(scope, tx, await resolveFilter(scope, tx, query), format),
    )
  return pendingReply({ workId: 'download', awaitReply: createReply })
}

async function renderFindingPage(
  { scope, tx, page }: RequestContext,
  query: ListFindingsParams,
): Promise<Reply> {
  const filter = await resolveFilter(scope, tx, query)
  const after = getStartPosition(page)
  const rows = await readFindingPage(scope, tx, {
    only: filter,
    after,
    rows: page.limit,
    maxBytes: MAX_RESPONSE_BYTES,
  })
  const pageRows = rows.slice(0, page.limit)
  if (!pageRows.every(hasDescription)) return refuseLargeResponse()
  const last = rows.length > page.limit ? pageRows.at(-1) : undefined
  return ok({ data: pageRows.map(renderFinding), next_cursor: last ? page.cursorAfter(last.position) : null })
}

async function resolveFilter(
  scope: Scope,
  tx: Tx,
  { repo_id, scan_id, state = 'open' }: ListFindingsParams,
): Promise<FindingFilter> {
  const filter = { scan: scan_id ?? null, states: state === 'all' ? findingStates : [state] }
  if (scan_id === undefined || repo_id !== undefined)
    return { ...filter, repositories: repo_id === undefined ? null : [repo_id] }
  return { ...filter, repositories: await findRepositoriesOfScan(scope, tx, scan_id) }
}

function hasDescription(row: FindingPageRow): row is FindingPageRow & FindingRow {
  return row.description !== null
}

function renderFinding(row: FindingRow): SecurityFinding {
  return Object.fromEntries(securityFindingFields.map((field) => [field, row[field]])) as SecurityFinding
}

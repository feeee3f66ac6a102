import type { RequestContext } from '../../../http/endpoint.ts'
import { getStartPosition, type Page } from '../../../http/paging.ts'
import { type CopiedPage, copiedPageReply, type Reply } from '../../../http/reply.ts'
import { readMetricsPage } from '../../../metrics-store/page.ts'
import { reviewSources } from '../../../metrics-store/source-sql.ts'
import { MAX_RESPONSE_BYTES } from '../../../response-size.ts'
import { CSV_TYPE } from '../../../text/csv.ts'
import { toReadTarget } from '../request.ts'
import { renderTable } from './entry.ts'
import type { ReviewsQuery } from './schema.ts'

export async function listReviews(
  context: RequestContext,
  { query }: { readonly query: ReviewsQuery },
): Promise<Reply> {
  const { page } = context
  const target = toReadTarget(reviewSources[query.status ?? 'merged'], context, query)
  const slice = { after: getStartPosition(page), rows: page.limit, separator: ',' } as const
  const copied = await readMetricsPage(target, slice, MAX_RESPONSE_BYTES)
  switch (query.format ?? 'json') {
    case 'json':
      return copiedPageReply(page, copied)
    case 'csv':
      return tableReply(page, copied)
  }
}

function tableReply(page: Page, { chunks, more, last, release }: CopiedPage): Reply {
  const text = renderTable(Buffer.concat(chunks).toString())
  release()
  return {
    status: 200,
    ...(more && last !== null && { headers: { 'x-next-cursor': page.cursorAfter(last) } }),
    body: { text, type: CSV_TYPE },
  }
}

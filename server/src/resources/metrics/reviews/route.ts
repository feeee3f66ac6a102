import { defineEndpoint, type RequestContext } from '../../../http/endpoint.ts'
import { copiedPageReply, type Reply } from '../../../http/reply.ts'
import { reviewSources } from '../../../metrics-store/source-sql.ts'
import { CSV_TYPE } from '../../../text/csv.ts'
import examples from '../examples.json' with { type: 'json' }
import { metricsPaging, readPage, windowDefaults, windowParameters } from '../request.ts'
import { renderTable, reviewColumns } from './entry.ts'
import { ReviewsPage, ReviewsQuery } from './schema.ts'

async function listReviews(
  context: RequestContext,
  { query }: { readonly query: ReviewsQuery },
): Promise<Reply> {
  const { page } = context
  const copied = await readPage(reviewSources[query.status ?? 'merged'], context, query)
  if (query.format !== 'csv') return copiedPageReply(page, copied)
  const { chunks, more, last, release } = copied
  const text = renderTable(Buffer.concat(chunks).toString())
  release()
  return {
    status: 200,
    ...(more && last !== null && { headers: { 'x-next-cursor': page.cursorAfter(last) } }),
    body: { text, type: CSV_TYPE },
  }
}

export const reviews = defineEndpoint({
  ...windowDefaults,
  path: '/v1/metrics/reviews',
  operationId: 'listReviews',
  example: examples.reviews,
  summary: 'List review metrics of pull requests',
  description:
    'Returns one record per pull request that was merged or closed in the window, with or without findings: its times, ' +
    'estimates, and counts of findings by severity and category. The day of a pull request is its merge day or its close day; ' +
    'if that is unknown, the day of its event; `counted_on` returns it. Pages are in write order: later writes and rewrites ' +
    'are on later pages. Join records of different metrics by `pr_url`.',
  query: ReviewsQuery,
  paging: metricsPaging(...windowParameters, 'status'),
  replies: { 200: { description: 'A page of pull requests.', body: ReviewsPage, csv: reviewColumns } },
  run: listReviews,
})

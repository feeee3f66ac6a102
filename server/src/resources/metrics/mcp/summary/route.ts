import { defineEndpoint, type RequestContext } from '../../../../http/endpoint.ts'
import { ok, type Reply } from '../../../../http/reply.ts'
import { MAX_RESPONSE_BYTES } from '../../../../response-size.ts'
import examples from '../../examples.json' with { type: 'json' }
import { scanWindow, windowDefaults } from '../../request.ts'
import { mcpUsageScan } from '../sql.ts'
import { UsageSummary, UsageSummaryQuery, type UsageSummaryRow } from './schema.ts'
import { createUsageSum, UsageSink, type UsageSum } from './usage-sink.ts'

// The smallest possible size of a group. A summary with more groups than fit is refused before it is rendered.
const MIN_GROUP_BYTES = 60
const MAX_GROUPS = Math.floor(MAX_RESPONSE_BYTES / MIN_GROUP_BYTES)

async function summarizeMcpUsage(
  context: RequestContext,
  { query }: { readonly query: UsageSummaryQuery },
): Promise<Reply> {
  const keys = query.group_by ?? []
  const found = (await scanWindow(context, query, mcpUsageScan, new UsageSink(keys, MAX_GROUPS))).sums()
  // Without keys the response has one total, even when it counts nothing.
  const sums = keys.length === 0 && found.length === 0 ? [createUsageSum(null, null, null)] : found
  return ok({ data: sums.map(renderSum), completeness: 'best_effort' })
}

function renderSum({ week, server, tool, pullRequests, calls, errors }: UsageSum): UsageSummaryRow {
  return {
    group: {
      ...(week !== null && { week }),
      ...(server !== null && { server }),
      ...(tool !== null && { tool }),
    },
    pull_requests: pullRequests,
    calls,
    errors,
  }
}

export const mcpUsageSummary = defineEndpoint({
  ...windowDefaults,
  path: '/v1/metrics/mcp/summary',
  operationId: 'summarizeMcpUsage',
  example: examples.mcpUsageSummary,
  summary: 'Count the calls of MCP servers and tools',
  description:
    'Returns how often MCP servers and tools were called in pull requests that were merged in the window, grouped by the keys ' +
    'in `group_by`. The counts match `/v1/metrics/mcp` with the same filters, and are best effort as there. Groups are sorted ' +
    'by week, server and tool.',
  query: UsageSummaryQuery,
  replies: {
    200: { description: 'All groups with calls; one total without `group_by`.', body: UsageSummary },
  },
  run: summarizeMcpUsage,
})

import { defineEndpoint } from '../../../../http/endpoint.ts'
import {
  metricsEndpointDefaults,
  metricsRefusals,
  refuseReversedWindow,
} from '../../../../metrics-store/request.ts'
import { usageSummaryExample } from './examples.ts'
import { UsageSummary, UsageSummaryQuery } from './schema.ts'
import { summarizeMcpUsage } from './summarize.ts'

export const mcpUsageSummary = defineEndpoint({
  ...metricsEndpointDefaults,
  path: '/v1/metrics/mcp/summary',
  operationId: 'summarizeMcpUsage',
  example: usageSummaryExample,
  summary: 'Count the calls of MCP servers and tools',
  description:
    'Returns how often MCP servers and tools were called in pull requests that were merged in the window, grouped by the keys ' +
    'in `group_by`. The counts match `/v1/metrics/mcp` with the same filters, and are best effort as there. Groups are sorted ' +
    'by week, server and tool.',
  query: UsageSummaryQuery,
  paging: null,
  refine: refuseReversedWindow,
  replies: {
    200: { description: 'All groups with calls; one total without `group_by`.', body: UsageSummary },
  },
  refusals: metricsRefusals.filter((code) => code !== 'INVALID_CURSOR'),
  run: summarizeMcpUsage,
})

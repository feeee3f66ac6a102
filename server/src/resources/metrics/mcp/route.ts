import { defineEndpoint } from '../../../http/endpoint.ts'
import {
  metricsEndpointDefaults,
  metricsRefusals,
  refuseReversedWindow,
} from '../../../metrics-store/request.ts'
import { listMcpUsage } from './list.ts'
import { McpUsagePage, McpUsageQuery } from './schema.ts'

export const mcpUsage = defineEndpoint({
  ...metricsEndpointDefaults,
  path: '/v1/metrics/mcp',
  operationId: 'listMcpUsage',
  summary: 'List which MCP servers and tools were used in merged pull requests',
  description:
    'One record a pull request that was merged in the window and for which the use of MCP servers was told. Counts are best ' +
    'effort: what was told is counted, each event once. Pages follow the order of writing: a pull request that is written again, ' +
    'or whose usage grows, moves to the end of it, so a cursor that is kept can be used again tomorrow and then tells the ' +
    'newest counts. `pr_url` joins a record with those of the other metrics.',
  query: McpUsageQuery,
  refine: refuseReversedWindow,
  replies: { 200: { description: 'A page of pull requests.', body: McpUsagePage } },
  refusals: metricsRefusals,
  run: listMcpUsage,
})

import { defineEndpoint } from '../../../http/endpoint.ts'
import { copiedPageReply } from '../../../http/reply.ts'
import { mcpUsageSource } from '../../../metrics-store/source-sql.ts'
import examples from '../examples.json' with { type: 'json' }
import { metricsPaging, readPage, windowDefaults, windowParameters } from '../request.ts'
import { McpUsagePage, McpUsageQuery } from './schema.ts'

export const mcpUsage = defineEndpoint({
  ...windowDefaults,
  path: '/v1/metrics/mcp',
  operationId: 'listMcpUsage',
  example: examples.mcpUsage,
  summary: 'List MCP servers and tools used in merged pull requests',
  description:
    'Returns one record per pull request that was merged in the window and has reported use of MCP servers. Counts are best ' +
    'effort: every received event is counted once. Pages are in write order: a pull request that is rewritten or whose usage ' +
    'grows moves to the end, so you can store a cursor and continue with it the next day to get the newest counts. Join ' +
    'records of different metrics by `pr_url`.',
  query: McpUsageQuery,
  paging: metricsPaging(...windowParameters),
  replies: { 200: { description: 'A page of pull requests.', body: McpUsagePage } },
  run: async (context, { query }) =>
    copiedPageReply(context.page, await readPage(mcpUsageSource, context, query)),
})

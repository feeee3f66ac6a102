import { defineEventKind, type EventFamily } from '../../../bus/ingest-event.ts'
import { findMcpUsageFault, McpUsedPayload, normalizeMcpUsage } from './mcp-payload.ts'
import { storeUsage } from './store-mcp-usage.ts'

const used = defineEventKind({
  type: 'mcp.used',
  version: 1,
  summary: 'A review of a pull request has called tools of MCP servers. It may come before its pull request.',
  payload: McpUsedPayload,
  findFault: findMcpUsageFault,
  normalize: normalizeMcpUsage,
})

export const mcpUsageEvents: EventFamily = { kinds: [used], handle: storeUsage }

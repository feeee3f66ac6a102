import type { Tool as ToolListing } from '@modelcontextprotocol/server'
import { allowKeys, type Endpoint } from '../endpoint.ts'

/** The key kinds of /mcp, of its tools and of the endpoints behind them. */
export const agentKeys: Endpoint['keys'] = allowKeys('organization', 'user', 'workspace', 'agentic')

/** An endpoint offered to agents under another name. The arguments are the request body, the result is the response. */
export interface Tool {
  readonly name: string
  readonly title: string
  /** Tells the model when to use the tool and what it does. */
  readonly description: string
  readonly endpoint: Endpoint
  /** The result as text. Many clients show the model nothing else. */
  renderText(result: unknown, now: Date): string
}

/** The entry of a tool in tools/list. Its schemas are those that the pipeline validates. */
export function describeTool({ name, title, description, endpoint }: Tool): ToolListing {
  return {
    name,
    title,
    description,
    inputSchema: toToolSchema(endpoint.body),
    outputSchema: toToolSchema(endpoint.replies[200]?.body),
    annotations: {
      readOnlyHint: endpoint.readOnly === true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  }
}

function toToolSchema(schema: unknown): ToolListing['inputSchema'] {
  if (schema === null || schema === undefined)
    throw new Error('The endpoint of a tool must have a body and a 200 response.')
  return JSON.parse(JSON.stringify(schema)) as ToolListing['inputSchema']
}

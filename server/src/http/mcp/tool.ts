import type { Tool as ToolListing } from '@modelcontextprotocol/server'
import type { Endpoint } from '../endpoint.ts'

/** The kinds of keys that whoever reviews or writes code may hold: of /mcp, its tools, and what they stand for. */
export const agentKeys: Endpoint['keys'] = {
  organization: 'allowed',
  user: 'allowed',
  workspace: 'allowed',
  instance: 'KEY_KIND_NOT_ALLOWED',
  legacy: 'LEGACY_API_KEY',
  agentic: 'allowed',
}

/** An endpoint under another name, for agents: its arguments are the body, its result is the answer. */
export interface Tool {
  readonly name: string
  readonly title: string
  /** For the model that chooses among the tools: when to use it, and what happens then. */
  readonly description: string
  readonly endpoint: Endpoint
  /** The answer in words. Many clients show a model nothing else. */
  renderText(answer: unknown): string
}

/** What a client is told about a tool. The shapes are those that the door checks. */
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
  if (schema === null || schema === undefined) throw new Error('A tool takes and answers an object.')
  return JSON.parse(JSON.stringify(schema)) as ToolListing['inputSchema']
}

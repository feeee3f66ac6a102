import { Readable } from 'node:stream'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Refusal } from '../../errors.ts'
import type { AppContext } from '../app-context.ts'
import { partOfRequest } from '../connections/request-slots.ts'
import { type ApiRequest, createPipeline, type Pipeline } from '../pipeline.ts'
import { getReplyText, type Reply, toRefusal } from '../reply.ts'
import type { Tool } from './tool.ts'

type CallTool = (name: string, args: unknown, request: ApiRequest) => Promise<CallToolResult>

/** Every call runs the pipeline of the tool's endpoint with the caller's key, so the checks exist once. */
export function createToolCaller(
  app: AppContext,
  tools: readonly Tool[],
  countRefusal: (refusal: Refusal) => void,
): CallTool {
  const toolsByName = new Map(
    tools.map((tool) => [tool.name, { tool, pipeline: createPipeline(app, tool.endpoint) }]),
  )
  return async (name, args, request) => {
    const entry = toolsByName.get(name)
    if (entry === undefined) return toToolError('This tool does not exist. List the tools with tools/list.')
    try {
      const result = readReplyJson(await callEndpoint(entry.pipeline, app.config.keyHeaders, request, args))
      return {
        content: [{ type: 'text', text: entry.tool.renderText(result, app.now()) }],
        structuredContent: result,
      }
    } catch (error) {
      const refusal = toRefusal(error, request.id)
      if (refusal !== error) app.log.error({ requestId: request.id, err: error }, 'tool call failed')
      countRefusal(refusal)
      return toToolError(`${refusal.code}: ${refusal.message}`)
    }
  }
}

/** Passes on only the key: the other headers describe the MCP message, not the call. */
function callEndpoint(
  pipeline: Pipeline,
  keyHeaders: readonly string[],
  { id, headers, address }: ApiRequest,
  args: unknown,
): Promise<Reply> {
  const keys = keyHeaders.map((name) => [name, headers[name]])
  return pipeline({
    id,
    address,
    headers: { ...Object.fromEntries(keys), 'content-type': 'application/json' },
    params: {},
    search: '',
    body: Readable.from([Buffer.from(JSON.stringify(args ?? {}))]),
    stages: partOfRequest,
  })
}

function readReplyJson(reply: Reply): Record<string, unknown> {
  const { body } = reply
  if (body !== null && 'json' in body) return body.json as Record<string, unknown>
  return JSON.parse(getReplyText(reply) ?? '{}') as Record<string, unknown>
}

/** A tool result, because the model reads it; a protocol error would reach only the client application. */
function toToolError(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] }
}

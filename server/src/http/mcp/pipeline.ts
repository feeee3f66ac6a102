import { Type } from 'typebox'
import { Refusal, refuse } from '../../errors.ts'
import { NoQuery } from '../../shape.ts'
import type { AppContext } from '../app-context.ts'
import { readJsonBody } from '../body.ts'
import { readKeyHeader, refuseUnacceptedKey } from '../checks.ts'
import { createShapeCheck, parseQuery } from '../input.ts'
import { auditRefusal, type Pipeline } from '../pipeline.ts'
import { getReplyText, JSON_TYPE, type Reply } from '../reply.ts'
import { createToolCaller } from './call-tool.ts'
import { createMcpProtocol } from './protocol.ts'
import { agentKeys, type Tool } from './tool.ts'

export const mcpRoute = { method: 'POST', path: '/mcp', errorBody: 'json-rpc' } as const

const MAX_BATCH_MESSAGES = 20

const checkQuery = createShapeCheck('query', NoQuery)
const checkBody = createShapeCheck(
  'body',
  Type.Union([Type.Object({}), Type.Array(Type.Object({}), { minItems: 1, maxItems: MAX_BATCH_MESSAGES })]),
)

/**
 * Creates the pipeline of the Model Context Protocol (Streamable HTTP without sessions). It checks every message; the
 * pipeline of a tool's endpoint checks the tool call, with the same key.
 */
export function createMcpPipeline(
  app: AppContext,
  tools: readonly Tool[],
  countRefusal: (refusal: Refusal) => void,
): Pipeline {
  const handleMessage = createMcpProtocol(tools)
  const callTool = createToolCaller(app, tools, countRefusal)
  return async (request) => {
    const principal = await app.authenticate(readKeyHeader(app.config.keyHeaders, request.headers))
    await request.stages.startWork(principal.root)
    try {
      refuseOrigin(app.config.mcpOrigins, request.headers.origin)
      refuseUnacceptedKey({ keys: agentKeys }, principal)
      checkQuery(parseQuery(request.search, NoQuery))
      const body = await request.stages.receive((meter) => readJsonBody(request.body, request.headers, meter))
      checkBody(body)
      const call = (name: string, args: unknown) => callTool(name, args, request)
      return Array.isArray(body)
        ? joinReplies(await mapSequentially(body, (message) => handleMessage(request, message, call)))
        : await handleMessage(request, body, call)
    } catch (error) {
      if (error instanceof Refusal) await auditRefusal(app, mcpRoute, request, principal, error)
      throw error
    }
  }
}

/** Rejects browser pages of unknown origins: they could use a server that only the browser can reach. */
function refuseOrigin(allowedOrigins: readonly string[], origin: string | undefined): void {
  if (origin === undefined || allowedOrigins.includes(origin.toLowerCase())) return
  refuse('PERMISSION_DENIED', 'This origin may not call /mcp. Ask the operator to add it to MCP_ORIGINS.')
}

/** Sequential, because a batch holds only the one slot of its request. */
async function mapSequentially<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(await work(item))
  return results
}

/** Notifications have no response; a batch of notifications gets 202. */
function joinReplies(replies: readonly Reply[]): Reply {
  const texts = replies.flatMap((reply) => getReplyText(reply) ?? [])
  if (texts.length === 0) return { status: 202, body: null }
  return { status: 200, body: { text: `[${texts.join(',')}]`, type: JSON_TYPE } }
}

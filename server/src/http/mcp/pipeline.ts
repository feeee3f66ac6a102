import { Type } from 'typebox'
import { Refusal, refuse } from '../../errors.ts'
import type { AppContext } from '../app-context.ts'
import { readJsonBody } from '../body.ts'
import { refuseUnacceptedKey } from '../checks.ts'
import { auditRefusal, type Pipeline, readKeyHeader } from '../pipeline.ts'
import { parseQuery } from '../query.ts'
import { getReplyText, JSON_TYPE, type Reply } from '../reply.ts'
import { createShapeCheck } from '../validate.ts'
import { createToolCaller } from './call-tool.ts'
import { createMcpProtocol } from './protocol.ts'
import { agentKeys, type Tool } from './tool.ts'

export const mcpRoute = { method: 'POST', path: '/mcp', errorBody: 'json-rpc' } as const

const MAX_BATCH_MESSAGES = 20

const noQuery = Type.Object({}, { additionalProperties: false })
const checkQuery = createShapeCheck('query', noQuery)
const checkBody = createShapeCheck(
  'body',
  Type.Union([Type.Object({}), Type.Array(Type.Object({}), { minItems: 1, maxItems: MAX_BATCH_MESSAGES })]),
)

/**
 * Opens the door for the Model Context Protocol (Streamable HTTP without sessions). What holds for every message is
 * checked here; what a tool does is checked by the door of its endpoint, with the same key.
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
    try {
      refuseOrigin(app.config.mcpOrigins, request.headers.origin)
      refuseUnacceptedKey({ keys: agentKeys }, principal)
      checkQuery(parseQuery(request.search, noQuery))
      const body = await readJsonBody(request.body, request.headers)
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

/** A page in a browser names where it comes from. It must not use what that browser can reach, unless it was invited. */
function refuseOrigin(allowedOrigins: readonly string[], origin: string | undefined): void {
  if (origin === undefined || allowedOrigins.includes(origin.toLowerCase())) return
  refuse(
    'PERMISSION_DENIED',
    'Pages of this origin may not call /mcp. The operator can allow it: MCP_ORIGINS.',
  )
}

/** One after the other: a batch has the one place of its request. */
async function mapSequentially<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(await work(item))
  return results
}

/** Messages that need no answer have none; a batch of nothing else is only acknowledged. */
function joinReplies(replies: readonly Reply[]): Reply {
  const texts = replies.flatMap((reply) => getReplyText(reply) ?? [])
  if (texts.length === 0) return { status: 202, body: null }
  return { status: 200, body: { text: `[${texts.join(',')}]`, type: JSON_TYPE } }
}

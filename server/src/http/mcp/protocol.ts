import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { ApiRequest } from '../pipeline.ts'
import type { Reply } from '../reply.ts'
import { describeTool, type Tool } from './tool.ts'

type RunTool = (name: string, args: unknown) => Promise<CallToolResult>
type HandleMessage = (request: ApiRequest, message: unknown, call: RunTool) => Promise<Reply>

const serverInfo = { name: 'scholiast', title: 'Scholiast', version: '1.0.0' }
const instructions =
  'Learnings are the rules this team has agreed on for its code, collected from reviews. Search them before you ' +
  'write or review code, and say which ones you followed. A proposed Learning takes effect when a person approves it.'

/** Handles messages of the Model Context Protocol one by one, without state. */
export function createMcpProtocol(tools: readonly Tool[]): HandleMessage {
  const listing = tools.map(describeTool)

  function createServer(call: RunTool): Server {
    const server = new Server(serverInfo, { capabilities: { tools: {} }, instructions })
    server.setRequestHandler('tools/list', () => ({ tools: listing }))
    server.setRequestHandler('tools/call', ({ params }) => call(params.name, params.arguments))
    return server
  }

  return async (request, message, call) => {
    const web = toWebRequest(request)
    const response = (await isLegacyRequest(web, message))
      ? await handleLegacyMessage(createServer(call), web, message)
      : await handleCurrentMessage(() => createServer(call), web, message)
    const text = await response.text()
    const type = response.headers.get('content-type') ?? 'application/json'
    return { status: response.status, body: text === '' ? null : { text, type } }
  }
}

/** Revisions up to 2025-11-25, which start with `initialize`. Responds with JSON instead of a stream with one message. */
async function handleLegacyMessage(
  server: Server,
  web: globalThis.Request,
  message: unknown,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(web, { parsedBody: message })
  } finally {
    await server.close()
  }
}

/** Revisions from 2026-07-28 on, which are stateless. The tools never change, so subscriptions are not offered. */
async function handleCurrentMessage(
  make: () => Server,
  web: globalThis.Request,
  message: unknown,
): Promise<Response> {
  const handler = createMcpHandler(make, { legacy: 'reject', maxSubscriptions: 0 })
  return handler.fetch(web, { parsedBody: message })
}

/** The SDK ignores the URL and gets the parsed body separately. */
function toWebRequest({ headers }: ApiRequest): globalThis.Request {
  const webHeaders = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string') webHeaders.set(name, value)
  return new globalThis.Request('http://scholiast/mcp', { method: 'POST', headers: webHeaders })
}

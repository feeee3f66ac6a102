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
  'Learnings are what this team has agreed on about its code, gathered from reviews. Search them before you ' +
  'write or review code, and say which ones you followed. A proposed Learning waits until a person approves it.'

/** Answers messages of the Model Context Protocol one by one. Nothing is remembered from one to the next. */
export function createMcpProtocol(tools: readonly Tool[]): HandleMessage {
  const listing = tools.map(describeTool)

  function makeServer(call: RunTool): Server {
    const server = new Server(serverInfo, { capabilities: { tools: {} }, instructions })
    server.setRequestHandler('tools/list', () => ({ tools: listing }))
    server.setRequestHandler('tools/call', ({ params }) => call(params.name, params.arguments))
    return server
  }

  return async (request, message, call) => {
    const web = toWebRequest(request)
    const response = (await isLegacyRequest(web, message))
      ? await handleLegacyMessage(makeServer(call), web, message)
      : await handleCurrentMessage(() => makeServer(call), web, message)
    const text = await response.text()
    const type = response.headers.get('content-type') ?? 'application/json'
    return { status: response.status, body: text === '' ? null : { text, type } }
  }
}

/** Revisions up to 2025-11-25, that open with `initialize`. One JSON answer instead of a stream of one. */
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

/** Revisions from 2026-07-28 on, where every message stands for itself. Nothing of ours changes, so nobody may listen. */
async function handleCurrentMessage(
  make: () => Server,
  web: globalThis.Request,
  message: unknown,
): Promise<Response> {
  const handler = createMcpHandler(make, { legacy: 'reject', maxSubscriptions: 0 })
  return handler.fetch(web, { parsedBody: message })
}

/** The address is not looked at; the body is handed over parsed. */
function toWebRequest({ headers }: ApiRequest): globalThis.Request {
  const webHeaders = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string') webHeaders.set(name, value)
  return new globalThis.Request('http://scholiast/mcp', { method: 'POST', headers: webHeaders })
}

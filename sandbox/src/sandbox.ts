// A proxy in front of a Scholiast service. It answers with an error if a request header asks for one, so that integrators can
// test how they handle it. The service has no such code.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FORCE_HEADER, type Forced, ForceHeaderError, forcedResponses, parseForceHeader } from './force.ts'
import { renderForcedError, sendError } from './forced-error.ts'
import { type FindOperation, readOperations } from './operations.ts'
import { createForwarder, type Forwarder, type ForwardOptions } from './proxy.ts'

export { FORCE_HEADER, forcedResponses }

export interface SandboxOptions {
  /** Base address of the service. Nothing else is ever called. */
  readonly target: string
  /** 0 selects a free port. */
  readonly port?: number
  readonly host?: string
}

export interface Sandbox {
  readonly url: string
  stop(): Promise<void>
}

const MAX_CONNECTIONS = 256
const MAX_TOKENS = 1000
/** A larger body of a request that is answered here ends with its connection. */
const MAX_DISCARDED_BYTES = 64 * 1024 ** 2

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const target = parseTarget(options.target)
  const forwarder = createForwarder(target)
  const handle = createHandler(target, forwarder)
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.maxConnections = MAX_CONNECTIONS
  // A proxy of one target: no tunnels, no other protocols.
  server.on('connect', (_request, socket) => socket.destroy())
  server.on('upgrade', (_request, socket) => socket.destroy())
  const host = options.host ?? '127.0.0.1'
  await listen(server, options.port ?? 0, host)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      forwarder.close()
      await closed
    },
  }
}

function parseTarget(text: string): URL {
  const target = URL.parse(text)
  if (target === null || !/^https?:$/.test(target.protocol) || target.username !== '' || target.search !== '')
    throw new Error('The target must be an http or https address without credentials and query.')
  return target
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
}

function createHandler(target: URL, forwarder: Forwarder) {
  const countdown = createCountdown()
  let operations: Promise<FindOperation> | undefined
  // Read on first use, and again if the service was not available.
  const findOperation: () => Promise<FindOperation> = () => {
    operations ??= readOperations(target).catch((error: unknown) => {
      operations = undefined
      throw error
    })
    return operations
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // An absolute address would make this an open proxy.
    if (!request.url?.startsWith('/'))
      return sendOwnError(request, response, 400, 'The sandbox only passes requests on to its target.')
    const header = request.headers[FORCE_HEADER]
    if (header === undefined) return pass(request, response)
    let forced: Forced
    try {
      forced = parseForceHeader(String(header))
    } catch (error) {
      if (!(error instanceof ForceHeaderError)) throw error
      return sendOwnError(request, response, 400, `The header ${FORCE_HEADER} is not valid: ${error.message}`)
    }
    if (forced.repeat !== null && !countdown(forced.repeat.token, forced.repeat.times))
      return pass(request, response)
    return force(request, response, forced)
  }

  async function force(request: IncomingMessage, response: ServerResponse, forced: Forced): Promise<void> {
    switch (forced.kind) {
      case 'cut':
        return pass(request, response, { cut: forced })
      case 'slow': {
        const timer = setTimeout(() => pass(request, response), forced.delayMs)
        response.on('close', () => clearTimeout(timer))
        return
      }
      case 'error':
        return forceError(request, response, forced)
    }
  }

  async function forceError(
    request: IncomingMessage,
    response: ServerResponse,
    { code, retryAfterSeconds }: Extract<Forced, { kind: 'error' }>,
  ): Promise<void> {
    const method = request.method ?? 'GET'
    const path = (request.url ?? '/').replace(/\?.*/s, '')
    let find: FindOperation
    try {
      find = await findOperation()
    } catch {
      return sendOwnError(
        request,
        response,
        502,
        `${target.origin} does not serve /openapi.json. Is it running?`,
      )
    }
    const operation = find(method, path)
    if (operation === undefined || !operation.errors.has(code)) {
      const message = `${operation?.name ?? `${method} ${path}`} never returns ${code}. openapi.json lists the errors of each endpoint.`
      return sendOwnError(request, response, 400, message)
    }
    const parts = renderForcedError(code, operation, retryAfterSeconds)
    sendError(response, readRequestId(request), operation.errorBody, code, parts)
    discardBody(request)
  }

  function pass(
    request: IncomingMessage,
    response: ServerResponse,
    options: Omit<ForwardOptions, 'onUnreachable'> = {},
  ): void {
    forwarder.forward(request, response, {
      ...options,
      onUnreachable: () =>
        sendOwnError(request, response, 502, `${target.origin} does not answer. Is the service running?`),
    })
  }
}

/** An error of the sandbox, not of the service: its code is none of the API. */
function sendOwnError(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  message: string,
): void {
  if (response.destroyed || response.headersSent) return
  sendError(response, readRequestId(request), 'error', 'SANDBOX_ERROR', { status, message })
  discardBody(request)
}

function readRequestId({ headers }: IncomingMessage): string | undefined {
  const given = headers['x-request-id']
  return typeof given === 'string' ? given : undefined
}

/** Many clients read the response only after they have sent the whole body. */
function discardBody(request: IncomingMessage): void {
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MAX_DISCARDED_BYTES) request.destroy()
  })
  request.on('error', () => {})
}

/** Returns whether a request is one of the first N with its token. The oldest tokens are forgotten. */
function createCountdown(): (token: string, times: number) => boolean {
  const seen = new Map<string, number>()
  return (token, times) => {
    const count = (seen.get(token) ?? 0) + 1
    seen.delete(token)
    seen.set(token, count)
    const [oldest] = seen.keys()
    if (seen.size > MAX_TOKENS && oldest !== undefined) seen.delete(oldest)
    return count <= times
  }
}

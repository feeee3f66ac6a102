import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { FastifyHttpOptions } from 'fastify'
import type { ApiConfig } from '../../config.ts'

const clientErrors: Record<string, readonly [number, string, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request was not complete in time.'],
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The headers are larger than 16 KiB.'],
}

/** Time-outs and bounds of the HTTP server; Node's and Fastify's defaults leave a dripping request open for ever. */
export function createHardenedOptions(config: ApiConfig) {
  return {
    logger: false,
    exposeHeadRoutes: false,
    requestTimeout: 10_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    bodyLimit: 32 * 1024 * 1024,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    http: { headersTimeout: 8_000, connectionsCheckingInterval: 1_000, maxHeaderSize: 16_384 },
    routerOptions: {
      maxParamLength: 1_000,
      caseSensitive: true,
      ignoreTrailingSlash: false,
      // The door parses queries itself, by the schema of the endpoint.
      querystringParser: () => ({}),
    },
    clientErrorHandler(error, socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) {
        socket.destroy()
        return
      }
      const [status, reason, message] = clientErrors[error.code ?? ''] ?? [
        400,
        'Bad Request',
        'This is not HTTP.',
      ]
      const body = JSON.stringify({ error: { code: 'INVALID_REQUEST', message } })
      const head = [
        `HTTP/1.1 ${status} ${reason}`,
        'connection: close',
        `x-request-id: ${randomUUID()}`,
        'cache-control: no-store',
        'content-type: application/json; charset=utf-8',
        `content-length: ${Buffer.byteLength(body)}`,
      ]
      // Destroyed, not only ended: a caller that never closes its side would keep the connection for ever.
      socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
    },
  } satisfies FastifyHttpOptions<Server>
}

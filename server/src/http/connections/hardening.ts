import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { FastifyHttpOptions } from 'fastify'
import type { ApiConfig } from '../../config.ts'

/** One year. Other hosts of the domain are not ours to decide about. */
export const TRANSPORT_SECURITY = 'max-age=31536000'

const clientErrors: ReadonlyMap<string, readonly [number, string, string]> = new Map([
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    [408, 'Request Timeout', 'The request did not arrive in time. Send it again.'],
  ],
  [
    'HPE_HEADER_OVERFLOW',
    [
      431,
      'Request Header Fields Too Large',
      'The headers are larger than 16 KiB. Send fewer or shorter headers.',
    ],
  ],
])

/** Timeouts and size limits of the HTTP server. Node's and Fastify's defaults keep a slow request open indefinitely. */
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
      // The pipeline parses queries itself, by the endpoint's schema.
      querystringParser: () => ({}),
    },
    clientErrorHandler(error, socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) {
        socket.destroy()
        return
      }
      const [status, reason, message] = clientErrors.get(error.code ?? '') ?? [
        400,
        'Bad Request',
        'The request is not valid HTTP/1.1.',
      ]
      const body = JSON.stringify({ error: { code: 'INVALID_REQUEST', message } })
      const head = [
        `HTTP/1.1 ${status} ${reason}`,
        'connection: close',
        `x-request-id: ${randomUUID()}`,
        'cache-control: no-store',
        ...(config.publicUrl?.protocol === 'https:'
          ? [`strict-transport-security: ${TRANSPORT_SECURITY}`]
          : []),
        'content-type: application/json; charset=utf-8',
        `content-length: ${Buffer.byteLength(body)}`,
      ]
      // A client that never closes its side would keep a half-closed connection open, so it is destroyed.
      socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
    },
  } satisfies FastifyHttpOptions<Server>
}

import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
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

interface StallLimits {
  readonly seconds: number
  readonly minBytesPerSecond: number
}

interface Sending {
  readonly since: number
  readonly sent: number
}

const CHECK_INTERVAL_MS = 500

/**
 * Destroys connections whose client does not read: bytes wait to be sent, and in `seconds` fewer left than the minimum
 * rate allows. Node's own timeouts do not, because they count everything that the client sends as activity.
 */
export function destroyStalledConnections(server: Server, limits: StallLimits): void {
  const sockets = new Map<Socket, Sending | null>()
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, null)
    socket.once('close', () => sockets.delete(socket))
  })
  let lastCheck = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    // After a pause of this process nothing is known about the clients.
    const paused = now - lastCheck > 2 * CHECK_INTERVAL_MS
    lastCheck = now
    for (const [socket, sending] of sockets) {
      const sent = countSentBytes(socket)
      if (sent === null) sockets.set(socket, null)
      else if (sending === null || paused) sockets.set(socket, { since: now, sent })
      else if (now - sending.since >= limits.seconds * 1000) {
        if (sent - sending.sent < limits.seconds * limits.minBytesPerSecond) socket.destroy()
        else sockets.set(socket, { since: now, sent })
      }
    }
  }, CHECK_INTERVAL_MS)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}

/** Bytes that the operating system took; null if none are waiting. */
function countSentBytes(socket: Socket): number | null {
  // Node has no public count of the bytes of a write that is under way.
  const { _handle: handle } = socket as {
    _handle?: { bytesWritten?: number; writeQueueSize?: number } | null
  }
  const waiting = handle?.writeQueueSize ?? 0
  if (waiting === 0 && socket.writableLength === 0) return null
  return (handle?.bytesWritten ?? 0) - waiting
}

/**
 * Returns a function that closes every connection without an active request. Node's own close() leaves open those that
 * never sent a request, and those that were busy when it was called and are kept alive; both delay the shutdown.
 */
export function trackConnections(server: Server): () => void {
  const activeRequests = new Map<Socket, number>()
  server.on('connection', (socket: Socket) => {
    activeRequests.set(socket, 0)
    socket.once('close', () => activeRequests.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    count(socket, 1)
    response.once('close', () => count(socket, -1))
  })

  function count(socket: Socket, more: number): void {
    const requests = activeRequests.get(socket)
    if (requests !== undefined) activeRequests.set(socket, requests + more)
  }

  return () => {
    for (const [socket, requests] of activeRequests) if (requests === 0) socket.destroy()
  }
}

// Passes a request on to the one target, byte for byte, with back-pressure in both directions.
import {
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { pipeline, Transform } from 'node:stream'
import { FORCE_HEADER } from './force.ts'

const MAX_TARGET_SOCKETS = 128
/** The service has been silent for so long that it is not going to answer. */
const TARGET_IDLE_MS = 120_000

// RFC 9110, 7.6.1. `expect` was answered by this server; `host` names the target instead.
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const notForwarded: ReadonlySet<string> = new Set(['host', 'expect', FORCE_HEADER])

export interface ForwardOptions {
  /** Cut the body off after so many bytes; null cuts it in half. */
  readonly cut?: { readonly afterBytes: number | null }
  /** Called if the target does not answer. */
  readonly onUnreachable: (error: Error) => void
}

export interface Forwarder {
  forward(incoming: IncomingMessage, outgoing: ServerResponse, options: ForwardOptions): void
  close(): void
}

export function createForwarder(target: URL): Forwarder {
  const isHttps = target.protocol === 'https:'
  const agentOptions = { keepAlive: true, maxSockets: MAX_TARGET_SOCKETS }
  const agent = isHttps ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions)
  const send = isHttps ? requestHttps : requestHttp
  const prefix = target.pathname.replace(/\/$/, '')

  function forward(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    { cut, onUnreachable }: ForwardOptions,
  ): void {
    const upstream = send({
      agent,
      protocol: target.protocol,
      hostname: target.hostname.replaceAll(/^\[|\]$/g, ''),
      port: target.port,
      method: incoming.method,
      path: prefix + (incoming.url ?? '/'),
      headers: [
        'host',
        target.host,
        ...filterHeaders(incoming.rawHeaders, notForwarded),
        ...framing(incoming),
      ],
      timeout: TARGET_IDLE_MS,
    })
    upstream.on('timeout', () => upstream.destroy(new Error('The target does not answer.')))
    upstream.on('error', (error) => {
      if (outgoing.headersSent) outgoing.destroy()
      else onUnreachable(error)
    })
    upstream.on('response', (response) => passBack(response, outgoing, cut))
    // A response that is sent before the whole request was read: the caller may still be sending.
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) upstream.destroy()
    })
    pipeline(incoming, upstream, () => {})
  }

  return { forward, close: () => agent.destroy() }
}

function passBack(response: IncomingMessage, outgoing: ServerResponse, cut: ForwardOptions['cut']): void {
  const length = Number(response.headers['content-length'] ?? Number.NaN)
  // A response without a body has no middle: the caller gets nothing of it.
  if (cut !== undefined && (length === 0 || response.statusCode === 204 || outgoing.req.method === 'HEAD'))
    return void outgoing.destroy()
  outgoing.sendDate = false
  outgoing.writeHead(
    response.statusCode ?? 502,
    response.statusMessage ?? '',
    filterHeaders(response.rawHeaders, new Set()),
  )
  // Streams are read line by line: the caller must not wait for the first one to see the headers.
  outgoing.flushHeaders()
  if (cut === undefined) pipeline(response, outgoing, () => {})
  else pipeline(response, createCutter(outgoing, cut.afterBytes, length), outgoing, () => {})
}

/** Writes a part of the body, then closes the connection. */
function createCutter(outgoing: ServerResponse, afterBytes: number | null, length: number): Transform {
  let remaining = afterBytes ?? (Number.isNaN(length) ? null : Math.floor(length / 2))
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      remaining ??= Math.floor(chunk.length / 2)
      if (chunk.length < remaining) {
        remaining -= chunk.length
        return done(null, chunk)
      }
      outgoing.write(chunk.subarray(0, remaining), () => outgoing.destroy())
    },
    flush() {
      // The body was shorter than `after`: a complete response would not be a cut one.
      outgoing.destroy()
    },
  })
}

/** Node frames the body by itself if the length is not known. */
function framing({ headers }: IncomingMessage): string[] {
  return headers['transfer-encoding'] === undefined ? [] : ['transfer-encoding', 'chunked']
}

/** Names and values in turn, as they were received, without those that concern one connection only. */
function filterHeaders(raw: readonly string[], removed: ReadonlySet<string>): string[] {
  const pairs = Array.from({ length: raw.length / 2 }, (_, index) => raw.slice(index * 2, index * 2 + 2))
  const named = new Set(
    pairs
      .filter(([name]) => name?.toLowerCase() === 'connection')
      .flatMap(([, value = '']) => value.split(',').map((token) => token.trim().toLowerCase())),
  )
  return pairs
    .filter(([name = '']) => {
      const lower = name.toLowerCase()
      return !hopByHop.has(lower) && !removed.has(lower) && !named.has(lower)
    })
    .flat()
}

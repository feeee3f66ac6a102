import type { ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { createGzip, constants as zlib } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { type CompressedBytes, getContentType, getReplySize, getReplyText, type Reply } from '../reply.ts'

// Less would hardly shrink.
const MIN_GZIP_BYTES = 256
// More than twice as fast as the default level, for a third more bytes.
const GZIP_OPTIONS = { level: zlib.Z_BEST_SPEED, chunkSize: 64 * 1024 }
const compressibleType =
  /^(?:text\/(?:csv|html|css|javascript)|image\/svg\+xml|application\/(?:json|x-ndjson|sarif\+json|scim\+json))(?:;|$)/

interface SendOptions {
  /** Compression together with text of a caller would tell the length of what a secret has in common with it. */
  readonly showsSecret: boolean
}

export function sendReply(reply: FastifyReply, result: Reply, { showsSecret }: SendOptions): FastifyReply {
  const { id, method, headers: requested } = reply.request
  const { body } = result
  const headers = { 'x-request-id': id, 'cache-control': 'no-store', ...result.headers }
  if (body === null) return reply.code(result.status).headers(headers).send()
  const type = getContentType(result)
  const size = getReplySize(result)
  const compressible = !showsSecret && compressibleType.test(type)
  const encoding = compressible ? chooseEncoding(result, body, size, requested['accept-encoding']) : null
  const ready = getCompressed(body, encoding)
  const length = encoding === null ? size : ready?.length
  // Not through Fastify, which would copy the chunks of a body and begin to read a stream for HEAD.
  reply.hijack()
  const { raw } = reply
  raw.writeHead(result.status, {
    ...headers,
    'content-type': type,
    ...(compressible && { vary: 'accept-encoding' }),
    ...(encoding !== null && { 'content-encoding': encoding }),
    ...(typeof length === 'number' && { 'content-length': String(length) }),
  })
  // A stream that is cut off before its first bytes has begun all the same.
  if ('stream' in body) raw.flushHeaders()
  if (method === 'HEAD') sendNothing(raw, body)
  else if (ready !== undefined) sendChunks(raw, body, [ready])
  else if (encoding !== null) sendCompressed(raw, result, body)
  else if ('stream' in body) pipeline(body.stream, raw, ignoreEnd)
  else sendChunks(raw, body, toChunks(result, body))
  return reply
}

type Body = NonNullable<Reply['body']>
type Encoding = keyof CompressedBytes

/** The headers are those of GET; the body is given up. */
function sendNothing(raw: ServerResponse, body: Body): void {
  if ('release' in body) body.release?.()
  if ('stream' in body) void body.stream[Symbol.asyncIterator]().return?.()
  raw.end()
}

/** Writes all chunks corked, so that they are sent in one system call if possible and without a copy. */
function sendChunks(raw: ServerResponse, body: Body, chunks: readonly (Buffer | string)[]): void {
  // Not on close: the socket may still be sending part of an aborted response.
  if ('release' in body && body.release) raw.once('finish', body.release)
  raw.cork()
  for (const chunk of chunks) raw.write(chunk)
  raw.end()
}

/** Compresses as fast as the client reads, so that a slow one has no more than the response in memory. */
function sendCompressed(raw: ServerResponse, result: Reply, body: Body): void {
  // What a stream has written is sent, so that a client has it if the stream is cut off later.
  const flush = 'stream' in body ? zlib.Z_SYNC_FLUSH : zlib.Z_NO_FLUSH
  const gzip = createGzip({ ...GZIP_OPTIONS, flush })
  // Not on close: a thread may still be compressing a chunk of an aborted response.
  if ('release' in body && body.release) gzip.once('finish', body.release)
  pipeline('stream' in body ? body.stream : Readable.from(toChunks(result, body)), gzip, raw, ignoreEnd)
}

/** A body that fails after its headers are sent ends the connection, which the client notices. */
function ignoreEnd(): void {}

function toChunks(result: Reply, body: Body): readonly (Buffer | string)[] {
  return 'chunks' in body ? body.chunks : [getReplyText(result) ?? '']
}

function chooseEncoding(
  { status }: Reply,
  body: Body,
  size: number | null,
  accepted: string | string[] | undefined,
): Encoding | null {
  // Refusals must stay cheap.
  if (status >= 400 || (size ?? MIN_GZIP_BYTES) < MIN_GZIP_BYTES) return null
  const weights = parseEncodings(accepted)
  // `*` stands for every encoding that is not listed.
  const any = weights.get('*') ?? 0
  const plain = weights.get('identity') ?? 0
  const brotli = weights.get('br') ?? any
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? any
  // Only if it was made earlier: at the levels that are worth it, Brotli is too slow for a response.
  if (getCompressed(body, 'br') && brotli > 0 && brotli >= Math.max(plain, gzip)) return 'br'
  return gzip > 0 && gzip >= plain ? 'gzip' : null
}

function getCompressed(body: Body, encoding: Encoding | null): Buffer | undefined {
  return encoding !== null && 'chunks' in body ? body.compressed?.[encoding] : undefined
}

function parseEncodings(accepted: string | string[] | undefined): ReadonlyMap<string, number> {
  return new Map(
    String(accepted ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
        const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
        return [name, weight === undefined ? 1 : Number(weight)] as const
      }),
  )
}

/** Calls back once, after the operating system took the last byte or the connection is gone. */
export function callWhenSent(response: ServerResponse, done: () => void): void {
  if (response.writableFinished || response.closed) return done()
  const once = () => {
    response.off('finish', once).off('close', once)
    done()
  }
  response.on('finish', once).on('close', once)
}

import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { getContentType, getReplySize, getReplyText, type Reply } from '../reply.ts'

export function sendReply(reply: FastifyReply, requestId: string, result: Reply): FastifyReply {
  const { status, headers = {}, body } = result
  const allHeaders = { 'x-request-id': requestId, 'cache-control': 'no-store', ...headers }
  if (body !== null && 'chunks' in body) return sendChunks(reply, result, allHeaders)
  reply.code(status).headers(allHeaders)
  if (body === null) return reply.send()
  reply.header('content-type', getContentType(result))
  return reply.send(
    'stream' in body ? Readable.from(body.stream, { objectMode: false }) : getReplyText(result),
  )
}

/** Writes all chunks corked, so that they are sent in one system call if possible and without a copy. */
function sendChunks(reply: FastifyReply, result: Reply, headers: Record<string, string>): FastifyReply {
  const { body } = result
  if (body === null || !('chunks' in body)) throw new Error('The response has no chunks to send.')
  reply.hijack()
  const { raw } = reply
  raw.writeHead(result.status, {
    ...headers,
    'content-type': body.type,
    'content-length': String(getReplySize(result)),
  })
  // Not on close: the socket may still be sending part of an aborted response.
  if (body.release) raw.once('finish', body.release)
  raw.cork()
  for (const chunk of body.chunks) raw.write(chunk)
  raw.end()
  return reply
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

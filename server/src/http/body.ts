import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { refuse } from '../errors.ts'

const MAX_BODY_BYTES = 4 * 1024 * 1024
// Many clients read the response only after sending the whole body, so a slightly oversized body is read to its end.
const MAX_DISCARDED_BYTES = 4 * MAX_BODY_BYTES
const MIB = 1024 * 1024
const inflate = promisify(gunzip)
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

interface BodyHeaders {
  readonly 'content-type'?: string | undefined
  readonly 'content-encoding'?: string | undefined
  readonly 'content-length'?: string | undefined
}

export interface BodyText {
  readonly type: string
  readonly text: string
}

/** A body as received, before decompression. */
export interface ReceivedBody {
  readonly type: string
  readonly encoding: string | undefined
  readonly bytes: Buffer
}

export async function readJsonBody(stream: Readable, headers: BodyHeaders): Promise<unknown> {
  const { text } = await readBody(stream, headers, ['application/json'])
  try {
    return JSON.parse(text) as unknown
  } catch {
    return refuse('INVALID_REQUEST', 'The body is not valid JSON.')
  }
}

/** Reads a body of an accepted media type. The size limit applies before and after decompression. */
export async function readBody(
  stream: Readable,
  headers: BodyHeaders,
  accepted: readonly string[],
  maxBytes = MAX_BODY_BYTES,
): Promise<BodyText> {
  return decodeBody(await receiveBody(stream, headers, accepted, maxBytes), maxBytes)
}

/** Receives the bytes without decoding them. This takes as long as the sender does. */
export async function receiveBody(
  stream: Readable,
  headers: BodyHeaders,
  accepted: readonly string[],
  maxBytes: number,
): Promise<ReceivedBody> {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!accepted.includes(type)) {
    refuse(
      'UNSUPPORTED_MEDIA_TYPE',
      `The content type of the body is not supported. Send it as ${accepted.join(' or ')}.`,
    )
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) {
    await discardRest(stream)
    refuseTooLarge(maxBytes)
  }
  return { type, encoding: headers['content-encoding'], bytes: await readBytes(stream, maxBytes) }
}

export async function decodeBody(
  { type, encoding, bytes }: ReceivedBody,
  maxBytes: number,
): Promise<BodyText> {
  const plain = await inflateBody(bytes, encoding, maxBytes)
  try {
    return { type, text: utf8.decode(plain) }
  } catch {
    return refuse('INVALID_REQUEST', 'The body is not valid UTF-8.')
  }
}

async function readBytes(stream: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    // The stream must survive an early exit: the response uses the same connection.
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      size += (chunk as Buffer).length
      if (size > maxBytes) break
      chunks.push(chunk as Buffer)
    }
  } catch {
    refuse('INVALID_REQUEST', 'The body is incomplete: the connection closed before all of it arrived.')
  }
  if (size > maxBytes) {
    await discardRest(stream)
    refuseTooLarge(maxBytes)
  }
  return Buffer.concat(chunks)
}

/** Reads a slightly oversized body to its end. The rest of a far larger one is dropped while the response is sent. */
async function discardRest(stream: Readable): Promise<void> {
  let size = 0
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      size += (chunk as Buffer).length
      if (size > MAX_DISCARDED_BYTES) break
    }
  } catch {
    // The client has disconnected and needs no response.
  }
  stream.resume()
}

async function inflateBody(bytes: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case 'identity':
      return bytes
    case 'gzip':
      try {
        return await inflate(bytes, { maxOutputLength: maxBytes })
      } catch (error) {
        if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') refuseTooLarge(maxBytes)
        return refuse('INVALID_REQUEST', 'The body is not valid gzip.')
      }
    default:
      return refuse(
        'UNSUPPORTED_MEDIA_TYPE',
        'The content encoding of the body is not supported. Send it uncompressed or with gzip.',
      )
  }
}

function refuseTooLarge(maxBytes: number): never {
  const message = `The body is larger than ${maxBytes / MIB} MiB after decompression. Send it in parts.`
  return refuse('PAYLOAD_TOO_LARGE', message, { connection: 'close' })
}

import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { TSchema } from 'typebox'
import { Refusal, refuse } from '../errors.ts'

const MAX_BODY_BYTES = 4 * 1024 * 1024
/** `{}` with white space. */
const MAX_EMPTY_BODY_BYTES = 64
const RATE_WINDOW_SECONDS = 5
const MIB = 1024 * 1024
const inflate = promisify(gunzip)
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

interface BodyHeaders {
  readonly 'content-type'?: string | undefined
  readonly 'content-encoding'?: string | undefined
  readonly 'content-length'?: string | undefined
  readonly 'transfer-encoding'?: string | undefined
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

/** Watches a body while it arrives. */
export interface BodyMeter {
  /** A body that arrives more slowly is ended; 0 = any rate. */
  readonly minBytesPerSecond: number
  /** Called with the number of bytes that arrived; may refuse them. */
  readonly arrived: (bytes: number) => void
}

export async function readJsonBody(
  stream: Readable,
  headers: BodyHeaders,
  meter: BodyMeter,
): Promise<unknown> {
  const { text } = await readBody(stream, headers, ['application/json'], meter)
  try {
    return JSON.parse(text) as unknown
  } catch {
    return refuse('INVALID_REQUEST', 'The body is not valid JSON.')
  }
}

/** Refuses a body that is more than zero bytes or `{}`, which some clients send with every request. */
export async function refuseBody(stream: Readable, meter: BodyMeter): Promise<void> {
  const refuseIt = () => refuse('INVALID_REQUEST', 'DELETE does not accept a body. Send none, or {}.')
  const bytes = await readBytes(stream, MAX_EMPTY_BODY_BYTES, meter, refuseIt)
  if (!/^(?:\s*\{\s*\}\s*)?$/.test(bytes.toString())) refuseIt()
}

/** A body of which every field is optional may be left out. */
export function isOptionalBody(schema: TSchema): boolean {
  const { type, required = [] } = schema as { type?: string; required?: readonly string[] }
  return type === 'object' && required.length === 0
}

export function hasBody(headers: BodyHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** A request that names a type has a body, if only an empty one, which is not valid JSON. */
export function namesBody(headers: BodyHeaders): boolean {
  return hasBody(headers) || headers['content-type'] !== undefined
}

/** Reads a body of an accepted media type. The size limit applies before and after decompression. */
export async function readBody(
  stream: Readable,
  headers: BodyHeaders,
  accepted: readonly string[],
  meter: BodyMeter,
): Promise<BodyText> {
  const maxBytes = MAX_BODY_BYTES
  return decodeBody(await receiveBody(stream, headers, accepted, { maxBytes, meter }), maxBytes)
}

/** Receives the bytes without decoding them. This takes as long as the sender does. */
export async function receiveBody(
  stream: Readable,
  headers: BodyHeaders,
  accepted: readonly string[],
  { maxBytes, meter }: { readonly maxBytes: number; readonly meter: BodyMeter },
): Promise<ReceivedBody> {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!accepted.includes(type)) {
    refuse(
      'UNSUPPORTED_MEDIA_TYPE',
      `The content type of the body is not supported. Send it as ${accepted.join(' or ')}.`,
    )
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) refuseTooLarge(maxBytes)
  return { type, encoding: headers['content-encoding'], bytes: await readBytes(stream, maxBytes, meter) }
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

async function readBytes(
  stream: Readable,
  maxBytes: number,
  meter: BodyMeter,
  refuseLarge = () => refuseTooLarge(maxBytes),
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of readChunks(stream, meter.minBytesPerSecond)) {
      size += chunk.length
      if (size > maxBytes) break
      meter.arrived(chunk.length)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    refuse('INVALID_REQUEST', 'The body is incomplete: the connection closed before all of it arrived.')
  }
  if (size > maxBytes) refuseLarge()
  return Buffer.concat(chunks)
}

/** The chunks of a body; refuses one that arrives too slowly. */
export async function* readChunks(stream: Readable, minBytesPerSecond: number): AsyncGenerator<Buffer, void> {
  // The stream must survive an early exit: the response uses the same connection.
  const chunks = stream.iterator({ destroyOnReturn: false })
  const tooSlow = Promise.withResolvers<never>()
  tooSlow.promise.catch(() => {})
  let arrived = 0
  const check = () => {
    if (arrived < minBytesPerSecond * RATE_WINDOW_SECONDS) tooSlow.reject(slowBody(minBytesPerSecond))
    arrived = 0
  }
  // Checked after pending data was read, which may have waited for this process.
  const timer = setInterval(() => setImmediate(check), RATE_WINDOW_SECONDS * 1000)
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), tooSlow.promise])
      if (next.done) return
      const chunk = next.value as Buffer
      arrived += chunk.length
      yield chunk
    }
  } finally {
    clearInterval(timer)
    // Not awaited: it would wait for a chunk that does not come.
    void chunks.return?.()
  }
}

function slowBody(minBytesPerSecond: number): Refusal {
  const message = `The body arrives more slowly than ${minBytesPerSecond} bytes per second. Send it again, without pauses.`
  return new Refusal('INVALID_REQUEST', message, { connection: 'close' }, 408)
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
  const message = `The body is larger than ${maxBytes / MIB} MiB after decompression. Send fewer entries in each request.`
  return refuse('PAYLOAD_TOO_LARGE', message)
}

// Requests with the bytes and headers as they are: fetch would inflate, merge and add.
import { Agent, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

// Otherwise the service closes the connection after its response, while a large body is still being sent.
const agent = new Agent({ keepAlive: true })

export interface RawReply {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
}

export interface RawOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** An array is sent in chunks, without a length. */
  readonly body?: string | Buffer | readonly string[]
}

/** The response once its headers have arrived; nobody reads its body yet. */
export function open(url: string, { method = 'GET', headers = {}, body }: RawOptions = {}) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, { method, headers, agent }).on('response', resolve).on('error', reject)
    if (Array.isArray(body)) {
      for (const chunk of body as readonly string[]) sent.write(chunk)
      sent.end()
    } else sent.end(body)
  })
}

export async function raw(url: string, options: RawOptions = {}): Promise<RawReply> {
  const response = await open(url, options)
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) }
}

/** What can be compared: everything but what differs between any two responses. */
export function comparable({ status, headers, bytes }: RawReply) {
  const differing = new Set(['date', 'keep-alive', 'connection', 'ratelimit'])
  return {
    status,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !differing.has(name))),
    bytes: bytes.toString('latin1'),
  }
}

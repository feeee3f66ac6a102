import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../free-port.ts'

/** Faults of a model that its clients must handle. */
export type EmbedderFault =
  | 'none'
  | 'down'
  | 'slow'
  | 'drips'
  | 'busy'
  | 'error'
  | 'refusal'
  | 'redirect'
  | 'cut'
  | 'huge'
  | 'not-json'
  | 'not-a-number'
  | 'all-zero'
  | 'wrong-dimensions'
  | 'wrong-count'
  | 'repeated-index'
  | 'shuffled'

export interface FaultOptions {
  /** The number of calls it applies to; all by default. */
  readonly times?: number
  /** For `busy`: the header Retry-After. */
  readonly retryAfter?: string
  /** For `slow`: the duration. */
  readonly delayMs?: number
  /** No response is sent before so many calls are in flight at once. */
  readonly concurrentCalls?: number
}

export interface EmbeddingCall {
  readonly path: string
  readonly authorization: string | undefined
  readonly model: string
  readonly input: readonly string[]
  readonly encodingFormat: string
  readonly dimensions: number | undefined
}

export interface EmbeddingServer {
  /** The value of EMBEDDER_URL. */
  readonly url: string
  readonly calls: readonly EmbeddingCall[]
  /** The maximum number of concurrent calls. */
  maxConcurrentCalls(): number
  setFault(fault: EmbedderFault, options?: FaultOptions): Promise<void>
  stop(): Promise<void>
}

interface EmbeddingItem {
  readonly object: 'embedding'
  readonly index: number
  readonly embedding: readonly unknown[]
}

/** A real HTTP server that responds like an OpenAI-compatible model, or with a given fault. */
export async function startEmbeddingServer({
  dimensions,
}: {
  readonly dimensions: number
}): Promise<EmbeddingServer> {
  const port = await freePort()
  const calls: EmbeddingCall[] = []
  let currentFault: { fault: EmbedderFault; left: number } & FaultOptions = { fault: 'none', left: 0 }
  let inFlight = 0
  let maxConcurrentCalls = 0
  let gathered = Promise.withResolvers<void>()

  const server = createServer((request, response) => {
    inFlight++
    maxConcurrentCalls = Math.max(maxConcurrentCalls, inFlight)
    if (inFlight >= (currentFault.concurrentCalls ?? 0)) gathered.resolve()
    response.once('close', () => inFlight--)
    void handleRequest(request, response).catch(() => response.destroy())
  })

  async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await readCall(request)
    calls.push(call)
    const { fault, left, ...options } = currentFault
    currentFault = { ...currentFault, left: left - 1 }
    await gathered.promise
    await respondWith(left > 0 ? fault : 'none', options, call, dimensions, response)
  }

  async function listen(): Promise<void> {
    if (server.listening) return
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }

  async function stop(): Promise<void> {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }

  await listen()
  return {
    url: `http://127.0.0.1:${port}/v1`,
    calls,
    maxConcurrentCalls: () => maxConcurrentCalls,
    async setFault(fault, options = {}) {
      gathered = Promise.withResolvers<void>()
      currentFault = { ...options, fault, left: options.times ?? Number.POSITIVE_INFINITY }
      await (fault === 'down' ? stop() : listen())
    },
    stop,
  }
}

async function readCall(request: IncomingMessage): Promise<EmbeddingCall> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
  return {
    path: `${request.method} ${request.url}`,
    authorization: request.headers.authorization,
    model: String(body['model']),
    input: body['input'] as string[],
    encodingFormat: String(body['encoding_format']),
    dimensions: body['dimensions'] as number | undefined,
  }
}

async function respondWith(
  fault: EmbedderFault,
  { retryAfter, delayMs = 60_000 }: FaultOptions,
  { input, model }: EmbeddingCall,
  dimensions: number,
  response: ServerResponse,
): Promise<void> {
  const [text] = input
  const status = statuses[fault]
  if (status !== undefined) {
    if (fault === 'redirect') response.setHeader('location', '/elsewhere')
    if (fault === 'busy' && retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
    // Real servers quote the input.
    response.writeHead(status).end(`no answer for ${text}`)
    return
  }
  const vectors = input.map((each, index) => ({
    object: 'embedding' as const,
    index,
    embedding: hashToVector(each, dimensions),
  }))
  const json = JSON.stringify({ object: 'list', data: corruptItems(fault, vectors), model })
  if (fault === 'slow') await sleep(delayMs, undefined, { ref: false })
  response.setHeader('content-type', 'application/json')
  if (fault === 'drips' || fault === 'huge' || fault === 'cut') await streamSlowly(fault, json, response)
  else response.end(fault === 'not-json' ? `<html>${text}</html>` : json)
}

const statuses: Partial<Record<EmbedderFault, number>> = {
  busy: 429,
  error: 500,
  refusal: 401,
  redirect: 307,
}

async function streamSlowly(
  fault: 'drips' | 'huge' | 'cut',
  json: string,
  response: ServerResponse,
): Promise<void> {
  if (fault === 'cut') {
    response.setHeader('content-length', json.length)
    response.write(json.slice(0, json.length / 2))
    await sleep(20)
    response.destroy()
  }
  for (let index = 0; !response.destroyed; index++) {
    response.write(fault === 'huge' ? ' '.repeat(65_536) : (json[index] ?? ' '))
    await sleep(fault === 'huge' ? 0 : 20)
  }
}

/** Only the last item is wrong, so that every item must be checked. */
function corruptItems(fault: EmbedderFault, items: readonly EmbeddingItem[]): readonly EmbeddingItem[] {
  const last = items.at(-1)
  if (last === undefined) return items
  const others = items.slice(0, -1)
  const { embedding } = last
  if (fault === 'shuffled') return items.toReversed()
  if (fault === 'wrong-count') return others
  if (fault === 'repeated-index') return [...others, { ...last, index: 0 }]
  if (fault === 'wrong-dimensions') return [...others, { ...last, embedding: embedding.slice(1) }]
  if (fault === 'all-zero') return [...others, { ...last, embedding: embedding.map(() => 0) }]
  // JSON has no NaN: servers write null.
  if (fault === 'not-a-number') return [...others, { ...last, embedding: embedding.with(0, Number.NaN) }]
  return items
}

/** Each word adds to eight dimensions chosen by its hash: texts with common words are near each other. */
export function hashToVector(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0)
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{1,100}/gu) ?? ['']
  for (const word of words) {
    const hash = createHash('sha256').update(word).digest()
    for (let index = 0; index < 8; index++) {
      const at = hash.readUInt16LE(index * 2) % dimensions
      vector[at] = (vector[at] ?? 0) + ((hash[16 + index] ?? 0) % 2 === 0 ? 3 : -3)
    }
  }
  // Two words may cancel each other out; a model never returns a zero vector.
  return vector.some((value) => value !== 0) ? vector : vector.with(0, 1)
}

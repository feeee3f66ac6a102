import type { components } from './openapi.ts'
import { readJson, type Send } from './request.ts'
import type { RequestOptions, Result } from './types.ts'

type Schemas = components['schemas']

/** An event of one of the kinds in `/events.schema.json`. */
export type IngestEvent = {
  [Name in keyof Schemas]: Schemas[Name] extends { id: string; type: string; payload: object }
    ? Schemas[Name]
    : never
}[keyof Schemas]

export interface RejectedEvent {
  /** Number of the event in the order of `add`, from 0. */
  readonly index: number
  readonly event: IngestEvent
  readonly errors: readonly { readonly code: string; readonly message: string }[]
}

export interface EventWarning {
  readonly index: number
  readonly event: IngestEvent
  /** The field in the event. */
  readonly path: string
  readonly message: string
}

export interface IngestOptions extends Pick<RequestOptions, 'signal' | 'timeoutMs'> {
  /** Called as soon as the service rejects an event. Sent again unchanged, it is rejected again. */
  readonly onRejected?: ((rejected: RejectedEvent) => void) | undefined
  /** Called for accepted events that were probably meant otherwise. */
  readonly onWarning?: ((warning: EventWarning) => void) | undefined
  /** Events of one request at most. Default and maximum 500. */
  readonly maxEvents?: number | undefined
}

export interface IngestResult {
  readonly accepted: number
  readonly rejected: readonly RejectedEvent[]
}

/** Collects events and sends them in compressed batches. */
export interface IngestClient {
  /**
   * Adds an event. Resolves at once, or when an earlier batch was sent if two are full: await it to use little memory.
   * Rejects if a batch could not be sent; its events remain, and the next `add` or `flush` sends them again.
   */
  add(event: IngestEvent): Promise<void>
  /** Sends everything that was added. Returns what happened to the events since the previous `flush`. */
  flush(): Promise<IngestResult>
  /** Like `flush`; nothing can be added afterwards. */
  close(): Promise<IngestResult>
}

interface Entry {
  readonly index: number
  readonly event: IngestEvent
  readonly json: string
}

const PATH = '/ingest/v1/events'
const MAX_EVENTS = 500
// The API accepts 4 MiB before compression, brackets and commas included.
const MAX_BYTES = 4 * 1024 * 1024 - 1024

export function createIngestClient(send: Send, options: IngestOptions): IngestClient {
  const maxEvents = Math.min(options.maxEvents ?? MAX_EVENTS, MAX_EVENTS)
  const full: Entry[][] = []
  let batch: Entry[] = []
  let bytes = 0
  let count = 0
  let closed = false
  let sending: Promise<void> | undefined
  let accepted = 0
  let rejected: RejectedEvent[] = []

  const reject = ({ index, event }: Entry, code: string, message: string) => {
    const entry = { index, event, errors: [{ code, message }] }
    rejected.push(entry)
    options.onRejected?.(entry)
  }

  const finishBatch = () => {
    if (batch.length > 0) full.push(batch)
    batch = []
    bytes = 0
  }

  /** A batch is removed when its response has arrived: what fails is sent again by the next call. */
  const sendFullBatches = async () => {
    for (let next = full[0]; next !== undefined; next = full[0]) {
      const result = await sendBatch(send, next, options)
      full.shift()
      accepted += result.accepted
      for (const { index, code, message } of result.rejected) {
        const entry = next[index]
        if (entry !== undefined) reject(entry, code, message)
      }
      for (const { index, path, message } of result.warnings) {
        const entry = next[index]
        if (entry !== undefined)
          options.onWarning?.({ index: entry.index, event: entry.event, path, message })
      }
    }
  }

  const startSending = () => {
    sending ??= sendFullBatches().finally(() => {
      sending = undefined
    })
    return sending
  }

  const add = async (event: IngestEvent) => {
    if (closed) throw new TypeError('The ingest client is closed.')
    const entry = { index: count++, event, json: JSON.stringify(event) }
    const size = new TextEncoder().encode(entry.json).length + 1
    if (size > MAX_BYTES) {
      reject(entry, 'PAYLOAD_TOO_LARGE', `The event has ${size} bytes, more than a request may have.`)
      return
    }
    if (batch.length >= maxEvents || bytes + size > MAX_BYTES) finishBatch()
    batch.push(entry)
    bytes += size
    if (full.length === 0) return
    const sent = startSending()
    // One batch is sent while the next one fills.
    if (full.length > 1) await sent
    // A failure is reported by the next call that waits.
    else sent.catch(() => undefined)
  }

  const flush = async () => {
    finishBatch()
    while (full.length > 0) await startSending()
    const result = { accepted, rejected }
    accepted = 0
    rejected = []
    return result
  }

  const close = () => {
    closed = true
    return flush()
  }

  return { add, flush, close }
}

async function sendBatch(send: Send, batch: readonly Entry[], { signal, timeoutMs }: IngestOptions) {
  const json = `[${batch.map((entry) => entry.json).join()}]`
  const headers = { 'content-type': 'application/json', ...(canCompress && { 'content-encoding': 'gzip' }) }
  const body = canCompress ? await compress(json) : json
  const result = await send('POST', PATH, { headers, body, signal, timeoutMs }, readJson)
  return result as Result<'post', typeof PATH>
}

// Old versions of Bun have none.
const canCompress = typeof CompressionStream === 'function'

async function compress(text: string): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

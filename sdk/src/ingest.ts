import type { IngestEvent } from './event.ts'
import { createKeeper, type EventStore, type KeepOptions } from './keep.ts'
import { readJson, type Send } from './request.ts'
import { ignoreTransient } from './retry.ts'
import type { Result } from './types.ts'

export interface RejectedEvent {
  /** Number of the event in the order of `add`, from 0; -1 if it was kept by an earlier process. */
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

export interface IngestOptions extends KeepOptions {
  /** Keeps events until the service has stored them, and sends again what was lost with its queue. */
  readonly keep?: EventStore | undefined
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
  /**
   * With `keep`: sends everything, and waits until the service has stored or refused it. Returns the number of events that
   * are still kept after the timeout (default: a minute).
   */
  settle(timeoutMs?: number): Promise<number>
  /** Like `flush`; nothing can be added afterwards. What is kept stays kept, and is sent again by the next client. */
  close(): Promise<IngestResult>
}

interface Entry {
  readonly index: number
  readonly event: IngestEvent
  readonly json: string
}

const SETTLE_MS = 60_000
const SETTLE_EVERY_MS = 500
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

  const keeper =
    options.keep === undefined
      ? null
      : createKeeper(send, options.keep, options, (event, json) => enqueue({ index: -1, event, json }))

  /** A batch is removed when its response has arrived: what fails is sent again by the next call. */
  const sendFullBatches = async () => {
    for (let next = full[0]; next !== undefined; next = full[0]) {
      const result = await sendBatch(send, next, options)
      full.shift()
      accepted += result.accepted
      const refused = new Set<string>()
      for (const { index, code, message } of result.rejected) {
        const entry = next[index]
        if (entry === undefined) continue
        reject(entry, code, message)
        refused.add(entry.event.id)
      }
      await keeper?.drop([...refused])
      keeper?.noteSent(next.map(({ event }) => event.id).filter((id) => !refused.has(id)))
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

  function enqueue(entry: Entry): void {
    const size = sizeOf(entry)
    if (batch.length >= maxEvents || bytes + size > MAX_BYTES) finishBatch()
    batch.push(entry)
    bytes += size
  }

  const add = async (event: IngestEvent) => {
    if (closed) throw new TypeError('The ingest client is closed.')
    const entry = { index: count++, event, json: JSON.stringify(event) }
    const size = sizeOf(entry)
    if (size > MAX_BYTES) {
      reject(entry, 'PAYLOAD_TOO_LARGE', `The event has ${size} bytes, more than a request may have.`)
      return
    }
    await keeper?.keep(event, entry.json)
    await keeper?.checkIfDue()
    enqueue(entry)
    if (full.length === 0) return
    const sent = startSending()
    // One batch is sent while the next one fills.
    if (full.length > 1) await sent
    // A failure is reported by the next call that waits.
    else sent.catch(() => undefined)
  }

  const sendAll = async () => {
    finishBatch()
    while (full.length > 0) await startSending()
  }

  const settle = async (timeoutMs = SETTLE_MS) => {
    if (keeper === null) throw new TypeError('Without "keep", nothing is known of an event that was sent.')
    for (const deadline = Date.now() + timeoutMs; ; ) {
      const isLast = Date.now() >= deadline
      try {
        await sendAll()
        const left = await keeper.check()
        if (left === 0 || isLast) return left
      } catch (error) {
        if (isLast) throw error
        // The service may be back before the time is over.
        ignoreTransient(error)
      }
      await new Promise((resolve) => setTimeout(resolve, SETTLE_EVERY_MS))
    }
  }

  const flush = async () => {
    await keeper?.checkIfDue()
    await sendAll()
    const result = { accepted, rejected }
    accepted = 0
    rejected = []
    return result
  }

  const close = () => {
    closed = true
    return flush()
  }

  return { add, flush, settle, close }
}

function sizeOf({ json }: Entry): number {
  return new TextEncoder().encode(json).length + 1
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

// An HTTP client of the running service: batches of events, SARIF files and requests with an API key.
import { setTimeout as sleep } from 'node:timers/promises'

export interface IngestEvent {
  readonly id: string
  readonly type: string
  readonly version: 1
  readonly occurred_at: string
  readonly payload: object
}

interface Request {
  readonly key: string
  readonly method?: string
  readonly body?: string
  readonly contentType?: string
}

const MAX_BATCH = 500
const MAX_ATTEMPTS = 30
const RETRY_DELAY_MS = 1000

export class Service {
  readonly #baseUrl: string

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl.replace(/\/$/, '')
  }

  /** Checked before anything is created or revoked. */
  async requireReady(): Promise<void> {
    const response = await fetch(`${this.#baseUrl}/readyz`).catch(() => null)
    if (!response?.ok)
      throw new Error(`No service is ready at ${this.#baseUrl}. Start it, or give --base-url.`)
  }

  /** Sends the events in order, one batch after the other: the reply to a batch is the signal for the next. */
  async sendEvents(credential: string, events: readonly IngestEvent[], sent: (count: number) => void) {
    for (let from = 0; from < events.length; from += MAX_BATCH) {
      const batch = events.slice(from, from + MAX_BATCH)
      const { rejected } = await this.call<{ rejected: { index: number; message: string }[] }>(
        '/ingest/v1/events',
        { key: credential, body: JSON.stringify(batch) },
      )
      const [first] = rejected
      if (first !== undefined) {
        throw new Error(`The event ${batch[first.index]?.id} was rejected: ${first.message}`)
      }
      sent(batch.length)
    }
  }

  async uploadSarif(credential: string, query: Readonly<Record<string, string>>, sarif: object) {
    await this.call(`/ingest/v1/sarif?${new URLSearchParams(query).toString()}`, {
      key: credential,
      body: JSON.stringify(sarif),
      contentType: 'application/sarif+json',
    })
  }

  /** All pages of a list. */
  async readAll<Row>(path: string, key: string): Promise<Row[]> {
    const rows: Row[] = []
    let cursor: string | null = null
    do {
      const more: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const page: { data: Row[]; next_cursor: string | null } = await this.call(`${path}?limit=1000${more}`, {
        key,
      })
      rows.push(...page.data)
      cursor = page.next_cursor
    } while (cursor !== null)
    return rows
  }

  async call<Body>(path: string, request: Request): Promise<Body> {
    for (let attempt = 1; ; attempt++) {
      const response = await this.#fetch(path, request)
      const text = await response.text()
      if (response.ok) return (text === '' ? null : JSON.parse(text)) as Body
      const mayRetry = response.status === 429 || response.status === 503
      if (!mayRetry || attempt === MAX_ATTEMPTS) {
        const { method = request.body === undefined ? 'GET' : 'POST' } = request
        throw new Error(`${method} ${path.replace(/\?.*/, '')} returned ${response.status}: ${text}`)
      }
      await sleep(Number(response.headers.get('retry-after')) * 1000 || RETRY_DELAY_MS)
    }
  }

  /** Whether the ingest endpoint accepts the credential. An API node accepts none until the worker has reported which are revoked. */
  async accepts(credential: string): Promise<boolean> {
    for (let attempt = 1; attempt <= 300; attempt++) {
      const { status } = await this.#fetch('/ingest/v1/events', { key: credential, body: '[{}]' })
      if (status !== 503) return status === 202
      await sleep(100)
    }
    throw new Error('The ingest endpoint returned 503 for 30 seconds. Is the worker running?')
  }

  #fetch(path: string, { key, body, method, contentType = 'application/json' }: Request): Promise<Response> {
    return fetch(`${this.#baseUrl}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { 'x-service-api-key': key, ...(body === undefined ? {} : { 'content-type': contentType }) },
      ...(body === undefined ? {} : { body }),
    })
  }
}

import { Agent, type RequestOptions, request } from 'node:http'

export interface HttpResult {
  readonly status: number
  readonly text: string
  readonly retryAfter: number
}

const TIMEOUT_MS = 20_000
const json = { 'content-type': 'application/json' }
// The Model Context Protocol requires both.
const accept = 'application/json, text/event-stream'
const agent = new Agent({ keepAlive: true, maxSockets: 128 })

/** A bare HTTP request on persistent connections, so that the client costs little time. */
export function get(url: string, key: string): Promise<HttpResult> {
  return send(url, { headers: { 'x-service-api-key': key } })
}

/** Rejects if there is no response in time. */
export function postJson(url: string, key: string, body: string): Promise<HttpResult> {
  return sendJson('POST', url, key, body)
}

export function sendJson(
  method: 'POST' | 'PATCH' | 'DELETE',
  url: string,
  key: string,
  body?: string,
): Promise<HttpResult> {
  const headers = { 'x-service-api-key': key, ...(body === undefined ? {} : json), accept }
  return send(url, { method, headers, timeout: TIMEOUT_MS }, body)
}

/** With headers of the caller's choice. */
export function sendRequest(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<HttpResult> {
  return send(
    url,
    { method, headers: { ...headers, ...(body === undefined ? {} : json) }, timeout: TIMEOUT_MS },
    body,
  )
}

function send(url: string, options: RequestOptions, body?: string): Promise<HttpResult> {
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, ...options }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString(),
          retryAfter: Number(response.headers['retry-after'] ?? 0),
        }),
      )
    })
    call.on('error', reject)
    call.on('timeout', () => call.destroy(new Error('The request timed out.')))
    call.end(body)
  })
}

/** Runs `work` for 0 … count-1 in parallel lanes, and prints its progress under the label. */
export async function runConcurrently(
  count: number,
  concurrency: number,
  label: string | undefined,
  work: (index: number, workerIndex: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const step = Math.ceil(count / 5)
  const run = async (workerIndex: number) => {
    while (next < count) {
      const index = next++
      await work(index, workerIndex)
      if (label !== undefined && (index + 1) % step === 0)
        console.error(`  ${label}: ${index + 1} of ${count}`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, (_, workerIndex) => run(workerIndex)))
}

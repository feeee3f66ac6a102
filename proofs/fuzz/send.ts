import { Agent, request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { Operation } from './document.ts'
import type { FuzzRequest } from './request.ts'

export interface FuzzResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

const TIMEOUT_MS = 60_000
const agent = new Agent({ keepAlive: true, maxSockets: 32 })

function renderCredential({ kinds }: Operation, key: string): readonly string[] {
  return kinds?.includes('scim') ? ['authorization', `Bearer ${key}`] : ['x-service-api-key', key]
}

/** Sends a request with exactly its headers and bytes. Rejects if there is no response. */
export function sendFuzzRequest(
  url: string,
  { operation, method, path, headers, body }: FuzzRequest,
  key: string | null,
): Promise<FuzzResponse> {
  const { hostname, port } = new URL(url)
  const sent = [
    'host',
    `${hostname}:${port}`,
    ...headers.flat(),
    ...(key === null ? [] : renderCredential(operation, key)),
    ...(body === null ? [] : ['content-length', String(body.length)]),
  ]
  return new Promise((resolve, reject) => {
    const options = { hostname, port, path, method, agent, timeout: TIMEOUT_MS }
    const call = request({ ...options, headers: sent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const inflated = response.headers['content-encoding'] === 'gzip' && bytes.length > 0
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: (inflated ? gunzipSync(bytes) : bytes).toString(),
        })
      })
    })
    call.on('error', reject)
    call.on('timeout', () => call.destroy(new Error(`no response in ${TIMEOUT_MS / 1000} s`)))
    call.end(body ?? undefined)
  })
}

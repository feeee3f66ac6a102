import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { type Client, type ClientOptions, createClient } from '@scholiast/sdk'

interface Demo {
  readonly base_url: string
  readonly keys: Readonly<Record<'workspace' | 'user' | 'organization' | 'ingest', string>>
  readonly organizations: readonly {
    readonly id: string
    readonly org_id: string
    readonly root: string
    readonly repositories: readonly { readonly repository_id: string; readonly name: string }[]
  }[]
}

/** What the proxy does with a request instead of forwarding it. */
export interface Fault {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** `before`: the service never sees the request. `after`: it has handled it, but its response breaks off. */
  readonly cut?: 'before' | 'after'
  /** Never answers. */
  readonly hang?: boolean
}

interface RecordedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

export interface Proxy {
  readonly url: string
  readonly requests: RecordedRequest[]
  /** Faults of the next requests, in order. Further requests are forwarded. */
  readonly faults: Fault[]
}

const repository = new URL('../../', import.meta.url)
export const openApi = JSON.parse(readFileSync(new URL('openapi.json', repository), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

export interface Operation {
  readonly parameters?: readonly { readonly name?: string; readonly required?: boolean; $ref?: string }[]
}

export const demo = JSON.parse(readFileSync(process.env['SCHOLIAST_DEMO'] ?? '', 'utf8')) as Demo

// The user and organization keys belong to the first organization of the workspace.
export const home = first(demo.organizations.filter(({ root }) => root === 'workspace'))

/** A window of days that covers the demo. */
export const wholeWindow = { start_date: '2020-01-01', end_date: '2035-12-31' }

export function connect(options: Partial<ClientOptions> = {}): Client {
  return createClient({
    baseUrl: demo.base_url,
    apiKey: demo.keys.workspace,
    ingestKey: demo.keys.ingest,
    ...options,
  })
}

export function first<Item>(items: readonly Item[]): Item {
  const [item] = items
  assert.ok(item !== undefined, 'there is no element')
  return item
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

/** Serves until the test ends, also if connections are open then. */
export async function serve(
  t: TestContext,
  handle: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
): Promise<string> {
  const server = createServer(handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Forwards requests to the service, records them, and answers some of them with faults. */
export async function startProxy(t: TestContext): Promise<Proxy> {
  const requests: RecordedRequest[] = []
  const faults: Fault[] = []
  const url = await serve(t, (incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const { method = 'GET', url: path = '/', headers } = incoming
      const recorded = { method, url: path, headers, body: Buffer.concat(chunks) }
      requests.push(recorded)
      answer(recorded, outgoing, faults.shift())
    })
  })
  return { url, requests, faults }
}

function answer(recorded: RecordedRequest, outgoing: ServerResponse, fault: Fault | undefined): void {
  if (fault?.hang) return
  if (fault?.cut === 'before') {
    outgoing.destroy()
    return
  }
  if (fault?.status !== undefined) {
    outgoing.writeHead(fault.status, fault.headers).end(fault.body)
    return
  }
  const { method, url, headers, body } = recorded
  const forwarded = request(new URL(url, demo.base_url), { method, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 500, response.headers)
    if (fault?.cut !== 'after') {
      response.pipe(outgoing)
      return
    }
    // Only a part of the body, so that the client cannot take it for a complete response.
    response.once('data', (chunk: Buffer) => {
      outgoing.write(chunk.subarray(0, Math.floor(chunk.length / 2)), () => outgoing.destroy())
      response.destroy()
    })
  })
  forwarded.on('error', () => outgoing.destroy())
  forwarded.end(body)
}

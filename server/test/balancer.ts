import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitFor } from './wait.ts'

/**
 * A load balancer as operators run it: it asks every node whether it is ready, sends requests to the ready ones, and repeats
 * none. Events go to the nodes that can store them, whether or not these have a database.
 */
export interface Balancer {
  readonly url: string
  /** Resolves when the node gets requests. */
  add(node: string): Promise<void>
  /** As an operator does before stopping a node that does not announce it: resolves when its last request is finished. */
  takeOut(node: string): Promise<void>
  stop(): Promise<void>
}

const checks = { requests: '/readyz', events: '/readyz/ingest' } as const
type Traffic = keyof typeof checks

interface Node {
  readonly url: string
  readonly ready: Record<Traffic, boolean>
  /** Checks in a row that were not answered in time. */
  readonly unanswered: Record<Traffic, number>
  takenOut: boolean
  inProgress: number
}

const CHECK_MS = 250
const CHECK_TIMEOUT_MS = 1_000
/** A busy machine answers late. A node that says it is not ready, or refuses the connection, gets nothing from then on. */
const MAX_UNANSWERED = 3

/**
 * With a prefix it takes only paths below it, and removes it, as a proxy that serves several programs does. Nodes that accept
 * no events need no check of their own for them.
 */
export async function startBalancer({ prefix = '', acceptsEvents = false } = {}): Promise<Balancer> {
  const checked: readonly Traffic[] = acceptsEvents ? ['requests', 'events'] : ['requests']
  const nodes: Node[] = []
  let next = 0
  const stopping = new AbortController()
  const server = createServer((incoming, outgoing) => {
    const path = removePrefix(prefix, incoming.url ?? '')
    const traffic = acceptsEvents && path?.startsWith('/ingest/') ? 'events' : 'requests'
    const ready = nodes.filter((node) => node.ready[traffic] && !node.takenOut)
    const node = ready[next++ % Math.max(ready.length, 1)]
    if (node === undefined) outgoing.writeHead(503).end('The balancer has no ready node.')
    else if (path === null) outgoing.writeHead(404).end('Another program has this path.')
    else forward(node, path, incoming, outgoing)
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The balancer has no port.')
  const checking = repeatChecks(nodes, checked, stopping.signal)
  return {
    url: `http://127.0.0.1:${address.port}${prefix}`,
    async add(url) {
      const node: Node = {
        url,
        ready: { requests: false, events: false },
        unanswered: { requests: 0, events: 0 },
        takenOut: false,
        inProgress: 0,
      }
      nodes.push(node)
      await waitFor(`${url} is ready`, () => checked.every((traffic) => node.ready[traffic]))
    },
    async takeOut(url) {
      const node = nodes.find((known) => known.url === url)
      if (node === undefined) return
      node.takenOut = true
      await waitFor(`${url} has finished its requests`, () => node.inProgress === 0)
    },
    async stop() {
      stopping.abort()
      await checking
      server.closeAllConnections()
      server.close()
    },
  }
}

function removePrefix(prefix: string, path: string): string | null {
  if (path === prefix) return '/'
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : null
}

/** A new connection for each request, so that none meets a connection that the node is just closing. */
function forward(node: Node, path: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  node.inProgress += 1
  const finish = () => {
    node.inProgress -= 1
  }
  const outward = request(
    node.url + path,
    {
      agent: false,
      method: incoming.method ?? 'GET',
      headers: { ...incoming.headers, connection: 'close' },
    },
    (response) => {
      const { connection: _, 'transfer-encoding': __, ...headers } = response.headers
      outgoing.writeHead(response.statusCode ?? 502, headers)
      response.pipe(outgoing)
    },
  )
  outward.on('error', (error) => {
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(502).end(`The balancer could not reach a node: ${error.message}`)
  })
  outward.once('close', finish)
  incoming.pipe(outward)
}

async function repeatChecks(
  nodes: readonly Node[],
  checked: readonly Traffic[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await Promise.all(nodes.flatMap((node) => checked.map((traffic) => check(node, traffic))))
    await sleep(CHECK_MS, undefined, { signal }).catch(() => {})
  }
}

async function check({ url, ready, unanswered }: Node, traffic: Traffic): Promise<void> {
  const timeout = AbortSignal.timeout(CHECK_TIMEOUT_MS)
  const response = await fetch(url + checks[traffic], { signal: timeout }).catch(() => null)
  unanswered[traffic] = response === null && timeout.aborted ? unanswered[traffic] + 1 : 0
  if (unanswered[traffic] === 0 || unanswered[traffic] >= MAX_UNANSWERED)
    ready[traffic] = response?.ok ?? false
  await response?.body?.cancel()
}

import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Returns what closes every connection that has no request under way. Node's own closing spares those that never
 * sent one, and those that were busy when it began and are kept alive by their callers: either keeps a process from ending.
 */
export function trackConnections(server: Server): () => void {
  const activeRequests = new Map<Socket, number>()
  server.on('connection', (socket: Socket) => {
    activeRequests.set(socket, 0)
    socket.once('close', () => activeRequests.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    count(socket, 1)
    response.once('close', () => count(socket, -1))
  })

  function count(socket: Socket, more: number): void {
    const requests = activeRequests.get(socket)
    if (requests !== undefined) activeRequests.set(socket, requests + more)
  }

  return () => {
    for (const [socket, requests] of activeRequests) if (requests === 0) socket.destroy()
  }
}

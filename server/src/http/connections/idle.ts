import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Returns a function that closes every connection without an active request. Node's own close() leaves open those that
 * never sent a request, and those that were busy when it was called and are kept alive; both delay the shutdown.
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

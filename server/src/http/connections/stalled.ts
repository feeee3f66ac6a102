import type { Server } from 'node:http'
import type { Socket } from 'node:net'

interface StallLimits {
  readonly seconds: number
  readonly minBytesPerSecond: number
}

interface Sending {
  readonly since: number
  readonly sent: number
}

const CHECK_INTERVAL_MS = 500

/**
 * Destroys connections whose client does not read: bytes wait to be sent, and in `seconds` fewer left than the minimum
 * rate allows. Node's own timeouts do not, because they count everything that the client sends as activity.
 */
export function destroyStalledConnections(server: Server, limits: StallLimits): void {
  const sockets = new Map<Socket, Sending | null>()
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, null)
    socket.once('close', () => sockets.delete(socket))
  })
  let lastCheck = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    // After a pause of this process nothing is known about the clients.
    const paused = now - lastCheck > 2 * CHECK_INTERVAL_MS
    lastCheck = now
    for (const [socket, sending] of sockets) {
      const sent = countSentBytes(socket)
      if (sent === null) sockets.set(socket, null)
      else if (sending === null || paused) sockets.set(socket, { since: now, sent })
      else if (now - sending.since >= limits.seconds * 1000) {
        if (sent - sending.sent < limits.seconds * limits.minBytesPerSecond) socket.destroy()
        else sockets.set(socket, { since: now, sent })
      }
    }
  }, CHECK_INTERVAL_MS)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}

/** Bytes that the operating system took; null if none are waiting. */
function countSentBytes(socket: Socket): number | null {
  // Node has no public count of the bytes of a write that is under way.
  const { _handle: handle } = socket as {
    _handle?: { bytesWritten?: number; writeQueueSize?: number } | null
  }
  const waiting = handle?.writeQueueSize ?? 0
  if (waiting === 0 && socket.writableLength === 0) return null
  return (handle?.bytesWritten ?? 0) - waiting
}

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '../free-port.ts'

/** A TCP proxy to an engine that can be disconnected and connected again, or fall silent. */
export interface TcpProxy {
  readonly url: string
  disconnect(): Promise<void>
  reconnect(): Promise<void>
  /** Connections stay open and new ones are accepted, but no byte is forwarded any more. */
  silence(): void
  /** Closes the connections that were silent and forwards new ones again. */
  restore(): void
}

/** Connected from the start, by default. */
export async function startTcpProxy(engineUrl: string, { cut = false } = {}): Promise<TcpProxy> {
  const { hostname, port: enginePort } = new URL(engineUrl)
  const port = await freePort()
  const sockets = new Set<Socket>()
  let silent = false
  let server = accept()

  function accept() {
    return createServer((client) => {
      if (silent) {
        hold(client)
        return
      }
      const upstream = connect(Number(enginePort), hostname)
      for (const socket of [client, upstream]) {
        sockets.add(socket)
        socket.on('error', () => {})
        socket.once('close', () => {
          sockets.delete(socket)
          client.destroy()
          upstream.destroy()
        })
      }
      client.pipe(upstream).pipe(client)
    })
  }

  /** The kernel still acknowledges what the peer sends, as that of a stopped process does. */
  function hold(socket: Socket): void {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
    socket.unpipe().pause()
  }

  async function reconnect(): Promise<void> {
    server = accept()
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }

  if (!cut) await reconnect()
  return {
    url: engineUrl.replace(`${hostname}:${enginePort}`, `127.0.0.1:${port}`),
    reconnect,
    silence() {
      silent = true
      for (const socket of sockets) hold(socket)
    },
    restore() {
      silent = false
      for (const socket of sockets) socket.destroy()
    },
    async disconnect() {
      for (const socket of sockets) socket.destroy()
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
  }
}

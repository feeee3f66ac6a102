import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '../process.ts'

/** A cable to an engine that can be pulled out and plugged in again. */
export interface Cable {
  readonly url: string
  cut(): Promise<void>
  mend(): Promise<void>
}

/** Plugged in from the start, unless it is told to wait. */
export async function layCable(engineUrl: string, { cut = false } = {}): Promise<Cable> {
  const { hostname, port: enginePort } = new URL(engineUrl)
  const port = await freePort()
  const sockets = new Set<Socket>()
  let server = accept()

  function accept() {
    return createServer((near) => {
      const far = connect(Number(enginePort), hostname)
      for (const socket of [near, far]) {
        sockets.add(socket)
        socket.on('error', () => {})
        socket.once('close', () => {
          sockets.delete(socket)
          near.destroy()
          far.destroy()
        })
      }
      near.pipe(far).pipe(near)
    })
  }

  async function mend(): Promise<void> {
    server = accept()
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }

  if (!cut) await mend()
  return {
    url: engineUrl.replace(`${hostname}:${enginePort}`, `127.0.0.1:${port}`),
    mend,
    async cut() {
      for (const socket of sockets) socket.destroy()
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
  }
}

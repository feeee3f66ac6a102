import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems take for outgoing connections, one of which could take it before it is listened on. */
const FIRST_PORT = 20_000
const LAST_PORT = 29_999
const ATTEMPTS = 100

/** A port of the loopback address that no other test is given while this process runs. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1)
    if ((await reserve(port)) && (await canListen(port))) return port
  }
  throw new Error(`None of ${ATTEMPTS} ports between ${FIRST_PORT} and ${LAST_PORT} was free.`)
}

/** Nobody speaks UDP here: its socket of the same number says to other processes that the port is taken. */
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref()
  socket.bind({ port, address: '127.0.0.1', exclusive: true })
  const isOurs = await succeeds(once(socket, 'listening'))
  if (!isOurs) socket.close()
  return isOurs
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  if (!(await succeeds(once(server, 'listening')))) return false
  server.close()
  await once(server, 'close')
  return true
}

function succeeds(event: Promise<unknown>): Promise<boolean> {
  return event.then(
    () => true,
    () => false,
  )
}

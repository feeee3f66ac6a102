import { fork } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

interface FloodOptions {
  readonly baseUrls: readonly string[]
  readonly key: string
  readonly perSecond: number
  readonly seconds: number
}

const SOCKETS_PER_NODE = 10
const refusal = /HTTP\/1\.1 (?:429|503)/g
const MAX_SPLIT_LENGTH = 'HTTP/1.1 429'.length - 1

/**
 * Sends requests of one key at a steady rate and returns how many were rejected. The sender is a process of the lowest
 * priority: a real flood comes from other machines and takes no CPU time from the service.
 */
export function flood(options: FloodOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const sender = fork(fileURLToPath(import.meta.url), [JSON.stringify(options)])
    if (sender.pid !== undefined) setPriority(sender.pid, constants.priority.PRIORITY_LOW)
    sender.once('message', (refused) => resolve(Number(refused))).once('error', reject)
  })
}

/** Sends raw bytes at even intervals, distributed over the nodes like a load balancer. */
async function sendFlood({ baseUrls, key, perSecond, seconds }: FloodOptions): Promise<number> {
  let refused = 0
  let next = 0
  const senders = baseUrls.flatMap((baseUrl) => {
    const { hostname, port, host } = new URL(baseUrl)
    const request = `GET /v1/organizations HTTP/1.1\r\nhost: ${host}\r\nx-service-api-key: ${key}\r\n\r\n`
    return Array.from({ length: SOCKETS_PER_NODE }, () => {
      const socket = countRefusals(connect(Number(port), hostname), (more) => {
        refused += more
      })
      return { socket, request }
    })
  })
  const started = performance.now()
  let last = started
  for (let now = started; now < started + seconds * 1000; now = performance.now()) {
    // Requests missed while this thread was not scheduled are not made up for, so that the rate stays steady.
    const due = Math.min(((now - last) * perSecond) / 1000, perSecond / 250)
    for (let sent = 0; sent < due; sent++) {
      const sender = senders[next++ % senders.length]
      sender?.socket.write(sender.request)
    }
    last = now
    await sleep(1)
  }
  await sleep(500)
  for (const { socket } of senders) socket.destroy()
  return refused
}

function countRefusals(socket: Socket, count: (more: number) => void): Socket {
  let rest = ''
  return socket.setEncoding('latin1').on('data', (text: string) => {
    const seen = rest + text
    count([...seen.matchAll(refusal)].length)
    rest = seen.slice(-MAX_SPLIT_LENGTH)
  })
}

// Only if this file is the program and not imported.
if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  process.send(await sendFlood(JSON.parse(process.argv[2] ?? '') as FloodOptions))
  process.disconnect()
}

import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

interface Flood {
  readonly baseUrl: string
  readonly key: string
  readonly perSecond: number
  readonly seconds: number
}

const SOCKETS = 10
const TICK_MS = 20
const refusal = /HTTP\/1\.1 (?:429|503)/g
const LONGEST_CUT = 'HTTP/1.1 429'.length - 1

/** Calls of one key at a steady rate; answers how many were refused. On a thread of its own: others are being timed. */
export function flood(order: Flood): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: order })
    worker.once('message', resolve).once('error', reject)
  })
}

/** Raw bytes, so that the flood costs its sender little. */
async function sendFlood({ baseUrl, key, perSecond, seconds }: Flood): Promise<number> {
  const { hostname, port, host } = new URL(baseUrl)
  const request = `GET /v1/organizations HTTP/1.1\r\nhost: ${host}\r\nx-service-api-key: ${key}\r\n\r\n`
  const burst = request.repeat(Math.round((perSecond * TICK_MS) / 1000 / SOCKETS))
  let refused = 0
  const sockets = Array.from({ length: SOCKETS }, () =>
    countRefusals(connect(Number(port), hostname), (more) => {
      refused += more
    }),
  )
  const end = performance.now() + seconds * 1000
  for (let due = performance.now(); performance.now() < end; due += TICK_MS) {
    for (const socket of sockets) socket.write(burst)
    await sleep(Math.max(due + TICK_MS - performance.now(), 0))
  }
  await sleep(500)
  for (const socket of sockets) socket.destroy()
  return refused
}

function countRefusals(socket: Socket, count: (more: number) => void): Socket {
  let rest = ''
  return socket.setEncoding('latin1').on('data', (text: string) => {
    const seen = rest + text
    count([...seen.matchAll(refusal)].length)
    rest = seen.slice(-LONGEST_CUT)
  })
}

if (!isMainThread) parentPort?.postMessage(await sendFlood(workerData as Flood))

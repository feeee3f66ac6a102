import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestDatabase } from '../../server/test/database.ts'
import { startApi } from '../../server/test/process.ts'
import { get, postJson } from '../tools/client.ts'
import type { Measurement } from '../tools/report.ts'

const SLOTS = 16
const CONNECTIONS_PER_KEY = 8
const ATTACK_SECONDS = 8
/** A slow body is ended after 5 to 10 s. */
const END_SECONDS = 30

/** One tenant with several keys sends bodies byte by byte; the others must not notice. */
export async function proveHostileTenant(
  database: TestDatabase,
  apiEntry: string | undefined,
  attacker: readonly string[],
  others: readonly string[],
): Promise<Measurement[]> {
  const settings = {
    MAX_IN_FLIGHT: String(SLOTS),
    LIMIT_ORGANIZATIONS: 'off',
    LIMIT_REVIEW_CONTEXT: 'off',
  }
  const node = await startApi(database, settings, apiEntry)
  try {
    const slow = attacker.flatMap((key) =>
      Array.from({ length: CONNECTIONS_PER_KEY }, () => openSlowBody(node.url, key)),
    )
    await sleep(500)
    const { served, refused } = await callSteadily(node.url, others)
    const left = await countOpenAtEnd(slow)
    for (const socket of slow) socket.destroy()
    return [
      {
        measure: `requests of other tenants refused while ${attacker.length} keys of one send ${slow.length} slow bodies`,
        goal: `0 of ${served + refused}`,
        result: refused,
        met: refused === 0 && served > 0,
      },
      {
        measure: `slow bodies still open after ${END_SECONDS} s`,
        goal: '0',
        result: left,
        met: left === 0,
      },
    ]
  } finally {
    await node.stop('SIGKILL')
  }
}

function openSlowBody(baseUrl: string, key: string): Socket {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname).on('error', () => {})
  socket.resume()
  socket.write(
    `POST /v1/review-context HTTP/1.1\r\nhost: x\r\nx-service-api-key: ${key}\r\n` +
      'content-type: application/json\r\ncontent-length: 100000\r\n\r\n{',
  )
  const drip = setInterval(() => socket.writable && socket.write(' '), 300)
  socket.once('close', () => clearInterval(drip))
  return socket
}

async function callSteadily(
  url: string,
  keys: readonly string[],
): Promise<{ served: number; refused: number }> {
  const end = performance.now() + ATTACK_SECONDS * 1000
  let served = 0
  let refused = 0
  for (let index = 0; performance.now() < end; index++) {
    const key = keys[index % keys.length] ?? ''
    const responses = await Promise.all([
      get(`${url}/v1/organizations`, key),
      // Refused for its shape, after the body was received.
      postJson(`${url}/v1/review-context`, key, '{}'),
    ])
    for (const { status } of responses) {
      if (status === 200 || status === 400) served += 1
      else refused += 1
    }
    await sleep(20)
  }
  return { served, refused }
}

async function countOpenAtEnd(sockets: readonly Socket[]): Promise<number> {
  const end = performance.now() + END_SECONDS * 1000
  const countOpen = () => sockets.filter(({ closed }) => !closed).length
  while (countOpen() > 0 && performance.now() < end) await sleep(100)
  return countOpen()
}

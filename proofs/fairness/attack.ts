// One tenant that takes as much as it can, in one of several ways. Runs as a process of the lowest priority: a real attacker
// has machines of its own and takes no CPU time from the service.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createPullRequestEvent } from './pull-request.ts'

export const attacks = {
  unresolvable: 'small events of an unknown organization, ten times the rate of one credential',
  'large-events': 'events of 500 KiB that nobody can store, ten times the share of the queue',
  'slow-bodies': 'bodies that drip on 160 connections with four keys',
  'slow-events': 'event bodies that drip on 160 connections with three credentials',
  sarif: 'twenty large SARIF files at a time',
  'no-reading': '100 connections that request pages and do not read them',
} as const
export type AttackName = keyof typeof attacks

interface AttackOptions {
  readonly name: AttackName
  readonly url: string
  readonly orgId: string
  readonly keys: readonly string[]
  readonly credentials: readonly string[]
  readonly seconds: number
}

export interface Attack {
  /** Requests that the attacker has sent, and those that were refused; known at the end. */
  readonly finished: Promise<{ readonly sent: number; readonly refused: number }>
}

export function startAttack(options: AttackOptions): Attack {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(options)])
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  return { finished: readResult(child) }
}

async function readResult(child: ChildProcess): Promise<{ sent: number; refused: number }> {
  const [message] = (await once(child, 'message')) as [{ sent: number; refused: number }]
  return message
}

let sent = 0
let sentEvents = 0
let refused = 0

const run: Readonly<Record<AttackName, (options: AttackOptions) => Promise<void>>> = {
  unresolvable: (options) => postRepeatedly(options, 8, () => [createUnresolvableEvent(1, 0)]),
  'large-events': (options) =>
    postRepeatedly(options, 2, () => Array.from({ length: 7 }, () => createUnresolvableEvent(250, 1_900))),
  'slow-bodies': (options) => drip(options, '/v1/users/seats', options.keys),
  'slow-events': (options) => drip(options, '/ingest/v1/events', options.credentials),
  sarif: (options) => uploadRepeatedly(options),
  'no-reading': (options) => requestWithoutReading(options),
}

async function repeat(
  options: AttackOptions,
  lanes: number,
  work: (lane: number) => Promise<void>,
): Promise<void> {
  const end = performance.now() + options.seconds * 1000
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      while (performance.now() < end) await work(lane).catch(() => sleep(50))
    }),
  )
}

async function postRepeatedly(
  options: AttackOptions,
  lanesPerCredential: number,
  createBody: () => unknown[],
): Promise<void> {
  const { credentials, url } = options
  await repeat(options, lanesPerCredential * credentials.length, async (lane) => {
    const credential = credentials[lane % credentials.length] ?? ''
    await post(`${url}/ingest/v1/events`, credential, JSON.stringify(createBody()))
  })
}

async function uploadRepeatedly(options: AttackOptions): Promise<void> {
  const { credentials, url, orgId } = options
  const file = createSarif(8_000)
  await repeat(options, 20, async (lane) => {
    const query = `provider=github&org_id=${orgId}&repo_id=1`
    await post(`${url}/ingest/v1/sarif?${query}`, credentials[lane % credentials.length] ?? '', file)
  })
}

async function post(url: string, key: string, body: string): Promise<void> {
  sent += 1
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(20_000),
  })
  await response.arrayBuffer()
  if (response.status === 429 || response.status === 503) {
    refused += 1
    await sleep(20)
  }
}

/** Announces a body and sends a byte of it every half second. A connection that is closed is opened again. */
async function drip(options: AttackOptions, path: string, keys: readonly string[]): Promise<void> {
  const { hostname, port, host } = new URL(options.url)
  await repeat(options, 160, async (lane) => {
    sent += 1
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.on('data', () => {
      refused += 1
    })
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nx-service-api-key: ${keys[lane % keys.length]}\r\n` +
        'content-type: application/json\r\ncontent-length: 1000\r\n\r\n[',
    )
    for (let byte = 0; byte < 20 && !socket.destroyed; byte++) {
      socket.write(' ')
      await sleep(500)
    }
    socket.destroy()
  })
}

/** More requests on a connection than its buffers hold responses of. */
async function requestWithoutReading(options: AttackOptions): Promise<void> {
  const { hostname, port, host } = new URL(options.url)
  const key = options.keys[0] ?? ''
  const request = `GET /v1/metrics/review-comments/changes?limit=500 HTTP/1.1\r\nhost: ${host}\r\nx-service-api-key: ${key}\r\n\r\n`
  await repeat(options, 100, async () => {
    sent += 1
    const socket = connect(Number(port), hostname).pause()
    socket.on('error', () => {})
    socket.write(request.repeat(20))
    for (let tick = 0; tick < 20 && !socket.destroyed; tick++) await sleep(500)
    socket.destroy()
  })
}

/** Nobody knows the organization, so the event waits for it. */
function createUnresolvableEvent(findings: number, padding: number): unknown {
  sentEvents += 1
  return createPullRequestEvent({ orgId: 'nobody', number: sentEvents, findings, padding })
}

export function createSarif(results: number): string {
  const result = (index: number) => ({
    ruleId: 'rule',
    level: 'error',
    message: { text: `Result ${index} ${'x'.repeat(200)}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: `src/file-${index % 100}.ts` },
          region: { startLine: index + 1 },
        },
      },
    ],
  })
  return JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Warden' } },
        results: Array.from({ length: results }, (_, index) => result(index)),
      },
    ],
  })
}

// Only if this file is the program and not imported.
if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  const options = JSON.parse(process.argv[2] ?? '') as AttackOptions
  await run[options.name](options)
  process.send({ sent, refused })
  process.disconnect()
  process.exit(0)
}

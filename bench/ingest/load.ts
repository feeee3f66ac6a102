import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** A body whose pull requests are renumbered in place for each call. */
export interface Body {
  readonly bytes: Buffer
  readonly events: number
  /** The offsets of the numbers in the body; all numbers have the same length. */
  readonly offsets: readonly (readonly number[])[]
}

/** A connection of a sender. */
export interface Sender {
  readonly credential: string
  readonly body: Body
}

export interface Load {
  /** Events of calls that returned 202. */
  acknowledged(): number
  /** Calls that returned 503 and were sent again. */
  refused(): number
  /** Resolves when every call has a response. */
  stop(): Promise<void>
}

const FIRST_NUMBER = 100_000_000
const PAUSE_MS = 5

/** `events` are values whose JSON names each pull request by `FIRST_NUMBER` plus its index. */
export function createBody(createEvent: (number: number) => unknown, events: number): Body {
  const bytes = Buffer.from(
    JSON.stringify(Array.from({ length: events }, (_, slot) => createEvent(FIRST_NUMBER + slot))),
  )
  const offsets = Array.from({ length: events }, (_, slot) =>
    findOccurrences(bytes, String(FIRST_NUMBER + slot)),
  )
  return { bytes, events, offsets }
}

function findOccurrences(bytes: Buffer, text: string): number[] {
  const found: number[] = []
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) found.push(at)
  return found
}

/** Numbers continue from one load to the next, so that each pull request is sent once. */
let next = FIRST_NUMBER

function renumber({ bytes, offsets }: Body): void {
  for (const slot of offsets) {
    const digits = Buffer.from(String(next++))
    for (const at of slot) bytes.set(digits, at)
  }
}

/** Sends calls on every lane while `shouldSend` returns true: few enough events wait to be stored. */
export function startLoad(
  url: string,
  senders: readonly Sender[],
  shouldSend: (acknowledged: number) => boolean,
): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: senders.length })
  let acknowledged = 0
  let refused = 0
  const stopping = new AbortController()

  async function run({ credential, body }: Sender): Promise<void> {
    while (!stopping.signal.aborted) {
      if (!shouldSend(acknowledged)) {
        await sleep(PAUSE_MS)
        continue
      }
      renumber(body)
      while ((await post(url, agent, credential, body)) === 503) {
        refused += 1
        await sleep(100)
      }
      acknowledged += body.events
    }
  }

  const running = Promise.all(senders.map(run))
  return {
    acknowledged: () => acknowledged,
    refused: () => refused,
    async stop() {
      stopping.abort()
      await running
      agent.destroy()
    },
  }
}

function post(url: string, agent: Agent, credential: string, { bytes, events }: Body): Promise<202 | 503> {
  const headers = {
    'x-service-api-key': credential,
    'content-type': 'application/json',
    'content-length': bytes.length,
  }
  return new Promise((resolve, reject) => {
    const call = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => {
        const { statusCode: status } = response
        if (status === 503) resolve(503)
        else if (status === 202 && text.includes(`"accepted":${events},`)) resolve(202)
        else reject(new Error(`A call returned ${status}: ${text.slice(0, 500)}`))
      })
    })
    call.on('error', reject)
    call.end(bytes)
  })
}

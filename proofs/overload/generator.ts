import { fork } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** A request, as it is sent again and again. */
export interface Template {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly key: string
  /** Each `{id}` is replaced by a new number. */
  readonly body?: string
}

interface GenerateOptions {
  readonly url: string
  readonly templates: readonly Template[]
  readonly seconds: number
  /** As many requests a second, whatever is answered; or as many callers, each of which waits for its answer. */
  readonly load: { readonly perSecond: number } | { readonly callers: number }
}

export interface Answers {
  readonly sent: number
  /** Milliseconds of each accepted request, sorted. */
  readonly acceptedMs: readonly number[]
  /** 429 and 503 with Retry-After. */
  readonly refused: number
  /** What else was answered, with how often; 0 = the connection ended. */
  readonly other: Readonly<Record<string, number>>
  /** Of any request. */
  readonly longestMs: number
}

/** Kept open, as by a load balancer. A request that finds none free waits, and its time counts. */
const CONNECTIONS = 500
const DRAIN_MS = 30_000
const HEADERS_END = '\r\n\r\n'

/** Sends requests from a process of its own, so that what it measures does not wait for the proof. */
export function generate(options: GenerateOptions): Promise<Answers> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url))
    setPriority(child.pid ?? 0, -20)
    child.once('message', (answers) => resolve(answers as Answers)).once('error', reject)
    child.once('exit', (code) => reject(new Error(`The generator ended with ${code} before its answers.`)))
    child.send(options)
  })
}

interface Response {
  readonly status: number
  readonly hasRetryAfter: boolean
}

/** A connection with one request at a time, as bytes: a client of HTTP would need more of the processor than the service. */
class Connection {
  readonly #socket: Socket
  #received = ''
  #finish: ((response: Response) => void) | null = null

  constructor(url: URL) {
    this.#socket = connect(Number(url.port), url.hostname)
      .setNoDelay()
      .setEncoding('latin1')
      .on('data', (text: string) => this.#receive(text))
      .on('error', () => {})
      .on('close', () => this.#end({ status: 0, hasRetryAfter: false }))
  }

  send(bytes: string): Promise<Response> {
    return new Promise((resolve) => {
      this.#finish = resolve
      this.#socket.write(bytes)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #receive(text: string): void {
    this.#received += text
    const end = this.#received.indexOf(HEADERS_END)
    if (end === -1) return
    const headers = this.#received.slice(0, end)
    const length = Number(/content-length: (\d+)/i.exec(headers)?.[1] ?? 0)
    if (this.#received.length < end + HEADERS_END.length + length) return
    this.#received = ''
    this.#end({ status: Number(headers.slice(9, 12)), hasRetryAfter: /\nretry-after:/i.test(headers) })
  }

  #end(response: Response): void {
    const finish = this.#finish
    this.#finish = null
    finish?.(response)
  }
}

async function run({ url, templates, seconds, load }: GenerateOptions): Promise<Answers> {
  const target = new URL(url)
  const requests = templates.map(({ method, path, key, body }) => {
    const head = `${method} ${path} HTTP/1.1\r\nhost: ${target.host}\r\nx-service-api-key: ${key}\r\n`
    return (id: number) => {
      const text = body?.replaceAll('{id}', String(id)) ?? ''
      const type = body === undefined ? '' : 'content-type: application/json\r\n'
      return `${head}${type}content-length: ${text.length}\r\n\r\n${text}`
    }
  })
  const connections = Array.from(
    { length: 'callers' in load ? load.callers : CONNECTIONS },
    () => new Connection(target),
  )
  const free = [...connections]
  const waiting: ((connection: Connection) => void)[] = []
  const acceptedMs: number[] = []
  const other: Record<string, number> = {}
  const open = new Set<number>()
  let [sent, refused, longestMs] = [0, 0, 0]

  async function send(): Promise<void> {
    const started = performance.now()
    const id = (sent += 1)
    open.add(id)
    const connection = free.pop() ?? (await new Promise<Connection>((resolve) => waiting.push(resolve)))
    const { status, hasRetryAfter } = await connection.send(requests[id % requests.length]?.(id) ?? '')
    const ms = performance.now() - started
    const next = waiting.shift()
    if (next === undefined) free.push(connection)
    else next(connection)
    open.delete(id)
    longestMs = Math.max(longestMs, ms)
    if (status >= 200 && status < 300) acceptedMs.push(ms)
    else if ((status === 429 || status === 503) && hasRetryAfter) refused += 1
    else other[status] = (other[status] ?? 0) + 1
  }

  const started = performance.now()
  const end = started + seconds * 1000
  if ('callers' in load) {
    const callers = connections.map(async () => {
      while (performance.now() < end) await send()
    })
    await Promise.all(callers)
  } else {
    for (let now = started; now < end; now = performance.now()) {
      for (const due = ((now - started) * load.perSecond) / 1000; sent < due; ) void send()
      await sleep(2)
    }
    while (open.size > 0 && performance.now() < end + DRAIN_MS) await sleep(20)
    if (open.size > 0) other['never'] = open.size
  }
  for (const connection of connections) connection.close()
  return { sent, acceptedMs: acceptedMs.toSorted((a, b) => a - b), refused, other, longestMs }
}

// Only if this file is the program and not imported.
if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  process.once('message', (options) => {
    void run(options as GenerateOptions).then((answers) =>
      process.send?.(answers, () => process.disconnect()),
    )
  })
}

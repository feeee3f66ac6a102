import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { freePort } from '../process.ts'

/** A server that may be killed, because nobody else uses it. */
export interface OwnEngine {
  readonly url: string
  /** Starts it on what it has written so far; resolves when it answers. */
  start(): Promise<void>
  /** SIGKILL of all its processes: nothing is finished, nobody is told. */
  kill(): Promise<void>
}

export interface OwnEngines {
  readonly postgres: OwnEngine
  readonly nats: OwnEngine
  /** Stops both and deletes all they have written. */
  remove(): Promise<void>
}

interface Command {
  readonly user: 'postgres' | 'nats'
  readonly words: readonly string[]
  readonly url: string
  readonly answers: (url: string) => Promise<boolean>
  /** Lets it end in order. */
  readonly stopSignal: NodeJS.Signals
}

const engines = fileURLToPath(new URL('../../../scripts/engines', import.meta.url))
const PG_BIN = '/usr/lib/postgresql/17/bin'
const START_MS = 60_000
const KEPT_OUTPUT = 4_000

/** A PostgreSQL cluster and a NATS server of one's own, in the private root of scripts/engines and on free ports. */
export async function makeOwnEngines(): Promise<OwnEngines> {
  const [pgPort, natsPort] = await Promise.all([freePort(), freePort()])
  const name = `own-engines-${randomBytes(6).toString('hex')}`
  const outside = `${execFileSync(engines, ['scratch'], { encoding: 'utf8' }).trim()}/${name}`
  const removeFiles = () => rmSync(outside, { recursive: true, force: true })
  process.once('exit', removeFiles)
  const postgres = runner(preparePostgres(`/tmp/${name}/pg`, `${outside}/pg`, pgPort))
  const nats = runner(prepareNats(`/tmp/${name}/nats`, `${outside}/nats`, natsPort))
  await Promise.all([postgres.start(), nats.start()])
  return {
    postgres,
    nats,
    async remove() {
      await Promise.all([postgres.stop(), nats.stop()])
      removeFiles()
      process.off('exit', removeFiles)
    },
  }
}

function preparePostgres(inside: string, outside: string, port: number): Command {
  runOnce('install', '-d', '-o', 'postgres', '-g', 'postgres', '-m', '700', inside)
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8']
  // trust: it listens on the loopback address alone, and no longer than its maker runs.
  const trusting = ['-U', 'postgres', '-A', 'trust']
  runOnce(...as('postgres'), `${PG_BIN}/initdb`, '--no-sync', '-D', inside, ...trusting, ...locale)
  writeFileSync(
    `${outside}/postgresql.auto.conf`,
    `listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = ''
shared_buffers = 256MB
max_connections = 200
fsync = on
synchronous_commit = on
`,
  )
  return {
    user: 'postgres',
    words: [`${PG_BIN}/postgres`, '-D', inside],
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    answers: answersSql,
    stopSignal: 'SIGINT',
  }
}

function prepareNats(inside: string, outside: string, port: number): Command {
  runOnce('install', '-d', '-o', 'nats', '-g', 'nats', '-m', '700', inside)
  writeFileSync(
    `${outside}/conf`,
    `server_name: own
listen: 127.0.0.1:${port}
jetstream { store_dir: "${inside}/store", sync_interval: always }
`,
    { mode: 0o644 },
  )
  return {
    user: 'nats',
    words: ['/usr/sbin/nats-server', '-c', `${inside}/conf`],
    url: `nats://127.0.0.1:${port}`,
    answers: answersHello,
    stopSignal: 'SIGTERM',
  }
}

function runner({
  user,
  words,
  url,
  answers,
  stopSignal,
}: Command): OwnEngine & { stop(): Promise<unknown> } {
  let child: ChildProcess | null = null
  let output = ''
  const keep = (text: string) => {
    output = `${output}${text}`.slice(-KEPT_OUTPUT)
  }
  const killAll = () => {
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    for (const pid of [...childrenOf(child.pid), child.pid].toReversed()) killIfThere(pid)
  }
  // At once, but not so that PostgreSQL leaves its shared memory behind.
  const quit = () => child?.kill('SIGQUIT')
  const ended = async (how: () => unknown) => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    how()
    await exit
    process.off('exit', quit)
  }
  return {
    url,
    async start() {
      // The script replaces itself by the server, so that the child is the server.
      const started = spawn(engines, ['run', ...as(user), ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
      child = started
      process.once('exit', quit)
      for (const stream of [started.stdout, started.stderr]) stream.setEncoding('utf8').on('data', keep)
      const deadline = Date.now() + START_MS
      while (!(await answers(url))) {
        if (started.exitCode !== null || Date.now() > deadline)
          throw new Error(`${user} did not start:\n${output}`)
        await sleep(50)
      }
    },
    kill: () => ended(killAll),
    stop: () => ended(() => child?.kill(stopSignal)),
  }
}

/** As a user of the private root, with an environment of its own, and never for longer than this process. */
function as(user: Command['user']): string[] {
  return [
    'env',
    '-i',
    'PATH=/usr/sbin:/usr/bin',
    'LANG=C.UTF-8',
    'setpriv',
    `--reuid=${user}`,
    `--regid=${user}`,
    '--init-groups',
    '--pdeathsig=QUIT',
  ]
}

/** In the private root, as root. */
export function runOnce(...words: readonly string[]): void {
  execFileSync(engines, ['run', ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function answersSql(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** NATS greets whoever connects. */
function answersHello(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = createConnection(Number(port), hostname)
    const settle = (answered: boolean) => {
      socket.destroy()
      resolve(answered)
    }
    socket.setTimeout(2_000, () => settle(false))
    socket.once('data', () => settle(true)).once('error', () => settle(false))
  })
}

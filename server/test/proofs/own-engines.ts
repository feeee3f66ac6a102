import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { freePort } from '../free-port.ts'

/** A server that may be killed, because only this proof uses it. */
export interface OwnEngine {
  readonly url: string
  /** Starts it on its existing data; resolves when it responds. */
  start(): Promise<void>
  /** Sends SIGKILL to all its processes. */
  kill(): Promise<void>
}

/** Where it is for tools of the private root, and for this process. */
export interface EngineFolder {
  readonly inside: string
  readonly outside: string
}

export interface OwnEngines {
  readonly postgres: OwnEngine
  readonly nats: OwnEngine
  /** Has their data in `pg` and `nats`. */
  readonly folder: EngineFolder
  /** Stops both and deletes their data. */
  remove(): Promise<void>
}

interface EngineCommand {
  readonly user: 'postgres' | 'nats'
  readonly args: readonly string[]
  readonly url: string
  readonly env?: Readonly<Record<string, string>>
  readonly isReady: (url: string) => Promise<boolean>
  /** Stops it gracefully. */
  readonly stopSignal: NodeJS.Signals
}

export const enginesScript = fileURLToPath(new URL('../../../scripts/engines', import.meta.url))
export const PG_BIN = '/usr/lib/postgresql/17/bin'
const START_MS = 60_000
const MAX_OUTPUT_CHARS = 4_000

interface EnginesOptions {
  /** Lines for the configuration of PostgreSQL besides the usual ones. */
  readonly postgresSettings?: ((folder: EngineFolder) => string) | undefined
}

/** A separate PostgreSQL cluster and NATS server, in the private root of scripts/engines and on free ports. */
export async function createOwnEngines({ postgresSettings }: EnginesOptions = {}): Promise<OwnEngines> {
  const [pgPort, natsPort] = await Promise.all([freePort(), freePort()])
  const { inside, outside, removeFiles } = createFolder()
  const folder = { inside, outside }
  const settings = postgresSettings?.(folder)
  const postgres = createEngine(preparePostgres(`${inside}/pg`, `${outside}/pg`, pgPort, settings))
  const nats = createEngine(prepareNats(`${inside}/nats`, `${outside}/nats`, natsPort))
  await Promise.all([postgres.start(), nats.start()])
  return {
    postgres,
    nats,
    folder,
    async remove() {
      await Promise.all([postgres.stop(), nats.stop()])
      removeFiles()
    },
  }
}

export interface OwnNats extends OwnEngine {
  readonly port: number
  remove(): Promise<void>
}

interface NatsOptions {
  /** Lines of its configuration instead of the usual ones, which listen without a password. */
  readonly settings: (server: { readonly port: number; readonly folder: string }) => string
  /** Texts by the name of the file in its folder. */
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
}

/** A separate NATS server with its own configuration. */
export async function createOwnNats({ settings, files = {}, env = {} }: NatsOptions): Promise<OwnNats> {
  const port = await freePort()
  const { inside, outside, removeFiles } = createFolder()
  const folder = `${inside}/nats`
  const command = prepareNats(folder, `${outside}/nats`, port, settings({ port, folder }))
  for (const [name, text] of Object.entries(files))
    writeFileSync(`${outside}/nats/${name}`, text, { mode: 0o644 })
  const nats = createEngine({ ...command, env })
  await nats.start()
  return {
    ...nats,
    port,
    async remove() {
      await nats.stop()
      removeFiles()
    },
  }
}

/** Lends the connections of a PostgreSQL server for one transaction each, with the settings of deploy/cluster. */
export async function startPgBouncer(server: string): Promise<OwnEngine & { remove(): Promise<void> }> {
  const [port, { inside, outside, removeFiles }] = [await freePort(), createFolder()]
  const { hostname, port: serverPort } = new URL(server)
  runOnce('install', '-d', '-o', 'postgres', '-g', 'postgres', '-m', '700', inside)
  const settings = readFileSync(new URL('../../../deploy/cluster/pgbouncer.ini', import.meta.url), 'utf8')
    .replace(/^\* = .*$/m, `* = host=${hostname} port=${serverPort}`)
    .replace(/^listen_port = .*$/m, `listen_port = ${port}`)
    // The engines of tests trust everybody on this machine.
    .replace(/^auth_type = .*$/m, 'auth_type = trust')
    .replace(/^auth_user = .*$/m, '')
    .replace(/^auth_file = .*$/m, `auth_file = ${inside}/users`)
  writeFileSync(`${outside}/pgbouncer.ini`, settings, { mode: 0o644 })
  const users = ['postgres', ...['owner', 'auth', 'api', 'worker'].map((role) => `scholiast_${role}`)]
  writeFileSync(`${outside}/users`, users.map((user) => `"${user}" ""\n`).join(''), { mode: 0o644 })
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const args = ['/usr/sbin/pgbouncer', `${inside}/pgbouncer.ini`]
  const engine = createEngine({
    user: 'postgres',
    args,
    url,
    isReady: isPostgresReady,
    stopSignal: 'SIGTERM',
  })
  await engine.start()
  return {
    ...engine,
    async remove() {
      await engine.stop()
      removeFiles()
    },
  }
}

/** A folder in the private root, which is deleted when this process exits at the latest. */
function createFolder(): EngineFolder & { readonly removeFiles: () => void } {
  const name = `own-engines-${randomBytes(6).toString('hex')}`
  const outside = `${execFileSync(enginesScript, ['scratch'], { encoding: 'utf8' }).trim()}/${name}`
  const remove = () => rmSync(outside, { recursive: true, force: true })
  process.once('exit', remove)
  const removeFiles = () => {
    remove()
    process.off('exit', remove)
  }
  return { inside: `/tmp/${name}`, outside, removeFiles }
}

function preparePostgres(
  inside: string,
  outside: string,
  port: number,
  settings = `unix_socket_directories = ''\n`,
): EngineCommand {
  runOnce('install', '-d', '-o', 'postgres', '-g', 'postgres', '-m', '700', inside)
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8']
  // trust: it listens only on the loopback address, and only while this process runs.
  const trusting = ['-U', 'postgres', '-A', 'trust']
  runOnce(...runAs('postgres'), `${PG_BIN}/initdb`, '--no-sync', '-D', inside, ...trusting, ...locale)
  writeFileSync(
    `${outside}/postgresql.auto.conf`,
    `listen_addresses = '127.0.0.1'
port = ${port}
shared_buffers = 256MB
max_connections = 200
fsync = on
synchronous_commit = on
${settings}`,
  )
  return {
    user: 'postgres',
    args: [`${PG_BIN}/postgres`, '-D', inside],
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    isReady: isPostgresReady,
    stopSignal: 'SIGINT',
  }
}

function prepareNats(
  inside: string,
  outside: string,
  port: number,
  settings = `server_name: own
listen: 127.0.0.1:${port}
jetstream { store_dir: "${inside}/store", sync_interval: always }
`,
): EngineCommand {
  runOnce('install', '-d', '-o', 'nats', '-g', 'nats', '-m', '700', inside)
  writeFileSync(`${outside}/conf`, settings, { mode: 0o644 })
  return {
    user: 'nats',
    args: ['/usr/sbin/nats-server', '-c', `${inside}/conf`],
    url: `nats://127.0.0.1:${port}`,
    isReady: isNatsReady,
    stopSignal: 'SIGTERM',
  }
}

function createEngine({
  user,
  args,
  url,
  env = {},
  isReady,
  stopSignal,
}: EngineCommand): OwnEngine & { stop(): Promise<unknown> } {
  let child: ChildProcess | null = null
  let output = ''
  const appendOutput = (text: string) => {
    output = `${output}${text}`.slice(-MAX_OUTPUT_CHARS)
  }
  const killAll = () => {
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    for (const pid of [...childrenOf(child.pid), child.pid].toReversed()) killIfThere(pid)
  }
  // Immediately, but so that PostgreSQL frees its shared memory.
  const quit = () => child?.kill('SIGQUIT')
  const terminate = async (sendSignal: () => unknown) => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    sendSignal()
    await exit
    process.off('exit', quit)
  }
  return {
    url,
    async start() {
      // The script execs the server, so that the child is the server.
      const started = spawn(enginesScript, ['run', ...runAs(user, env), ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child = started
      process.once('exit', quit)
      for (const stream of [started.stdout, started.stderr])
        stream.setEncoding('utf8').on('data', appendOutput)
      const deadline = Date.now() + START_MS
      while (!(await isReady(url))) {
        if (started.exitCode !== null || Date.now() > deadline)
          throw new Error(`${user} did not start:\n${output}`)
        await sleep(50)
      }
    },
    kill: () => terminate(killAll),
    stop: () => terminate(() => child?.kill(stopSignal)),
  }
}

/** Runs as a user of the private root, with its own environment, and stops with this process. */
export function runAs(user: EngineCommand['user'], env: Readonly<Record<string, string>> = {}): string[] {
  return [
    'env',
    '-i',
    'PATH=/usr/sbin:/usr/bin',
    'LANG=C.UTF-8',
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
    'setpriv',
    `--reuid=${user}`,
    `--regid=${user}`,
    '--init-groups',
    '--pdeathsig=QUIT',
  ]
}

/** Runs in the private root, as root. */
export function runOnce(...args: readonly string[]): string {
  return execFileSync(enginesScript, ['run', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
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

async function isPostgresReady(url: string): Promise<boolean> {
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

/** NATS sends a greeting to every client. */
function isNatsReady(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = createConnection(Number(port), hostname)
    const finish = (isReady: boolean) => {
      socket.destroy()
      resolve(isReady)
    }
    socket.setTimeout(2_000, () => finish(false))
    socket.once('data', () => finish(true)).once('error', () => finish(false))
  })
}

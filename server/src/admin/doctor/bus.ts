import type { StreamInfo } from '@nats-io/jetstream'
import { type Bus, describeOutdatedServer } from '../../bus/connect.ts'
import { readRestrictions } from '../../bus/restrictions.ts'
import { type StreamDefinition, streams } from '../../bus/streams.ts'
import { readSettings } from '../../config.ts'
import { pluralize } from '../../plural.ts'
import type { AdminContext } from '../context.ts'
import {
  describeClock,
  type Finding,
  type Result,
  renderBytes,
  report,
  runCheck,
  runChecks,
} from './finding.ts'

const MAX_USED = 0.8
const MAX_HEARTBEAT_SECONDS = 300
const FULL = 'start more workers; see queue status and dead-letters list'

export async function checkBus(admin: AdminContext): Promise<readonly Finding[]> {
  let bus: Bus | null = null as Bus | null
  const unreachable = 'start NATS, or correct NATS_URL, NATS_CA_FILE and INGEST_KEYS; no stream was checked'
  const failed = await runChecks('NATS', 'connection', unreachable, async () => {
    bus = await admin.bus()
    return []
  })
  const urls = readSettings(admin.env, (read) => read.list('NATS_MONITORING_URL'))
  const correct = 'start this server, or correct its address in NATS_MONITORING_URL'
  const checked = await Promise.all([
    ...(bus === null ? [] : checkConnected(admin, bus)),
    ...urls.map((url, index) => {
      const of = `server ${index + 1}`
      return runChecks('NATS', of, correct, () => checkServer(url, of))
    }),
  ])
  const toDo = 'set NATS_MONITORING_URL to the monitoring address of each server, as in http://127.0.0.1:8222'
  const unknown = urls.length > 0 ? [] : [report('sync_interval', 'servers', 'unknown', toDo)]
  return [...failed, ...checked.flat(), ...unknown]
}

function checkConnected({ env }: AdminContext, bus: Bus) {
  const seeLog = 'see the log of NATS'
  return [
    runChecks('stream', 'all', seeLog, async () => {
      const found = await Promise.all(
        streams.map(({ name }) => bus.manager.streams.info(bus.streamName(name)).catch(ignoreMissing)),
      )
      const wanted = readSettings(env, (read) => read.integer('BUS_REPLICAS', 1, 1))
      const replicas = Math.max(wanted, ...found.map((info) => info?.config.num_replicas ?? 0))
      return streams.flatMap((stream, index) => {
        const info = found[index] ?? null
        // An installation may have no archive.
        if (info === null && stream.name === 'ARCHIVE') return []
        return report('stream', stream.name, ...describeStream(bus, stream, info, replicas))
      })
    }),
    runCheck('disk', 'account', seeLog, async () => {
      const { storage, limits } = await bus.manager.getAccountInfo()
      return describeDisk(storage, limits.max_storage)
    }),
    runCheck('worker', 'relay', 'start a worker', () => checkHeartbeat(bus)),
  ]
}

function ignoreMissing(error: unknown): null {
  if (error instanceof Error && error.name === 'StreamNotFoundError') return null
  throw error
}

function describeStream(
  bus: Bus,
  stream: StreamDefinition,
  info: StreamInfo | null,
  replicas: number,
): Result {
  if (info === null) return ['missing', 'start a worker, which creates it']
  const { config, cluster, state } = info
  const subjects = stream.subjects.map((path) => bus.subject(path)).join()
  if (config.discard !== stream.discard || config.subjects.join() !== subjects)
    return ['not as declared', 'start a worker, which declares it again']
  const current = (cluster?.replicas ?? []).filter((peer) => peer.current && !peer.offline).length + 1
  const [used, toDo] = describeDisk(state.bytes, config.max_bytes)
  const messages = pluralize(state.messages, 'message')
  const found = `${pluralize(config.num_replicas, 'replica')}, ${current} up to date; ${messages}, ${used}`
  if (current < config.num_replicas) return [found, 'start the missing servers of the cluster']
  if (config.num_replicas < replicas) return [found, `start a worker with BUS_REPLICAS=${replicas}`]
  return [found, stream.discard === 'new' ? toDo : null]
}

/** When a worker last said that everything was published. */
async function checkHeartbeat(bus: Bus): Promise<Result> {
  const { until } = await readRestrictions(bus, new Date())
  const seconds = Math.round((Date.now() - (until?.getTime() ?? 0)) / 1000)
  const toDo = seconds > MAX_HEARTBEAT_SECONDS ? 'start a worker; its log says what it waits for' : null
  return [until === null ? 'never up to date' : `up to date ${seconds} s ago`, toDo]
}

/** The part of the /varz of a server with JetStream that is checked. */
interface ServerState {
  readonly version: string
  readonly now: string
  readonly auth_required?: boolean
  readonly tls_required?: boolean
  readonly jetstream: {
    readonly config: { sync_always?: boolean; sync_interval: number; max_storage: number }
    readonly stats: { storage: number }
  }
}

async function checkServer(url: string, of: string): Promise<Finding[]> {
  const sentAt = Date.now()
  const response = await fetch(new URL('/varz', url), { signal: AbortSignal.timeout(5_000) })
  const { version, now, jetstream, ...required } = (await response.json()) as ServerState
  const { config, stats } = jetstream
  const describe = (isRequired = false) => (isRequired ? 'required' : 'not required')
  const users = 'define users as in deploy/nats.conf'
  const sync =
    'set sync_interval: always in the block jetstream: a crash of the machine loses accepted events'
  return [
    report('version', of, version, describeOutdatedServer(version)),
    config.sync_always
      ? report('sync_interval', of, 'always')
      : report('sync_interval', of, `${config.sync_interval / 1e9} s`, sync),
    report('password', of, describe(required.auth_required), required.auth_required ? null : users),
    // Between processes of one machine it is not needed.
    report('TLS', of, describe(required.tls_required)),
    report('clock', of, ...describeClock(Date.parse(now), sentAt)),
    report('disk', of, ...describeDisk(stats.storage, config.max_storage)),
  ]
}

/** Without a limit, `max` is not positive. */
function describeDisk(used: number, max: number): Result {
  const limit = max > 0 ? `of ${renderBytes(max)} used` : 'used; no limit'
  return [`${renderBytes(used)} ${limit}`, max > 0 && used > max * MAX_USED ? FULL : null]
}

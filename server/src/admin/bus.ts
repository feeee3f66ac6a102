import type { StreamInfo } from '@nats-io/jetstream'
import { type Bus, describeOutdatedServer } from '../bus/connect.ts'
import { streams } from '../bus/streams.ts'
import { readSettings } from '../config.ts'
import { pluralize } from '../plural.ts'
import { type AdminCommand, defineCommand, IncompleteError, type Output } from './command.ts'

interface Finding {
  readonly check: string
  /** Server or stream. */
  readonly of: string
  readonly found: string
  /** Null = nothing. */
  readonly to_do: string | null
}

const REQUEST_TIMEOUT_MS = 5000

const check = defineCommand({
  name: 'bus check',
  summary: 'Check the NATS servers and streams: version, sync_interval, password, replicas',
  environment: ['NATS_URL', 'NATS_CA_FILE', 'BUS_PREFIX', 'NATS_MONITORING_URL'],
  async run(admin) {
    const urls = readSettings(admin.env, (read) => read.list('NATS_MONITORING_URL'))
    const bus = await admin.bus()
    const findings = [
      ...(await checkStreams(bus)),
      ...(await Promise.all(urls.map(checkServer))).flat(),
      ...(urls.length > 0 ? [] : [missingMonitoring]),
    ]
    const rows = findings.map(({ to_do, ...finding }) => ({ ...finding, to_do: to_do ?? 'OK' }))
    const output: Output = { rows, emptyMessage: '' }
    const problems = findings.filter(({ to_do }) => to_do !== null).length
    if (problems === 0) return output
    throw new IncompleteError(`${problems} of ${pluralize(findings.length, 'check')} failed.`, output)
  },
})

const missingMonitoring: Finding = {
  check: 'sync_interval',
  of: 'servers',
  found: 'unknown',
  to_do: 'set NATS_MONITORING_URL to the monitoring address of each server, as in http://127.0.0.1:8222',
}

async function checkStreams(bus: Bus): Promise<Finding[]> {
  const found = await Promise.all(
    streams.map(({ name }) => bus.manager.streams.info(bus.streamName(name)).catch(ignoreMissing)),
  )
  const replicas = Math.max(...found.map((info) => info?.config.num_replicas ?? 0))
  return streams.flatMap(({ name }, index) => {
    const info = found[index] ?? null
    // An installation may have no archive.
    return info === null && name === 'ARCHIVE' ? [] : describeStream(bus.streamName(name), info, replicas)
  })
}

function ignoreMissing(error: unknown): null {
  if (error instanceof Error && error.name === 'StreamNotFoundError') return null
  throw error
}

function describeStream(name: string, info: StreamInfo | null, replicas: number): Finding {
  const base = { check: 'stream', of: name }
  if (info === null) return { ...base, found: 'missing', to_do: 'start a worker, which creates it' }
  const { config, cluster } = info
  const current = (cluster?.replicas ?? []).filter((peer) => peer.current && !peer.offline).length + 1
  const found = `${pluralize(config.num_replicas, 'replica')}, ${current} up to date`
  if (current < config.num_replicas)
    return { ...base, found, to_do: 'start the missing servers of the cluster' }
  const to_do = config.num_replicas < replicas ? `start a worker with BUS_REPLICAS=${replicas}` : null
  return { ...base, found, to_do }
}

/** The part of a server's /varz that is checked. */
interface ServerState {
  readonly server_name?: string
  readonly version?: string
  readonly auth_required?: boolean
  readonly tls_required?: boolean
  readonly jetstream?: {
    readonly config?: { readonly sync_always?: boolean; readonly sync_interval?: number }
  }
}

async function checkServer(url: string): Promise<Finding[]> {
  const response = await fetch(new URL('/varz', url), { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
  if (!response.ok) throw new Error(`${url}/varz returned ${response.status}. Check NATS_MONITORING_URL.`)
  const state = (await response.json()) as ServerState
  const of = state.server_name ?? url
  const { sync_always = false, sync_interval = 0 } = state.jetstream?.config ?? {}
  return [
    {
      check: 'version',
      of,
      found: state.version ?? 'unknown',
      to_do: describeOutdatedServer(state.version),
    },
    {
      check: 'sync_interval',
      of,
      found: sync_always ? 'always' : `${sync_interval / 1e9} s`,
      to_do: sync_always
        ? null
        : 'set sync_interval: always in the block jetstream, otherwise a crash of the machine loses accepted events',
    },
    {
      check: 'password',
      of,
      found: state.auth_required ? 'required' : 'not required',
      to_do: state.auth_required ? null : 'define users as in deploy/nats.conf',
    },
    {
      check: 'TLS',
      of,
      found: state.tls_required ? 'required' : 'not required',
      // Between processes of one machine it is not needed.
      to_do: null,
    },
  ]
}

export const busCommands: readonly AdminCommand[] = [check]

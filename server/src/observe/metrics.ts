import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

interface ObservedPool {
  readonly totalCount: number
  readonly idleCount: number
  readonly observed?: { readonly waitedMs: number; readonly certificateEnd: number | null }
}

interface ObservedModels {
  readonly configured: readonly { readonly countWaiting?: () => number }[]
  readonly fallbacks: { readonly count: number }
}

/** What is counted whenever the metrics are read. */
interface Observed {
  /** By a name that identifies no tenant. */
  readonly pools: Map<string, readonly ObservedPool[]>
  models: ObservedModels | null
}

/** The Prometheus metrics of one process. No label names a tenant, a person or a key. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const observed: Observed = { pools: new Map(), models: null }
  observePools(registry, observed)
  observeModels(registry, observed)
  const certificateEnd = observeCertificates(registry, observed)
  collectDefaultMetrics({ register: registry })
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers })
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers })
  return {
    registry,
    observed,
    requests: new Histogram({
      name: 'scholiast_http_request_duration_seconds',
      help: 'Duration of requests by route and status: rate, errors and duration.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    refusals: counter(
      'scholiast_http_refusals_total',
      'Refused requests by route and error code.',
      'route',
      'code',
    ),
    signInRefusals: counter(
      'scholiast_sign_in_refusals_total',
      'Refused sign-ins by reason and method.',
      'reason',
      'method',
    ),
    slots: gauge(
      'scholiast_http_slots_in_use',
      'Requests that are being authenticated, received or worked on.',
      'kind',
    ),
    events: new Histogram({
      name: 'scholiast_event_duration_seconds',
      help: 'Duration of handled events by consumer and outcome.',
      labelNames: ['consumer', 'outcome'],
      registers,
    }),
    /** Organizations that lost their last active admin through SCIM. */
    lostAdmins: counter(
      'scholiast_organizations_without_admin_total',
      'Organizations whose last active admin was deactivated through SCIM.',
    ),
    timerRun: gauge(
      'scholiast_timer_last_run_timestamp_seconds',
      'When this worker last ended a run of the timer, by outcome.',
      'timer',
      'outcome',
    ),
    eventAge: gauge(
      'scholiast_event_oldest_age_seconds',
      'Age of the oldest event that waits to be handled (queue) or published (outbox); 0 if there is none.',
      'stage',
    ),
    streamMessages: gauge(
      'scholiast_stream_messages',
      'Messages in each stream; those in DEAD are dead letters.',
      'stream',
    ),
    streamBytes: gauge('scholiast_stream_bytes', 'Bytes in each stream.', 'stream'),
    streamMaxBytes: gauge('scholiast_stream_max_bytes', 'Maximum bytes of each stream.', 'stream'),
    consumerPending: gauge(
      'scholiast_consumer_pending_messages',
      'Messages that wait for a consumer or for its acknowledgement.',
      'consumer',
    ),
    connectorLag: new Histogram({
      name: 'scholiast_connector_lag_seconds',
      help: 'Time from the end of a pull request at the Git provider until its first events were queued.',
      buckets: [10, 30, 60, 120, 300, 900, 3600, 4 * 3600, 24 * 3600],
      registers,
    }),
    connectors: gauge('scholiast_connectors', 'Connectors by status.', 'status'),
    standbys: gauge(
      'scholiast_database_standbys',
      'Standbys that stream from the main database with a replication slot.',
    ),
    replicationLag: gauge(
      'scholiast_database_replication_lag_bytes',
      'How far the last standby with a replication slot is behind the main database.',
    ),
    lastDrill: gauge(
      'scholiast_restore_drill_last_success_timestamp_seconds',
      'When the last good drill of a restore ended; 0 = never.',
    ),
    unconfirmedRestores: gauge(
      'scholiast_restore_points_unconfirmed',
      'Restore points that wait to be confirmed. Until then, connectors are paused.',
    ),
    expiringKeys: gauge(
      'scholiast_keys_expiring',
      'Keys and ingest credentials that expire within 7 days, by kind.',
      'kind',
    ),
    certificateEnd,
  }
}

function observePools(registry: Registry, { pools }: Observed): void {
  const connections = new Gauge({
    name: 'scholiast_database_connections',
    help: 'Connections of each pool that are used or idle.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, members] of pools) {
        const idle = sum(members, ({ idleCount }) => idleCount)
        connections.set({ pool, state: 'idle' }, idle)
        connections.set({ pool, state: 'used' }, sum(members, ({ totalCount }) => totalCount) - idle)
      }
    },
  })
  const waits = new Counter({
    name: 'scholiast_database_wait_seconds_total',
    help: 'Time for which requests and jobs waited for a connection; its rate is how many wait on average.',
    labelNames: ['pool'],
    registers: [registry],
    collect() {
      waits.reset()
      for (const [pool, members] of pools)
        waits.inc({ pool }, sum(members, ({ observed }) => observed?.waitedMs ?? 0) / 1000)
    },
  })
}

function observeCertificates(registry: Registry, { pools }: Observed): Gauge<'certificate'> {
  const gauge = new Gauge({
    name: 'scholiast_certificate_expiry_timestamp_seconds',
    help: 'When a certificate expires that this process relies on; of several, the first.',
    labelNames: ['certificate'] as const,
    registers: [registry],
    collect() {
      const connected = [...pools.values()].flat().filter(({ totalCount }) => totalCount > 0)
      const ends = connected.flatMap(({ observed }) => observed?.certificateEnd ?? [])
      gauge.remove('database')
      if (ends.length > 0) gauge.set({ certificate: 'database' }, Math.min(...ends))
    },
  })
  return gauge
}

/** A file that cannot be read is reported when the process connects. */
export function observeCaFile({ certificateEnd }: Metrics, caFile: string | null): void {
  if (caFile === null) return
  try {
    const certificates = readFileSync(caFile, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END/g) ?? []
    const ends = certificates.map((text) =>
      Date.parse(new X509Certificate(`${text} CERTIFICATE-----`).validTo),
    )
    if (ends.length > 0) certificateEnd.set({ certificate: 'nats_ca' }, Math.min(...ends) / 1000)
  } catch {}
}

function observeModels(registry: Registry, observed: Observed): void {
  const waiting = new Gauge({
    name: 'scholiast_embedding_queue_texts',
    help: 'Texts that wait for the local embedding model.',
    registers: [registry],
    collect() {
      waiting.set(sum(observed.models?.configured ?? [], ({ countWaiting }) => countWaiting?.() ?? 0))
    },
  })
  const fallbacks = new Counter({
    name: 'scholiast_embedding_fallbacks_total',
    help: 'Searches that used words only, because the embedding model failed or was too slow.',
    registers: [registry],
    collect() {
      fallbacks.reset()
      fallbacks.inc(observed.models?.fallbacks.count ?? 0)
    },
  })
}

function sum<Item>(items: readonly Item[], read: (item: Item) => number): number {
  return items.reduce((total, item) => total + read(item), 0)
}

/** Returns why the process cannot do its work, or null. */
export type CheckReady = () => Promise<string | null>

/**
 * Uses a separate port, so that a proxy in front of the API does not expose the metrics. With `checkReady`, it also serves
 * /healthz and /readyz, for a process that serves nothing else.
 */
export async function serveMetrics(
  { registry }: Metrics,
  host: string,
  port: number,
  checkReady?: CheckReady,
): Promise<Server> {
  const pages: Readonly<
    Record<string, () => Promise<readonly [status: number, body: string, type: string]>>
  > = {
    '/metrics': async () => [200, await registry.metrics(), registry.contentType],
    ...(checkReady && {
      '/healthz': () => Promise.resolve([200, '{"status":"ok"}', JSON_TYPE] as const),
      '/readyz': async () => renderReadiness(await checkReady()),
    }),
  }
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const render = Object.hasOwn(pages, path) ? pages[path] : undefined
    if (render === undefined) {
      response.writeHead(404).end()
      return
    }
    void render().then(
      ([status, body, type]) => response.writeHead(status, { 'content-type': type }).end(body),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  return server
}

const JSON_TYPE = 'application/json; charset=utf-8'

function renderReadiness(reason: string | null) {
  return reason === null
    ? ([200, '{"status":"ready"}', JSON_TYPE] as const)
    : ([503, JSON.stringify({ status: 'unavailable', reason }), JSON_TYPE] as const)
}
